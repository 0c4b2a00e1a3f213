import { beforeAll, describe, expect, it } from 'vitest'
import { findDesk } from '../../src/features/accounts/commands/find-desk.ts'
import { saveRates } from '../../src/features/exchange-rates/exchange-rates.store.ts'
import type { Draft } from '../../src/imports/draft.ts'
import { changeRecord, type Desk, makeRecord } from '../../src/imports/one-record.ts'
import { type AccountTx, withClient } from '../../src/platform/db/database.ts'
import { importables, readOnlyEntities } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency, type Outcome } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'

type Totals = { sell: string | null; cost: string | null; margin: string | null; vat: string | null }
type Line = { kind: string; label: string | null; quantity: number; gross: string; origin: string }
type Shown = {
  id: string
  status: string
  version: number
  totals: Totals
  customer: { id: string; external_id: string | null; name: string | null } | null
  supplier: { id: string; external_id: string | null } | null
  sell_lines: Line[]
  cost_lines: Line[]
} & Record<string, unknown>
type Row = { external_id: string } & Record<string, unknown>

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  await cell.deps.db.asSystem('a test needs a rate', (tx) =>
    saveRates(tx, {
      source: 'tcmb',
      base: 'TRY',
      rates: [{ currency: 'EUR', day: '2026-03-02', baseUnits: '47.1234', currencyUnits: '1' }],
    }),
  )
  agency = await newAgency()
})
async function newAgency(): Promise<Agency> {
  const made = await makeAgency(cell)
  await importRows(cell, made.key, 'customers', [{ external_id: 'C', name: 'Ayşe', email: 'Ayse@Example.com' }])
  await importRows(cell, made.key, 'suppliers', [
    { external_id: 'S', name: 'Hotel' },
    { external_id: 'S2', name: 'Airline' },
  ])
  return made
}

let count = 0
const next = (prefix: string) => {
  count += 1
  return `${prefix}${count}`
}
const send = async (entity: string, row: object, more: object = {}, of = agency): Promise<Outcome> =>
  (await importRows(cell, of.key, entity, [row], more)).rows[0] as Outcome
const amend = (entity: string, row: object) => send(entity, row, { on_conflict: 'update' })
const sendAll = async (entity: string, rows: object[], more: object = { on_conflict: 'update' }) =>
  (await importRows(cell, agency.key, entity, rows, more)).rows
const read = async (entity: string, { external_id }: { external_id: string }, key = agency.key): Promise<Shown> => {
  const path = `/imports/${entity}/records/${encodeURIComponent(external_id)}`
  return ((await cell.call('GET', path, { key })).body as { data: Shown }).data
}
const make = async (entity: string, row: Row): Promise<Row> => {
  expect(await send(entity, row)).toMatchObject({ status: 'created', errors: [] })
  return row
}
const told = (issues: Outcome['errors']) => issues.map(({ field, code }) => `${field} ${code}`)
const errors = (outcome: Outcome | undefined) => told(outcome?.errors ?? [])
const warnings = (outcome: Outcome | undefined) => told(outcome?.warnings ?? [])
const ask = <T>(sql: string, values: unknown[] = []): Promise<T[]> =>
  withClient(cell.connection, async (client) => {
    await client.query('set role backdesk_system')
    return (await client.query(sql, values)).rows as T[]
  })
const parts = (lines: Line[]) => lines.map(({ kind, label, gross }) => [kind, label, gross])

