import type { Fixed } from '../../src/platform/money.ts'
import type { Booking } from './bookings.ts'
import type { Books } from './books.ts'
import { type Cells, type Item, percentage } from './item.ts'
import { bookingParties, isSale, monthOf, type Recomputed } from './recomputed.ts'

const OWN: Readonly<Record<string, string>> = {
  customer: 'customer_id',
  supplier: 'supplier_id',
  advisor: 'advisor_id',
  product: 'product_key',
  branch: 'branch_id',
}
const margin = (row: Item): Cells => ({
  margin_percent: percentage(row.sums.margin ?? null, net(row.sums.sell, row.sums.vat)),
})
const net = (sell: unknown, vat: unknown): Fixed | null =>
  typeof sell === 'bigint' && typeof vat === 'bigint' ? sell - vat : null

/** A report of sales for each of something. */
export const salesBy = (own: string): Recomputed => ({
  items: (books, asked) =>
    [...books.bookings.values()].filter(isSale).map((booking) => saleOf(books, booking, own, String(asked.date_basis))),
  sum: margin,
})

function saleOf(books: Books, booking: Booking, own: string, dateBasis: string): Item {
  const { about, groups } = bookingParties(books, booking)
  const dates = { transaction: booking.transaction_date, travel_start: booking.travelsOn }
  const place = destinationOf(books, booking)
  const all: Item['groups'] = {
    ...groups,
    destination: [place],
    month: [monthOf(dateBasis === 'travel_start' ? dates.travel_start : dates.transaction)],
  }
  const [key = null, name = key] = all[own] ?? []
  const { own: sums, company } = booking
  return {
    currency: booking.currency,
    about,
    groups: all,
    dates,
    cells: OWN[own] ? { [own]: name, [OWN[own]]: key } : { [own]: key },
    sums: { bookings: 1, ...(sums ?? { sell: null, vat: null, cost: null, margin: null }) },
    base: company.amounts && { currency: company.currency, sums: company.amounts },
    counts: { bookings: 1, unpriced: sums === null ? 1 : 0 },
  }
}

/** Where the service leads, else the supplier’s city and country. */
function destinationOf(books: Books, { leadsTo, supplier }: Booking): string | null {
  const found = books.feed.suppliers.find(({ id }) => id === supplier?.id)
  return leadsTo ?? ([found?.address_city, found?.country_code].filter(Boolean).join(', ') || null)
}

export const marginByBooking: Recomputed = {
  items: (books, asked) =>
    [...books.bookings.values()].filter(isSale).map((booking): Item => {
      const { about, names, groups } = bookingParties(books, booking)
      const { own, company } = booking
      const dates = { transaction: booking.transaction_date, travel_start: booking.travelsOn }
      const sums = {
        ...(own ?? { sell: null, vat: null, cost: null, margin: null }),
        sell_net: own && own.sell - own.vat,
      }
      return {
        currency: booking.currency,
        about,
        groups: {
          ...groups,
          month: [monthOf(asked.date_basis === 'travel_start' ? dates.travel_start : dates.transaction)],
        },
        dates,
        cells: {
          ...names,
          transaction_date: booking.transaction_date,
          travels_on: booking.travelsOn,
          status: booking.status,
          booking: booking.external_id,
          customer_id: about.customer_id,
          margin_percent: percentage(sums.margin, sums.sell_net),
          entity: booking.entity,
          booking_id: booking.id,
        },
        sums: { bookings: 1, ...sums },
        base: company.amounts && {
          currency: company.currency,
          sums: { ...company.amounts, sell_net: company.amounts.sell - company.amounts.vat },
        },
        counts: { unpriced: own === null ? 1 : 0 },
      }
    }),
}
