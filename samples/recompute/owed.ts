import type { Fixed } from '../../src/platform/money.ts'
import type { Books } from './books.ts'
import { absolute, type Invoice, inDigits, invoicesOf, money, payablesOf, text } from './documents.ts'
import type { Item } from './item.ts'
import { brought } from './rates.ts'
import { type Asked, daysBetween, monthOf, partiesOf, type Recomputed } from './recomputed.ts'

type Open = {
  readonly side: 'receivable' | 'payable'
  readonly dueOn: string
  readonly issuedOn: string
  readonly number: string
  readonly id: string
  readonly total: Fixed
  readonly credited: Fixed
  readonly paid: Fixed
  readonly of: Parameters<typeof partiesOf>[1]
  readonly document: string
  readonly status: string | null
}
const BUCKETS = ['not_due', 'overdue_1_30', 'overdue_31_60', 'overdue_61_90', 'overdue_over_90']
function bucketOf(days: number): string {
  const [none, month, two, three, more] = BUCKETS
  return String(days <= 0 ? none : days <= 30 ? month : days <= 60 ? two : days <= 90 ? three : more)
}

/** What customers owe on a day: the invoice minus its credit note minus the payments of both until then. */
function receivables(books: Books, asOf: string): Open[] {
  const invoices = invoicesOf(books)
  const notes = new Map(invoices.filter(({ issuedOn }) => issuedOn <= asOf).map((note) => [note.reverses, note]))
  const paidBy = (invoice: Invoice | undefined) =>
    (invoice?.payments ?? []).filter(({ paidOn }) => paidOn <= asOf).reduce((sum, { amount }) => sum + amount, 0n)
  return invoices
    .filter(({ type, issuedOn }) => type === 'invoice' && issuedOn <= asOf)
    .map((invoice): Open => {
      const note = notes.get(invoice.id)
      const paid = paidBy(invoice) + paidBy(note)
      const credited = note?.gross ?? 0n
      return {
        side: 'receivable',
        // A credit is due when the invoice is reversed.
        dueOn: note && invoice.gross + credited < paid ? note.dueOn : invoice.dueOn,
        issuedOn: invoice.issuedOn,
        number: invoice.number,
        id: invoice.id,
        total: invoice.gross,
        credited,
        paid,
        of: { ...invoice, supplier: invoice.booking?.supplier ?? null },
        document: 'customer_invoice',
        status: null,
      }
    })
    .filter(({ total, credited, paid }) => total + credited !== paid)
}

/** Amounts owed to suppliers and operators on a day; credits are negative, whatever their sign. */
function payables(books: Books, asOf: string): Open[] {
  return payablesOf(books)
    .filter(({ status, issued_on }) => status !== 'paid' && status !== 'void' && issued_on <= asOf)
    .map((payable): Open => {
      const signed = (cell: unknown) => {
        const amount = inDigits(money(cell), payable.currency)
        return payable.document_type === 'credit_note' ? -absolute(amount) : amount
      }
      const customer = payable.kind === 'operator_invoice' ? payable.customer : null
      return {
        side: 'payable',
        dueOn: payable.due_on ?? text(payable.balance_due_on) ?? payable.issued_on,
        issuedOn: payable.issued_on,
        number: payable.number,
        id: payable.id,
        total: signed(payable.total_amount),
        credited: 0n,
        paid: signed(payable.paid_amount),
        of: { ...payable, customer: customer ?? payable.booking?.customer ?? null },
        document: payable.kind,
        status: payable.status,
      }
    })
    .filter(({ total, paid }) => total !== paid)
}

/** An open item with its amounts in the company’s currency at the rates of the day. */
function inBase(books: Books, { total, credited, paid, of }: Open, asOf: string) {
  const currency = String(books.companies.get(of.company_id)?.currency)
  const rate = books.rateOf(of.currency, currency, asOf)
  const [inTotal, inCredited, inPaid] = [total, credited, paid].map((amount) => brought(amount, rate, currency))
  if (inTotal === null || inTotal === undefined) return { currency, sums: null }
  const [given, received] = [inCredited ?? 0n, inPaid ?? 0n]
  return {
    currency,
    sums: { total: inTotal, credited: given, paid: received, open: inTotal + given - received },
  }
}

const inBuckets = (bucket: string, open: Fixed): Record<string, Fixed> =>
  Object.fromEntries(BUCKETS.map((name) => [name, name === bucket ? open : 0n]))

function agingItem(books: Books, item: Open, asOf: string): Item {
  const { about, names, groups } = partiesOf(books, item.of)
  const { customer, supplier, ...others } = names
  const days = daysBetween(item.dueOn, asOf)
  const bucket = bucketOf(days)
  const isReceivable = item.side === 'receivable'
  const { currency, sums } = inBase(books, item, asOf)
  const of = (amounts: { total: Fixed; credited: Fixed; paid: Fixed; open: Fixed }) => {
    const { credited, ...rest } = amounts
    return { ...(isReceivable ? amounts : rest), ...inBuckets(bucket, amounts.open) }
  }
  const { total, credited, paid } = item
  return {
    currency: item.of.currency,
    about: { ...about, bucket, status: item.status },
    groups: {
      ...groups,
      bucket: [bucket],
      month: [monthOf(item.dueOn)],
      document: [item.document],
      status: [item.status],
    },
    cells: {
      ...others,
      ...(isReceivable
        ? { customer, customer_id: about.customer_id }
        : { document: item.document, status: item.status, supplier, supplier_id: about.supplier_id }),
      due_on: item.dueOn,
      days_overdue: days,
      bucket,
      number: item.number,
      issued_on: item.issuedOn,
      booking: item.of.booking?.external_id ?? null,
      entity: item.of.booking?.entity ?? null,
      document_id: item.id,
    },
    sums: { documents: 1, ...of({ total, credited, paid, open: total + credited - paid }) },
    base: sums && { currency, sums: of(sums) },
  }
}

const dayOf = ({ as_of }: Asked): string => String(as_of)
export const receivablesAging: Recomputed = {
  items: (books, asked) => receivables(books, dayOf(asked)).map((item) => agingItem(books, item, dayOf(asked))),
}
export const payablesAging: Recomputed = {
  items: (books, asked) => payables(books, dayOf(asked)).map((item) => agingItem(books, item, dayOf(asked))),
}

export const currencyExposure: Recomputed = {
  items: (books, asked) =>
    [...receivables(books, dayOf(asked)), ...payables(books, dayOf(asked))].map((item): Item => {
      const asOf = dayOf(asked)
      const { about } = partiesOf(books, item.of)
      const { currency, sums } = inBase(books, item, asOf)
      const open = item.total + item.credited - item.paid
      const on = (amount: Fixed) =>
        item.side === 'receivable'
          ? { receivable: amount, payable: 0n, net: amount }
          : { receivable: 0n, payable: amount, net: -amount }
      const [month, overdue] = [monthOf(item.dueOn), item.dueOn < asOf ? 'yes' : 'no']
      return {
        currency: item.of.currency,
        about,
        groups: { currency: [item.of.currency], month: [month], overdue: [overdue] },
        cells: { month, overdue, company_currency: currency },
        sums: { documents: 1, ...on(open) },
        base: sums && { currency, sums: on(sums.open) },
      }
    }),
  sum: () => ({}),
}
