import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { findDesk } from '../features/accounts/commands/find-desk.ts'
import type { Draft } from '../imports/draft.ts'
import type { Importable } from '../imports/importable.ts'
import { changeRecord, type Desk, makeRecord } from '../imports/one-record.ts'
import type { AccountTx } from '../platform/db/database.ts'
import { dayIn } from '../platform/time.ts'
import { importables, readOnlyEntities } from '../registry.ts'
import { accountNumber, answering, withCell } from './command.ts'

type Options = {
  account: number
  company?: string
  set?: string[]
  data?: string
}
type Answer = { id: string; status: string; record_status: string; warnings: Draft['warnings'] }
const keys = (of: readonly Importable[]) => of.map(({ entity }) => entity.key).join(', ')
const bookings = [...importables, ...readOnlyEntities].filter(({ entity }) => entity.base?.table === 'bookings')

export function registerRecords(program: Command): void {
  const record = program.command('record').description('make, change and cancel records that the API does not write')
  const fields = (command: Command) =>
    command
      .requiredOption('--account <number>', 'account number', accountNumber)
      .option('--company <id>', 'company that the record belongs to; the default one when omitted')
      .option('--set <field=value>', 'a field; may be given several times', pairs)
      .option('--data <json>', 'fields as a JSON object, or @FILE')
  answering(
    fields(
      record
        .command('create')
        .description(`make a record: ${keys(readOnlyEntities)}`)
        .argument('<entity>', 'its entity'),
    ),
    (options: Options, key: string) =>
      atDesk(options, async (tx, desk) => makeRecord(tx, entityOf(key, readOnlyEntities), await rowOf(options), desk)),
    tellRecord,
  )
  answering(
    fields(
      record
        .command('change')
        .description(`change a record: ${keys(readOnlyEntities)}`)
        .argument('<entity>', 'its entity')
        .argument('<id>', 'its id'),
    ),
    (options: Options, key: string, id: string) =>
      atDesk(options, async (tx, desk) =>
        changeRecord(tx, entityOf(key, readOnlyEntities), recordId(id), await rowOf(options), desk),
      ),
    tellRecord,
  )
  answering(
    record
      .command('cancel')
      .description('cancel a booking: its invoice is reversed, its supplier bill void, its seats return')
      .argument('<entity>', keys(bookings))
      .argument('<id>', 'its id')
      .requiredOption('--account <number>', 'account number', accountNumber),
    (options: Options, key: string, id: string) =>
      atDesk(options, (tx, desk) => changeRecord(tx, bookingEntity(key), recordId(id), { status: 'cancelled' }, desk)),
    tellRecord,
  )
}

/** Values may hold commas, so each option is one pair. */
const pairs = (value: string, before: string[] = []): string[] => [...before, value]

function entityOf(key: string, of: readonly Importable[]): Importable {
  const found = of.find(({ entity }) => entity.key === key)
  if (found) return found
  if (importables.some(({ entity }) => entity.key === key))
    throw new Error(`${key} are imported: backdesk import FILE --entity ${key}`)
  throw new Error(`There is no entity ${key}. Name one of ${keys(of)}.`)
}

export const bookingEntity = (key: string): Importable => entityOf(key, bookings)

export function recordId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text
  throw new Error(`${text} is no id of a record. GET /imports/<entity>/records shows them.`)
}

async function rowOf({ set = [], data }: Options): Promise<Record<string, unknown>> {
  const text = data?.startsWith('@') ? await readFile(data.slice(1), 'utf8') : (data ?? '{}')
  const given: unknown = parse(text)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error('--data takes a JSON object of fields.')
  const named = set.map((pair) => {
    const at = pair.indexOf('=')
    if (at < 1) throw new Error(`--set takes field=value, not ${pair}.`)
    return [pair.slice(0, at), pair.slice(at + 1)] as const
  })
  return { ...given, ...Object.fromEntries(named) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('--data takes a JSON object of fields.')
  }
}

/** One transaction: a record with errors changes nothing. */
export async function atDesk(
  { account, company }: Pick<Options, 'account' | 'company'>,
  work: (tx: AccountTx, desk: Desk) => Promise<Draft | undefined>,
): Promise<Answer> {
  return withCell(({ deps }) =>
    deps.db.inAccount(account, async (tx) => {
      const { time_zone, country, currency, ...place } = await findDesk(tx, company ?? null)
      const now = await tx.now
      const draft = await work(tx, {
        ...place,
        read: { decimalSeparator: null, country, currency, timeZone: time_zone },
        context: { currency, today: dayIn(time_zone, Date.parse(now)), now },
      })
      if (!draft) throw new Error('There is no such record in the account.')
      const { id, status, recordStatus, errors, warnings } = draft
      if (errors.length > 0) throw new Error(errors.map(({ at, message }) => `${at}: ${message}`).join('\n'))
      return { id: String(id), status, record_status: String(recordStatus), warnings }
    }),
  )
}

export function tellRecord({ id, status, record_status, warnings }: Answer): string {
  const made = `${status === 'created' ? 'Made' : status === 'updated' ? 'Changed' : 'Nothing changed in'} ${id} (${record_status}).`
  return [made, ...warnings.map(({ at, message }) => `  ${at}: ${message}`)].join('\n')
}
