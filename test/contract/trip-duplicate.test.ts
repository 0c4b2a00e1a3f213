import { describe, expect, it } from 'vitest'
import { importRows } from '../harness/agency.ts'
import { ask } from '../harness/sql.ts'
import { outcome, type Trip, withTripEditors } from '../harness/trip-editing.ts'

const { the, trips, app, read } = withTripEditors()
type Copied = Trip & { reference_number: string; internal_notes: string | null; destinations: string[] }
const duplicate = async (id: string, body: object) =>
  read(((await app('POST', `/${id}/duplicate`, body)).body as { data: Trip }).data.id) as Promise<Copied>

describe('a duplicate of a trip', () => {
  it('has its days and segments on other dates, as drafts without amounts, bookings and links', async () => {
    const id = await trips.make(the.agency, {
      start_date: '2031-05-10',
      end_date: '2031-05-12',
      title: 'Rome',
      destinations: 'Roma, Napoli',
      internal_notes: 'Hush',
      status: 'confirmed',
    })
    const at = (segment_type: string, more: object = {}) =>
      trips.segment(the.agency, id, 2, { segment_type, title: segment_type, status: 'confirmed', ...more })
    await at('flight', { start_time: '2031-05-11T23:00', end_time: '2031-05-12T01:00', confirmation_number: 'ABC' })
    await at('insurance')
    await at('tour', { status: 'cancelled' })
    await at('dining', {
      price_amount: '10',
      currency: 'EUR',
      cost_amount: '8',
      cost_currency: 'EUR',
      internal_notes: 'x',
    })
    const { rows } = await importRows(the.cell, the.agency.key, 'hotel_stays', [
      { external_id: 'copied', check_in_on: '2031-05-11', check_out_on: '2031-05-12' },
    ])
    await ask(
      the.cell,
      `insert into trip_segments (account_id, trip_id, trip_day_id, segment_type, title, position, start_time, booking_id, piece)
       select account_id, trip_id, id, 'lodging', 'stay', 9, '2031-05-11T14:00', $2, 'stay' from trip_days where trip_id = $1 and day_number = 2`,
      [id, rows[0]?.id],
    )
    await app('POST', `/${id}/travelers`, { traveler: { name: 'Veli' } })
    const copy = await duplicate(id, { start_date: '2032-01-31' })
    const source = (await read(id)) as Copied
    expect(copy).toMatchObject({
      title: 'Rome',
      status: 'planning',
      destinations: ['Roma', 'Napoli'],
      internal_notes: 'Hush',
      start_date: '2032-01-31',
      end_date: '2032-02-02',
    })
    expect(copy.reference_number).not.toBe(source.reference_number)
    const nothing = {
      status: 'draft',
      price_amount: null,
      cost_amount: null,
      confirmation_number: null,
      booking_id: null,
    }
    expect(copy.days.map(({ segments }) => segments)).toMatchObject([
      [],
      [
        { ...nothing, title: 'flight', position: 1, start_time: '2032-02-01T23:00', end_time: '2032-02-02T01:00' },
        { ...nothing, title: 'dining', position: 2, start_time: null, internal_notes: 'x' },
        { ...nothing, title: 'stay', position: 3, start_time: '2032-02-01T14:00' },
      ],
      [],
    ])
    expect(copy.travelers.map(({ name }) => name)).toEqual(source.travelers.map(({ name }) => name))
    const followers = await ask(
      the.cell,
      'select 1 from share_links where trip_id = $1 union all select 1 from trip_bookings where trip_id = $1',
      [copy.id],
    )
    expect(followers).toEqual([])
  })
  it('for another customer has neither the travellers nor the internal notes', async () => {
    const id = await trips.make(the.agency, {
      start_date: '2031-05-10',
      end_date: '2031-05-10',
      internal_notes: 'Hush',
    })
    await app('POST', `/${id}/travelers`, { traveler: { name: 'Veli' } })
    const customer_id = await trips.customer(the.agency, { name: 'Can' })
    const copy = await duplicate(id, { start_date: '2032-01-31', title: 'Rome again', customer_id })
    expect(copy).toMatchObject({ title: 'Rome again', internal_notes: null, primary_customer: { id: customer_id } })
    expect(copy.travelers.map(({ name }) => name)).toEqual(['Can'])
  })
  it('of a trip without days has none, and is refused for an unknown customer', async () => {
    const id = await trips.make(the.agency)
    expect((await duplicate(id, { start_date: '2032-01-31' })).days).toEqual([])
    const body = { start_date: '2032-01-31', customer_id: '01890000-0000-7000-8000-000000000000' }
    expect(outcome(await app('POST', `/${id}/duplicate`, body))).toEqual([422, 'validation_failed'])
    await ask(
      the.cell,
      'update customers set deleted_at = now() where id in (select customer_id from trip_customers where trip_id = $1)',
      [id],
    )
    expect(outcome(await app('POST', `/${id}/duplicate`, { start_date: '2032-01-31' }))).toEqual([
      422,
      'validation_failed',
    ])
  })
})
