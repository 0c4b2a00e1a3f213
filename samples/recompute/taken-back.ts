import type { Fixed } from '../../src/platform/money.ts'
import type { Books } from './books.ts'
import { absolute, invoicesOf, maybeMoney } from './documents.ts'
import { recalled } from './earned.ts'
import type { Item } from './item.ts'
import { monthOf, partiesOf, type Recomputed } from './recomputed.ts'
import { type Document, documentsOf } from './tickets.ts'

const NONE = {
  credited: null,
  paid_back: null,
  ticket_value: null,
  refunded: null,
  penalty: null,
  commission_recalled: null,
}
type Event = {
  readonly kind: string
  readonly day: string
  readonly number: string | null
  readonly ofNumber: string | null
  readonly ticket: string | null
  readonly record: string
  readonly of: Parameters<typeof partiesOf>[1]
  readonly sums: Readonly<Partial<Record<keyof typeof NONE, Fixed | null>>>
}

function ofInvoices(books: Books): Event[] {
  const invoices = invoicesOf(books)
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]))
  return invoices.flatMap((invoice): Event[] => {
    const of = { ...invoice, supplier: invoice.booking?.supplier ?? null }
    const own = { number: invoice.number, ticket: null, of }
    const back = invoice.payments.filter(({ amount }) => amount < 0n)
    const returned = back.map(({ id, amount, paidOn }) => ({
      ...own,
      kind: 'payment_returned',
      ofNumber: null,
      day: paidOn,
      record: id,
      sums: { paid_back: -amount },
    }))
    const taken = byId.get(invoice.reverses ?? '')
    if (!taken) return returned
    const { issuedOn: day, id: record, gross } = invoice
    return [
      ...returned,
      { ...own, kind: 'credit_note', ofNumber: taken.number, day, record, sums: { credited: -gross } },
    ]
  })
}

/** When the printer last reported the status of a document, by the account's clock. */
function refundDayOf(books: Books, { sale, passenger, status }: Document): string | null {
  const action = status === 'refunded' ? 'refund' : 'void'
  const event = books.tables.ticket_document_events
    .filter((row) => row.booking_id === sale.id && row.number === passenger.ticket_number && row.action === action)
    .toSorted(
      (a, b) =>
        Number(a.sale_before !== null) - Number(b.sale_before !== null) || (String(a.id) < String(b.id) ? -1 : 1),
    )
    .at(-1)
  const at = event && Temporal.Instant.from(String(event.created_at))
  return at ? at.toZonedDateTimeISO(books.zone).toPlainDate().toString() : null
}

const ofDocuments = (books: Books): Event[] =>
  documentsOf(books)
    .filter(({ status }) => status === 'void' || status === 'refunded')
    .map((document): Event => {
      const { sale, passenger, status, position, total } = document
      const refund = status === 'refunded' ? document.refund : null
      const currency = refund?.currency ?? sale.currency
      return {
        kind: status === 'refunded' ? 'ticket_refund' : 'ticket_void',
        day: refund?.refunded_on ?? refundDayOf(books, document) ?? passenger.issued_on ?? sale.transaction_date,
        number: null,
        ofNumber: null,
        ticket: passenger.ticket_number ?? null,
        record: `${sale.id}-${String(position).padStart(5, '0')}`,
        of: { ...sale, currency, booking: sale },
        sums: {
          ticket_value: currency === sale.currency ? absolute(total) : null,
          refunded: maybeMoney(refund?.total),
          penalty: maybeMoney(refund?.penalty),
          commission_recalled: recalled({ refund, sale }),
        },
      }
    })

export const refundsAndVoids: Recomputed = {
  items: (books) =>
    [...ofInvoices(books), ...ofDocuments(books)].map(
      ({ kind, day, number, ofNumber, ticket, record, of, sums }): Item => {
        const { about, names, groups } = partiesOf(books, of)
        return {
          currency: of.currency,
          about: { ...about, kind },
          groups: { ...groups, kind: [kind], month: [monthOf(day)] },
          dates: { transaction: day },
          cells: {
            ...names,
            day,
            kind,
            number,
            of_number: ofNumber,
            ticket_number: ticket,
            customer_id: about.customer_id,
            booking: of.booking?.external_id ?? null,
            booking_id: of.booking?.id ?? null,
            record,
          },
          sums: { events: 1, ...NONE, ...sums },
        }
      },
    ),
}
