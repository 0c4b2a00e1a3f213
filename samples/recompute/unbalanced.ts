import { currencyDigits, type Fixed, round } from '../../src/platform/money.ts'
import type { Booking } from './bookings.ts'
import type { Books } from './books.ts'
import { absolute, type Invoice, invoicesOf, maybeMoney, money, type Payable, payablesOf } from './documents.ts'
import { type Item, printed } from './item.ts'
import { partiesOf, type Recomputed } from './recomputed.ts'

/** A problem: the reason, and the stated and the expected amount, if there are amounts. */
type Found = readonly [reason: string, amount?: Fixed | null, expected?: Fixed | null]
type Finding = {
  readonly document: string
  readonly day: string
  readonly number: string | null
  readonly id: string
  readonly of: Parameters<typeof partiesOf>[1]
  readonly found: readonly Found[]
}
const some = (...found: (Found | false | null | undefined)[]): Found[] => found.flatMap((one) => (one ? [one] : []))

const NOT_FIRM = new Set(
  'draft option requested quoted documents_pending ready lead planning refunded void cancelled'.split(' '),
)
const TAKEN_BACK = new Set(['void', 'refunded', 'cancelled'])

function ofBooking(booking: Booking, today: string): Found[] {
  if (NOT_FIRM.has(booking.status)) return []
  const { own, invoice_date: invoicedOn, invoiced, travelsOn } = booking
  const net = own && own.sell - own.vat
  return some(
    invoicedOn !== null && invoicedOn <= today && !invoiced && ['no_customer'],
    invoicedOn === null && travelsOn !== null && travelsOn < today && ['not_invoiced'],
    invoiced && !booking.supplier && own?.cost !== 0n && ['no_supplier', own?.cost ?? null],
    own && own.sell !== 0n && own.cost === 0n && ['no_cost', own.sell],
    own && own.sell === 0n && own.cost !== 0n && ['no_price', own.cost],
    own && net !== null && own.margin < 0n && own.sell !== 0n && ['below_cost', net, net - own.margin],
    (own === null || booking.company.amounts === null) && ['rate_missing'],
  )
}

function ofInvoice(invoice: Invoice, note: Invoice | undefined): Found[] {
  const { booking, type, gross, currency } = invoice
  const sum = (part: 'net' | 'vat' | 'gross') => invoice.lines.reduce((all, line) => all + money(line[part]), 0n)
  const adds = sum('net') === invoice.net && sum('vat') === invoice.vat && sum('gross') === gross
  const isTaken = !booking || TAKEN_BACK.has(booking.status)
  const sold = (booking?.lines ?? [])
    .filter((line) => line.side === 'sell' && line.currency === currency)
    .reduce((all, line) => all + line.gross, 0n)
  const payments = [...invoice.payments, ...(note?.payments ?? [])]
  const paid = payments.reduce((all, { amount }) => all + amount, 0n)
  const owed = gross + (note?.gross ?? 0n)
  const rest = (owed - paid) * (gross < 0n ? -1n : 1n)
  const stands = type === 'invoice' && !note
  return some(
    !adds && ['lines_differ', gross, sum('gross')],
    stands && isTaken && ['sale_taken_back', gross],
    stands && !isTaken && gross !== sold && ['sale_differs', gross, sold],
    type === 'invoice' && rest < 0n && ['customer_is_owed', paid, owed],
  )
}

function ofPayments({ paid_amount, total_amount, status }: Payable): Found[] {
  const [paid, total] = [maybeMoney(paid_amount), money(total_amount)]
  if (paid === null) return []
  const rest = absolute(total) - absolute(paid)
  return some(
    rest < 0n && ['overpaid', paid, total],
    status === 'paid' && rest > 0n && ['paid_with_rest', paid, total],
    status !== 'paid' && total !== 0n && rest === 0n && ['open_without_rest', paid, total],
  )
}

