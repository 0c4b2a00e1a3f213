import { describe, expect, it } from 'vitest'
import { importRows } from '../harness/agency.ts'
import { restrictTagOf } from '../harness/settings.ts'
import { ask, askPastWalls } from '../harness/sql.ts'
import {
  type Day,
  outcome,
  type Segment,
  type Traveler,
  type Trip,
  undoOf,
  withTripEditors,
} from '../harness/trip-editing.ts'

const MISSING = '01890000-0000-7000-8000-000000000000'
const { the, trips, app, read, undo, tripOf } = withTripEditors()

describe('an editor who read an older version', () => {
  it.each([
    ['trip', (id: string, { version }: Trip) => ['PATCH', `/${id}`, { version, trip: { title: 'Mine' } }] as const],
    ['trip', (id: string, { version }: Trip) => ['POST', `/${id}/cancel`, { version }] as const],
    [
      'day',
      (id: string, { days: [of] }: Trip) =>
        ['PATCH', `/${id}/itinerary/days/${of?.id}`, { version: of?.version, day: { title: 'Mine' } }] as const,
    ],
    [
      'day',
      (id: string, { days: [of] }: Trip) =>
        ['DELETE', `/${id}/itinerary/days/${of?.id}?version=${of?.version}`, undefined] as const,
    ],
    [
      'segment',
      (id: string, { days: [of] }: Trip) => {
        const [{ id: one, version } = { id: MISSING, version: 0 }] = of?.segments ?? []
        return ['PATCH', `/${id}/itinerary/segments/${one}`, { version, segment: { title: 'Mine' } }] as const
      },
    ],
    [
      'segment',
      (id: string, { days: [of] }: Trip) => {
        const [{ id: one, version } = { id: MISSING, version: 0 }] = of?.segments ?? []
        return ['POST', `/${id}/itinerary/segments/${one}/move`, { version, day_id: of?.id, position: 1 }] as const
      },
    ],
    [
      'traveler',
      (id: string, { travelers: [of] }: Trip) =>
        ['PATCH', `/${id}/travelers/${of?.id}`, { version: of?.version, traveler: { name: 'Mine' } }] as const,
    ],
    [
      'traveler',
      (id: string, { travelers: [of] }: Trip) =>
        ['DELETE', `/${id}/travelers/${of?.id}?version=${of?.version}`, undefined] as const,
    ],
  ])('of a %s is refused with the record as it is (%#)', async (part, write) => {
    const id = await tripOf([1])
    const old = await read(id)
    const [of, to] = [old.days[0], old.travelers[0]]
    const theirs = { title: 'Theirs' }
    const first = {
      trip: () => app('PATCH', `/${id}`, { version: old.version, trip: theirs }, the.advisor),
      day: () => app('PATCH', `/${id}/itinerary/days/${of?.id}`, { version: 1, day: theirs }, the.advisor),
      segment: () =>
        app('PATCH', `/${id}/itinerary/segments/${of?.segments[0]?.id}`, { version: 1, segment: theirs }, the.advisor),
      traveler: () =>
        app('PATCH', `/${id}/travelers/${to?.id}`, { version: 1, traveler: { name: 'Theirs' } }, the.advisor),
    }[part as 'trip']
    expect((await first()).status).toBe(200)
    const before = await read(id)
    const [method, path, body] = write(id, old)
    const answer = await app(method, path, body)
    const shown = part === 'traveler' ? { name: 'Theirs', version: 2 } : { title: 'Theirs', version: 2 }
    expect([...outcome(answer), (answer.body as { data: object }).data]).toMatchObject([409, 'stale', shown])
    expect(await read(id)).toEqual(before)
  })
  it('is not in the way of one who changed another part, or its place alone', async () => {
    const id = await tripOf([2, 1])
    const old = await read(id)
    const [first, second] = old.days[0]?.segments ?? []
    const day = old.days[1] as Day
    const move = { version: 1, day_id: old.days[0]?.id, position: 1 }
    expect((await app('POST', `/${id}/itinerary/segments/${second?.id}/move`, move)).status).toBe(200)
    expect((await app('POST', `/${id}/itinerary/days`, { after: 0 })).status).toBe(201)
    const title = { version: 1, day: { title: 'Rome' } }
    expect((await app('PATCH', `/${id}/itinerary/days/${day.id}`, title)).body).toMatchObject({
      data: { title: 'Rome', day_number: 3, version: 2 },
    })
    const again = { version: (await read(id)).days[1]?.segments[1]?.version, segment: { title: 'Walk' } }
    const changed = await app('PATCH', `/${id}/itinerary/segments/${first?.id}`, again)
    expect(changed.body).toMatchObject({ data: { title: 'Walk', position: 2 } })
  })
})