describe('tickets', () => {
  let number = 0
  const ticketNumber = () => {
    number += 1
    return `235${String(number).padStart(10, '0')}`
  }
  const passenger = (more: object = {}) => ({ first_name: 'Ayşe', last_name: 'Yılmaz', ...more })
  const sale = (more: object = {}): Row => ({
    external_id: next('T'),
    currency: 'EUR',
    transaction_date: '2026-03-02',
    passengers: [passenger()],
    ...more,
  })
  const sold = (more: object = {}) => make('tickets', sale(more))
  const of = (...numbers: string[]) =>
    sale({ passengers: numbers.map((ticket_number) => passenger({ ticket_number })) })
  const leg = (departure_airport: string, arrival_airport: string) => ({
    airline_code: 'TK',
    flight_number: '1',
    departure_airport,
    arrival_airport,
  })

  it('open as an option where they have a ticketing deadline, else as a draft', async () => {
    const option = await sold({ option_date: '2026-09-01' })
    expect((await read('tickets', option)).status).toBe('option')
    expect((await read('tickets', await sold())).status).toBe('draft')
    expect((await read('tickets', await sold({ option_date: '2026-09-01', status: 'issued' }))).status).toBe('issued')
  })
  it('have a line for each part and tax code: sell is total, fee and penalty less discount, cost total less commission', async () => {
    const row = await sold({
      passengers: [
        passenger({
          base_fare: '100.00',
          taxes: [
            { code: 'YR', amount: '20.00' },
            { code: 'TR', amount: '5.50' },
          ],
          commission_amount: '4.00',
          service_fee: '10.00',
        }),
        passenger({
          base_fare: '4000.00',
          equivalent_fare: '90.00',
          taxes: [{ code: 'YR', amount: '10.00' }],
          commission_rate: '7',
          service_fee: '10.00',
          penalty: '15.00',
          discount: '3.00',
          total: '100.00',
        }),
      ],
    })
    const { id, totals } = await read('tickets', row)
    const lines = await ask<Line & { side: string }>(
      `select side, kind, label, gross::numeric(9, 2)::text as gross, origin from booking_lines
       where booking_id = $1 order by position`,
      [id],
    )
    const linesOf = (side: string) => parts(lines.filter((line) => line.side === side))
    const total = [
      ['base_fare', null, '190.00'],
      ['tax', 'YR', '30.00'],
      ['tax', 'TR', '5.50'],
    ]
    expect(linesOf('sell')).toEqual([
      ...total,
      ['service_fee', null, '20.00'],
      ['penalty', null, '15.00'],
      ['discount', null, '-3.00'],
    ])
    expect(linesOf('cost')).toEqual([...total, ['commission', null, '-10.30']])
    expect(totals).toEqual({ sell: '257.50', cost: '215.20', margin: '42.30', vat: '0.00' })
    expect(new Set(lines.map(({ origin }) => origin))).toEqual(new Set(['passenger']))
  })
  it('keep a total that is not fare and taxes, with a warning', async () => {
    const row = sale({
      passengers: [
        passenger({ base_fare: '100.00', taxes: [{ code: 'YR', amount: '20.00' }], total: '130.00' }),
        passenger({ total: '50.00' }),
      ],
    })
    const outcome = await send('tickets', row)
    expect([outcome.status, ...warnings(outcome)]).toEqual(['created', 'passengers[0].total inconsistent'])
    expect((await read('tickets', row)).totals).toMatchObject({ sell: '180.00', cost: '180.00' })
    expect(await amend('tickets', row)).toMatchObject({ status: 'unchanged' })
  })
  it.each([
    ['2352403123456', true],
    ['235-2403123456', true],
    ['235 2403 123456', true],
    ['235-240312345', false],
    ['235-24031234567', false],
    ['TK-2403123456', false],
    ['', null],
  ])('read the ticket number %j', async (text, isNumber) => {
    const row = sale({ passengers: [passenger({ ticket_number: text })] })
    const outcome = await send('tickets', row)
    if (isNumber === false) return expect(errors(outcome)).toEqual(['passengers[0].ticket_number invalid_string'])
    const { passengers } = await read('tickets', row)
    expect(passengers).toMatchObject([{ ticket_number: isNumber ? '2352403123456' : null }])
    await amend('tickets', { external_id: row.external_id, status: 'cancelled' })
  })
  it('hold their numbers against other sales, other rows of the batch and their own passengers, until they are cancelled', async () => {
    const [one, two, three] = [ticketNumber(), ticketNumber(), ticketNumber()]
    const first = await make('tickets', of(one, two))
    const taken = 'passengers[0].ticket_number duplicate_ticket_number'
    expect(errors(await send('tickets', of(`${two.slice(0, 3)}-${two.slice(3)}`)))).toEqual([taken])
    expect(errors(await send('tickets', of(three, three)))).toEqual([taken.replace('0', '1')])
    const batch = await sendAll('tickets', [of(three), of(three), of(ticketNumber())])
    expect(batch.map(({ status }) => status)).toEqual(['created', 'failed', 'created'])
    expect(errors(batch[1])).toEqual([taken])
    expect(await amend('tickets', first)).toMatchObject({ status: 'unchanged', errors: [] })
    expect(await amend('tickets', { external_id: first.external_id, status: 'cancelled' })).toMatchObject({
      status: 'updated',
    })
    expect(await send('tickets', of(one, two))).toMatchObject({ status: 'created', errors: [] })
  })
  it('free their numbers for the rows after them, and take none where a row fails or is cancelled', async () => {
    const [one, two] = [ticketNumber(), ticketNumber()]
    const first = await make('tickets', of(one))
    const rows = await sendAll('tickets', [
      { external_id: first.external_id, status: 'cancelled' },
      of(one),
      { ...of(two), status: 'cancelled' },
      { ...of(two), pnr: 7 },
      of(two),
    ])
    expect(rows.map(({ status }) => status)).toEqual(['updated', 'created', 'created', 'failed', 'created'])
    const other = await make('tickets', of(ticketNumber()))
    const [three, four] = [ticketNumber(), ticketNumber()]
    const beyond = [passenger({ ticket_number: four, base_fare: '9'.repeat(15), service_fee: '9'.repeat(15) })]
    const again = await sendAll('tickets', [
      { external_id: other.external_id, passengers: [passenger({ ticket_number: three })], pnr: 7 },
      of(three),
      sale({ passengers: beyond }),
      of(four),
    ])
    expect(again.map(({ status }) => status)).toEqual(['failed', 'created', 'failed', 'created'])
    expect(errors(again[2])).toEqual(['sell_lines out_of_range'])
  })
  it('hold conjunction numbers as they hold ticket numbers, and none of exchanged tickets', async () => {
    const [one, two] = [ticketNumber(), ticketNumber()]
    await make(
      'tickets',
      sale({
        passengers: [
          passenger({
            ticket_number: one,
            conjunction_ticket_numbers: [two],
            exchanged_ticket_number: '2209999999999',
          }),
        ],
      }),
    )
    expect(errors(await send('tickets', of(two)))).toEqual(['passengers[0].ticket_number duplicate_ticket_number'])
    const conjunction = sale({ passengers: [passenger({ conjunction_ticket_numbers: [ticketNumber(), one] })] })
    expect(errors(await send('tickets', conjunction))).toEqual([
      'passengers[0].conjunction_ticket_numbers[1] duplicate_ticket_number',
    ])
    expect(await send('tickets', of('2209999999999'))).toMatchObject({ status: 'created' })
  })
  it('take other numbers and names by an amendment, and never other money', async () => {
    const [one, two] = [ticketNumber(), ticketNumber()]
    const money = { base_fare: '100.00', taxes: [{ code: 'YR', amount: '20.00' }], service_fee: '5.00' }
    const row = await sold({ passengers: [passenger({ ...money, ticket_number: one })] })
    const holder = await make('tickets', of(two))
    const change = (...passengers: object[]) => amend('tickets', { external_id: row.external_id, passengers })
    expect(errors(await change(passenger({ ...money, ticket_number: two })))).toEqual([
      'passengers[0].ticket_number duplicate_ticket_number',
    ])
    const renamed = passenger({ ...money, first_name: 'Ayşegül', base_fare: '100', ticket_number: one })
    expect(await change(renamed)).toMatchObject({ status: 'updated', errors: [], warnings: [] })
    for (const other of [
      { ...money, base_fare: '101.00' },
      { ...money, taxes: [{ code: 'YR', amount: '21.00' }] },
      { ...money, taxes: [{ code: 'TR', amount: '20.00' }] },
      { ...money, service_fee: undefined },
      { ...money, discount: '1.00' },
      { ...money, commission_rate: '5' },
      { ...money, total: '120.00' },
    ])
      expect([other, errors(await change(passenger({ ...other, ticket_number: one })))]).toEqual([
        other,
        ['passengers pricing_not_amendable'],
      ])
    expect(errors(await change())).toEqual(['passengers pricing_not_amendable', 'passengers required'])
    const three = ticketNumber()
    expect(await change(passenger({ ...money, ticket_number: three }))).toMatchObject({ status: 'updated', errors: [] })
    expect(await amend('tickets', { ...holder, passengers: [passenger({ ticket_number: one })] })).toMatchObject({
      status: 'updated',
    })
    expect((await read('tickets', row)).totals).toMatchObject({ sell: '125.00', cost: '120.00' })
  })
  it('follow their legs: itinerary type, and whether they lead abroad', async () => {
    const kinds = async (legs: object[] | null) => {
      const { itinerary_type, international } = await read('tickets', await sold({ legs }))
      return [itinerary_type, international]
    }
    expect(await kinds(null)).toEqual([null, null])
    expect(await kinds([leg('IST', 'ADB')])).toEqual(['one_way', false])
    expect(await kinds([leg('IST', 'LHR'), leg('LGW', 'SAW')])).toEqual(['round_trip', true])
    expect(await kinds([leg('IST', 'LHR'), leg('CDG', 'ADB')])).toEqual(['multi_city', true])
    expect(await kinds([leg('IST', 'QQQ')])).toEqual(['one_way', null])
    const row = await sold({ legs: [leg('IST', 'LHR')] })
    const change = await amend('tickets', {
      external_id: row.external_id,
      legs: [leg('IST', 'ESB'), leg('ESB', 'IST')],
    })
    expect(change).toMatchObject({ status: 'updated', errors: [] })
    expect(await read('tickets', row)).toMatchObject({ itinerary_type: 'round_trip', international: false })
    await amend('tickets', { external_id: row.external_id, legs: null })
    expect(await read('tickets', row)).toMatchObject({ itinerary_type: null, international: null })
  })
  it('save their passengers to the customer’s traveller directory', async () => {
    await importRows(cell, agency.key, 'customers', [{ external_id: 'CT', name: 'Traveller' }])
    const people = [
      passenger({ passport_number: 'P1', ticket_number: ticketNumber(), base_fare: '1.00' }),
      passenger({ first_name: 'Can', last_name: 'Ak', date_of_birth: '2019-01-01', passenger_type: 'child' }),
    ]
    await sold({ customer_external_id: 'CT', passengers: people })
    await sold({ customer_external_id: 'CT', passengers: [passenger({ passport_number: 'P1', nationality: 'TR' })] })
    const directory = await ask(
      `select t.first_name, t.passport_number, t.nationality, t.date_of_birth::text from travelers t
        join customers c on c.account_id = t.account_id and c.id = t.customer_id
       where c.account_id = $1 and c.external_id = 'CT' order by t.first_name`,
      [agency.number],
    )
    expect(directory).toEqual([
      { first_name: 'Ayşe', passport_number: 'P1', nationality: 'TR', date_of_birth: null },
      { first_name: 'Can', passport_number: null, nationality: null, date_of_birth: '2019-01-01' },
    ])
  })
  it('add a fare type that the account has not had, once they are written', async () => {
    const known = sale({ fare_type: 'Season Ticket' })
    await importRows(cell, agency.key, 'tickets', [
      known,
      sale({ fare_type: 'Failed', currency: 'XXX' }),
      { ...known, fare_type: 'Skipped' },
    ])
    expect((await read('tickets', known)).fare_type).toBe('season_ticket')
    expect((await read('tickets', await sold({ fare_type: 'SEASON ticket' }))).fare_type).toBe('season_ticket')
    expect((await read('tickets', await sold({ fare_type: 'Published' }))).fare_type).toBe('published')
    expect(await ask('select key, label from terms where account_id = $1', [agency.number])).toEqual([
      { key: 'season_ticket', label: 'Season Ticket' },
    ])
  })
})

