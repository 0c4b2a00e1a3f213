import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { findDesk } from '../features/accounts/reads/find-desk.ts'
import type { CaptureOffice } from '../features/ticket-printer/capture-context.ts'
import { listFailures } from '../features/ticket-printer/captures.store.ts'
import type { Reread } from '../features/ticket-printer/commands/reread-capture.ts'
import { type RereadCounts, rereadCaptures } from '../features/ticket-printer/commands/reread-captures.ts'
import { readCapturedFile } from '../features/ticket-printer/reads/read-captured-file.ts'
import { changeRecord } from '../imports/engine/one-record.ts'
import { ALL_POLICIES } from '../platform/access/policies.ts'
import type { AccountTx } from '../platform/db/account-tx.ts'
import { isDate } from '../platform/time.ts'
import { UserError } from '../platform/user-error.ts'
import { atDesk, bookings, entityOf, recordId, recordText } from './at-desk.ts'
import { ACCOUNT, type OfAccount } from './command.ts'
import { withCell } from './with-cell.ts'

type Failure = { readonly cause: string | null; readonly format: string; readonly excerpt: string | null }

/** What completes a sale that the ticket printer has made. */
export function registerTickets(program: Command): void {
  const ticket = program.command('ticket').description('complete captured ticket sales')
  const completing = (name: string, description: string, field: string, option?: [string, string]) => {
    const command = ticket
      .command(name)
      .description(description)
      .argument('<id>', 'id of the sale')
      .requiredOption(...ACCOUNT)
    if (option) command.requiredOption(...option)
    objectCommand(
      command,
      (given: OfAccount & { customer?: string; on?: string }, id: string) =>
        atDesk(given, entityOf('tickets', bookings), (tx, tickets, desk) =>
          changeRecord(tx, tickets, recordId(id), { [field]: given.customer ?? given.on ?? 'issued' }, desk),
        ),
      recordText,
    )
  }
  completing('issue', 'mark a sale as issued', 'status')
  completing('assign-customer', 'set the customer of a sale', 'customer_external_id', [
    '--customer <key>',
    'external id or e-mail of the customer',
  ])
  completing('set-invoice-date', 'set the invoice date of a sale', 'invoice_date', ['--on <day>', 'as 2026-05-01'])
  objectCommand(
    ticket
      .command('file')
      .description('save a captured file unchanged')
      .argument('<capture>', 'id of the capture')
      .requiredOption(...ACCOUNT)
      .requiredOption('--to <file>', 'path of the new file'),
    ({ account, to }: OfAccount & { to: string }, id: string) =>
      withCell(async ({ deps }) => {
        const bytes = await deps.db.inAccount(account, async (tx) => {
          await findDesk(tx, null)
          return readCapturedFile(tx, deps.printerFiles, id)
        })
        await writeFile(to, bytes, { flag: 'wx' })
        return { id, file: to, bytes: bytes.length }
      }),
    ({ file, bytes }: { file: string; bytes: number }) => `Saved ${bytes} bytes to ${file}.`,
  )
  objectCommand(
    ticket
      .command('failures')
      .description('show failed captures by cause, with masked excerpts that can be sent to support')
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount) =>
      withCell(({ deps }) =>
        deps.db.inAccount(account, async (tx) => {
          await findDesk(tx, null)
          const found = await tx.one(listFailures(ALL_POLICIES), {})
          return { failures: JSON.parse(found?.items ?? '[]') as Failure[] }
        }),
      ),
    ({ failures }: { failures: Failure[] }) =>
      [
        table(failures.map(({ excerpt: _, ...group }) => group)),
        ...failures.flatMap(({ cause, format, excerpt }) =>
          excerpt === null ? [] : [`\n${cause ?? 'unknown cause'}, ${format}:\n${excerpt}`],
        ),
      ].join('\n'),
  )
  objectCommand(
    ticket
      .command('reread')
      .description('read captured files again with the current parsers, and list what changes in their sales')
      .requiredOption(...ACCOUNT)
      .requiredOption('--since <day>', 'captures since this day, as 2026-05-01')
      .option('--commit', 'change the sales; without it, nothing is changed'),
    ({ account, since, commit = false }: OfAccount & { since: string; commit?: boolean }) =>
      withCell(async ({ deps }) => {
        await deps.db.inAccount(account, officeOf) // refuses an unknown account before anything else
        const from = dayOf(since)
        const shown: Reread[] = []
        const counts = await rereadCaptures(
          deps.db,
          deps.printerFiles,
          { account, since: from, commit },
          officeOf,
          (one) => {
            if (shown.length < MOST_SHOWN) shown.push(one)
          },
        )
        return { ...counts, committed: commit, differences: shown }
      }),
    rereadText,
  )
}

const MOST_SHOWN = 200

async function officeOf(tx: AccountTx): Promise<CaptureOffice> {
  const { company: id, country, currency, time_zone: timeZone } = await findDesk(tx, null)
  return { company: { id, country, currency }, timeZone, seat: null }
}

type Answer = RereadCounts & { readonly committed: boolean; readonly differences: readonly Reread[] }
function rereadText({ captures, changed, failed, committed, differences }: Answer): string {
  const rows = differences.flatMap(({ id, changes }) =>
    (changes.length > 0 ? changes : [CAPTURE_ALONE]).map(({ sale, finished, field, before, after }) => ({
      capture: id,
      sale,
      finished: finished ? 'yes' : 'no',
      field,
      before: cellOf(before),
      after: cellOf(after),
    })),
  )
  const hidden = changed > differences.length ? ` The first ${differences.length} are listed.` : ''
  const end = committed
    ? 'Sales marked as finished did not change.'
    : 'Nothing was changed. To change the sales, add --commit.'
  return `${table(rows)}\n\n${captures} captures read again, ${changed} differ, ${failed} cannot be read.${hidden} ${end}`
}
/** What was read differs, but no sale does. */
const CAPTURE_ALONE = { sale: null, finished: false, field: 'the capture alone', before: null, after: null }
const CELL = 60
const cellOf = (value: unknown): string | null =>
  value === null ? null : (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, CELL)

function dayOf(text: string): string {
  if (isDate(text)) return text
  throw new UserError('invalid_value', `--since takes a day such as 2026-05-01, not ${text}.`)
}
