import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { findDesk } from '../../src/features/accounts/reads/find-desk.ts'
import { fileBooking, unfileBooking } from '../../src/features/filing/commands/file-booking.ts'
import { addTraveler } from '../../src/features/trips/commands/add-traveler.ts'
import { removeDay } from '../../src/features/trips/commands/remove-day.ts'
import { removeSegment } from '../../src/features/trips/commands/remove-segment.ts'
import { changeDay } from '../../src/features/trips/commands/update-day.ts'
import { changeSegment } from '../../src/features/trips/commands/update-segment.ts'
import { ApiError } from '../../src/platform/http/errors.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { SENTENCE } from '../harness/sentence.ts'
import { ask } from '../harness/sql.ts'
import { type Row, tripsOf } from '../harness/trips.ts'

type Segment = Row & { position: number; start_time: string | null; end_time: string | null }
type Day = Row & { day_number: number; position: number; date: string | null; segments: Segment[] }
const NOBODY = '01890000-0000-7000-8000-000000000000'

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const { make, change, day, segment, customer, read, inAccount } = tripsOf(() => cell)
const place = (id: string, one: string, at: { day?: number; place?: number }, fields: object = {}) =>
  inAccount(agency, async (tx) =>
    changeSegment(tx, await findDesk(tx, null), id, one, { day: null, place: null, ...at }, { ...fields }),
  )
const daysOf = async (id: string): Promise<Day[]> => {
  const days = await read<Day[]>(`${id}/days`, agency)
  return Promise.all(days.map(({ day_number }) => read<Day>(`${id}/days/${day_number}`, agency)))
}
/** The dates of a trip's days, and what happens on them and when. */
const itinerary = async (id: string) =>
  (await daysOf(id)).map(({ day_number, date, segments }) => [
    day_number,
    date,
    ...segments.map(({ title, start_time }) => `${title} ${start_time ?? 'some time'}`),
  ])
/** For which attributes it is refused, with sentences. */
async function refusals(work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(
    () => null,
    (failed: unknown) => failed,
  )
  expect(error).toBeInstanceOf(ApiError)
  const details = (error as ApiError).details ?? {}
  for (const reason of Object.values(details).flat()) expect(reason).toMatch(SENTENCE)
  return Object.keys(details)
}
const later = (from: string, days: number) => Temporal.PlainDate.from(from).add({ days }).toString()