describe('transfers and car rentals', () => {
  const transfer = (more: object = {}): Row => ({
    external_id: next('X'),
    pickup_at: '2026-07-10T12:15:00',
    pickup_location: 'Airport',
    dropoff_location: 'Hotel',
    ...more,
  })
  const rental = (more: object = {}): Row => ({ external_id: next('R'), ...more })
  it('read a time without an offset on the account’s clock, and with one as it is', async () => {
    const times = async (pickup_at: string) =>
      (await read('transfers', await make('transfers', transfer({ pickup_at })))).pickup_at
    expect(await times('2026-07-10T12:15:00')).toBe('2026-07-10T09:15:00.000000Z')
    expect(await times('2026-01-10 12:15')).toBe('2026-01-10T09:15:00.000000Z')
    expect(await times('2026-07-10T12:15:00+02:00')).toBe('2026-07-10T10:15:00.000000Z')
    expect(await times('2026-07-10T00:15:00.5Z')).toBe('2026-07-10T00:15:00.500000Z')
  })
  it.each([
    ['a winter day', '2026-03-29T01:30:00', '2026-03-29T00:30:00.000000Z'],
    ['a gap, which moves later', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000000Z'],
    ['the end of a gap', '2026-03-29T03:00:00', '2026-03-29T01:00:00.000000Z'],
    ['an overlap, at its earlier offset', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000000Z'],
    ['an overlap with an offset', '2026-10-25T02:30:00+01:00', '2026-10-25T01:30:00.000000Z'],
    ['the end of an overlap', '2026-10-25T03:00:00', '2026-10-25T02:00:00.000000Z'],
  ])('read a time in Berlin in %s', async (_, pickup_at, instant) => {
    const berlin = await newAgency()
    await ask('update accounts set time_zone = $$Europe/Berlin$$ where account_id = $1', [berlin.number])
    const { key } = await berlin.makeKey()
    const row = transfer({ pickup_at })
    await importRows(cell, key, 'transfers', [row])
    expect((await read('transfers', row, key)).pickup_at).toBe(instant)
  })
  it('refuse times in the wrong order, whatever their offsets, in a new record and in an amended one', async () => {
    const early = { pickup_at: '2026-07-10T12:00:00+03:00', dropoff_at: '2026-07-10T10:30:00+02:00' }
    expect(errors(await send('transfers', transfer(early)))).toEqual(['dropoff_at inconsistent'])
    const back = transfer({ return_pickup_at: '2026-07-10T12:14:59' })
    expect(errors(await send('transfers', back))).toEqual(['return_pickup_at inconsistent'])
    const row = await make('transfers', transfer({ dropoff_at: '2026-07-10T10:30:00+01:00' }))
    const change = await amend('transfers', { external_id: row.external_id, pickup_at: '2026-07-10T13:00:00' })
    expect(errors(change)).toEqual(['dropoff_at inconsistent'])

    const at = '2026-07-10T11:30:00+03:00'
    expect(errors(await send('car_rentals', rental({ pickup_at: at, return_at: '2026-07-10T08:30:00Z' })))).toEqual([
      'return_at inconsistent',
    ])
    const car = await make('car_rentals', rental({ pickup_at: at, return_at: '2026-07-10T08:30:01Z' }))
    expect(errors(await amend('car_rentals', { external_id: car.external_id, return_at: at }))).toEqual([
      'return_at inconsistent',
    ])
    await make('car_rentals', rental({ pickup_at: at }))
  })
  it('keep their price when they move, with a warning', async () => {
    const sell_lines = [{ kind: 'transfer_fare', amount: '60.00' }]
    const row = await make('transfers', transfer({ sell_lines }))
    const change = await amend('transfers', { external_id: row.external_id, pickup_at: '2026-07-11T12:15:00' })
    expect([change.status, ...warnings(change)]).toEqual(['updated', 'pickup_at price_not_recalculated'])
    expect((await read('transfers', row)).totals.sell).toBe('60.00')
    expect(await amend('transfers', { external_id: row.external_id, pickup_at: '2026-07-11T09:15:00Z' })).toMatchObject(
      {
        status: 'unchanged',
      },
    )
  })
})

describe('cruises', () => {
  const cruise = (more: object = {}): Row => ({
    external_id: next('CR'),
    currency: 'EUR',
    transaction_date: '2026-03-02',
    rate_basis: 'commissionable',
    sell_lines: [{ kind: 'cabin_fare', amount: '1450.00', quantity: 2, vat_rate: '20' }],
    ...more,
  })
  it('derive their cost from the commission', async () => {
    const percent = await make('cruises', cruise({ margin_mode: 'percent', margin_value: '12' }))
    expect((await read('cruises', percent)).totals).toEqual({
      sell: '2900.00',
      cost: '2552.00',
      margin: '290.00',
      vat: '483.33',
    })
    const flat = await read('cruises', await make('cruises', cruise({ margin_mode: 'amount', margin_value: '100' })))
    expect(parts(flat.cost_lines)).toEqual([
      ['cabin_fare', null, '2900.00'],
      ['commission', null, '-100.00'],
    ])
    const none = await read('cruises', await make('cruises', cruise()))
    expect(none.totals.margin).toBe('0.00')
    const given = cruise({ margin_value: '12', cost_lines: [{ kind: 'cabin_fare', amount: '1.00' }] })
    expect((await read('cruises', await make('cruises', given))).totals.cost).toBe('1.00')
  })
  it('may leave and return on one day, and not the other way round', async () => {
    await make('cruises', cruise({ embark_on: '2026-08-01', disembark_on: '2026-08-01' }))
    const back = cruise({ embark_on: '2026-08-01', disembark_on: '2026-07-31' })
    expect(errors(await send('cruises', back))).toEqual(['disembark_on inconsistent'])
  })
})

describe('tour departures and tour bookings', () => {
  const departure = (more: object = {}): Row => ({ external_id: next('TD'), title: 'Tour', max_capacity: 4, ...more })
  const departing = (more: object = {}) => make('tour_departures', departure(more))
  const booking = (on: Row, guest_count: number, more: object = {}): Row => ({
    external_id: next('TB'),
    tour_departure_external_id: on.external_id,
    guest_count,
    status: 'confirmed',
    ...more,
  })
  const book = (...given: Parameters<typeof booking>) => make('tour_bookings', booking(...given))
  const state = async (of: Row) => {
    const { status, seats_held, inventory_state } = await read('tour_departures', of)
    expect(inventory_state).toBe(status)
    return `${status} ${seats_held}`
  }

  it('are not booked without a departure that is there', async () => {
    const unknown = booking({ external_id: 'nowhere' }, 1)
    expect(errors(await send('tour_bookings', unknown))).toEqual(['tour_departure_external_id reference_not_found'])
    const on = await departing()
    const { external_id: _, tour_departure_external_id: __, ...nameless } = booking(on, 1)
    expect(errors(await send('tour_bookings', { ...nameless, external_id: next('TB') }))).toEqual([
      'tour_departure_external_id required',
    ])
    const outcome = await send('tour_bookings', booking(on, 1), { source_system: 'elsewhere' })
    expect(errors(outcome)).toEqual(['tour_departure_external_id reference_not_found'])
  })
  it('are closed when they are cancelled, for new bookings and for those that would change over', async () => {
    const closed = await departing()
    const before = await book(closed, 1)
    await send('tour_departures', { ...closed, inventory_state: 'cancelled' })
    const refused = ['tour_departure_external_id departure_closed']
    expect(errors(await send('tour_bookings', booking(closed, 1)))).toEqual(refused)
    expect(errors(await send('tour_bookings', booking(closed, 1, { status: 'draft' })))).toEqual(refused)
    const other = await book(await departing(), 1)
    const change = { external_id: other.external_id, tour_departure_external_id: closed.external_id }
    expect(errors(await amend('tour_bookings', change))).toEqual(refused)
    expect(await amend('tour_bookings', { external_id: before.external_id, notes: 'x' })).toMatchObject({
      status: 'updated',
      errors: [],
    })
  })
  it('count the seats that options, confirmed bookings and those under way hold, and are sold out when they are full', async () => {
    const on = await departing()
    const draft = await book(on, 2, { status: 'draft' })
    await book(on, 3, { status: 'completed' })
    await book(on, 3, { status: 'cancelled' })
    expect(await state(on)).toBe('open 0')
    const option = await book(on, 1, { status: 'option' })
    await book(on, 1, { status: 'in_progress' })
    expect(await state(on)).toBe('open 2')
    await amend('tour_bookings', { external_id: draft.external_id, status: 'confirmed' })
    expect(await state(on)).toBe('sold_out 4')
    await amend('tour_bookings', { external_id: option.external_id, status: 'draft' })
    expect(await state(on)).toBe('open 3')
    await amend('tour_bookings', { external_id: draft.external_id, status: 'cancelled' })
    expect(await state(on)).toBe('open 1')
  })
  it('sell more seats than there are with a warning', async () => {
    const on = await departing()
    const rows = await sendAll('tour_bookings', [
      booking(on, 2),
      booking(on, 2),
      booking(on, 1),
      booking(on, 9, { status: 'draft' }),
    ])
    expect(rows.map(({ status }) => status)).toEqual(['created', 'created', 'created', 'created'])
    expect(rows.map(warnings)).toEqual([[], [], ['guest_count capacity_exceeded'], []])
    expect(await state(on)).toBe('sold_out 5')
    const more = await amend('tour_bookings', { external_id: rows[0]?.external_id, guest_count: 3 })
    expect(warnings(more)).toEqual(['guest_count price_not_recalculated', 'guest_count capacity_exceeded'])
    const fewer = await amend('tour_bookings', { external_id: rows[0]?.external_id, guest_count: 2 })
    expect(warnings(fewer)).toEqual(['guest_count price_not_recalculated'])
    const boundless = await departing({ max_capacity: null })
    expect(warnings(await send('tour_bookings', booking(boundless, 5000)))).toEqual([])
    expect(await state(boundless)).toBe('open 5000')
  })
  it('take no seat of a cancelled departure, nor more of them', async () => {
    const on = await departing()
    const draft = await book(on, 2, { status: 'draft' })
    const firm = await book(on, 2)
    await send('tour_departures', { ...on, inventory_state: 'cancelled' })
    const refused = [
      await send('tour_bookings', booking(on, 1)),
      await amend('tour_bookings', { external_id: draft.external_id, status: 'confirmed' }),
      await amend('tour_bookings', { external_id: firm.external_id, guest_count: 3 }),
    ]
    expect(refused.map(errors)).toEqual(refused.map(() => ['tour_departure_external_id departure_closed']))
    expect((await amend('tour_bookings', { external_id: firm.external_id, guest_count: 1 })).status).toBe('updated')
    expect((await amend('tour_bookings', { external_id: draft.external_id, status: 'cancelled' })).status).toBe(
      'updated',
    )
  })
  it('give back the seats of a booking that changes over, to the rows after it as well', async () => {
    const [from, to] = [await departing(), await departing()]
    const moving = await book(from, 4)
    const rows = await sendAll('tour_bookings', [
      { external_id: moving.external_id, tour_departure_external_id: to.external_id },
      booking(from, 3),
      booking(to, 1),
    ])
    expect(rows.map(warnings)).toEqual([
      ['tour_departure_external_id price_not_recalculated'],
      [],
      ['guest_count capacity_exceeded'],
    ])
    expect([await state(from), await state(to)]).toEqual(['open 3', 'sold_out 5'])
  })
  it('lose no seats to rows that fail', async () => {
    const on = await departing()
    const row = await book(on, 1)
    const rows = await sendAll('tour_bookings', [
      { external_id: row.external_id, guest_count: 4, adult_count: 'x' },
      booking(on, 4, { sell_lines: [{ kind: 'extra', amount: '999999999999999', quantity: 1_000_000 }] }),
      booking(on, 3),
    ])
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'failed', 'created'])
    expect(warnings(rows[2])).toEqual([])
    expect(await state(on)).toBe('sold_out 4')
  })
  it('price rooms by the nights of the departure, and extras by their number', async () => {
    const rooms = [{ name: 'Cave', occupancy: 1, nightly_rate: '100.00', single_supplement_amount: '20.00' }]
    const extras = [{ name: 'Balloon', quantity: 2, amount: '50.00' }, { name: 'Map' }]
    const on = await departing({ starts_on: '2026-09-04', ends_on: '2026-09-07' })
    const row = await book(on, 1, { rooms, extras })
    const { sell_lines, totals, tour_departure } = await read('tour_bookings', row)
    expect(
      sell_lines.map(({ kind, label, quantity, gross, origin }) => [kind, label, quantity, gross, origin]),
    ).toEqual([
      ['room_rate', 'Cave', 3, '300.00', 'room'],
      ['single_supplement', 'Cave', 3, '60.00', 'room'],
      ['extra', 'Balloon', 2, '100.00', 'extra'],
    ])
    expect(totals.sell).toBe('460.00')
    expect(tour_departure).toMatchObject({ external_id: on.external_id, title: 'Tour' })
    const undated = await book(await departing(), 1, { rooms })
    expect((await read('tour_bookings', undated)).totals.sell).toBe('120.00')
    const change = (cells: object) => amend('tour_bookings', { external_id: row.external_id, ...cells })
    const dearer = extras.map((extra) => ({ ...extra, amount: '51.00' }))
    expect(errors(await change({ extras: dearer }))).toEqual(['extras pricing_not_amendable'])
    const third = await change({ extras: [{ ...extras[0], quantity: 3 }] })
    expect([third.status, ...warnings(third)]).toEqual(['updated', 'extras price_not_recalculated'])
    expect((await read('tour_bookings', row)).totals.sell).toBe('460.00')
  })
  it('are updated by a re-send, and unchanged by the same row', async () => {
    const row = await departing({ supplier_external_id: 'S' })
    expect(await send('tour_departures', row)).toMatchObject({ status: 'unchanged', errors: [] })
    expect(await send('tour_departures', { ...row, title: 'Other' })).toMatchObject({ status: 'updated' })
    expect(await read('tour_departures', row)).toMatchObject({
      title: 'Other',
      version: 2,
      supplier: { external_id: 'S' },
    })
    const wrong = { ...row, starts_on: '2026-09-04', ends_on: '2026-09-03' }
    expect(errors(await send('tour_departures', wrong))).toEqual(['ends_on inconsistent'])
  })
  it('move freely while seats are sold, and only forward from then on', async () => {
    const row = await departing()
    const move = (inventory_state: string) => send('tour_departures', { external_id: row.external_id, inventory_state })
    for (const state of ['closed_direct', 'on_request', 'min_not_met', 'sold_out', 'open', 'departed'])
      expect(await move(state)).toMatchObject({ status: 'updated', record_status: state })
    const refused = await move('open')
    expect(refused.errors).toMatchObject([
      { field: 'inventory_state', code: 'invalid_transition', allowed: ['completed'] },
    ])
    expect(await move('completed')).toMatchObject({ status: 'updated', record_status: 'completed' })
  })
  it('stay sold out when an open row is sent again, and open when they become larger', async () => {
    const row = await departing({ inventory_state: 'open' })
    await book(row, 4)
    expect(await state(row)).toBe('sold_out 4')
    const { version } = await read('tour_departures', row)
    expect(await send('tour_departures', row)).toMatchObject({ status: 'unchanged', record_status: 'sold_out' })
    expect((await read('tour_departures', row)).version).toBe(version)
    expect(await send('tour_departures', { ...row, max_capacity: 5 })).toMatchObject({
      status: 'updated',
      record_status: 'open',
    })
    expect(await send('tour_departures', { external_id: row.external_id, max_capacity: 3 })).toMatchObject({
      record_status: 'sold_out',
    })
    expect(await send('tour_departures', { external_id: row.external_id, max_capacity: 6 })).toMatchObject({
      record_status: 'open',
    })
    expect(await state(row)).toBe('open 4')
  })
})

