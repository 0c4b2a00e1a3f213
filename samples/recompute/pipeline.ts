import { fixed } from '../../src/platform/money.ts'
import { type Item, percentage } from './item.ts'
import { bookingParties, branchName, daysBetween, monthOf, type Recomputed } from './recomputed.ts'

export const optionDeadlines: Recomputed = {
  items: (books) =>
    [...books.bookings.values()].flatMap((booking): Item[] => {
      const { option_date: until } = booking
      if (booking.status !== 'option' || !until) return []
      const { about, names, groups } = bookingParties(books, booking)
      const { company: _, ...shown } = names
      return [
        {
          currency: booking.currency,
          about,
          groups: { ...groups, date: [until] },
          dates: { transaction: until },
          cells: {
            ...shown,
            option_date: until,
            days_left: daysBetween(books.today, until),
            customer_id: about.customer_id,
            destination: booking.leadsTo,
            travels_on: booking.travelsOn,
            entity: booking.entity,
            external_id: booking.external_id,
            booking_id: booking.id,
          },
          sums: { sell: booking.own?.sell ?? null },
        },
      ]
    }),
}

const STAGES = ['inbox', 'qualified', 'nurturing', 'proposal', 'won', 'lost']

export const leadFunnel: Recomputed = {
  items(books) {
    const rows = new Map(books.tables.leads.map((row) => [String(row.id), row]))
    return books.feed.leads.map((lead): Item => {
      const value = lead.estimated_value ? fixed(String(lead.estimated_value)) : null
      const row = rows.get(lead.id)
      const advisor = row?.assigned_to_id ?? null
      const came = Temporal.Instant.from(String(lead.created_at)).toZonedDateTimeISO(books.zone).toPlainDate()
      const named = lead.currency ?? books.companies.get(lead.company_id)?.currency ?? null
      const currency = value === null ? null : named
      return {
        currency,
        about: {
          company_id: lead.company_id,
          branch_id: lead.branch_id,
          advisor_id: advisor,
          currency: named,
          source: (lead.source ?? null) as string | null,
        },
        groups: {
          source: [(lead.source ?? null) as string | null],
          advisor: [advisor, books.seats.get(advisor ?? '') ?? null],
          branch: [lead.branch_id, branchName(books, lead.branch_id)],
        },
        dates: { transaction: came.toString() },
        cells: { step: STAGES.indexOf(String(lead.stage)) + 1, stage: String(lead.stage) },
        sums: { leads: 1, converted: row?.converted_at ? 1 : 0, estimated_value: value },
      }
    })
  },
  sum: (row, _, all) => ({ share: percentage(row.sums.leads ?? null, all.length) }),
}

const HOLDS = new Set(['option', 'confirmed', 'in_progress'])

export const departuresLoad: Recomputed = {
  items(books) {
    const sold = Map.groupBy(
      [...books.bookings.values()].filter(({ status }) => HOLDS.has(status)),
      ({ tour_departure }) => tour_departure?.id,
    )
    return books.feed.tour_departures.map((departure): Item => {
      const bookings = sold.get(departure.id) ?? []
      const held = bookings.reduce((sum, { guest_count }) => sum + Number(guest_count), 0)
      const seats = (departure.max_capacity ?? null) as number | null
      const state = String(departure.inventory_state)
      const { supplier, branch_id, starts_on } = departure
      const begins = (starts_on ?? null) as string | null
      return {
        currency: null,
        about: {
          company_id: departure.company_id,
          branch_id,
          supplier_id: supplier?.id ?? null,
          currency: departure.currency,
          inventory_state: state,
        },
        groups: {
          month: [monthOf(begins)],
          supplier: [supplier?.id ?? null, supplier?.name ?? null],
          branch: [branch_id, branchName(books, branch_id)],
          state: [state],
        },
        dates: { travel_start: begins },
        cells: {
          starts_on: begins,
          ends_on: (departure.ends_on ?? null) as string | null,
          title: String(departure.title),
          inventory_state: state,
          supplier: supplier?.name ?? null,
          branch: branchName(books, branch_id),
          load: percentage(held, seats),
          external_id: departure.external_id,
          departure_id: departure.id,
        },
        sums: {
          departures: 1,
          bookings: bookings.length,
          max_capacity: seats,
          seats_held: held,
          seats_free: Math.max((seats ?? 0) - held, 0),
        },
      }
    })
  },
}
