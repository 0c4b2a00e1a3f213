import { beforeAll, describe, expect, it } from 'vitest'
import { BUILT_IN_ROLES } from '../../src/platform/access/policies.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { ask } from '../harness/sql.ts'
import { type Row, tripsOf } from '../harness/trips.ts'

type Day = Row & { day_number: number; segment_count: number; segments: Row[] }
const COSTS = [
  'cost_amount',
  'cost_currency',
  'commission_amount',
  'commission_rate',
  'margin_amount',
  'supplier',
  'confirmation_number',
]

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const { make, day, segment, read } = tripsOf(() => cell)
const status = async (path: string, key = agency.key) => (await cell.call('GET', `/trips/${path}`, { key })).status
/** Every day of a trip, whole. */
const daysOf = async (id: string) => {
  const days = await read<Day[]>(`${id}/days`, agency)
  return Promise.all(days.map(({ day_number }) => read<Day>(`${id}/days/${day_number}`, agency)))
}

describe('the days of a trip', () => {
  it('are there for each date, sixty of them too, in the order of the itinerary', async () => {
    const id = await make(agency, { start_date: '2031-03-01', end_date: '2031-04-29' })
    await segment(agency, id, 60)
    const days = await read<Day[]>(`${id}/days`, agency)
    expect(days.map(({ day_number, position, segment_count }) => [day_number, position, segment_count])).toEqual(
      Array.from({ length: 60 }, (_, at) => [at + 1, at + 1, at === 59 ? 1 : 0]),
    )
    expect(days.map(({ date }) => date)).toEqual(
      Array.from({ length: 60 }, (_, at) => Temporal.PlainDate.from('2031-03-01').add({ days: at }).toString()),
    )
    expect(Object.keys(days[0] as Day)).toEqual([
      'id',
      'day_number',
      'date',
      'title',
      'primary_location',
      'position',
      'segment_count',
    ])
    expect((await read(id, agency)).day_count).toBe(60)
  })
  it('are read by their number, with what providers say and what happens, in order', async () => {
    const id = await make(agency)
    const { id: made } = await day(agency, id, {
      title: 'Roma',
      description: 'The old town',
      primary_location: 'Rome',
      latitude: '41.89306',
      longitude: '-12.482780',
      timezone: 'Europe/Rome',
      cover_image_url: 'https://images.example/rome.jpg',
    })
    const second = await segment(agency, id, 1, { title: 'second' })
    const first = await segment(agency, id, 1, { title: 'first' }, 1)
    const last = await segment(agency, id, 1, { title: 'last' })
    await ask(cell, `delete from trip_day_facts where trip_day_id = $1`, [made])
    await ask(
      cell,
      `insert into trip_day_facts (account_id, trip_day_id, kind, data, provider, updated_at)
       values ($1, $2, 'weather', '{"high": 21.5}', 'open-meteo', '2031-05-01T10:00:00Z')`,
      [agency.number, made],
    )
    const found = await read<Day>(`${id}/days/1`, agency)
    expect({ ...found, segments: found.segments.map((one) => [one.id, one.title, one.position]) }).toEqual({
      id: made,
      day_number: 1,
      date: null,
      title: 'Roma',
      primary_location: 'Rome',
      position: 1,
      segment_count: 3,
      description: 'The old town',
      latitude: 41.89306,
      longitude: -12.48278,
      timezone: 'Europe/Rome',
      cover_image_url: 'https://images.example/rome.jpg',
      created_at: found.created_at,
      updated_at: found.updated_at,
      intelligence: {
        weather: { data: { high: 21.5 }, provider: 'open-meteo', updated_at: '2031-05-01T10:00:00.000000Z' },
        currency: { data: null, updated_at: null },
        general: { data: null, updated_at: null },
      },
      segments: [
        [first, 'first', 1],
        [second, 'second', 2],
        [last, 'last', 3],
      ],
    })
  })
  it('are not found for an unknown number, trip or account', async () => {
    const id = await make(agency, { start_date: '2031-03-01', end_date: '2031-03-02' })
    const other = await makeAgency(cell)
    expect(await status(`${id}/days/2`)).toBe(200)
    for (const number of ['0', 'x', '3', '-1', '1.0', '01', '1e0', '%201', '99999999999999999999', id])
      expect([number, await status(`${id}/days/${number}`)]).toEqual([number, 404])
    const nowhere = '01890000-0000-7000-8000-000000000000'
    for (const path of [`${nowhere}/days`, `${nowhere}/days/1`, `${nowhere}/notifications`, 'x/days', 'x/days/1'])
      expect([path, await status(path)]).toEqual([path, 404])
    for (const path of [id, `${id}/days`, `${id}/days/1`, `${id}/notifications`])
      expect([path, await status(path, other.key)]).toEqual([path, 404])
  })
})

