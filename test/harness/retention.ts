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
  type Row,
  seen,
  titled,
  writeRows,
} from './dashboards.ts'

type Trip = {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly start_date: string | null
  readonly end_date: string | null
  readonly buyer: Person | null
  /** Another who buys it. */
  readonly other: Person | null
  readonly hasAdvisor: boolean
}
type Lead = {
  readonly stage: string
  readonly customer_id: string | null
  readonly imported_customer_id: string | null
  readonly deleted_at: string | null
  readonly referral_code_id: string | null
  readonly converted_at: string | null
}
type Touch = {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly hasFailed: boolean
  readonly at: string
  readonly created_at: string
  readonly trip: Trip | null
  readonly person: Person | null
}
type Code = {
  readonly id: string
  readonly token: string
  readonly label: string | null
  readonly active: boolean
  readonly visits: number
  readonly created_at: string
  readonly person: Person | null
  readonly trip: Trip | null
}
/** The data behind the retention dashboard, as stored. */
export type Kept = {
  readonly people: readonly Person[]
  readonly trips: readonly Trip[]
  readonly leads: readonly Lead[]
  readonly touches: readonly Touch[]
  readonly codes: readonly Code[]
}
type Asked = { readonly zone: string; readonly now: number; readonly days: number }

const ZONES = ['Europe/Istanbul', 'America/New_York', 'Pacific/Apia', 'Africa/Casablanca']
const MINUTE = 60_000
const LEAP_DAYS = ['2028-02-27', '2028-02-28', '2028-02-29', '2028-03-01', '2029-02-27', '2029-02-28', '2029-03-01']
const KINDS = ['welcome_home', 'survey', 'anniversary', 'rebook', 'birthday', 'bon_voyage']

const upTo = (max: number) => fc.nat({ max })
const trip = fc.record({
  status: fc.constantFrom('confirmed', 'confirmed', 'confirmed', 'planning', 'cancelled'),
  /** How many days before today it ends: where the lists begin and end, or anywhere. */
  ended: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 147, max: 213 }) },
    { weight: 2, arbitrary: fc.integer({ min: 340, max: 368 }) },
    { weight: 1, arbitrary: fc.integer({ min: -20, max: 430 }) },
  ),
  nights: upTo(5),
  dates: fc.constantFrom('both', 'both', 'both', 'start', 'end', 'none'),
  buyer: upTo(8), // or none
  other: upTo(30),
  hasAdvisor: fc.boolean(),
})
const lead = fc.record({
  stage: fc.constantFrom('inbox', 'qualified', 'nurturing', 'proposal', 'won', 'lost'),
  customer: upTo(16),
  imported: upTo(16),
  isDeleted: fc.boolean(),
  code: upTo(20),
  isConverted: fc.boolean(),
})
const touch = fc.record({
  kind: fc.constantFrom(...KINDS),
  status: fc.constantFrom('scheduled', 'sent', 'sent', 'skipped', 'failed', 'cancelled'),
  hasFailed: fc.boolean(),
  /** Before now, many at once. */
  minutes: fc.constantFrom(-1, 0, 1, 2, 3, 60, 60 * 24),
  /** Its creation, relative to its due time. */
  early: fc.constantFrom(-1, 0, 1),
  of: fc.nat(),
})
const code = fc.record({
  isActive: fc.boolean(),
  visits: upTo(2),
  age: upTo(2),
  person: upTo(10),
  trip: fc.option(fc.nat()),
  label: fc.option(fc.constant('Hotel lobby')),
})
/** The data of an account after some trips, and a moment next to a clock change or a 29 February. */
export const keeping = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    change: fc.option(fc.nat()),
    leap: fc.constantFrom(...LEAP_DAYS),
    time: fc.constantFrom('00:00:00', '12:00:00', '23:58:00'),
    days: fc.oneof(fc.constantFrom(7, 365), fc.integer({ min: 7, max: 365 })),
    trips: fc.array(trip, { maxLength: 160, size: 'max' }),
    leads: fc.array(lead, { maxLength: 40, size: 'max' }),
    touches: fc.array(touch, { maxLength: 60, size: 'max' }),
    codes: fc.array(code, { maxLength: 20, size: 'max' }),
  })
  .map(({ change, leap, time, ...given }) => {
    const changes = daysOfChange(given.zone)
    const day = change === null ? leap : (changes[change % changes.length] as string)
    const today = Temporal.PlainDate.from(day)
    return { ...given, today, now: today.toZonedDateTime({ timeZone: given.zone, plainTime: time }).epochMilliseconds }
  })
export type Keeping = typeof keeping extends fc.Arbitrary<infer T> ? T : never

