import { type Booking, documentOf, type Passenger } from './bookings.ts'
import type { Books } from './books.ts'
import type { Item } from './item.ts'
import { bookingParties, daysBetween, isSale, once, type Recomputed } from './recomputed.ts'
import { type Leg, routeOf } from './travel.ts'

/** Every document of the ticket sales, with its sale. */
export const documentsOf = once((books) =>
  [...books.bookings.values()].flatMap((sale) =>
    (sale.passengers ?? []).map((passenger, at) => ({
      sale,
      passenger,
      position: at + 1,
      ...documentOf(passenger, sale.currency),
      issuedOn: passenger.issued_on ?? null,
      refund: refundOf(sale, passenger),
    })),
  ),
)
export type Document = ReturnType<typeof documentsOf>[number]

/** The last recorded refund of a document that was not withdrawn. */
const refundOf = ({ refunds }: Booking, { ticket_number }: Passenger) =>
  refunds?.findLast((refund) => refund.ticket_number === ticket_number && refund.status !== 'cancelled') ?? null

const nameOf = ({ first_name, last_name }: Passenger): string => [first_name, last_name].filter(Boolean).join(' ')

function parts(books: Books, { sale, passenger, position }: Document) {
  const { about, names, groups } = bookingParties(books, sale)
  const { entity: _, ...filters } = about
  const { company: _c, product: _p, ...shown } = names
  const airline = passenger.airline_code ?? null
  return {
    currency: sale.currency,
    about: { ...filters, airline_code: airline, settlement_channel: sale.settlement_channel as string | null },
    groups: { ...groups, airline: [airline] } satisfies Item['groups'],
    cells: {
      ...shown,
      ticket_number: passenger.ticket_number ?? null,
      document_type: passenger.document_type ?? null,
      airline_code: airline,
      passenger: nameOf(passenger),
      pnr: sale.pnr as string | null,
      route: routeOf(sale.legs ?? []),
      customer_id: about.customer_id,
      external_id: sale.external_id,
      booking_id: sale.id,
      position,
    },
  }
}

export const ticketSales: Recomputed = {
  items: (books) =>
    documentsOf(books)
      .filter(({ sale, status }) => isSale(sale) && status !== 'void')
      .map((document): Item => {
        const { sale, passenger, status, fare, taxes, total, commission, fee, penalty, discount } = document
        const { currency, about, groups, cells } = parts(books, document)
        return {
          currency,
          about: { ...about, document_type: cells.document_type, document_status: status },
          groups: { ...groups, document_type: [cells.document_type], document_status: [status] },
          dates: {
            transaction: sale.transaction_date,
            travel_start: sale.travelsOn,
            issue: passenger.issued_on ?? null,
          },
          cells: { ...cells, issued_on: passenger.issued_on ?? null, document_status: status },
          sums: {
            documents: 1,
            fare,
            taxes,
            total,
            service_fee: fee,
            penalty,
            discount,
            sell: total + fee + penalty - discount,
            commission,
          },
        }
      }),
}

const FLOWN = new Set(['F', 'FLOWN', 'FLWN', 'B', 'BOARDED', 'L', 'LIFTED', 'USED'])
const isFlown = ({ status }: Leg): boolean => FLOWN.has(status?.toUpperCase() ?? '')
const endOf = (legs: readonly Leg[]): string | null =>
  legs
    .flatMap((leg) => leg.scheduled_arrival ?? leg.scheduled_departure ?? [])
    .map((time) => time.slice(0, 10))
    .toSorted()
    .at(-1) ?? null

export const unusedTickets: Recomputed = {
  items: (books) =>
    documentsOf(books).flatMap((document): Item[] => {
      const { sale, passenger, status, total } = document
      const legs = sale.legs ?? []
      const [end, unflown] = [endOf(legs) ?? sale.travelsOn, legs.filter((leg) => !isFlown(leg)).length]
      const isOpen =
        status === 'open' && !['cancelled', 'void'].includes(sale.status) && passenger.ticket_number && total >= 0n
      if (!isOpen || end === null || end >= books.today || unflown === 0) return []
      const { currency, about, groups, cells } = parts(books, document)
      const issuedOn = passenger.issued_on ?? sale.transaction_date
      return [
        {
          currency,
          about,
          groups,
          dates: { travel_start: end, issue: issuedOn },
          cells: {
            ...cells,
            travel_ended_on: end,
            days_past: daysBetween(end, books.today),
            issued_on: issuedOn,
            unflown_legs: unflown,
            legs: legs.length,
          },
          sums: { documents: 1, total },
        },
      ]
    }),
}
