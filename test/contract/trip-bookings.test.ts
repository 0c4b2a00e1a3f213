import { beforeEach, describe, expect, it } from 'vitest'
import { signInAs } from '../harness/console.ts'
import { withFiling } from '../harness/filing.ts'
import { ask } from '../harness/sql.ts'

const { the, stay, trip, file, tripOf, shown, sql } = withFiling()
let owner: string
beforeEach(async () => {
  owner = await signInAs(the.cell, the.agency.number, the.agency.owner.id)
})
const app = (method: string, path: string, body?: object) =>
  the.cell.call(method, `/app/v1/trips/${path}`, { session: owner, ...(body && { body }) })
type Booking = { id: string; reason: string; fits: boolean; by_hand: boolean }
const list = async (path: string) => ((await app('GET', path)).body as { data: Booking[] }).data

describe('a booking filed over the application API', () => {
  it('is proposed with the reason, and no more once it is in a trip', async () => {
    const [near, far] = [await trip('2031-06-10', '2031-06-20'), await trip('2031-06-11', '2031-06-30')]
    const several = await stay({ external_id: 'several' })
    const none = await stay({ external_id: 'none', check_in_on: '2031-08-01', check_out_on: '2031-08-02' })
    const cancelled = await stay({ external_id: 'gone', check_in_on: '2031-08-01', check_out_on: '2031-08-02' })
    await file()
    await sql(`update bookings set status = 'cancelled' where id = $1`, [cancelled])
    expect((await list(`${near}/booking_proposals`)).map(({ id, reason, fits }) => [id, reason, fits])).toEqual([
      [several, 'fits_several_trips', true],
      [none, 'fits_no_trip', false],
    ])
    expect((await app('POST', `${far}/bookings`, { booking_id: several })).status).toBe(201)
    await file()
    expect(await list(`${far}/bookings`)).toMatchObject([{ id: several, by_hand: true, entity: 'hotel_stays' }])
    expect((await list(`${near}/booking_proposals`)).map(({ id }) => id)).toEqual([none])
    expect(await shown(far)).toHaveLength(1)
  })
  it('stays where a person put it, or is left out for good', async () => {
    const [own, other] = [await trip('2031-06-10', '2031-06-20'), await trip('2031-09-01', '2031-09-05')]
    const booking = await stay()
    await file()
    expect(await list(`${own}/bookings`)).toMatchObject([{ id: booking, by_hand: false }])
    expect((await app('POST', `${other}/bookings`, { booking_id: booking })).status).toBe(201)
    await stay({ check_out_on: '2031-06-16' })
    await file()
    expect([await tripOf(booking), await shown(own)]).toEqual([other, []])
    expect((await app('DELETE', `${other}/bookings/${booking}`)).status).toBe(204)
    expect((await app('DELETE', `${other}/bookings/${booking}`)).status).toBe(404)
    await stay({ check_out_on: '2031-06-15' })
    await file()
    expect([await tripOf(booking), await shown(own), await shown(other)]).toEqual([null, [], []])
    expect(await list(`${own}/booking_proposals`)).toMatchObject([{ id: booking, reason: 'taken_out' }])
  })
  it('leaves no gap among the segments of the days it leaves', async () => {
    const own = await trip('2031-06-10', '2031-06-20')
    const booking = await stay()
    await file()
    const [day] = await ask<{ id: string }>(
      the.cell,
      'select trip_day_id as id from trip_segments where booking_id = $1',
      [booking],
    )
    for (const title of ['a', 'b'])
      await app('POST', `${own}/itinerary/segments`, { day_id: day?.id, segment: { segment_type: 'note', title } })
    await app('DELETE', `${own}/bookings/${booking}`)
    const rows = await ask(the.cell, 'select title, position from trip_segments where trip_id = $1 order by position', [
      own,
    ])
    expect(rows).toEqual([
      { title: 'a', position: 1 },
      { title: 'b', position: 2 },
    ])
  })
  it('is refused if it is unknown', async () => {
    const own = await trip(null, null)
    const body = { booking_id: '01890000-0000-7000-8000-000000000000' }
    const { status, body: answer } = await app('POST', `${own}/bookings`, body)
    expect([status, Object.keys((answer as { details: object }).details)]).toEqual([422, ['booking_id']])
  })
})
