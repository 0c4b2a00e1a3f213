import { randomUUIDv7 } from 'node:crypto'
import { postInvoices } from '../../src/features/documents/commands/post-invoices.ts'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import * as pg from '../../src/platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../src/platform/db/statement.ts'
import type { Random } from '../random.ts'
import { dayAfter, type Timeline } from './timeline.ts'
import { intoTable, writeRows } from './write-rows.ts'

/** A booking and the day on which it was invoiced. */
export type InvoicedOn = { readonly entity: string; readonly external_id: string; readonly invoice_date: string }
type Invoice = RowFrom<typeof readInvoices>

const PAYMENT_TERMS_DAYS = 14

const setInvoicing = statement(
  { account: pg.integer, days: pg.integer, backdate: pg.boolean },
  {},
  `
  update companies set payment_terms_days = $days::integer, backdate_invoices = $backdate::boolean
  where account_id = $account`,
)
const setInvoiceDates = statement(
  { account: pg.integer, given: pg.jsonText },
  { id: pg.uuid },
  `
  update bookings b set invoice_date = g.invoice_date, invoiced = true
  from json_to_recordset($given::json) as g(entity text, external_id text, invoice_date date)
  where b.account_id = $account and b.entity = g.entity and b.external_id = g.external_id and b.customer_id is not null
  returning b.id`,
)
/** In an order that is the same for the same rows. */
const readInvoices = statement(
  { account: pg.integer },
  { id: pg.uuid, due: pg.text, issued: pg.text, gross: pg.text },
  `
  select i.id, i.due_on::text as due, i.issued_on::text as issued, i.gross::text from customer_invoices i
  where i.account_id = $account and i.gross > 0 order by i.number`,
)
const payments = intoTable('customer_payments', 'id, invoice_id, amount, paid_on, method, note, created_by, created_at')
/** Suppliers are paid within the month. */
const payBills = statement(
  { account: pg.integer, before: pg.date },
  {},
  `
  update supplier_bills set status = 'paid', paid_amount = total_amount
  where account_id = $account and booking_id is not null and issued_on < $before::date and total_amount > 0`,
)

/**
 * Invoices the bookings of the past in the order of their dates, across all entities, and has most customers pay: at
 * once by card, by transfer about the due date, in two parts, or late. Some of the last two months are overdue.
 */
export async function makePastInvoices(
  tx: AccountTx,
  { random, time, today }: { readonly random: Random; readonly time: Timeline; readonly today: string },
  bookings: readonly InvoicedOn[],
): Promise<void> {
  tx.later(setInvoicing, { days: PAYMENT_TERMS_DAYS, backdate: true })
  const invoiced = await tx.all(setInvoiceDates, { given: JSON.stringify(bookings) })
  postInvoices(
    tx,
    invoiced.map(({ id }) => id),
    today,
  )
  tx.later(setInvoicing, { days: PAYMENT_TERMS_DAYS, backdate: false })
  const invoices = await tx.all(readInvoices, {})
  writeRows(
    tx,
    payments,
    invoices.flatMap((invoice) => paymentsOf(random, time, today, invoice)),
  )
  tx.later(payBills, { before: time.ago(BILLS_PAID_AFTER_DAYS) })
}

const BILLS_PAID_AFTER_DAYS = 30
const LONG_AGO_DAYS = 60
type Paid = { readonly share: number; readonly on: string; readonly method: string }

/** Payments of one invoice up to today. */
function paymentsOf(random: Random, time: Timeline, today: string, { id, due, issued, gross }: Invoice): object[] {
  const isOld = due < time.ago(LONG_AGO_DAYS)
  const [atOnce, byTransfer, inParts] = isOld ? [0.35, 0.97, 0.985] : [0.3, 0.75, 0.85]
  const kind = random.next()
  const paid: Paid[] =
    kind < atOnce
      ? [{ share: 1, on: dayAfter(issued, random.int(0, 1)), method: 'card' }]
      : kind < byTransfer
        ? [{ share: 1, on: dayAfter(due, random.int(-9, 6)), method: 'transfer' }]
        : kind < inParts
          ? [{ share: 0.4, on: dayAfter(issued, random.int(0, 4)), method: 'transfer' }]
          : []
  return paid
    .filter(({ on }) => on <= today)
    .map(({ share, on, method }) => ({
      id: randomUUIDv7(),
      invoice_id: id,
      amount: share === 1 ? gross : String(Math.round(Number(gross) * share)),
      paid_on: on,
      method,
      note: null,
      created_by: 'demo',
      created_at: time.at(on, '11:30'),
    }))
}
