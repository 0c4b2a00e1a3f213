import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { refuseValues } from '../../../platform/invalid-values.ts'
import { AMOUNT, currencyDigits, type Fixed, fixed, round } from '../../../platform/money.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { findInvoices, type PaidInvoice } from '../customer-invoices.store.ts'

export type InvoicePayment = {
  readonly amount: string
  readonly paidOn: string
  readonly method: string | null
  readonly note: string | null
  readonly by: string
}

const lock = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  'select from customer_invoices where account_id = $account and id = $id for update',
)
const insert = statement(
  {
    amount: pg.numeric,
    paidOn: pg.date,
    method: pg.nullable(pg.text),
    note: pg.nullable(pg.text),
    by: pg.text,
    account: pg.integer,
    invoice: pg.uuid,
  },
  {},
  `
  insert into customer_payments (account_id, invoice_id, amount, paid_on, method, note, created_by)
  values ($account, $invoice, $amount, $paidOn, $method, $note, $by)`,
)

/**
 * Records a payment of an invoice, or a refund as a negative amount. The paid amount stays between zero and the total.
 */
export async function payInvoice(tx: AccountTx, name: string, payment: InvoicePayment): Promise<PaidInvoice> {
  const [found, another] = await tx.all(findInvoices, { name })
  if (!found) throw new RecordNotFound('invoice', `No customer invoice ${name} exists in this account.`)
  if (another) throw new UserError('ambiguous_name', `Several companies have an invoice ${name}. Use its id.`)
  await tx.all(lock, { id: found.id })
  const [invoice] = (await tx.all(findInvoices, { name: found.id })) as [PaidInvoice]
  const { number, currency } = invoice
  if (invoice.reversed)
    throw new UserError(
      'not_allowed_now',
      `${number} is reversed. Record refunds on its credit note, as a negative amount.`,
    )
  const amount = readAmount(payment.amount, currency)
  const [gross, paid] = [fixed(invoice.gross), fixed(invoice.paid) + amount]
  const [least, most] = gross < 0n ? [gross, 0n] : [0n, gross]
  refuseValues([
    (paid < least || paid > most) && [
      'amount',
      `${number} is over ${invoice.gross} ${currency}, of which ${invoice.paid} is paid. A payment of ${payment.amount} would exceed it.`,
    ],
  ])
  await tx.all(insert, { ...payment, invoice: invoice.id })
  auditOwn(tx, {
    action: 'customer_payment.recorded',
    subjectType: 'customer_invoice',
    subjectId: invoice.id,
    details: { number, amount: payment.amount, currency, paid_on: payment.paidOn },
  })
  const [changed] = (await tx.all(findInvoices, { name: invoice.id })) as [PaidInvoice]
  return changed
}

function readAmount(text: string, currency: string): Fixed {
  refuseValues([
    (!AMOUNT.test(text) || fixed(text) === 0n) && [
      'amount',
      'An amount is a decimal number such as 1250.50, other than 0.',
    ],
  ])
  const digits = currencyDigits(currency)
  refuseValues([
    round(fixed(text), digits) !== fixed(text) && [
      'amount',
      `${text} has too many decimals. ${currency} has ${digits}.`,
    ],
  ])
  return fixed(text)
}