describe('leads', () => {
  const lead = (more: object = {}): Row => ({ external_id: next('L'), name: 'Deniz', ...more })
  it('come in at any stage, and move to any other', async () => {
    const stages = ['won', 'inbox', 'lost', 'qualified', 'proposal', 'nurturing']
    const row = await make('leads', lead({ stage: 'lost' }))
    for (const stage of stages)
      expect(await send('leads', { ...row, stage })).toMatchObject({ status: 'updated', record_status: stage })
    expect((await read('leads', await make('leads', lead()))).status).toBe('inbox')
  })
  it('take their source by key or label in any case, and add what is new', async () => {
    const source = async (text: string) => (await read('leads', await make('leads', lead({ source: text })))).source
    expect(await source('walk_in')).toBe('walk_in')
    expect(await source(' Walk IN ')).toBe('walk_in')
    expect(await source('Fuar Standı')).toBe('fuar_standi')
    expect(await source('FUAR standı')).toBe('fuar_standi')
    expect(errors(await send('leads', lead({ source: '?!' })))).toEqual(['source unknown_term'])
    const terms = `select key, label from terms where account_id = $1 and taxonomy = 'lead_source'`
    expect(await ask(terms, [agency.number])).toEqual([{ key: 'fuar_standi', label: 'Fuar Standı' }])
    await importRows(cell, agency.key, 'leads', [lead({ source: 'Only Tried' })], {}, true)
    expect(await ask(terms, [agency.number])).toHaveLength(1)
  })
  it('keep their stage once they are converted, with a warning, and change otherwise', async () => {
    const row = await make('leads', lead({ stage: 'proposal' }))
    await ask('update leads set converted_at = now(), stage = $$won$$ where account_id = $1 and external_id = $2', [
      agency.number,
      row.external_id,
    ])
    const alone = await send('leads', { ...row, stage: 'lost' })
    expect([alone.status, alone.record_status, ...warnings(alone)]).toEqual(['unchanged', 'won', 'stage stage_ignored'])
    const both = await send('leads', { ...row, stage: 'lost', party_size: '3' })
    expect([both.status, both.record_status, ...warnings(both)]).toEqual(['updated', 'won', 'stage stage_ignored'])
    expect(await read('leads', row)).toMatchObject({ status: 'won', party_size: 3 })
    expect(warnings(await send('leads', { ...row, stage: 'won' }))).toEqual([])
  })
  it('list their destinations once each', async () => {
    const row = await make('leads', lead({ destinations: ' Roma, ,Floransa ,Roma,' }))
    expect((await read('leads', row)).destinations).toBe('Roma, Floransa')
    expect(await send('leads', { ...row, destinations: 'Roma,Floransa' })).toMatchObject({ status: 'unchanged' })
    await send('leads', { ...row, destinations: null })
    expect((await read('leads', row)).destinations).toBe('')
  })
  it('name their customer by external id or e-mail', async () => {
    const byMail = await read('leads', await make('leads', lead({ customer_external_id: 'AYSE@example.com' })))
    expect(byMail.customer).toMatchObject({ external_id: 'C' })
    const nobody = await send('leads', lead({ customer_external_id: 'nobody' }))
    expect([nobody.status, ...warnings(nobody)]).toEqual(['created', 'customer_external_id reference_not_found'])
  })
})