describe('the days of a trip whose dates change', () => {
  const may = (start: number, length: number) => ({
    start_date: later('2031-05-10', start),
    end_date: later('2031-05-10', start + length - 1),
  })
  it('move with the trip, or stay on their dates, and none is left out that something happens on', async () => {
    const span = fc.record({ start: fc.integer({ min: -4, max: 4 }), length: fc.integer({ min: 1, max: 5 }) })
    const buyer = await customer(agency)
    await fc.assert(
      fc.asyncProperty(span, span, fc.array(fc.nat(4), { maxLength: 3 }), async (from, to, busy) => {
        const id = await make(agency, may(from.start, from.length), buyer)
        const taken = new Set(busy.map((nth) => nth % from.length))
        for (const nth of taken)
          await segment(agency, id, nth + 1, {
            title: `S${nth}`,
            start_time: `${later('2031-05-10', from.start + nth)}T10:00`,
          })
        const before = await itinerary(id)
        const isWhole =
          from.length === to.length || to.start >= from.start + from.length || from.start >= to.start + to.length
        const becomes = (nth: number) => (isWhole ? nth : nth + from.start - to.start)
        const isLeftOut = [...taken].some((nth) => becomes(nth) < 0 || becomes(nth) >= to.length)
        if (isLeftOut) {
          expect(await refusals(change(agency, id, may(to.start, to.length)))).toEqual(['end_date'])
          expect(await itinerary(id)).toEqual(before)
          return
        }
        await change(agency, id, may(to.start, to.length))
        const happens = new Map([...taken].map((nth) => [becomes(nth), `S${nth}`]))
        expect(await itinerary(id)).toEqual(
          Array.from({ length: to.length }, (_, nth) => {
            const date = later('2031-05-10', to.start + nth)
            return [nth + 1, date, ...(happens.has(nth) ? [`${happens.get(nth)} ${date}T10:00`] : [])]
          }),
        )
        expect((await daysOf(id)).map(({ position }) => position)).toEqual(
          Array.from({ length: to.length }, (_, nth) => nth + 1),
        )
      }),
      { numRuns: 40 },
    )
  })
  it('keep their number where dates come or go', async () => {
    const id = await make(agency)
    for (const title of ['one', 'two', 'three']) await day(agency, id, { title })
    await segment(agency, id, 2, { title: 'walk' })
    expect(await itinerary(id)).toEqual([
      [1, null],
      [2, null, 'walk some time'],
      [3, null],
    ])
    await change(agency, id, { start_date: '2031-05-10' })
    expect((await itinerary(id)).map(([, date]) => date)).toEqual(['2031-05-10', '2031-05-11', '2031-05-12'])
    await change(agency, id, { end_date: '2031-05-11' })
    expect(await itinerary(id)).toEqual([
      [1, '2031-05-10'],
      [2, '2031-05-11', 'walk some time'],
    ])
    await change(agency, id, { start_date: null, end_date: null })
    expect((await daysOf(id)).map(({ date, title }) => [date, title])).toEqual([
      [null, 'one'],
      [null, 'two'],
    ])
  })
  it('leave the times of what follows a booking to the booking', async () => {
    const { rows } = await importRows(cell, agency.key, 'hotel_stays', [
      { external_id: 'kept', check_in_on: '2031-05-10', check_out_on: '2031-05-12' },
    ])
    const id = await make(agency, may(0, 3))
    await ask(
      cell,
      `insert into trip_segments (account_id, trip_id, trip_day_id, segment_type, title, position, start_time, booking_id, piece)
       select account_id, trip_id, id, 'lodging', 'stay', 1, '2031-05-10T14:00', $2, 'stay' from trip_days where trip_id = $1 and day_number = 1`,
      [id, rows[0]?.id],
    )
    await segment(agency, id, 1, { title: 'walk', start_time: '2031-05-10T18:00' })
    await change(agency, id, may(7, 3))
    expect((await itinerary(id))[0]).toEqual([1, '2031-05-17', 'stay 2031-05-10T14:00', 'walk 2031-05-17T18:00'])
    const [stay] = (await daysOf(id))[0]?.segments ?? []
    const follows = String(stay?.id)
    await expect(inAccount(agency, (tx) => removeSegment(tx, id, follows))).rejects.toThrow('comes from the booking')
    expect(await refusals(place(id, follows, { day: 2 }, { status: 'confirmed', title: 'Our stay' }))).toEqual([
      'status',
      'day',
    ])
    await place(id, follows, { place: 2 }, { title: 'Our stay', is_client_visible: false })
    expect((await itinerary(id))[0]).toEqual([1, '2031-05-17', 'walk 2031-05-17T18:00', 'Our stay 2031-05-10T14:00'])
  })
})

describe('a day', () => {
  it('is added anywhere, and removed where nothing happens on it; the rest of the trip follows', async () => {
    const id = await make(agency, { start_date: '2031-05-10', end_date: '2031-05-11' })
    await segment(agency, id, 2, { title: 'walk', start_time: '2031-05-11T10:00', end_time: '2031-05-12T01:00' })
    expect(await day(agency, id, { title: 'between' }, 1)).toMatchObject({ day_number: 2 })
    expect(await day(agency, id, { title: 'first' }, 0)).toMatchObject({ day_number: 1 })
    expect(await day(agency, id, { title: 'last' })).toMatchObject({ day_number: 5 })
    expect((await daysOf(id)).map(({ title, date }) => [title, date])).toEqual([
      ['first', '2031-05-10'],
      [null, '2031-05-11'],
      ['between', '2031-05-12'],
      [null, '2031-05-13'],
      ['last', '2031-05-14'],
    ])
    expect((await daysOf(id))[3]?.segments).toMatchObject([
      { title: 'walk', start_time: '2031-05-13T10:00', end_time: '2031-05-14T01:00' },
    ])
    expect(await read(id, agency)).toMatchObject({ start_date: '2031-05-10', end_date: '2031-05-14', day_count: 5 })
    await expect(inAccount(agency, (tx) => removeDay(tx, id, 4))).rejects.toThrow('Day 4 has 1 segments')
    await inAccount(agency, (tx) => removeDay(tx, id, 1))
    await inAccount(agency, (tx) => removeDay(tx, id, 2))
    expect(await itinerary(id)).toEqual([
      [1, '2031-05-10'],
      [2, '2031-05-11', 'walk 2031-05-11T10:00'],
      [3, '2031-05-12'],
    ])
    expect(await read(id, agency)).toMatchObject({ end_date: '2031-05-12', day_count: 3 })
    await expect(inAccount(agency, (tx) => removeDay(tx, id, 9))).rejects.toThrow('no day 9')
    expect(await refusals(day(agency, id, {}, 9))).toEqual(['after'])
  })
  it('is updated with the given attributes', async () => {
    const id = await make(agency)
    await day(agency, id, { title: 'Roma', latitude: 41.9 })
    const changeTo = (fields: object) =>
      inAccount(agency, async (tx) => changeDay(tx, await findDesk(tx, null), id, 1, { ...fields }))
    await changeTo({ description: 'Old town', latitude: '41.893060' })
    const changed = await read<Day>(`${id}/days/1`, agency)
    expect(changed).toMatchObject({ title: 'Roma', description: 'Old town', latitude: 41.89306 })
    await changeTo({ title: 'Roma' })
    expect((await read<Day>(`${id}/days/1`, agency)).updated_at).toBe(changed.updated_at)
    for (const [name, value] of [
      ['latitude', '90.1'],
      ['longitude', 'east'],
      ['timezone', 'Roma'],
      ['cover_image_url', 'http://images.example/a.jpg'],
    ] as const)
      expect(await refusals(changeTo({ [name]: value }))).toEqual([name])
  })
  it('of a trip with dates is one at least, and 366 at most', async () => {
    const one = await make(agency, { start_date: '2031-05-10', end_date: '2031-05-10' })
    await expect(inAccount(agency, (tx) => removeDay(tx, one, 1))).rejects.toThrow('at least one day')
    const year = await make(agency, { start_date: '2031-01-01', end_date: '2032-01-01' })
    expect(await refusals(day(agency, year))).toEqual(['base'])
    expect(await refusals(change(agency, year, { end_date: '2032-01-02' }))).toEqual(['end_date'])
  })
})