/** Writes the made-up data. */
export async function writeKept(cell: TestCell, agency: Agency, given: Keeping): Promise<Kept> {
  const people = peopleOf(agency)
  const trips = given.trips.map((one) => tripOf(one, given.today, people))
  const codes = given.codes.map((one) => codeOf(one, given.now, people, trips))
  const leads = given.leads.map((one) => leadOf(one, given.now, people, codes))
  const touches = touchesOf(given, people, trips)
  const failed = touches.flatMap(({ id, hasFailed }) => (hasFailed ? [{ id }] : []))
  const company_id = agency.company.id
  const touchRow = ({ id, hasFailed, trip, person, at, ...touch }: Touch) => ({
    ...touch,
    id,
    communication_id: hasFailed ? id : null,
    sent_at: touch.status === 'sent' ? at : null,
  })
  await writeRows(cell, agency, {
    customers: people,
    trips: trips.map(({ buyer, other, hasAdvisor, ...trip }) => ({
      ...trip,
      company_id,
      reference_number: trip.id,
      settings: {},
      assigned_advisor_id: hasAdvisor ? agency.advisor : null,
    })),
    trip_customers: trips.flatMap(({ id, buyer, other }) => [
      ...(buyer ? [{ trip_id: id, customer_id: buyer.id, is_primary: true }] : []),
      ...(other && other !== buyer ? [{ trip_id: id, customer_id: other.id, is_primary: false }] : []),
    ]),
    referral_codes: codes.map(({ person, trip, ...code }) => ({
      ...code,
      company_id,
      customer_id: person?.id ?? null,
      trip_id: trip?.id ?? null,
    })),
    leads: leads.map((lead) => ({ ...lead, company_id, name: 'Lead' })),
    communications: failed.map(({ id }) => ({
      id,
      company_id,
      direction: 'outbound',
      channel: 'email',
      status: 'failed',
      thread_id: id,
    })),
    trip_notifications: touches.flatMap((one) =>
      one.trip
        ? [
            {
              ...touchRow(one),
              trip_id: one.trip.id,
              channel: 'email',
              audience: 'traveler',
              anchor: 'end_date',
              offset_days: 2,
              send_at: one.at,
              next_attempt_at: one.at,
            },
          ]
        : [],
    ),
    birthday_greetings: touches.flatMap((one, nth) => {
      const { kind, ...greeting } = touchRow(one)
      const day = Temporal.PlainDate.from('2020-01-01').add({ days: nth }).toString()
      return one.person ? [{ ...greeting, customer_id: one.person.id, celebrated_on: day }] : []
    }),
  })
  return { people, trips, leads, touches, codes }
}

function tripOf(
  { ended, nights, dates, ...one }: Keeping['trips'][number],
  today: Temporal.PlainDate,
  people: readonly Person[],
): Trip {
  const end = today.subtract({ days: ended })
  const id = randomUUID()
  return {
    id,
    title: `Trip ${id}`,
    status: one.status,
    start_date: dates === 'both' || dates === 'start' ? end.subtract({ days: nights }).toString() : null,
    end_date: dates === 'both' || dates === 'end' ? end.toString() : null,
    buyer: people[one.buyer] ?? null,
    other: people[one.other] ?? null,
    hasAdvisor: one.hasAdvisor,
  }
}
const codeOf = (
  one: Keeping['codes'][number],
  now: number,
  people: readonly Person[],
  trips: readonly Trip[],
): Code => ({
  id: randomUUID(),
  token: randomUUID(),
  label: one.label,
  active: one.isActive,
  visits: one.visits,
  created_at: instant(now - one.age * MINUTE),
  person: people[one.person] ?? null,
  trip: one.trip === null ? null : (trips[one.trip % trips.length] ?? null),
})
const leadOf = (
  one: Keeping['leads'][number],
  now: number,
  people: readonly Person[],
  codes: readonly Code[],
): Lead => ({
  stage: one.stage,
  customer_id: people[one.customer]?.id ?? null,
  imported_customer_id: people[one.imported]?.id ?? null,
  deleted_at: one.isDeleted ? instant(now) : null,
  referral_code_id: codes[one.code]?.id ?? null,
  converted_at: one.isConverted ? instant(now) : null,
})
/** One of each kind for a trip, as the schedule has them. */
function touchesOf({ now, touches }: Keeping, people: readonly Person[], trips: readonly Trip[]): Touch[] {
  const taken = new Set<string>()
  return touches.flatMap(({ kind, status, hasFailed, minutes, early, of }) => {
    const isBirthday = kind === 'birthday' // whose greeting is created when it is sent
    const at = now - (isBirthday ? Math.max(0, minutes) : minutes) * MINUTE
    const trip = trips[of % trips.length] ?? null
    const key = `${kind} ${trip?.id}`
    if (!isBirthday && (trip === null || taken.has(key))) return []
    taken.add(key)
    return [
      {
        id: randomUUID(),
        kind,
        status: isBirthday && status !== 'sent' ? 'skipped' : status,
        hasFailed: hasFailed && status === 'sent',
        at: instant(at),
        created_at: instant(isBirthday ? at : at - early * MINUTE),
        trip: isBirthday ? null : trip,
        person: isBirthday ? (people[of % people.length] as Person) : null,
      },
    ]
  })
}