describe('operator invoices', () => {
  const invoice = (more: object = {}): Row => ({
    external_id: next('OI'),
    invoice_number: next('TO-'),
    supplier_external_id: 'S',
    issued_on: '2026-03-05',
    currency: 'EUR',
    total_amount: '655.60',
    ...more,
  })
  const duplicate = ['invoice_number duplicate_number']
  it('have a number once by supplier among those that are not void', async () => {
    const first = await make('operator_invoices', invoice())
    const same = { invoice_number: first.invoice_number }
    expect(errors(await send('operator_invoices', invoice(same)))).toEqual(duplicate)
    await make('operator_invoices', invoice({ ...same, supplier_external_id: 'S2' }))
    await make('operator_invoices', invoice({ ...same, status: 'void' }))
    expect(await send('operator_invoices', first)).toMatchObject({ status: 'unchanged' })
    const other = await make('operator_invoices', invoice())
    expect(errors(await send('operator_invoices', { ...other, ...same }))).toEqual(duplicate)
    await send('operator_invoices', { ...first, status: 'void' })
    expect(await send('operator_invoices', { ...other, ...same })).toMatchObject({ status: 'updated', errors: [] })
    const [two, three] = await sendAll('operator_invoices', [
      invoice({ invoice_number: 'B' }),
      invoice({ invoice_number: 'B' }),
    ])
    expect([two?.status, errors(three)]).toEqual(['created', duplicate])
  })
  it('give their number to the rows after them where they are void or take another', async () => {
    const [first, second] = [await make('operator_invoices', invoice()), await make('operator_invoices', invoice())]
    const third = await make('operator_invoices', invoice())
    const numbered = ({ invoice_number }: Row) => ({ invoice_number })
    const rows = await sendAll('operator_invoices', [
      invoice(numbered(first)),
      { ...first, status: 'void' },
      { ...second, ...numbered(first) },
      invoice(numbered(second)),
      { ...third, ...numbered(second) },
    ])
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'updated', 'updated', 'created', 'failed'])
    expect([errors(rows[0]), errors(rows[4])]).toEqual([duplicate, duplicate])
  })
  it('take no number by a row that fails', async () => {
    const [half, whole] = await sendAll('operator_invoices', [
      invoice({ invoice_number: 'H', booking_entity: 'tickets' }),
      invoice({ invoice_number: 'H' }),
    ])
    expect([errors(half), whole?.status]).toEqual([['booking_external_id inconsistent'], 'created'])
    const stored = await make('operator_invoices', invoice())
    const [bad, good] = await sendAll('operator_invoices', [
      { ...stored, invoice_number: 'I', total_amount: 'x' },
      invoice({ invoice_number: 'I' }),
    ])
    expect([errors(bad), good?.status]).toEqual([['total_amount invalid_money'], 'created'])
  })
  it('name a booking by both cells or neither', async () => {
    await make('cruises', { external_id: 'OI-CR' })
    const named = await make('operator_invoices', invoice({ booking_entity: 'cruises', booking_external_id: 'OI-CR' }))
    const link = `select b.external_id from operator_invoices i left join bookings b on b.account_id = i.account_id and b.id = i.booking_id
      where i.account_id = $1 and i.external_id = $2`
    expect(await ask(link, [agency.number, named.external_id])).toEqual([{ external_id: 'OI-CR' }])
    for (const [cells, field] of [
      [{ booking_entity: 'cruises' }, 'booking_external_id'],
      [{ booking_external_id: 'OI-CR' }, 'booking_entity'],
    ] as const)
      expect(errors(await send('operator_invoices', invoice(cells)))).toEqual([`${field} inconsistent`])
    expect(errors(await send('operator_invoices', { ...named, booking_entity: null }))).toEqual([
      'booking_entity inconsistent',
    ])
    const lost = invoice({ booking_entity: 'transfers', booking_external_id: 'OI-CR' })
    const outcome = await send('operator_invoices', lost)
    expect([outcome.status, ...warnings(outcome)]).toEqual(['created', 'booking_external_id reference_not_found'])
    expect(await ask(link, [agency.number, lost.external_id])).toEqual([{ external_id: null }])
    const pickup = { pickup_at: '2026-07-10T12:00:00', pickup_location: 'A', dropoff_location: 'B' }
    await make('transfers', { external_id: 'OI-CR', ...pickup })
    expect((await send('operator_invoices', lost)).status).toBe('updated') // the booking came later
    expect(await ask(link, [agency.number, lost.external_id])).toEqual([{ external_id: 'OI-CR' }])
    expect((await send('operator_invoices', lost)).status).toBe('unchanged')
    await send('operator_invoices', { ...named, booking_entity: null, booking_external_id: null })
    expect(await ask(link, [agency.number, named.external_id])).toEqual([{ external_id: null }])
  })
  it('warn where the net is not gross less commission and its VAT, and tell what is still to pay', async () => {
    const cells = { gross_amount: '745.00', commission_amount: '74.50', commission_vat_amount: '14.90' }
    const right = await send('operator_invoices', invoice({ ...cells, net_amount: '655.60' }))
    expect([right.status, ...warnings(right)]).toEqual(['created'])
    const row = invoice({ ...cells, net_amount: '655.61', paid_amount: '100.00' })
    const wrong = await send('operator_invoices', row)
    expect([wrong.status, ...warnings(wrong)]).toEqual(['created', 'net_amount inconsistent'])
    expect(await read('operator_invoices', row)).toMatchObject({ balance_amount: '555.60', net_amount: '655.61' })
    expect(warnings(await send('operator_invoices', invoice({ gross_amount: '1.00', net_amount: '5.00' })))).toEqual([])
    expect(await read('operator_invoices', await make('operator_invoices', invoice()))).toMatchObject({
      balance_amount: '655.60',
    })
  })
  it('need their supplier', async () => {
    const outcome = await send('operator_invoices', invoice({ supplier_external_id: 'nobody' }))
    expect(errors(outcome)).toEqual(['supplier_external_id reference_not_found'])
  })
  it('move freely, and never out of void', async () => {
    const row = await make('operator_invoices', invoice({ status: 'paid' }))
    for (const status of ['draft', 'disputed', 'open', 'partially_paid', 'void'])
      expect(await send('operator_invoices', { ...row, status })).toMatchObject({
        status: 'updated',
        record_status: status,
      })
    expect((await send('operator_invoices', { ...row, status: 'open' })).errors).toMatchObject([
      { field: 'status', code: 'invalid_transition', allowed: [] },
    ])
    expect(await send('operator_invoices', { external_id: row.external_id, notes: 'x' })).toMatchObject({
      status: 'updated',
    })
  })
})

