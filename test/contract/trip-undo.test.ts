import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tripChangePurge } from '../../src/features/trips/editing/change-purge.job.ts'
import { importRows } from '../harness/agency.ts'
import type { Answer } from '../harness/cell.ts'
import { ask } from '../harness/sql.ts'
import {
  content,
  type Day,
  outcome,
  type Segment,
  type Trip,
  type Undo,
  undoOf,
  withTripEditors,
} from '../harness/trip-editing.ts'
import { GO_ON } from '../harness/worker.ts'

const MISSING = '01890000-0000-7000-8000-000000000000'
const { the, trips, app, read, undo, tripOf } = withTripEditors()

describe('any sequence of changes', () => {
  const number = fc.nat(11)
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('move segment' as const), from: number, to: number, at: number }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('move day' as const), from: number, to: number, at: number }) },
    {
      arbitrary: fc.record({ do: fc.constant('add segment' as const), from: number, to: number, at: number }),
      weight: 2,
    },
    {
      arbitrary: fc.record({ do: fc.constant('remove segment' as const), from: number, to: number, at: number }),
      weight: 2,
    },
    { arbitrary: fc.record({ do: fc.constant('add day' as const), from: number, to: number, at: number }), weight: 1 },
    {
      arbitrary: fc.record({ do: fc.constant('remove day' as const), from: number, to: number, at: number }),
      weight: 1,
    },
  )
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
  /** The ids of the days, each with those of its segments. */
  type Model = [day: string, segments: string[]][]
  const modelOf = ({ days }: Trip): Model => days.map(({ id, segments }) => [id, segments.map((one) => one.id)])

  /** Takes a step over the API, and in the model. Null if there is nothing to take it with. */
  async function take(trip: Trip, model: Model, { do: what, from, to, at }: Step): Promise<Answer | null> {
    const path = `/${trip.id}/itinerary`
    const day = trip.days[to % trip.days.length] as Day
    const all = trip.days.flatMap(({ segments }) => segments)
    const one = all[from % Math.max(1, all.length)]
    const inDay = model[to % model.length]?.[1] ?? []
    const out = () => {
      for (const [, segments] of model)
        if (one && segments.includes(one.id)) segments.splice(segments.indexOf(one.id), 1)
    }
    if (what === 'move segment') {
      if (!one) return null
      out()
      inDay.splice(Math.min(at, inDay.length), 0, one.id)
      const body = { version: one.version, day_id: day.id, position: at + 1 }
      return app('POST', `${path}/segments/${one.id}/move`, body)
    }
    if (what === 'add segment') {
      const body = { day_id: day.id, position: at + 1, segment: { segment_type: 'note', title: 'new' } }
      const answer = await app('POST', `${path}/segments`, body)
      inDay.splice(Math.min(at, inDay.length), 0, (answer.body as { data: Segment }).data.id)
      return answer
    }
    if (what === 'remove segment') {
      if (!one) return null
      out()
      return app('DELETE', `${path}/segments/${one.id}?version=${one.version}`)
    }
    if (what === 'add day') {
      const after = at % (model.length + 1)
      const answer = await app('POST', `${path}/days`, { after })
      model.splice(after, 0, [(answer.body as { data: Day }).data.id, []])
      return answer
    }
    if (what === 'move day') {
      const [moved] = model.splice(to % model.length, 1)
      const place = at % trip.days.length
      if (moved) model.splice(place, 0, moved)
      return app('POST', `${path}/days/${day.id}/move`, { version: day.version, day_number: place + 1 })
    }
    if (inDay.length > 0 || model.length === 1) return null
    model.splice(to % model.length, 1)
    return app('DELETE', `${path}/days/${day.id}?version=${day.version}`)
  }

  it('keeps numbers and positions from 1 without gaps, loses nothing, and is undone exactly', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
        fc.array(step, { minLength: 1, maxLength: 5 }),
        async (segments, steps) => {
          const id = await tripOf(segments)
          const undos: { before: Trip; undo: Undo }[] = []
          for (const one of steps) {
            const before = await read(id)
            const model = modelOf(before)
            const answer = await take(before, model, one)
            if (!answer) continue
            expect([one.do, Math.floor(answer.status / 100), answer.text]).toEqual([one.do, 2, answer.text])
            const after = await read(id)
            expect(modelOf(after)).toEqual(model)
            for (const [at, { day_number, date, segments }] of after.days.entries()) {
              expect([day_number, date]).toEqual([
                at + 1,
                Temporal.PlainDate.from('2031-05-10').add({ days: at }).toString(),
              ])
              expect(segments.map(({ position }) => position)).toEqual(segments.map((_, nth) => nth + 1))
            }
            expect(after.end_date).toBe(after.days.at(-1)?.date)
            const { undo: made } = answer.body as { undo: Undo | null }
            if (made) undos.push({ before, undo: made })
          }
          const end = await read(id)
          const redos: Undo[] = []
          for (const { before, undo: made } of undos.toReversed()) {
            redos.push(undoOf(await undo(id, made)))
            expect(content(await read(id))).toEqual(content(before))
          }
          for (const redo of redos.toReversed()) expect((await undo(id, redo)).status).toBe(200)
          expect(content(await read(id))).toEqual(content(end))
        },
      ),
      { numRuns: 25 },
    )
  }, 300_000)

  it('keeps its positions where many move at once', async () => {
    const id = await tripOf([6, 4])
    const { days } = await read(id)
    const all = days.flatMap(({ segments }) => segments)
    const answers = await Promise.all(
      all.map(({ id: one, version }, at) =>
        app('POST', `/${id}/itinerary/segments/${one}/move`, {
          version,
          day_id: days[at % 2]?.id as string,
          position: 1 + (at % 3),
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200))
    const after = await read(id)
    expect(after.days.flatMap(({ segments }) => segments.map((one) => one.id)).toSorted()).toEqual(
      all.map((one) => one.id).toSorted(),
    )
    for (const { segments } of after.days)
      expect(segments.map(({ position }) => position)).toEqual(segments.map((_, nth) => nth + 1))
  })
})