/** The dashboard as a role sees it, found by going through everything that is stored. */
export function retentionOf(kept: Kept, agency: Agency, { zone, now, days }: Asked, policies: Policies) {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()
  const completed = kept.trips.flatMap((trip) => {
    const { status, start_date, end_date } = trip
    const isOver = status === 'confirmed' && start_date !== null && (end_date ?? start_date) < today.toString()
    return isOver && end_date !== null ? [{ ...trip, end_date }] : []
  })
  const soonest = completed.sort(
    by(
      (trip) => trip.end_date,
      (trip) => trip.id,
    ),
  )
  const shown = (trip: Trip) => ({
    trip_id: trip.id,
    trip_title: titled(trip.title, policies),
    customer: seen(trip.buyer ?? undefined, policies),
    advisor: trip.hasAdvisor ? { id: agency.advisor, name: 'Işıl Çağlar', email: 'advisor@agency.example' } : null,
  })
  const anniversaries = soonest.flatMap((trip) => {
    const anniversary = Temporal.PlainDate.from(trip.end_date).add({ years: 1 }).toString()
    const isNear = anniversary >= today.toString() && anniversary <= today.add({ days }).toString()
    return isNear ? [{ ...shown(trip), anniversary }] : []
  })
  const overdue = soonest.filter((trip) => {
    const ago = Temporal.PlainDate.from(trip.end_date).until(today).days
    return ago >= 150 && ago <= 210 && trip.buyer && !trip.buyer.deleted_at && !comesBack(kept, trip, trip.buyer)
  })
  return {
    window_days: days,
    upcoming: anniversaries.slice(0, 50),
    overdue_rebooks: overdue.slice(0, 50).map((trip) => ({ ...shown(trip), end_date: trip.end_date })),
    recent_touches: recentTouches(kept, now, policies),
    top_referrals: topReferrals(kept, policies),
  }
}

function comesBack({ trips, leads }: Kept, { end_date }: Trip, { id }: Person): boolean {
  const later = trips.some(
    ({ buyer, other, status, start_date }) =>
      (buyer?.id === id || other?.id === id) && status !== 'cancelled' && (start_date ?? '') > (end_date ?? ''),
  )
  const isOpen = (lead: Lead) => lead.deleted_at === null && !['won', 'lost'].includes(lead.stage)
  return later || leads.some((lead) => isOpen(lead) && (lead.customer_id ?? lead.imported_customer_id) === id)
}

function recentTouches({ touches }: Kept, now: number, policies: Policies): Row[] {
  const sent = touches.filter(
    ({ kind, status, at, created_at }) =>
      kind !== 'bon_voyage' && status !== 'cancelled' && at <= instant(now + MINUTE / 2) && created_at <= at,
  )
  const newest = sent.sort(
    descending(
      by(
        ({ at }) => at,
        ({ id }) => id,
      ),
    ),
  )
  return newest.slice(0, 20).map(({ id, kind, status, hasFailed, at, trip, person }) => ({
    id,
    kind,
    status: hasFailed ? 'failed' : status,
    sent_at: status === 'sent' ? at : null,
    customer: person
      ? knows(person, policies)
        ? seen(person, policies)
        : null
      : seen(trip?.buyer ?? undefined, policies),
    trip: trip && { id: trip.id, title: titled(trip.title, policies) },
  }))
}

function topReferrals({ codes, leads }: Kept, policies: Policies): Row[] {
  const counted = codes
    .filter(({ active }) => active)
    .map((code) => ({
      ...code,
      conversions: leads.filter((lead) => lead.referral_code_id === code.id && lead.converted_at !== null).length,
    }))
  const best = counted.sort(
    descending(
      by(
        ({ conversions }) => conversions,
        ({ visits }) => visits,
        ({ created_at }) => created_at,
        ({ id }) => id,
      ),
    ),
  )
  return best.slice(0, 10).map(({ id, token, label, visits, conversions, person, trip }) => ({
    id,
    token,
    label,
    visits,
    conversions,
    customer: seen(person ?? undefined, policies),
    trip: trip && { id: trip.id, title: titled(trip.title, policies) },
  }))
}
