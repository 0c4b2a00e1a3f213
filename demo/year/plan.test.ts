import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../random.ts'
import { type PastSurvey, planSurveys } from './past-surveys.ts'
import type { House, Stay } from './past-trips.store.ts'
import { type PastTrip, planTrips } from './plan-trips.ts'
import { dayAfter, timelineOf } from './timeline.ts'

const HOUSES: readonly House[] = ['hotel', 'hotel', 'hotel', 'transfer', 'transfer', 'dmc'].map((type, at) => ({
  id: `house ${at}`,
  type,
  name: `${type} ${at}`,
  city: `City ${at}`,
}))
const ADVISORS = ['one', 'other']
const CUSTOMERS = 160
/** Days on which clocks change, a leap day and the end of a year among them. */
const ZONES = ['Europe/Istanbul', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia']
const DAYS = ['2026-03-29', '2026-10-25', '2028-02-29', '2028-03-01', '2026-12-31']
const looked = fc.record({
  seed: fc.nat(),
  zone: fc.constantFrom(...ZONES),
  today: fc.oneof(
    fc.constantFrom(...DAYS),
    fc.integer({ min: 0, max: 2000 }).map((days) => dayAfter('2025-01-01', days)),
  ),
  minutes: fc.integer({ min: 0, max: 24 * 60 - 1 }),
})

/** Stays that ended on any day of the past nine months. */
const staysUntil = (today: string): Stay[] =>
  Array.from({ length: CUSTOMERS }, (_, at) => ({
    booking: randomUUID(),
    customer: `customer ${at}`,
    first: dayAfter(today, -at * 2 - 1 - (at % 9) - 1),
    last: dayAfter(today, -at * 2 - 1),
    hotel: `house ${at % 3}`,
    isCompany: at % 8 === 3,
    isNear: at % 3 !== 0,
    hasEmail: at % 12 !== 5,
  }))

type Looked = { readonly seed: number; readonly zone: string; readonly today: string; readonly minutes: number }
function plan({ seed, zone, today, minutes }: Looked) {
  const now = Temporal.PlainDate.from(today).toZonedDateTime(zone).add({ minutes }).epochMilliseconds
  const [random, time] = [seeded(seed), timelineOf(zone, today, now)]
  const trips = planTrips({ random, time, stays: staysUntil(today), houses: HOUSES, advisors: ADVISORS })
  const invited = trips.map((trip) => ({
    id: trip.id,
    trip,
    at: time.at(dayAfter(trip.end, 2), '09:00'),
    segments: trip.segments.map(({ id, type, supplier }) => ({ trip: trip.id, segment: id, type, supplier })),
  }))
  return { now, time, trips, surveys: planSurveys(random, time, invited) }
}

describe('the past that is made', () => {
  it('is over, whenever it is looked at: trips of different customers, the latest first', () => {
    fc.assert(
      fc.property(looked, (given) => {
        const { now, trips, time } = plan(given)
        expect(new Set(trips.map(({ customer }) => customer)).size).toBe(trips.length)
        expect(trips.map(({ end }) => end)).toEqual(
          trips
            .map(({ end }) => end)
            .toSorted()
            .toReversed(),
        )
        for (const { start, end, created_at, segments } of trips) {
          expect(end <= time.ago(3) && start < end && Date.parse(created_at) < Date.parse(`${start}T00:00Z`)).toBe(true)
          for (const segment of segments)
            expect(segment.start < segment.end && segment.start.slice(0, 10) <= end).toBe(true)
        }
        expect(Date.parse(trips[0]?.created_at ?? '')).toBeLessThan(now)
      }),
      { numRuns: 30 },
    )
  })
  it('has surveys whose instants follow each other, and the latest is open', () => {
    fc.assert(
      fc.property(looked, (given) => {
        const { now, surveys } = plan(given)
        const [latest] = surveys
        expect([latest?.started, latest?.answer]).toEqual([null, null])
        for (const { invited, started, answer, reminder, reminded } of surveys) {
          const instants = [invited, started ?? invited, answer?.at ?? started ?? invited].map((at) => Date.parse(at))
          expect(instants).toEqual(instants.toSorted((a, b) => a - b))
          expect(instants.at(-1)).toBeLessThan(now)
          const isDue = Date.parse(reminded) <= (answer ? Date.parse(answer.at) : now)
          expect(reminder).toBe(isDue ? 'sent' : answer ? 'skipped' : 'scheduled')
        }
      }),
      { numRuns: 30 },
    )
  })
  it('is the same for the same seed, on the same day', () => {
    const summaryOf = ({ trips, surveys }: { trips: readonly PastTrip[]; surveys: readonly PastSurvey[] }) => [
      trips.map(({ customer, title, start, end, advisor, created_at }) => [
        customer,
        title,
        start,
        end,
        advisor,
        created_at,
      ]),
      surveys.map(({ invited, started, answer }) => [invited, started, answer?.at, answer?.nps, answer?.comment]),
    ]
    fc.assert(
      fc.property(looked, (given) => {
        expect(summaryOf(plan(given))).toEqual(summaryOf(plan(given)))
      }),
      { numRuns: 8 },
    )
  })
})