describe('a role that sees less', () => {
  const costs = { cost_amount: '10.00', cost_currency: 'EUR', commission_amount: '1.00', confirmation_number: 'ABC' }
  it('reads null for costs, changes the rest and leaves them as they are', async () => {
    const id = await tripOf([0])
    const one = await trips.segment(the.agency, id, 1, { ...costs, price_amount: '12', currency: 'EUR' })
    const path = `/${id}/itinerary/segments/${one}`
    const nothing = Object.fromEntries(Object.keys(costs).map((name) => [name, null]))
    expect((await read(id, the.advisor)).days[0]?.segments[0]).toMatchObject({
      ...nothing,
      supplier: null,
      price_amount: '12.00',
    })
    for (const [name, value] of Object.entries(costs)) {
      const { status, body } = await app('PATCH', path, { version: 1, segment: { [name]: value } }, the.advisor)
      expect([status, Object.keys((body as { details: object }).details)]).toEqual([422, [name]])
    }
    const changed = await app('PATCH', path, { version: 1, segment: { ...nothing, title: 'Walk' } }, the.advisor)
    expect(changed.body).toMatchObject({ data: { ...nothing, title: 'Walk', version: 2 } })
    expect((await read(id)).days[0]?.segments[0]).toMatchObject({ ...costs, title: 'Walk' })
    const back = await undo(id, undoOf(changed), the.advisor)
    expect((back.body as { data: Trip }).data.days[0]?.segments[0]).toMatchObject(nothing)
  })
  it('changes no name of a traveller that it does not see', async () => {
    await restrictTagOf(the.cell, the.agency.number, 'vip')
    const buyer = await trips.customer(the.agency, { tags: ['vip'] })
    const id = await trips.make(the.agency, {}, buyer)
    const [of] = (await read(id, the.advisor)).travelers
    expect(of).toMatchObject({ name: null, customer_id: buyer })
    const body = { version: of?.version, traveler: { name: 'Somebody' } }
    expect(outcome(await app('PATCH', `/${id}/travelers/${of?.id}`, body, the.advisor))).toEqual([
      422,
      'validation_failed',
    ])
    expect((await app('PATCH', `/${id}/travelers/${of?.id}`, body)).status).toBe(200)
  })
})

