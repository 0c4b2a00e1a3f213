import { currencyDigits, type Fixed, percentOf } from '../../src/platform/money.ts'
import type { Booking } from './bookings.ts'
import type { Books, Raw } from './books.ts'
import { absolute, inDigits, maybeMoney, payablesOf, text } from './documents.ts'
import { type Item, printed } from './item.ts'
import { brought } from './rates.ts'
import { isSale, monthOf, partiesOf, type Recomputed } from './recomputed.ts'
import { type Document, documentsOf } from './tickets.ts'

type Earned = {
  readonly source: string
  readonly id: string
  readonly reference: string | null
  readonly day: string
  readonly travelsOn: string | null
  readonly amount: Fixed | null
  readonly commission: Fixed
  readonly vat: Fixed
  readonly of: Parameters<typeof partiesOf>[1]
}

/** The recalled commission, as an amount or a percentage of the fare; null if not stated. */
export function recalled({ refund, sale }: Pick<Document, 'refund' | 'sale'>): Fixed | null {
  const given = maybeMoney(refund?.commission_recall)
  const [gross, rate] = [maybeMoney(refund?.gross), maybeMoney(refund?.commission_recall_rate)]
  if (given !== null || gross === null || rate === null) return given
  const currency = refund?.currency ?? sale.currency
  return percentOf(gross - (maybeMoney(refund?.used) ?? 0n), rate, currencyDigits(currency))
}

/** The remaining commission of a document: for a refunded one all is recalled, unless the refund states an amount. */
function kept(document: Document): Fixed {
  if (document.status !== 'refunded') return document.commission
  const isSame = (document.refund?.currency ?? document.sale.currency) === document.sale.currency
  return document.commission - ((isSame ? recalled(document) : null) ?? document.commission)
}

const booked = (booking: Booking) => ({
  id: booking.id,
  reference: booking.external_id,
  day: booking.transaction_date,
  travelsOn: booking.travelsOn,
  of: { ...booking, customer: null, booking },
})

function ofTickets(books: Books): Earned[] {
  const documents = documentsOf(books).filter(({ sale, status }) => isSale(sale) && status !== 'void')
  return [...Map.groupBy(documents, ({ sale }) => sale).entries()].map(([sale, own]) => ({
    source: 'ticket_sale',
    ...booked(sale),
    amount: own.reduce((sum, { fare }) => sum + fare, 0n),
    commission: own.reduce((sum, document) => sum + kept(document), 0n),
    vat: 0n,
  }))
}

function ofBookings(books: Books): Earned[] {
  const named = new Set(
    payablesOf(books)
      .filter(({ kind, status }) => kind === 'operator_invoice' && status !== 'void')
      .filter(({ document_type, commission_amount }) => document_type === 'invoice' && text(commission_amount) !== null)
      .map(({ booking }) => booking?.id),
  )
  return [...books.bookings.values()].flatMap((booking): Earned[] => {
    const { own } = booking
    if (!isSale(booking) || booking.rate_basis !== 'commissionable' || named.has(booking.id) || !own) return []
    const all = own.sell - own.cost
    const earned = { amount: own.sell, commission: own.margin, vat: all - own.margin }
    return all === 0n ? [] : [{ source: 'booking', ...booked(booking), ...earned }]
  })
}

function ofOperators(books: Books): Earned[] {
  return payablesOf(books)
    .filter(({ kind, status }) => kind === 'operator_invoice' && status !== 'void')
    .flatMap((invoice): Earned[] => {
      const commission = maybeMoney(invoice.commission_amount)
      if (!commission) return []
      const signed = (amount: Fixed) =>
        inDigits(invoice.document_type === 'credit_note' ? -absolute(amount) : amount, invoice.currency)
      const gross = maybeMoney(invoice.gross_amount)
      return [
        {
          source: 'operator_invoice',
          id: invoice.id,
          reference: invoice.number,
          day: invoice.issued_on,
          travelsOn: text(invoice.departure_on) ?? invoice.booking?.travelsOn ?? null,
          amount: gross && signed(gross),
          commission: signed(commission),
          vat: signed(maybeMoney(invoice.commission_vat_amount) ?? 0n),
          of: { ...invoice, customer: null },
        },
      ]
    })
}

const PROMISED = new Set(['confirmed', 'ticketed'])
/** Segments of trips that were entered by hand; others belong to their booking. */
function ofTrips(books: Books): Earned[] {
  const byId = (rows: readonly Raw[]) => new Map(rows.map((row) => [row.id, row]))
  const [trips, days] = [byId(books.tables.trips), byId(books.tables.trip_days)]
  const suppliers = new Map(books.feed.suppliers.map(({ id, name }) => [id, text(name)]))
  return books.tables.trip_segments.flatMap((segment): Earned[] => {
    const [trip, day] = [trips.get(segment.trip_id ?? ''), days.get(segment.trip_day_id ?? '')?.date]
    const given = maybeMoney(segment.commission_amount)
    const [price, rate] = [maybeMoney(segment.price_amount), maybeMoney(segment.commission_rate)]
    const currency = (given === null ? segment.currency : (segment.cost_currency ?? segment.currency)) ?? ''
    const commission =
      given ?? (price === null || rate === null ? null : percentOf(price, rate, currencyDigits(currency)))
    const isTheirs = !segment.booking_id && PROMISED.has(String(segment.status)) && trip?.status !== 'cancelled'
    if (!trip || !day || !isTheirs || !commission) return []
    const [seat, supplier] = [trip.assigned_advisor_id ?? '', segment.supplier_id]
    const advisor = books.seats.has(seat) ? { id: seat, name: String(books.seats.get(seat)) } : null
    return [
      {
        source: 'trip_segment',
        id: String(segment.id),
        reference: trip.reference_number ?? null,
        day,
        travelsOn: day,
        amount: currency === segment.currency ? price : null,
        commission,
        vat: 0n,
        of: {
          company_id: String(trip.company_id),
          branch_id: trip.branch_id ?? null,
          currency,
          booking: { advisor } as Booking,
          customer: null,
          supplier: supplier ? { id: supplier, name: suppliers.get(supplier) ?? null } : null,
        },
      },
    ]
  })
}

export const commissionExpected: Recomputed = {
  items(books, { date_basis }) {
    const basis = date_basis === 'travel_start' ? date_basis : 'transaction'
    return [...ofTickets(books), ...ofBookings(books), ...ofOperators(books), ...ofTrips(books)]
      .filter(({ source, commission }) => source === 'booking' || commission !== 0n)
      .map(({ source, id, reference, day, travelsOn, amount, commission, vat, of }): Item => {
        const dates = { transaction: day, travel_start: travelsOn }
        const { about, names, groups } = partiesOf(books, of)
        const { customer: _, ...shown } = names
        const currency = String(books.companies.get(of.company_id)?.currency)
        const rate = books.rateOf(of.currency, currency, day)
        const [net, gross] = [commission, commission + vat].map((part) => brought(part, rate, currency) ?? 0n)
        const sums = (own: Fixed, whole: Fixed) => ({
          commission: own,
          commission_vat: whole - own,
          commission_gross: whole,
        })
        return {
          currency: of.currency,
          about: { ...about, source },
          groups: { ...groups, source: [source], month: [monthOf(dates[basis])] },
          dates,
          cells: {
            ...shown,
            day,
            source,
            supplier_id: about.supplier_id,
            reference,
            amount: printed(amount, of.currency),
            record_id: id,
          },
          sums: { items: 1, ...sums(commission, commission + vat) },
          base: rate === null ? null : { currency, sums: sums(net ?? 0n, gross ?? 0n) },
        }
      })
  },
}
