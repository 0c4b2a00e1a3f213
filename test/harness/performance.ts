import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Policies } from '../../src/platform/access/policies.ts'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import {
  by,
  daysOfChange,
  descending,
  instant,
  knows,
  type Person,
  peopleOf,
  quotient,
  seen,
  titled,
  writeRows,
} from './dashboards.ts'

type Named = { readonly id: string; readonly name: string | null; readonly email?: string }
type Survey = {
  readonly id: string
  readonly trip: string
  readonly person: Person
  readonly advisor: string | null
  readonly invited_at: string
  readonly started_at: string | null
  readonly completed_at: string | null
  readonly nps: number | null
  readonly comment: string | null
  readonly ratings: readonly { readonly supplier: string | null; readonly rating: number }[]
  readonly gestures: readonly { readonly amount: string | null; readonly currency: string | null }[]
}
/** The data behind the performance dashboard, as stored. */
export type Surveyed = {
  readonly seats: readonly Named[]
  readonly suppliers: readonly Named[]
  readonly surveys: readonly Survey[]
}
type Asked = { readonly zone: string; readonly now: number; readonly days: number; readonly advisor: string | null }

const WINDOWS = [30, 60, 90, 180, 365]
const HOUR = 3_600_000
/** How long before and after a midnight invitations go out. */
const AROUND = [-25 * HOUR, -HOUR, -1, 0, 1, HOUR / 2, HOUR, 1.5 * HOUR]
const ZONES = [
  'Europe/Istanbul',
  'America/New_York',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/Havana', // an hour of midnight comes twice
  'Africa/Cairo', // or not at all
]
const CURRENCIES: readonly (readonly string[])[] = [['TRY'], ['JPY'], ['TRY', 'EUR']]

const upTo = (max: number) => fc.nat({ max })
const survey = fc.record({
  person: upTo(7),
  advisor: upTo(4),
  /** Around the midnight at which a window begins, or some time ago. */
  window: upTo(WINDOWS.length - 1),
  around: fc.option(fc.constantFrom(...AROUND)),
  ago: fc.nat({ max: 420 * 24 * HOUR }),
  progress: fc.constantFrom('invited', 'started', 'completed', 'completed', 'completed'),
  nps: upTo(10),
  completed: fc.constantFrom(HOUR, 2 * HOUR), // ago, many at once
  ratings: fc.array(fc.record({ supplier: upTo(13), rating: fc.integer({ min: 1, max: 5 }) }), { maxLength: 4 }),
  gestures: fc.array(fc.constantFrom(null, 1050, 9999, 0), { maxLength: 2 }),
})
/** Surveys of an account, and a moment whose window begins on a day of a clock change, or next to it. */
export const surveying = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    change: fc.nat(),
    days: fc.constantFrom(...WINDOWS),
    daysAfter: fc.integer({ min: -1, max: 1 }),
    time: fc.constantFrom('00:00:00', '00:30:00', '12:00:00', '23:58:00'),
    currencies: fc.constantFrom(...CURRENCIES),
    surveys: fc.array(survey, { maxLength: 90, size: 'max' }),
  })
  .map(({ change, daysAfter, time, ...given }) => {
    const changes = daysOfChange(given.zone)
    const first = Temporal.PlainDate.from(changes[change % changes.length] as string)
    const today = first.add({ days: given.days + daysAfter })
    return { ...given, now: today.toZonedDateTime({ timeZone: given.zone, plainTime: time }).epochMilliseconds }
  })
type Surveying = typeof surveying extends fc.Arbitrary<infer T> ? T : never

/** Writes the made-up data. */
export async function writeSurveys(cell: TestCell, agency: Agency, given: Surveying): Promise<Surveyed> {
  const people = peopleOf(agency)
  const others = ['Same', 'Same', null].map((name, at) => ({ id: randomUUID(), name, email: `${at}@agency.example` }))
  const seats = [{ id: agency.advisor, name: 'Işıl Çağlar', email: 'advisor@agency.example' }, ...others]
  const suppliers = Array.from({ length: 13 }, (_, at) => ({ id: randomUUID(), name: `Supplier ${at % 9}` }))
  const surveys = given.surveys.map((one) => surveyOf(one, given, { people, seats, suppliers }))
  await writeRows(cell, agency, {
    customers: people,
    seats: others.map((seat) => ({ ...seat, role: 'advisor' })),
    suppliers,
    trips: surveys.map(({ id, trip }) => ({
      id: trip,
      company_id: agency.company.id,
      reference_number: trip,
      title: titleOf(id),
      status: 'confirmed',
      settings: {},
    })),
    surveys: surveys.map(({ trip, person, advisor, ratings, gestures, ...survey }) => ({
      ...survey,
      trip_id: trip,
      customer_id: person.id,
      advisor_id: advisor,
      reminder_due_at: survey.invited_at,
      next_attempt_at: survey.invited_at,
    })),
    survey_ratings: surveys.flatMap(({ id, ratings }) =>
      ratings.map(({ supplier, rating }) => ({ survey_id: id, supplier_id: supplier, rating })),
    ),
    gestures: surveys.flatMap(({ id, gestures }) =>
      gestures.map((gesture) => ({ survey_id: id, description: 'Wine', ...gesture })),
    ),
  })
  return { seats, suppliers, surveys }
}
const titleOf = (id: string) => `Trip of ${id}`