function ofBill(bill: Payable): Found[] {
  const [net, vat, total] = [maybeMoney(bill.net_amount), maybeMoney(bill.vat_amount), money(bill.total_amount)]
  const withheld = maybeMoney(bill.withholding_amount) ?? 0n
  const lines = bill.lines ?? []
  const priced = lines.reduce(
    (sum, line) => sum + round(money(line.amount) * BigInt(Number(line.quantity)), currencyDigits(bill.currency)),
    0n,
  )
  const stated = lines.reduce((sum, line) => sum + money(line.total_amount), 0n)
  const parts = net !== null && vat !== null ? net + vat : null
  const isBack = bill.booking !== null && TAKEN_BACK.has(bill.booking.status)
  return some(
    ...ofPayments(bill),
    parts !== null && parts !== total && parts !== total + withheld && ['parts_differ', total, parts],
    lines.length > 0 &&
      priced !== total &&
      priced !== (net ?? total) &&
      stated !== total && ['lines_differ', total, priced],
    isBack && ['sale_taken_back'],
  )
}

function ofOperator(invoice: Payable, bills: readonly Payable[]): Found[] {
  const [net, gross] = [maybeMoney(invoice.net_amount), maybeMoney(invoice.gross_amount)]
  const [commission, vat] = [maybeMoney(invoice.commission_amount), maybeMoney(invoice.commission_vat_amount)]
  const parts = gross !== null && commission !== null && vat !== null ? gross - commission - vat : null
  const twice = bills.filter(
    ({ booking, currency }) => booking !== null && booking === invoice.booking && currency === invoice.currency,
  )
  const owed = twice.reduce((sum, bill) => sum + money(bill.total_amount), 0n)
  return some(
    ...ofPayments(invoice),
    net !== null && parts !== null && net !== parts && ['parts_differ', net, parts],
    invoice.document_type === 'invoice' && twice.length > 0 && ['owed_twice', money(invoice.total_amount), owed],
  )
}

function findings(books: Books): Finding[] {
  const invoices = invoicesOf(books)
  const notes = new Map(invoices.map((note) => [note.reverses, note]))
  const payables = payablesOf(books).filter(({ status }) => status !== 'void')
  const bills = payables.filter(({ kind }) => kind === 'supplier_bill')
  return [
    ...[...books.bookings.values()].map((booking) => ({
      document: 'booking',
      day: booking.transaction_date,
      number: booking.external_id,
      id: booking.id,
      of: { ...booking, booking },
      found: ofBooking(booking, books.today),
    })),
    ...invoices.map((invoice) => ({
      document: 'customer_invoice',
      day: invoice.issuedOn,
      number: invoice.number,
      id: invoice.id,
      of: { ...invoice, supplier: invoice.booking?.supplier ?? null },
      found: ofInvoice(invoice, notes.get(invoice.id)),
    })),
    ...payables.map((payable) => ({
      document: payable.kind,
      day: payable.issued_on,
      number: payable.number,
      id: payable.id,
      of: { ...payable, customer: payable.booking?.customer ?? null },
      found: payable.kind === 'supplier_bill' ? ofBill(payable) : ofOperator(payable, bills),
    })),
  ]
}

export const unbalancedDocuments: Recomputed = {
  words: ['explanation'],
  items: (books) =>
    findings(books).flatMap(({ document, day, number, id, of, found }) =>
      found.map(([reason, amount = null, expected = null]): Item => {
        const { about, names, groups } = partiesOf(books, of)
        const { currency: _, ...others } = groups
        return {
          currency: of.currency,
          about: { ...about, reason, document },
          groups: { ...others, reason: [reason], document: [document] },
          dates: { transaction: day },
          cells: {
            ...names,
            reason,
            day,
            document,
            number,
            customer_id: about.customer_id,
            amount: printed(amount, of.currency),
            expected: printed(expected, of.currency),
            difference: printed(amount === null || expected === null ? null : amount - expected, of.currency),
            booking: of.booking?.external_id ?? null,
            record_id: id,
          },
          sums: { findings: 1 },
        }
      }),
    ),
}
