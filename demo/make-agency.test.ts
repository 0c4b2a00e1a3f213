import { describe, expect, it } from 'vitest'
import { missing } from '../src/catalogue/read-cells.ts'
import { airport } from '../src/geography/airports.ts'
import { readImportRows } from '../src/imports/engine/read-rows.ts'
import { importables } from '../src/registry.ts'
import { addDirt } from './add-dirt.ts'
import { type Agency, ENTITIES, type EntityKey, makeAgency } from './make-agency.ts'
import type { Row } from './pieces/row.ts'

const TODAY = '2026-09-15'
const SIZE = {
  customers: 300,
  suppliers: 40,
  leads: 120,
  tour_departures: 30,
  tickets: 400,
  hotel_stays: 300,
  transfers: 150,
  cruises: 120,
  car_rentals: 120,
  tour_bookings: 200,
  operator_invoices: 120,
  supplier_bills: 120,
}
const CONTEXT = { decimalSeparator: null, country: 'TR', currency: 'TRY', timeZone: 'Europe/Istanbul' } as const
const makeAnew = (seed: number, today = TODAY) => makeAgency({ seed, today, ...SIZE })
const made = new Map<string, Agency>()
function make(seed: number, today = TODAY): Agency {
  const agency = made.get(`${seed} ${today}`) ?? makeAnew(seed, today)
  made.set(`${seed} ${today}`, agency)
  return agency
}
const passengersOf = (row: Row) => row.passengers as Row[]
const numbersOf = ({ ticket_number, conjunction_ticket_numbers }: Row) =>
  [ticket_number, ...((conjunction_ticket_numbers ?? []) as unknown[])]
    .filter(Boolean)
    .map((number) => String(number).replace('-', ''))

const entityOf = (key: EntityKey) => {
  const found = importables.find(({ entity }) => entity.key === key)
  if (!found) throw new Error(`${key} can be imported`)
  return found.entity
}
/** Codes found by reading the rows alone, without stored data. */
function codesOf(key: EntityKey, rows: readonly Row[]): string[][] {
  const entity = entityOf(key)
  return readImportRows(entity, rows, new Set(), CONTEXT).rows.map(({ errors, given }) =>
    [...errors, ...missing(entity.fields, given, errors), ...entity.check(given)].map(({ code }) => code),
  )
}