describe('supplier bills', () => {
  const bill = (more: object = {}): Row => ({
    external_id: next('SB'),
    bill_number: 'GER-1',
    supplier_external_id: 'S',
    issued_on: '2026-03-06',
    currency: 'EUR',
    total_amount: '560.00',
    ...more,
  })
  it('are kept with what is still to pay, and may share a number', async () => {
    const row = await make('supplier_bills', bill({ paid_amount: '60.00', status: 'partially_paid' }))
    await make('supplier_bills', bill())
    expect(await read('supplier_bills', row)).toMatchObject({
      status: 'partially_paid',
      balance_amount: '500.00',
      supplier: { external_id: 'S' },
    })
    expect(await send('supplier_bills', row)).toMatchObject({ status: 'unchanged' })
  })
  it('warn where the total is not net and VAT, with or without what is withheld', async () => {
    const of = async (cells: object) => warnings(await send('supplier_bills', bill(cells)))
    const parts = { net_amount: '500.00', vat_amount: '60.00' }
    expect(await of(parts)).toEqual([])
    expect(await of({ ...parts, vat_amount: '60.01' })).toEqual(['total_amount inconsistent'])
    expect(await of({ ...parts, withholding_amount: '12.00' })).toEqual([])
    expect(await of({ ...parts, withholding_amount: '12.00', total_amount: '548.00' })).toEqual([])
    expect(await of({ ...parts, withholding_amount: '12.00', total_amount: '550.00' })).toEqual([
      'total_amount inconsistent',
    ])
  })
  it('name bookings in their lines by both cells or neither', async () => {
    await make('cruises', { external_id: 'SB-CR' })
    const lines = (...cells: object[]) => bill({ lines: cells.map((more) => ({ description: 'Cabin', ...more })) })
    const row = lines({ booking_entity: 'cruises', booking_external_id: 'SB-CR' }, {})
    expect(await send('supplier_bills', row)).toMatchObject({ status: 'created', warnings: [] })
    expect(errors(await send('supplier_bills', lines({}, { booking_entity: 'cruises' })))).toEqual([
      'lines[1].booking_external_id inconsistent',
    ])
    const lost = await send('supplier_bills', lines({ booking_entity: 'cruises', booking_external_id: 'none' }))
    expect([lost.status, ...warnings(lost)]).toEqual(['created', 'lines[0].booking_external_id reference_not_found'])
  })
})

