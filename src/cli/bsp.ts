import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { findDesk } from '../features/accounts/reads/find-desk.ts'
import { listBillings } from '../features/bsp/billings.store.ts'
import { type ImportedBilling, importBilling, MOST_BYTES } from '../features/bsp/commands/import-billing.ts'
import { type RemovedBilling, removeBilling } from '../features/bsp/commands/remove-billing.ts'
import { isDate } from '../platform/time.ts'
import { RecordNotFound, UserError } from '../platform/user-error.ts'
import { ACCOUNT, type OfAccount, several } from './command.ts'
import { listOfAccount } from './list-of-account.ts'
import { withCell } from './with-cell.ts'

type ImportOptions = OfAccount & { company?: string; map?: string[]; currency?: string; period?: string }

export function registerBsp(program: Command): void {
  const bsp = program.command('bsp').description('import BSP billings of airlines')
  objectCommand(
    bsp
      .command('import')
      .description('import a billing: a BSP HOT file, or a CSV file with one row for each document')
      .argument('<file>', 'the file; its format is detected from its content')
      .requiredOption(...ACCOUNT)
      .option('--company <id>', 'billed company; the default company if omitted')
      .option('--map <column=field,…>', 'map a CSV column to a field; may be repeated', several)
      .option('--currency <code>', 'currency of a CSV file without a currency column, e.g. EUR', currency)
      .option('--period <day>', 'last day of the billing period, for a CSV file without this column', day),
    importFile,
    billingText,
  )
  listOfAccount(bsp, 'billings', listBillings)
  objectCommand(
    bsp
      .command('remove')
      .description('remove a billing with its documents')
      .argument('<billing>', 'id of the billing')
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount, id: string) =>
      withCell(({ deps }) =>
        deps.db.inAccount(account, async (tx) => {
          await findDesk(tx, null)
          return removeBilling(tx, billingId(id))
        }),
      ),
    ({ filename, documents }: RemovedBilling) => `Removed ${filename} with ${documents} documents.`,
  )
}

async function importFile(options: ImportOptions, file: string): Promise<ImportedBilling> {
  const { size } = await stat(file)
  if (size > MOST_BYTES)
    throw new UserError('file_too_large', `${file} is larger than ${MOST_BYTES / 1024 / 1024} MiB.`)
  const bytes = await readFile(file)
  const { account, company = null, map = [], currency = null, period = null } = options
  const csv = { map: new Map(map.map(pair)), currency, periodOn: period }
  return withCell(({ deps }) => importBilling(deps.db, account, { company, bytes, filename: basename(file), csv }))
}

function billingText(billing: ImportedBilling): string {
  const { id, status, company, documents, first_issue, last_issue, totals, warnings } = billing
  const done = status === 'imported' ? 'Imported' : 'This file was already imported:'
  const days = first_issue === last_issue ? `on ${first_issue}` : `from ${first_issue} to ${last_issue}`
  return [`${done} ${documents} documents of ${company}, issued ${days}, as ${id}.`, table(totals), ...warnings].join(
    '\n',
  )
}

function pair(text: string): [column: string, field: string] {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new UserError('invalid_value', `--map takes COLUMN=FIELD, not ${text}.`)
  return [text.slice(0, at), text.slice(at + 1).trim()]
}

function currency(text: string): string {
  if (/^[A-Z]{3}$/.test(text)) return text
  throw new UserError('invalid_value', `--currency takes a code such as EUR, not ${text}.`)
}

function day(text: string): string {
  if (isDate(text)) return text
  throw new UserError('invalid_value', `--period takes a date such as 2026-03-31, not ${text}.`)
}

function billingId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text
  throw new RecordNotFound('bsp_billing', `${text} is not the id of a billing.`)
}
