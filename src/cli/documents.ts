import type { Command } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { findDesk } from '../features/accounts/reads/find-desk.ts'
import { payInvoice } from '../features/documents/commands/pay-invoice.ts'
import { listInvoices, type PaidInvoice } from '../features/documents/customer-invoices.store.ts'
import { dayIn, isDate } from '../platform/time.ts'
import { UserError } from '../platform/user-error.ts'
import { ACCOUNT, limitUpTo, type OfAccount, operator } from './command.ts'
import { withCell } from './with-cell.ts'

const LISTED = 50
const MOST = 10_000

export function registerDocuments(program: Command): void {
  const invoice = program.command('invoice').description('list customer invoices, and record payments')
  objectCommand(
    invoice
      .command('list')
      .description('list customer invoices and credit notes, newest first')
      .requiredOption(...ACCOUNT)
      .option('--open', 'only invoices with an open amount')
      .option('--limit <n>', `maximum number, up to ${MOST}`, limitUpTo(MOST), LISTED),
    ({ account, open = false, limit }: OfAccount & { open?: boolean; limit: number }) =>
      withCell(({ deps }) =>
        deps.db.inAccount(account, async (tx) => {
          await findDesk(tx, null)
          return { invoices: await tx.all(listInvoices, { open, limit }) }
        }),
      ),
    ({ invoices }: { invoices: PaidInvoice[] }) =>
      table(invoices.map(({ id: _, document_type: __, reversed: ___, ...shown }) => shown)),
  )
  objectCommand(
    invoice
      .command('pay')
      .description('record a payment of a customer invoice')
      .argument('<number>', 'number or id of the invoice, e.g. INV-2026-000001')
      .requiredOption(...ACCOUNT)
      .requiredOption('--amount <decimal>', 'amount in the currency of the invoice; negative for a refund')
      .option('--on <day>', 'date of the payment; today if omitted')
      .option('--method <text>', 'how, e.g. transfer')
      .option('--note <text>', 'a note'),
    (o: OfAccount & { amount: string; on?: string; method?: string; note?: string }, number: string) =>
      withCell(({ deps }) =>
        deps.db.inAccount(o.account, async (tx) => {
          const { time_zone } = await findDesk(tx, null)
          const paidOn = o.on ?? dayIn(time_zone, Date.parse(await tx.now))
          if (!isDate(paidOn)) throw new UserError('invalid_value', '--on takes a date such as 2026-05-01.')
          const { name: by } = operator()
          return payInvoice(tx, number, {
            amount: o.amount,
            paidOn,
            method: o.method ?? null,
            note: o.note ?? null,
            by,
          })
        }),
      ),
    ({ number, paid, gross, open, currency }: PaidInvoice) =>
      `${number}: ${paid} of ${gross} ${currency} paid, ${open} open.`,
  )
}