describe('what is made in the application', () => {
  let desk: Desk
  const inAccount = <T>(of: Agency, work: (tx: AccountTx) => Promise<T>) => cell.deps.db.inAccount(of.number, work)
  const importableOf = (key: string) => {
    const found = [...importables, ...readOnlyEntities].find(({ entity }) => entity.key === key)
    if (!found) throw new Error(`There is no entity ${key}`)
    return found
  }
  const sampleOf = (key: string) => {
    const { external_id: _, ...row } = { ...importableOf(key).entity.sample.rows[0] }
    return { ...row, customer_external_id: 'C' } as Record<string, unknown>
  }
  const keys = readOnlyEntities.map(({ entity }) => entity.key)
  beforeAll(async () => {
    desk = await inAccount(agency, async (tx) => {
      const { time_zone: timeZone, country, currency, ...place } = await findDesk(tx, null)
      return {
        ...place,
        read: { decimalSeparator: null, country, currency, timeZone },
        context: { currency, today: '2026-05-05', now: '2026-05-05T09:00:00Z' },
      }
    })
  })
  const made = async (key: string, row: object = {}): Promise<Draft> =>
    inAccount(agency, (tx) => makeRecord(tx, importableOf(key), { ...sampleOf(key), ...row }, desk))
  const changed = (key: string, id: string | null, row: object, of = agency) =>
    inAccount(of, (tx) => changeRecord(tx, importableOf(key), String(id), { ...row }, desk))
  const feed = async (entity: string, role: string | null = null): Promise<Shown[]> => {
    const { key } = await agency.makeKey({ role })
    return ((await cell.call('GET', `/imports/${entity}/records`, { key })).body as { data: Shown[] }).data
  }
  const find = async (entity: string, id: string | null, role: string | null = null) => {
    const record = (await feed(entity, role)).find((shown) => shown.id === id)
    if (!record) throw new Error(`${entity} ${id} is not in the feed`)
    return record
  }

  it.each(keys)('%s cannot be imported, and the refusal names where they are read', async (key) => {
    for (const path of [`/imports/${key}`, `/imports/${key}/validate`]) {
      const { status, body } = await cell.call('POST', path, {
        key: agency.key,
        body: { rows: [{ external_id: '1' }] },
      })
      expect([status, body]).toMatchObject([
        422,
        { code: 'entity_not_writable', error: expect.stringContaining(`/api/v1/imports/${key}/records`) },
      ])
    }
    expect((await cell.call('GET', `/imports/entities/${key}`, { key: agency.key })).status).toBe(404)
  })
  it.each(keys)('%s are made and changed by the rules of an import, and told by the feed', async (key) => {
    const { id, status, errors } = await made(key)
    expect([status, errors]).toEqual(['created', []])
    const record = await find(key, id)
    expect(record).toMatchObject({ entity: key, external_id: null, source_system: null, version: 1 })
    expect(record.customer).toMatchObject({ external_id: 'C', name: 'Ayşe' })
    expect(await changed(key, id, { notes: 'x' })).toMatchObject({ status: 'updated' })
    expect(await changed(key, id, { notes: 'x' })).toMatchObject({ status: 'unchanged' })
    expect(await find(key, id)).toMatchObject({ notes: 'x', version: 2, totals: record.totals })
    expect(await changed(key, id, { status: 'completed', currency: 'USD' })).toMatchObject({ status: 'failed' })
    expect(await changed(key, id, { status: 'cancelled' })).toMatchObject({
      status: 'updated',
      recordStatus: 'cancelled',
    })
    expect(await changed(key, id, { currency: 'USD' })).toMatchObject({ status: 'failed', reason: 'cancelled' })
    expect((await find(key, id)).cancelled_at).not.toBeNull()
  })
  it.each(keys)('%s with a field that they have not are refused whole', async (key) => {
    const before = (await feed(key)).length
    expect(await made(key, { nonesuch: 1 })).toMatchObject({
      status: 'failed',
      errors: [{ at: 'nonesuch', code: 'not_allowed' }],
    })
    expect(await made(key, { external_id: 'E' })).toMatchObject({ status: 'failed', errors: [{ at: 'external_id' }] })
    expect(await feed(key)).toHaveLength(before)
    const { id } = await made(key)
    expect(await changed(key, id, { notes: 'x', nonesuch: 1 })).toMatchObject({ status: 'failed' })
    expect(await find(key, id)).toMatchObject({ notes: null, version: 1 })
  })
  it.each(keys)('%s are not those of another account, nor of another entity', async (key) => {
    const { id } = await made(key)
    expect(await changed(key, id, { notes: 'x' }, await newAgency())).toBeUndefined()
    const other = keys.find((name) => name !== key) as string
    expect(await changed(other, id, { notes: 'x' })).toBeUndefined()
    expect(await changed(key, '019dd7b0-0000-7000-8000-000000000000', { notes: 'x' })).toBeUndefined()
  })
  it('shows a role no money, costs or people that it may not see', async () => {
    const charter = await made('charters', { deposit_amount: '100.00', cost_lines: [{ kind: 'x', amount: '9.00' }] })
    const unseen = { sell: null, cost: null, margin: null, vat: null }
    const viewed = await find('charters', charter.id, 'viewer')
    expect(viewed).toMatchObject({ totals: unseen, deposit_amount: null, sell_lines: null, cost_lines: null })
    expect(viewed.customer?.name).toBeNull()
    expect(await find('charters', charter.id, 'advisor')).toMatchObject({
      totals: { sell: '14000.00', cost: null, margin: null },
      deposit_amount: '100.00',
      cost_lines: null,
    })
    const visa = await made('visa_cases', { visa_number: 'V1' })
    expect(await find('visa_cases', visa.id, 'viewer')).toMatchObject({
      visa_number: null,
      applicants: null,
      fee_amount: null,
      service_fee_amount: null,
      destination_country: 'GB',
    })
    expect(await find('visa_cases', visa.id, 'marketing')).toMatchObject({
      visa_number: 'V1',
      applicants: [{ first_name: 'Ayşe' }],
      fee_amount: null,
      totals: unseen,
    })
    const event = await made('events')
    expect(await find('events', event.id, 'viewer')).toMatchObject({ budget_amount: null, totals: unseen })
    expect(await find('events', event.id)).toMatchObject({ budget_amount: '900000.00' })
  })
  it('sells a visa for the consulate’s fee and the service fee, and buys it for the fee alone', async () => {
    const { id } = await made('visa_cases', {
      applicants: [{ first_name: 'Zeynep', last_name: 'Ak', passport_number: 'Z1' }],
    })
    const { sell_lines, cost_lines, totals } = await find('visa_cases', id)
    expect(parts(sell_lines)).toEqual([
      ['visa_fee', null, '135.00'],
      ['service_fee', null, '60.00'],
    ])
    expect(parts(cost_lines)).toEqual([['visa_fee', null, '135.00']])
    expect(totals).toMatchObject({ sell: '195.00', cost: '135.00' })
    const dearer = await changed('visa_cases', id, { fee_amount: '136.00' })
    expect(dearer?.errors).toMatchObject([{ at: 'fee_amount', code: 'pricing_not_amendable' }])
    expect(await changed('visa_cases', id, { fee_amount: '135' })).toMatchObject({ status: 'unchanged' })
    expect(
      await ask('select 1 from travelers where account_id = $1 and passport_number = $$Z1$$', [agency.number]),
    ).toHaveLength(1)
  })
})