describe('a segment', () => {
  const flight = {
    segment_type: 'flight',
    status: 'ticketed',
    title: 'TK 1861',
    internal_notes: 'Never shown',
    start_time: '2031-03-30T23:55',
    end_time: '2031-03-31 01:10',
    duration_minutes: '135',
    location_name: 'Fiumicino',
    is_highlighted: 'yes',
    flight_number: '1861',
    airline_code: 'TK',
    departure_airport: 'IST',
    arrival_airport: 'FCO',
    price_amount: '1000.5',
    currency: 'KWD',
    cost_amount: '900.25',
    cost_currency: 'KWD',
    commission_amount: '10',
    commission_rate: '1.50',
    confirmation_number: 'ABC123',
  }
  const shown = {
    segment_type: 'flight',
    status: 'ticketed',
    title: 'TK 1861',
    description: null,
    position: 1,
    start_time: '2031-03-30T23:55',
    end_time: '2031-03-31T01:10',
    duration_minutes: 135,
    location_name: 'Fiumicino',
    location_address: null,
    is_optional: false,
    is_highlighted: true,
    is_client_visible: true,
    cover_image_url: null,
    flight_number: '1861',
    airline_code: 'TK',
    departure_airport: 'IST',
    arrival_airport: 'FCO',
    scheduled_departure: '2031-03-30T23:55',
    scheduled_arrival: '2031-03-31T01:10',
    price_amount: '1000.500',
    currency: 'KWD',
  }

  it('shows its price to roles that see money, and has the keys of its cost for those that see costs alone', async () => {
    const { rows } = await importRows(cell, agency.key, 'suppliers', [{ external_id: 'S', name: 'Airline' }])
    const supplier_id = rows[0]?.id
    const trip_id = await make(agency, { start_date: '2031-03-30', end_date: '2031-03-31' })
    const id = await segment(agency, trip_id, 1, { ...flight, supplier_id })
    for (const [role, policies] of Object.entries(BUILT_IN_ROLES)) {
      const { key } = await agency.makeKey({ role })
      const one = await read(`${trip_id}/segments/${id}`, { key })
      const { segments } = await read<Day>(`${trip_id}/days/1`, { key })
      expect([role, segments]).toEqual([role, [one]])
      const money = policies.has('view_money')
      const costs = {
        cost_amount: '900.250',
        cost_currency: 'KWD',
        commission_amount: '10.000',
        commission_rate: '1.5',
        margin_amount: '100.250',
        supplier: { id: supplier_id, name: 'Airline' },
        confirmation_number: 'ABC123',
      }
      expect([role, one]).toEqual([
        role,
        {
          id,
          trip_id,
          trip_day_id: one.trip_day_id,
          ...shown,
          ...(!money && { price_amount: null }),
          ...(money && policies.has('view_costs') && costs),
        },
      ])
      const keys = COSTS.filter((name) => Object.hasOwn(one, name))
      expect([role, keys]).toEqual([role, money && policies.has('view_costs') ? COSTS : []])
    }
  })
  it('has null flight fields if it is not a flight, and no margin across currencies', async () => {
    const trip = await make(agency)
    await day(agency, trip)
    const prices = { price_amount: '10', currency: 'EUR', cost_amount: '8', cost_currency: 'USD' }
    const id = await segment(agency, trip, 1, { ...prices, segment_type: 'rail', start_time: '2031-03-30T10:00' })
    expect(await read(`${trip}/segments/${id}`, agency)).toMatchObject({
      start_time: '2031-03-30T10:00',
      flight_number: null,
      scheduled_departure: null,
      scheduled_arrival: null,
      margin_amount: null,
      supplier: null,
    })
  })
  it('is not found in another trip or by another account', async () => {
    const [trip, other] = [await make(agency), await make(agency)]
    for (const id of [trip, other]) await day(agency, id)
    const id = await segment(agency, trip, 1)
    const stranger = await makeAgency(cell)
    expect(await status(`${trip}/segments/${id}`)).toBe(200)
    expect(await status(`${other}/segments/${id}`)).toBe(404)
    expect(await status(`${trip}/segments/x`)).toBe(404)
    expect(await status(`${trip}/segments/${id}`, stranger.key)).toBe(404)
  })
  it('may be one of a thousand of its trip', async () => {
    const trip = await make(agency, { start_date: '2031-03-01', end_date: '2031-04-29' })
    await ask(
      cell,
      `insert into trip_segments (account_id, trip_id, trip_day_id, segment_type, title, position)
       select d.account_id, d.trip_id, d.id, 'activity', 'A' || nth, 1000 - nth
       from generate_series(1, 1000) nth join trip_days d on d.trip_id = $1 and d.day_number = 1 + nth % 2 * 59`,
      [trip],
    )
    const [first, last] = await Promise.all([1, 60].map((number) => read<Day>(`${trip}/days/${number}`, agency)))
    expect([first?.segments.length, last?.segments.length]).toEqual([500, 500])
    expect(first?.segments.map(({ title }) => title)).toEqual(
      Array.from({ length: 500 }, (_, at) => `A${1000 - at * 2}`),
    )
    const counts = (await daysOf(trip)).map(({ segment_count }) => segment_count)
    expect(counts).toEqual([500, ...Array.from({ length: 58 }, () => 0), 500])
  })
})

describe('a scheduled message of a trip', () => {
  it('is listed as it stands, the soonest first', async () => {
    const trip = await make(agency)
    await ask(cell, 'delete from trip_notifications where trip_id = $1', [trip])
    await ask(
      cell,
      `insert into trip_notifications (account_id, trip_id, kind, channel, audience, anchor, offset_days, send_at, next_attempt_at, status, skipped_reason)
       values ($1, $2, 'survey', 'email', 'traveler', 'end_date', 2, '2031-05-03T06:00:00Z', now(), 'skipped', 'past'),
         ($1, $2, 'documents_due', 'email', 'advisor', 'start_date', -30, '2031-04-01T06:00:00Z', now(), 'scheduled', null)`,
      [agency.number, trip],
    )
    const listed = await read<Row[]>(`${trip}/notifications`, agency)
    expect(listed).toEqual([
      {
        id: expect.any(String),
        kind: 'documents_due',
        channel: 'email',
        audience: 'advisor',
        anchor: 'start_date',
        offset_days: -30,
        send_at: '2031-04-01T06:00:00.000000Z',
        status: 'scheduled',
        skipped_reason: null,
        communication_id: null,
        sent_at: null,
      },
      expect.objectContaining({ kind: 'survey', status: 'skipped', skipped_reason: 'past' }),
    ])
  })
})