describe('undoing', () => {
  const trip = { title: 'Rome', destinations: ['Roma', 'Napoli'], settings: { show_prices: true } }
  const money = { price_amount: '99999999999.9999', currency: 'EUR', cost_amount: '0.1000', cost_currency: 'EUR' }
  it('restores a trip, a segment with exact amounts, a day and a traveller', async () => {
    const id = await tripOf([1, 0])
    const start = await read(id)
    const one = start.days[0]?.segments[0] as Segment
    const edits: (() => Promise<Answer>)[] = [
      () =>
        app('PATCH', `/${id}/itinerary/segments/${one.id}`, { version: 1, segment: { ...money, internal_notes: 'x' } }),
      () =>
        app('PATCH', `/${id}/itinerary/days/${start.days[0]?.id}`, {
          version: 1,
          day: { title: 'A', latitude: '41.908240', timezone: 'Europe/Rome' },
        }),
      () =>
        app('PATCH', `/${id}`, {
          version: start.version,
          trip: { ...trip, start_date: '2031-06-01', end_date: '2031-06-05' },
        }),
      async () =>
        app('DELETE', `/${id}/itinerary/segments/${one.id}?version=${(await read(id)).days[0]?.segments[0]?.version}`),
      async () => app('POST', `/${id}/cancel`, { version: (await read(id)).version }),
      () => app('POST', `/${id}/travelers`, { traveler: { name: 'Veli', is_lead: true } }),
      async () => {
        const [of] = (await read(id)).travelers
        return app('PATCH', `/${id}/travelers/${of?.id}`, {
          version: of?.version,
          traveler: { name: 'Can', customer_id: null },
        })
      },
      async () => {
        const of = (await read(id)).travelers.at(-1)
        return app('DELETE', `/${id}/travelers/${of?.id}?version=${of?.version}`)
      },
    ]
    const states: Trip[] = []
    const undos: Undo[] = []
    for (const edit of edits) {
      states.push(await read(id))
      undos.push(undoOf(await edit()))
    }
    for (const [at, made] of [...undos.entries()].toReversed()) {
      const answer = await undo(id, made)
      expect([at, answer.status, answer.text]).toEqual([at, 200, answer.text])
      expect(content(await read(id))).toEqual(content(states[at] as Trip))
    }
    const [kept] = await ask(the.cell, 'select price_amount::text as price from trip_segments where id = $1', [one.id])
    expect(kept).toEqual({ price: null })
  })
  it('leaves what others changed since, and is refused where it is the same', async () => {
    const id = await tripOf([1, 1, 1])
    const start = await read(id)
    const [first, second, third] = start.days.map(({ segments }) => segments[0] as Segment)
    const path = (one?: Segment) => `/${id}/itinerary/segments/${one?.id}`
    const mine = undoOf(await app('PATCH', path(first), { version: 1, segment: { title: 'Mine', description: 'x' } }))
    const gone = undoOf(await app('DELETE', `${path(second)}?version=1`))
    await app('PATCH', path(first), { version: 2, segment: { location_name: 'Roma' } }, the.advisor)
    await app('PATCH', path(third), { version: 1, segment: { title: 'Theirs' } }, the.advisor)
    const body = { day_id: start.days[1]?.id, segment: { segment_type: 'note', title: 'Theirs too' } }
    await app('POST', `/${id}/itinerary/segments`, body, the.advisor)
    expect((await undo(id, gone)).status).toBe(200)
    expect((await undo(id, mine)).status).toBe(200)
    const after = await read(id)
    expect(after.days.map(({ segments }) => segments.map(({ title }) => title).toSorted())).toEqual([
      ['0.0'],
      ['1.0', 'Theirs too'],
      ['Theirs'],
    ])
    expect(after.days[0]?.segments[0]).toMatchObject({ location_name: 'Roma' })
    expect(after.days[1]?.segments.map(({ position }) => position)).toEqual([1, 2])

    const version = after.days[0]?.segments[0]?.version ?? 0
    const again = undoOf(await app('PATCH', path(first), { version, segment: { title: 'Mine' } }))
    await app('PATCH', path(first), { version: version + 1, segment: { title: 'Theirs' } }, the.advisor)
    const refused = await undo(id, again)
    expect([...outcome(refused), (refused.body as { data: Trip }).data.id]).toEqual([409, 'stale', id])
    expect((await read(id)).days[0]?.segments[0]?.title).toBe('Theirs')
  })
  it('of an added day is refused while somebody uses it, and of a removed one once the trip has another shape', async () => {
    const id = await tripOf([0, 0])
    const added = await app('POST', `/${id}/itinerary/days`, {})
    const { id: day_id } = (added.body as { data: Day }).data
    await app('POST', `/${id}/itinerary/segments`, { day_id, segment: { segment_type: 'note' } }, the.advisor)
    expect(outcome(await undo(id, undoOf(added)))).toEqual([409, 'stale'])
    const [first] = (await read(id)).days
    const gone = undoOf(await app('DELETE', `/${id}/itinerary/days/${first?.id}?version=${first?.version}`))
    await app('POST', `/${id}/itinerary/days`, {}, the.advisor)
    expect(outcome(await undo(id, gone))).toEqual([409, 'stale'])
  })
  it('is refused where a record that comes back is gone', async () => {
    const { rows } = await importRows(the.cell, the.agency.key, 'suppliers', [{ external_id: 'S', name: 'Hotel' }])
    const id = await tripOf([0])
    const supplier_id = rows[0]?.id
    const one = await trips.segment(the.agency, id, 1, { supplier_id })
    const gone = undoOf(await app('DELETE', `/${id}/itinerary/segments/${one}?version=1`))
    await ask(the.cell, 'update suppliers set deleted_at = now() where id = $1', [supplier_id])
    expect(outcome(await undo(id, gone))).toEqual([409, 'stale'])
  })
  it('is possible once, for ten minutes, and by the trip of the change', async () => {
    const [id, other] = [await tripOf([0]), await tripOf([0])]
    const change = async (title: string) =>
      undoOf(await app('PATCH', `/${id}`, { version: (await read(id)).version, trip: { title } }))
    const made = await change('One')
    expect((await undo(other, made)).status).toBe(404)
    expect((await undo(id, made)).status).toBe(200)
    expect((await undo(id, made)).status).toBe(404)
    expect((await undo(id, { ...made, token: MISSING })).status).toBe(404)
    const late = await change('Two')
    const kept = await change('Three')
    await ask(the.cell, `update trip_changes set created_at = now() - interval '10 minutes 1 second' where id = $1`, [
      late.token,
    ])
    expect((await undo(id, late)).status).toBe(404)
    await tripChangePurge.run(the.cell.deps, GO_ON)
    const left = await ask<{ id: string }>(the.cell, 'select id from trip_changes where id = any($1::uuid[])', [
      [late.token, kept.token],
    ])
    expect(left).toEqual([{ id: kept.token }])
  })
  it('is not offered where nothing changed', async () => {
    const id = await tripOf([0])
    const { version, title } = await read(id)
    expect((await app('PATCH', `/${id}`, { version, trip: { title } })).body).toMatchObject({
      undo: null,
      data: { version },
    })
  })
})