describe('the generated agency', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(JSON.stringify(makeAnew(7))).toBe(JSON.stringify(makeAnew(7)))
    expect(makeAnew(7)).not.toEqual(makeAnew(8))
  })
  it('has as many rows of every entity as are asked for', () => {
    const rows = Object.entries(make(1)).map(([key, { length }]) => [key, length])
    expect(Object.fromEntries(rows)).toEqual(SIZE)
  })
  it('makes entities in the order of their import', () => {
    const made: readonly string[] = ENTITIES
    expect(importables.map(({ entity }) => entity.key).filter((key) => made.includes(key))).toEqual(made)
  })
  it.each(ENTITIES.map((key) => [key, entityOf(key)] as const))(
    'has %s that read without an issue, tax numbers included',
    (key, entity) => {
      for (const [seed, today] of [
        [1, TODAY],
        [2, '2026-01-01'],
        [3, '2027-12-31'],
      ] as const) {
        const made = make(seed, today)[key]
        const { rows, ignored } = readImportRows(entity, made, new Set(), CONTEXT)
        expect(ignored).toEqual([])
        expect(
          rows.flatMap(({ errors, warnings, given }) =>
            [...errors, ...missing(entity.fields, given, errors), ...entity.check(given), ...warnings].map((issue) => ({
              ...issue,
              given,
            })),
          ),
        ).toEqual([])
      }
    },
  )
  it('has an external id of its own in every row of an entity', () => {
    for (const [key, rows] of Object.entries(make(5)))
      expect([key, new Set(rows.map(({ external_id }) => external_id)).size]).toEqual([key, rows.length])
  })
  it('shares no key that records are found by with an agency of another series', () => {
    const keys = (seed: number) => {
      const { customers, suppliers, tickets } = make(seed)
      const numbers = tickets.flatMap((row) => passengersOf(row).flatMap(numbersOf))
      return [...customers.map(({ email }) => email), ...suppliers.map(({ code }) => code), ...numbers].filter(Boolean)
    }
    expect(new Set(keys(1)).intersection(new Set(keys(2)))).toEqual(new Set())
  })
  it('has rows whose references all find a record of the agency', () => {
    const agency = make(5)
    const ids = (key: EntityKey) => agency[key].map(({ external_id }) => external_id)
    const customers = new Set([...ids('customers'), ...agency.customers.map(({ email }) => email)])
    const suppliers = new Set([...ids('suppliers'), ...agency.suppliers.map(({ code }) => code)])
    const departures = new Set(ids('tour_departures'))
    const bookings = (entity: unknown) => new Set(ids(entity as EntityKey))
    for (const row of Object.values(agency).flat()) {
      if (row.customer_external_id) expect(customers).toContain(row.customer_external_id)
      if (row.supplier_external_id) expect(suppliers).toContain(row.supplier_external_id)
      if (row.tour_departure_external_id) expect(departures).toContain(row.tour_departure_external_id)
      for (const { booking_entity, booking_external_id } of [row, ...((row.lines ?? []) as Row[])])
        if (booking_entity) expect(bookings(booking_entity)).toContain(booking_external_id)
    }
  })
  it('has documents whose numbers are 13 digits and come once', () => {
    const numbers = make(5).tickets.flatMap((row) => passengersOf(row).flatMap(numbersOf))
    expect(numbers.filter((number) => !/^\d{13}$/.test(number))).toEqual([])
    expect(new Set(numbers).size).toBe(numbers.length)
  })
  it('has legs that lead on from one another in time, between airports that are known', () => {
    for (const { legs } of make(5).tickets) {
      const flown = (legs ?? []) as Record<string, string>[]
      for (const { departure_airport, arrival_airport } of flown)
        expect([airport(String(departure_airport)), airport(String(arrival_airport))]).not.toContain(null)
      for (const [at, { scheduled_departure }] of flown.entries())
        if (at > 0) expect(String(flown[at - 1]?.scheduled_arrival) < String(scheduled_departure)).toBe(true)
    }
  })
  it('has no bookings on a cancelled departure, and oversells one departure', () => {
    const { tour_departures, tour_bookings } = make(5)
    const seats = tour_departures.map(({ external_id, max_capacity, inventory_state }) => {
      const held = tour_bookings
        .filter((row) => row.tour_departure_external_id === external_id)
        .filter(({ status }) => ['option', 'confirmed', 'in_progress'].includes(String(status)))
        .reduce((sum, { guest_count }) => sum + Number(guest_count), 0)
      return { left: Number(max_capacity) - held, held, inventory_state }
    })
    const cancelled = seats.filter(({ inventory_state: is }) => is === 'cancelled')
    expect(cancelled.map(({ held }) => held)).toEqual([0])
    expect(seats.filter(({ left }) => left < 0)).toHaveLength(1)
    expect(seats.filter(({ left }) => left === 0).length).toBeGreaterThan(0)
  })
})

describe('its dirt', () => {
  /** Issues found only against stored records, or by a rule of the entity. */
  const BEYOND_READING = ['reference_not_found', 'departure_closed', 'duplicate_ticket_number', 'duplicate_number']
  const beyondReading = (key: EntityKey, code: string) =>
    BEYOND_READING.includes(code) || (code === 'inconsistent' && ['operator_invoices', 'supplier_bills'].includes(key))

  it.each(ENTITIES)('spoils rows of %s, each for exactly its own reason', (key) => {
    const { agency, flawed, kept } = addDirt(make(5), 5)
    expect(flawed[key].length).toBeGreaterThan(0)
    expect(
      codesOf(
        key,
        flawed[key].map(({ row }) => row),
      ).map((codes) => [...new Set(codes)]),
    ).toEqual(flawed[key].map(({ code }) => (beyondReading(key, code) ? [] : [code])))
    expect(codesOf(key, kept[key]).flat()).toEqual([])
    const spoilt = new Set(flawed[key].map(({ row }) => row))
    expect(new Set(agency[key].filter((row) => !spoilt.has(row)))).toEqual(new Set(kept[key]))
  })
  it('is the same for the same seed', () => {
    expect(JSON.stringify(addDirt(make(5), 3))).toBe(JSON.stringify(addDirt(make(5), 3)))
  })
})