describe('references', () => {
  it('never lead to another account, whatever keys its records have', async () => {
    const [theirs, ours] = [await newAgency(), await makeAgency(cell)]
    await importRows(cell, theirs.key, 'tour_departures', [{ external_id: 'TD', title: 'Tour', max_capacity: 10 }])
    await importRows(cell, theirs.key, 'cruises', [{ external_id: 'CR' }])
    const links = { customer_external_id: 'C', supplier_external_id: 'S' }
    const document = { supplier_external_id: 'S', issued_on: '2026-03-05', currency: 'EUR', total_amount: '1.00' }
    const rows: Record<string, object> = {
      leads: { name: 'Deniz', customer_external_id: 'ayse@example.com' },
      tour_departures: { title: 'Tour', supplier_external_id: 'S' },
      tickets: { ...links, passengers: [{ first_name: 'A', last_name: 'B' }] },
      hotel_stays: { ...links, check_in_on: '2026-07-10', check_out_on: '2026-07-11' },
      transfers: { ...links, pickup_at: '2026-07-10T12:00:00', pickup_location: 'A', dropoff_location: 'B' },
      cruises: links,
      car_rentals: links,
      tour_bookings: { ...links, tour_departure_external_id: 'TD', guest_count: 1 },
      operator_invoices: { ...document, invoice_number: '1' },
      supplier_bills: { ...document, bill_number: '1' },
    }
    for (const [entity, row] of Object.entries(rows)) {
      const outcome = await send(entity, { external_id: 'X', ...row }, {}, ours)
      const missed = [...errors(outcome), ...warnings(outcome)]
      const named = Object.keys(row).filter((name) => name.endsWith('_external_id'))
      expect([entity, ...missed.toSorted()]).toEqual([
        entity,
        ...named.map((name) => `${name} reference_not_found`).toSorted(),
      ])
      const fails = ['tour_bookings', 'operator_invoices', 'supplier_bills'].includes(entity)
      expect([entity, outcome.status]).toEqual([entity, fails ? 'failed' : 'created'])
    }
    await importRows(cell, ours.key, 'suppliers', [{ external_id: 'S', name: 'Hotel' }])
    const booking = { booking_entity: 'cruises', booking_external_id: 'CR' }
    const invoice = { external_id: 'X', ...rows.operator_invoices, ...booking }
    expect(warnings(await send('operator_invoices', invoice, {}, theirs))).toEqual([])
    expect(warnings(await send('operator_invoices', invoice, {}, ours))).toEqual([
      'booking_external_id reference_not_found',
    ])
  })
  it('lead to the account’s own record where both have the key', async () => {
    const [one, two] = [await newAgency(), await newAgency()]
    const ids = await Promise.all(
      [one, two].map(async (of) => {
        const row = { external_id: 'X', customer_external_id: 'C', supplier_external_id: 'S' }
        await importRows(cell, of.key, 'cruises', [row])
        const { customer, supplier } = await read('cruises', row, of.key)
        const own = await Promise.all([
          read('customers', { external_id: 'C' }, of.key),
          read('suppliers', { external_id: 'S' }, of.key),
        ])
        expect([customer?.id, supplier?.id]).toEqual(own.map(({ id }) => id))
        return customer?.id
      }),
    )
    expect(ids[0]).not.toBe(ids[1])
  })
})