describe('a segment', () => {
  it('stands where it is put, and the others of its day follow one another', async () => {
    const id = await make(agency)
    for (const title of ['one', 'two']) await day(agency, id, { title })
    const a = await segment(agency, id, 1, { title: 'a' })
    await segment(agency, id, 1, { title: 'b' })
    const c = await segment(agency, id, 1, { title: 'c' })
    const order = async () => (await daysOf(id)).map(({ segments }) => segments.map(({ title }) => title).join(''))
    await place(id, c, { place: 1 })
    expect(await order()).toEqual(['cab', ''])
    await place(id, c, { place: 2 })
    expect(await order()).toEqual(['acb', ''])
    await place(id, a, { place: 9 })
    expect(await order()).toEqual(['cba', ''])
    await place(id, a, { day: 2 })
    await place(id, c, { day: 2, place: 1 }, { status: 'confirmed' })
    expect(await order()).toEqual(['b', 'ca'])
    expect((await daysOf(id))[1]?.segments.map(({ position, status }) => [position, status])).toEqual([
      [1, 'confirmed'],
      [2, 'draft'],
    ])
    await inAccount(agency, (tx) => removeSegment(tx, id, c))
    expect(await order()).toEqual(['b', 'a'])
    await expect(place(id, c, { place: 1 })).rejects.toThrow('no segment')
    await expect(place(id, a, { day: 3 })).rejects.toThrow('no day 3')
  })
  it.each([
    ['segment_type', { segment_type: 'walk' }],
    ['status', { status: 'issued' }],
    ['start_time', { start_time: '2031-05-10T10:00Z' }],
    ['end_time', { start_time: '2031-05-10T10:00', end_time: '2031-05-10T09:59' }],
    ['currency', { price_amount: '10' }],
    ['cost_currency', { cost_amount: '10' }],
    ['cost_currency', { commission_amount: '10', currency: 'EUR' }],
    ['price_amount', { price_amount: '1,5', currency: 'EUR' }],
    ['supplier_id', { supplier_id: NOBODY }],
    ['commission_rate', { commission_rate: '-1' }],
    ['cover_image_url', { cover_image_url: 'javascript:alert(1)' }],
  ])('is refused for its %s: %j', async (attribute, fields) => {
    const id = await make(agency)
    await day(agency, id)
    expect(await refusals(segment(agency, id, 1, fields))).toEqual([attribute])
  })
  it('that is a flight may land before it took off, by the clocks of its airports', async () => {
    const id = await make(agency)
    await day(agency, id)
    const times = { start_time: '2031-05-10T19:00', end_time: '2031-05-10T12:00' }
    expect(await segment(agency, id, 1, { segment_type: 'flight', ...times })).toEqual(expect.any(String))
  })
})

