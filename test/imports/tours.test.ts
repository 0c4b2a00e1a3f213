import { describe, expect, it } from 'vitest'
import { errors, type Row, warnings, withRecords } from '../harness/records.ts'

const { amend, make, next, read, send, sendAll } = withRecords()

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
