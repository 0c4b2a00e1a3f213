import { randomUUIDv7 } from 'node:crypto'
import { referralUrl } from '../../src/features/referrals/reads/referral-rows.ts'
import { type Surveying, surveyUrl } from '../../src/features/surveys/survey-address.ts'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import type { Calendar } from '../pieces/calendar.ts'
import { keepSurveys } from './keep-surveys.ts'
import { type By, makePastTrips } from './make-past-trips.ts'
import { keepOldLetters, type OldLetter } from './old-letters.ts'
import { updateCustomers } from './past-customers.ts'
import { greetingLetter, greetingRow, greetings, greetingsOf } from './past-greetings.ts'
import { type InvoicedOn, makePastInvoices } from './past-invoices.ts'
import { makePastReferrals } from './past-referrals.ts'
import { type Invited, type PastSurvey, planSurveys } from './past-surveys.ts'
import { lettersOf, noteOutcomes, overdueOf } from './past-touches.ts'
import { readSegments } from './past-trips.store.ts'
import type { PastTrip } from './plan-trips.ts'
import { writeRows } from './write-rows.ts'

type Deps = Parameters<typeof keepOldLetters>[1] & Surveying
type Year = By & {
  readonly calendar: Calendar
  readonly invoiced: readonly InvoicedOn[]
}
/** How many there are of each, and where an open survey and a code's page are, from the cell's address on. */
export type MadeYear = {
  readonly trips: number
  readonly surveys: number
  readonly codes: number
  readonly survey: string
  readonly referral: string
}

/**
 * Creates a year of the agency's history: past trips, their messages and birthday greetings, survey answers, referrals,
 * invoices and payments. It is written directly: nothing is sent, and no notification is created.
 */
export async function makeYear(tx: AccountTx, deps: Deps, year: Year): Promise<MadeYear> {
  const { random, time, today, desk, invoiced } = year
  const trips = await makePastTrips(tx, year)
  const subscribers = await updateCustomers(tx, { random, today, trips })
  const invited = await sendDueMessages(tx, deps, trips, new Set(subscribers.map(({ customer }) => customer)))
  const surveys = planSurveys(random, time, invited)
  await keepSurveys(tx, { time, currency: desk.currency }, surveys)
  const greeted = greetingsOf(subscribers, time)
  const linkOf = linksOf(tx, deps)
  const outcomes = await keepOldLetters(tx, deps, [
    ...greeted.map(greetingLetter),
    ...surveys.filter(({ reminder }) => reminder === 'sent').map((survey) => reminderLetter(survey, linkOf(survey.id))),
  ])
  writeRows(
    tx,
    greetings,
    greeted.map((one) => greetingRow(one, outcomes.get(one.id))),
  )
  const codes = await makePastReferrals(tx, year, trips)
  await makePastInvoices(tx, year, invoiced)
  return {
    trips: trips.length,
    surveys: surveys.length,
    codes: codes.length,
    survey: linksOf(tx, { ...deps, publicUrl: '' })(surveys[0]?.id ?? ''),
    referral: referralUrl('', codes[0]?.token ?? ''),
  }
}

const linksOf =
  ({ account }: AccountTx, deps: Surveying) =>
  (survey: string) =>
    surveyUrl(deps, { account, survey })

/**
 * Sends the messages that came due for trips, as of their time. Returns the survey invitations that were sent, newest
 * first.
 */
async function sendDueMessages(
  tx: AccountTx,
  deps: Deps,
  trips: readonly PastTrip[],
  subscribers: ReadonlySet<string>,
): Promise<Invited[]> {
  const surveys = new Map(trips.map(({ id }) => [id, randomUUIDv7()]))
  const linkOf = linksOf(tx, deps)
  const [overdue, lived] = await Promise.all([
    overdueOf(tx, trips),
    tx.all(readSegments, { trips: trips.map(({ id }) => id) }),
  ])
  const letters = lettersOf(overdue, trips, (trip) => linkOf(surveys.get(trip) ?? ''))
  const outcomes = await keepOldLetters(tx, deps, withOneBounced(letters, subscribers))
  noteOutcomes(tx, trips, overdue, outcomes)
  const segments = Map.groupBy(lived, ({ trip }) => trip)
  const invitations = new Map(letters.filter(({ kind }) => kind === 'survey').map((letter) => [letter.trip, letter]))
  return trips.flatMap((trip) => {
    const letter = invitations.get(trip.id)
    if (!letter || outcomes.get(letter.of)?.status !== 'sent') return []
    return { id: surveys.get(trip.id) as string, trip, at: letter.at, segments: segments.get(trip.id) ?? [] }
  })
}

/** The latest nudge to travel again came back: it was long ago that its customer was heard of. */
function withOneBounced(letters: readonly OldLetter[], subscribers: ReadonlySet<string>): OldLetter[] {
  const gone = letters.find(({ kind, customer }) => kind === 'rebook' && subscribers.has(customer))
  return letters.map((letter) => (letter === gone ? { ...letter, bounced: true } : letter))
}

const reminderLetter = ({ id, trip, reminded }: PastSurvey, link: string): OldLetter => ({
  of: id,
  kind: 'survey_reminder',
  customer: trip.customer,
  trip: trip.id,
  at: reminded,
  values: { 'survey.link': link },
})