describe('a trip', () => {
  it('moves freely between its statuses until it is cancelled, and cannot be set to in progress', async () => {
    const id = await make(agency, { start_date: '2031-05-10', end_date: '2031-05-12' })
    for (const status of ['draft', 'planning', 'proposed', 'on_hold', 'confirmed', 'draft', 'confirmed']) {
      await change(agency, id, { status })
      expect((await read(id, agency)).status).toBe(status)
    }
    for (const status of ['in_progress', 'completed', 'done', null])
      expect(await refusals(change(agency, id, { status }))).toEqual(['status'])
    await change(agency, id, { status: 'cancelled' })
    expect(await refusals(change(agency, id, { status: 'planning' }))).toEqual(['status'])
    await change(agency, id, { title: 'Was' })
    expect(await read(id, agency)).toMatchObject({ status: 'cancelled', title: 'Was' })
  })
  it('keeps absent attributes, also in its settings, and is not changed by equal values', async () => {
    const id = await make(agency, { destinations: 'Roma, Napoli', settings: { show_prices: true } })
    const made = await read(id, agency)
    expect(made).toMatchObject({ title: 'Roma, Napoli', status: 'planning', primary_currency: 'TRY' })
    await change(agency, id, { title: 'Roma, Napoli', settings: { show_prices: true } })
    expect(await read(id, agency)).toEqual(made)
    await change(agency, id, { notification_preferences: { survey: false }, settings: '{"language":"tr"}' })
    await change(agency, id, { notification_preferences: { bon_voyage: false } })
    expect(await read(id, agency)).toMatchObject({
      settings: { show_prices: true, language: 'tr' },
      notification_preferences: { survey: false, bon_voyage: false },
    })
  })
  it.each([
    ['title', { title: ' ' }],
    ['end_date', { start_date: '2031-05-10', end_date: '2031-05-09' }],
    ['start_date', { start_date: '2031-02-30' }],
    ['trip_type', { trip_type: 'hike' }],
    ['assigned_advisor_id', { assigned_advisor_id: NOBODY }],
    ['primary_currency', { primary_currency: 'XYZ' }],
    ['settings', { settings: { show_prices: 'yes' } }],
    ['settings', { settings: '[]' }],
    ['notification_preferences', { notification_preferences: { nonesuch: true } }],
  ])('is refused for its %s: %j', async (attribute, fields) => {
    const id = await make(agency)
    expect(await refusals(change(agency, id, fields))).toEqual([attribute])
    expect(await refusals(make(agency, fields))).toEqual([attribute])
  })
  it('is of a customer of the account, who is there', async () => {
    const other = await makeAgency(cell)
    for (const id of [NOBODY, await customer(other)])
      expect(await refusals(make(agency, {}, id))).toEqual(['customer_id'])
    await expect(change(other, await make(agency), { title: 'x' })).rejects.toThrow('No trip')
  })
  it('has travellers, each once, and one lead', async () => {
    const [buyer, friend] = [await customer(agency), await customer(agency, { name: 'Can Su' })]
    const id = await make(agency, {}, buyer)
    const add = (who: object) =>
      inAccount(agency, (tx) =>
        addTraveler(tx, id, { customer: null, traveler: null, name: null, lead: false, ...who }),
      )
    await add({ customer: friend, lead: true })
    await add({ name: 'A child' })
    await expect(add({ customer: friend })).rejects.toThrow('already on the trip')
    await expect(add({ name: ' ' })).rejects.toThrow('The traveller is missing')
    expect(await refusals(add({ traveler: NOBODY }))).toEqual(['traveler_id'])
    const { travelers, traveler_count } = await read(id, agency)
    expect(traveler_count).toBe(3)
    expect((travelers as Row[]).map(({ name, is_lead }) => [name, is_lead])).toEqual([
      ['Ayşe Yılmaz', false],
      ['Can Su', true],
      ['A child', false],
    ])
  })
  it('takes in a booking by hand, out of another trip, and lets it go for good', async () => {
    const { rows } = await importRows(cell, agency.key, 'hotel_stays', [
      { external_id: 'filed', check_in_on: '2031-05-10', check_out_on: '2031-05-12' },
    ])
    const booking = String(rows[0]?.id)
    const [one, two] = [await make(agency), await make(agency)]
    const filed = () => ask(cell, 'select trip_id from trip_bookings where booking_id = $1', [booking])
    for (const id of [one, one, two]) {
      await inAccount(agency, (tx) => fileBooking(tx, id, booking))
      expect(await filed()).toEqual([{ trip_id: id }])
    }
    await expect(inAccount(agency, (tx) => unfileBooking(tx, one, booking))).rejects.toThrow('no booking')
    await inAccount(agency, (tx) => unfileBooking(tx, two, booking))
    expect(await filed()).toEqual([{ trip_id: null }])
    expect(await refusals(inAccount(agency, (tx) => fileBooking(tx, one, NOBODY)))).toEqual(['booking_id'])
  })
})