describe('a trip', () => {
  it('is created of a customer, with all reasons where it is refused', async () => {
    const customer_id = await trips.customer(the.agency)
    const trip = { customer_id, title: 'Rome', start_date: '2031-05-10', end_date: '2031-05-12', trip_type: 'family' }
    const made = await app('POST', '', { trip }, the.advisor)
    expect([made.status, made.body]).toMatchObject([
      201,
      { data: { ...(({ customer_id: _, ...rest }) => rest)(trip), status: 'planning', day_count: 3 } },
    ])
    const bad = {
      customer_id: MISSING,
      company_id: MISSING,
      end_date: '2031-02-30',
      assigned_advisor_id: MISSING,
      nonesuch: 1,
    }
    const refused = await app('POST', '', { trip: bad })
    expect([refused.status, Object.keys((refused.body as { details: object }).details).toSorted()]).toEqual([
      422,
      Object.keys(bad).toSorted(),
    ])
  })
  it('has its parts found in itself alone', async () => {
    const [id, other] = [await tripOf([1]), await tripOf([1])]
    const { days, travelers } = await read(other)
    const [of] = days as [Day]
    const paths: [string, string, object?][] = [
      ['PATCH', `itinerary/days/${of.id}`, { version: 1, day: {} }],
      ['POST', `itinerary/days/${of.id}/move`, { version: 1, day_number: 1 }],
      ['DELETE', `itinerary/days/${of.id}?version=1`],
      ['POST', 'itinerary/segments', { day_id: of.id, segment: { segment_type: 'note' } }],
      ['PATCH', `itinerary/segments/${of.segments[0]?.id}`, { version: 1, segment: {} }],
      ['DELETE', `itinerary/segments/${of.segments[0]?.id}?version=1`],
      ['PATCH', `travelers/${travelers[0]?.id}`, { version: 1, traveler: {} }],
      ['DELETE', `travelers/${travelers[0]?.id}?version=1`],
    ]
    for (const [method, path, body] of paths)
      expect([path, (await app(method, `/${id}/${path}`, body)).status]).toEqual([path, 404])
    const own = (await read(id)).days[0]?.segments[0]
    const move = { version: 1, day_id: of.id, position: 1 }
    expect((await app('POST', `/${id}/itinerary/segments/${own?.id}/move`, move)).status).toBe(404)
  })
  it('has filing, facts and notifications follow its changes', async () => {
    const id = await tripOf([1])
    const sql = <R>(text: string) => askPastWalls<R>(the.cell, text, [id])
    const { version, days } = await read(id)
    const settle = async () => {
      await sql('delete from trip_refilings where trip_id = $1')
      await sql(
        `update trip_day_facts set next_attempt_at = 'infinity' where trip_day_id in (select id from trip_days where trip_id = $1)`,
      )
    }
    const follow = async () => {
      const [found] = await sql<{ filing: boolean; facts: boolean }>(
        `select exists (select from trip_refilings where trip_id = $1) as filing, exists (select from trip_day_facts f
           join trip_days d on d.id = f.trip_day_id where d.trip_id = $1 and next_attempt_at <= now()) as facts`,
      )
      return found
    }
    await settle()
    const flight = { segment_type: 'flight', start_time: '2031-05-10T10:00' }
    await app('POST', `/${id}/itinerary/segments`, { day_id: days[0]?.id, segment: flight })
    expect(await follow()).toEqual({ filing: false, facts: true })
    await settle()
    const made = undoOf(
      await app('PATCH', `/${id}`, {
        version,
        trip: { start_date: '2031-06-01', end_date: '2031-06-01', status: 'confirmed' },
      }),
    )
    expect(await follow()).toEqual({ filing: true, facts: true })
    const departure = () =>
      sql<{ at: string }>(
        `select (send_at at time zone 'UTC')::date::text as at from trip_notifications where trip_id = $1 and kind = 'bon_voyage'`,
      )
    expect(await departure()).toEqual([{ at: '2031-06-01' }])
    await settle()
    expect((await undo(id, made)).status).toBe(200)
    expect([await follow(), await departure()]).toEqual([{ filing: true, facts: true }, [{ at: '2031-05-10' }]])
  })
  it('keeps what comes from a booking on its date when days move', async () => {
    const { rows } = await importRows(the.cell, the.agency.key, 'hotel_stays', [
      { external_id: 'stays', check_in_on: '2031-05-11', check_out_on: '2031-05-12' },
    ])
    const id = await tripOf([1, 1, 1])
    await ask(
      the.cell,
      `insert into trip_segments (account_id, trip_id, trip_day_id, segment_type, title, position, start_time, booking_id, piece)
       select account_id, trip_id, id, 'lodging', 'stay', 2, '2031-05-11T14:00', $2, 'stay' from trip_days where trip_id = $1 and day_number = 2`,
      [id, rows[0]?.id],
    )
    const [first] = (await read(id)).days
    const moved = await app('POST', `/${id}/itinerary/days/${first?.id}/move`, { version: 1, day_number: 3 })
    const after = await read(id)
    expect(after.days.map(({ date, segments }) => [date, ...segments.map(({ title }) => title)])).toEqual([
      ['2031-05-10', '1.0'],
      ['2031-05-11', '2.0', 'stay'],
      ['2031-05-12', '0.0'],
    ])
    const stay = after.days[1]?.segments[1] as Segment
    const elsewhere = { version: stay.version, day_id: after.days[0]?.id, position: 1 }
    expect((await app('POST', `/${id}/itinerary/segments/${stay.id}/move`, elsewhere)).status).toBe(422)
    expect((await app('DELETE', `/${id}/itinerary/segments/${stay.id}?version=${stay.version}`)).status).toBe(409)
    expect((await undo(id, undoOf(moved))).status).toBe(200)
    expect((await read(id)).days[1]?.segments.map(({ title }) => title)).toEqual(['1.0', 'stay'])
  })
  it('leaves a row in the audit log for each change', async () => {
    const id = await tripOf([0])
    await app('PATCH', `/${id}`, { version: (await read(id)).version, trip: { title: 'Audited' } }, the.advisor)
    const rows = await ask(the.cell, `select action, details from audit_log where subject_id = $1`, [id])
    expect(rows).toEqual([{ action: 'trip.updated', details: { rows: { trips: 1 } } }])
  })
  it('has one lead, and the next one leads when that is removed', async () => {
    const id = await tripOf([0])
    const second = await app('POST', `/${id}/travelers`, { traveler: { name: 'Veli', is_lead: true } })
    expect((await read(id)).travelers.map(({ is_lead }) => is_lead)).toEqual([false, true])
    const { id: one, version } = (second.body as { data: Traveler }).data
    await app('DELETE', `/${id}/travelers/${one}?version=${version}`)
    expect((await read(id)).travelers).toMatchObject([{ is_lead: true, position: 1 }])
    const buyer = (await read(id)).travelers[0]?.customer_id
    const twice = await app('POST', `/${id}/travelers`, { traveler: { customer_id: buyer } })
    expect(outcome(twice)).toEqual([409, 'conflict'])
  })
})