function surveyOf(
  one: Surveying['surveys'][number],
  { zone, now, currencies }: Surveying,
  { people, seats, suppliers }: { people: readonly Person[] } & Pick<Surveyed, 'seats' | 'suppliers'>,
): Survey {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()
  const edge = today.subtract({ days: WINDOWS[one.window] as number }).toZonedDateTime(zone).epochMilliseconds
  const invited_at = instant(one.around === null ? now - one.ago : edge + one.around)
  const isCompleted = one.progress === 'completed'
  return {
    id: randomUUID(),
    trip: randomUUID(),
    person: people[one.person] as Person,
    advisor: seats[one.advisor]?.id ?? null,
    invited_at,
    started_at: one.progress === 'invited' ? null : invited_at,
    completed_at: isCompleted ? instant(now - one.completed) : null,
    nps: isCompleted ? one.nps : null,
    comment: isCompleted && one.nps % 2 === 0 ? `Secret ${one.nps}` : null,
    ratings: one.ratings.map(({ supplier, rating }) => ({ supplier: suppliers[supplier]?.id ?? null, rating })),
    gestures: one.gestures.map((cents, at) => {
      const currency = currencies[(at + one.nps) % currencies.length] as string
      return cents === null ? { amount: null, currency: null } : { amount: amountOf(cents, currency), currency }
    }),
  }
}
const amountOf = (cents: number, currency: string) => (currency === 'JPY' ? String(cents) : (cents / 100).toFixed(2))

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
const dayIn = (zone: string, at: string) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate()
const ratingsOf = (surveys: readonly Survey[]) =>
  surveys.filter((one) => one.completed_at !== null).flatMap((one) => one.ratings)

/** The dashboard as a role sees it, found by going through everything that is stored. */
export function performanceOf(
  { seats, suppliers, surveys }: Surveyed,
  { zone, now, days, advisor }: Asked,
  policies: Policies,
) {
  const first = dayIn(zone, instant(now)).subtract({ days }).toString()
  const asked = surveys.filter(
    (one) => dayIn(zone, one.invited_at).toString() >= first && (advisor === null || one.advisor === advisor),
  )
  const seat = (id: string | null) => seats.find((one) => one.id === id) ?? null
  const name = (id: string | null) => seat(id)?.name ?? seat(id)?.email ?? null
  const ofAdvisors = [...Map.groupBy(asked, (one) => one.advisor)].sort(
    by(
      ([, own]) => -own.length,
      ([id]) => name(id),
      ([id]) => id,
    ),
  )
  const unhappy = asked
    .filter((one) => one.nps !== null && one.nps <= 6)
    .sort(
      descending(
        by(
          (one) => one.completed_at,
          (one) => one.id,
        ),
      ),
    )
  return {
    window_days: days,
    advisor: seat(advisor),
    started: asked.filter((one) => one.started_at !== null).length,
    ...figures(asked),
    per_advisor: ofAdvisors.map(([id, own]) => ({ advisor: seat(id), ...figures(own) })),
    top_suppliers: topSuppliers(suppliers, ratingsOf(asked)),
    detractors: unhappy.slice(0, 20).map((one) => ({
      survey_id: one.id,
      trip: { id: one.trip, title: titled(titleOf(one.id), policies) },
      customer: seen(one.person, policies),
      advisor: seat(one.advisor),
      nps: one.nps,
      comment: knows(one.person, policies) ? one.comment : null,
      completed_at: one.completed_at,
      follow_up_task_id: null,
    })),
    complimentary: complimentary(
      asked.flatMap((one) => one.gestures),
      policies,
    ),
  }
}

function figures(surveys: readonly Survey[]) {
  const scores = surveys.flatMap(({ nps }) => nps ?? [])
  const balance = scores.filter((nps) => nps >= 9).length - scores.filter((nps) => nps <= 6).length
  const stars = ratingsOf(surveys).map(({ rating }) => rating)
  return {
    invited: surveys.length,
    completed: scores.length,
    response_rate: quotient(scores.length, surveys.length, 4),
    nps: quotient(100 * balance, scores.length, 2),
    avg_segment_rating: quotient(sum(stars), stars.length, 2),
  }
}

function topSuppliers(suppliers: Surveyed['suppliers'], ratings: Survey['ratings']) {
  const rated = suppliers.map(({ id, name }) => {
    const own = ratings.filter(({ supplier }) => supplier === id).map(({ rating }) => rating)
    return { id, name, count: own.length, stars: sum(own) }
  })
  const named = by<Named>(
    (one) => one.name,
    (one) => one.id,
  )
  return rated
    .filter(({ count }) => count >= 3)
    .sort((a, b) => b.stars * a.count - a.stars * b.count || b.count - a.count || named(a, b))
    .slice(0, 10)
    .map(({ id, name, count, stars }) => ({
      supplier: { id, name },
      ratings: count,
      avg_rating: quotient(stars, count, 2),
    }))
}

function complimentary(gestures: Survey['gestures'], policies: Policies) {
  const known = gestures.filter(({ amount }) => amount !== null)
  const [currency = null, ...others] = new Set(known.map((one) => one.currency))
  if (currency === null || others.length > 0 || !policies.has('view_money'))
    return { count: gestures.length, total_amount: null, currency: null }
  const unit = currency === 'JPY' ? 1 : 100
  const total = sum(known.map(({ amount }) => Math.round(Number(amount) * unit)))
  return { count: gestures.length, total_amount: (total / unit).toFixed(unit === 1 ? 0 : 2), currency }
}
