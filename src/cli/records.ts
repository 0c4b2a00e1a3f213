import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { changeRecord, makeRecord } from '../imports/engine/one-record.ts'
import { entities } from '../registry.ts'
import { atDesk, bookings, entityOf, keysOf, recordId, tellRecord } from './at-desk.ts'
import { ACCOUNT, answering, type OfAccount } from './command.ts'

type Options = OfAccount & {
  company?: string
  set?: string[]
  data?: string
}
/** What is made in the application alone. */
const ownEntities = entities.filter(({ entity }) => entity.readOnly)

export function registerRecords(program: Command): void {
  const record = program.command('record').description('make, change and cancel records that the API does not write')
  const fields = (command: Command) =>
    command
      .requiredOption(...ACCOUNT)
      .option('--company <id>', 'company that the record belongs to; the default one when omitted')
      .option('--set <field=value>', 'a field; may be given several times', pairs)
      .option('--data <json>', 'fields as a JSON object, or @FILE')
  answering(
    fields(
      record
        .command('create')
        .description(`make a record: ${keysOf(ownEntities)}`)
        .argument('<entity>', 'its entity'),
    ),
    (options: Options, key: string) =>
      atDesk(options, async (tx, desk) => makeRecord(tx, entityOf(key, ownEntities), await rowOf(options), desk)),
    tellRecord,
  )
  answering(
    fields(
      record
        .command('change')
        .description(`change a record: ${keysOf(ownEntities)}`)
        .argument('<entity>', 'its entity')
        .argument('<id>', 'its id'),
    ),
    (options: Options, key: string, id: string) =>
      atDesk(options, async (tx, desk) =>
        changeRecord(tx, entityOf(key, ownEntities), recordId(id), await rowOf(options), desk),
      ),
    tellRecord,
  )
  answering(
    record
      .command('cancel')
      .description('cancel a booking: its invoice is reversed, its supplier bill void, its seats return')
      .argument('<entity>', keysOf(bookings))
      .argument('<id>', 'its id')
      .requiredOption(...ACCOUNT),
    (options: Options, key: string, id: string) =>
      atDesk(options, (tx, desk) =>
        changeRecord(tx, entityOf(key, bookings), recordId(id), { status: 'cancelled' }, desk),
      ),
    tellRecord,
  )
}

/** Values may hold commas, so each option is one pair. */
const pairs = (value: string, before: string[] = []): string[] => [...before, value]

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
