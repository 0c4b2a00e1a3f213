import { beforeAll, describe, expect, it } from 'vitest'
import { sendDueNotifications } from '../../src/features/trip-notifications/send-due-notifications.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { dueOf, only } from '../harness/due.ts'
import { messagesOf } from '../harness/messages.ts'
import type { Written } from '../harness/shared-trip.ts'
import { surveysOf } from '../harness/surveys.ts'
import { tripsOf } from '../harness/trips.ts'

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ publicUrl: 'https://desk.example', deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const { customer } = tripsOf(() => cell)
const { make, sendAllDue, outcomes, messages } = dueOf(() => cell)
const { allow } = messagesOf(() => cell)
const { sql, open } = surveysOf(() => cell)

const over: Written = { trip: { title: 'Rome', start_date: '2026-01-02', end_date: '2026-01-05' } }
type Asked = { id: string; customer_id: string; advisor_id: string | null; days: number }
const surveys = (trip: string) =>
  sql<Asked>(
    `select id, customer_id, advisor_id, extract(epoch from reminder_due_at - invited_at) / 86400 as days, next_attempt_at = reminder_due_at as due
     from surveys where trip_id = $1`,
    [trip],
  )
const anchored = (trip: string) => sql(`update trip_notifications set anchor = 'end_date' where trip_id = $1`, [trip])
/** Makes a trip that its customer is to be asked about now. */
async function due(of: Agency, buyer: string | null, written = over): Promise<string> {
  const trip = await make(of, written, buyer, 'survey')
  await anchored(trip)
  return trip
}
const reasons = async (...trips: string[]) =>
  (await Promise.all(trips.map(outcomes))).map((rows) => only(rows).reason ?? only(rows).status)
const ayse = (of = agency, more = {}) => customer(of, { email: 'ayse@example.com', locale: 'en', ...more })

describe('an invitation', () => {
  it('is a survey and its mail, whose link leads to the page', async () => {
    const buyer = await ayse()
    const trip = await due(agency, buyer, { trip: { ...over.trip, assigned_advisor_id: agency.advisor } })
    await sendAllDue()
    const message = only(await messages(trip))
    const survey = only(await surveys(trip))
    expect(message).toMatchObject({ purpose: 'service', subject: 'How was Rome?', customer_id: buyer })
    expect(survey).toMatchObject({ customer_id: buyer, advisor_id: agency.advisor, due: true })
    expect(Number(survey.days)).toBeCloseTo(5, 1)
    const [link] = /https:\/\/desk\.example\/f\/\S+/.exec(message.body_plain) ?? []
    expect(message.body_html).toContain(`href="${link}"`)
    expect((await open(new URL(String(link)).pathname)).body).toContain('<h1 dir="auto">Rome</h1>')
    await sendAllDue()
    expect([await surveys(trip), await messages(trip)]).toMatchObject([{ length: 1 }, { length: 1 }])
  })
  it('reaches a customer once within 30 days, whatever trips are over', async () => {
    const buyer = await ayse()
    const trips = [await due(agency, buyer), await due(agency, buyer), await due(agency, await ayse())]
    await sendAllDue()
    expect((await reasons(...trips)).toSorted()).toEqual(['asked_recently', 'sent', 'sent'])
    const third = await due(agency, buyer)
    await sendAllDue()
    expect(await reasons(third)).toEqual(['asked_recently'])
    await sql(`update surveys set invited_at = now() - interval '30 days' where customer_id = $1`, [buyer])
    const fourth = await due(agency, buyer)
    await sendAllDue()
    expect(await reasons(fourth)).toEqual(['sent'])
    expect((await sql('select from surveys where customer_id = $1', [buyer])).length).toBe(2)
  })
  it('reaches a customer once where several workers ask at once', async () => {
    const buyer = await ayse()
    const trips = await Promise.all(Array.from({ length: 3 }, () => due(agency, buyer)))
    const { deps } = cell
    const outcomes = await Promise.all(
      trips.map((trip) =>
        deps.db.inAccount(agency.number, async (tx) => {
          const [row] = await sql<{ id: string }>('select id from trip_notifications where trip_id = $1', [trip])
          const notification = { id: String(row?.id), trip, kind: 'survey', channel: 'email', audience: 'traveler' }
          return [...(await sendDueNotifications(deps)(tx, [notification])).values()]
        }),
      ),
    )
    expect(
      outcomes
        .flat()
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(['sent', 'skipped', 'skipped'])
    expect(await sql('select from surveys where customer_id = $1', [buyer])).toHaveLength(1)
  })
  it('is not created if the trip is not over, or there is no address', async () => {
    const now = { trip: { title: 'Rome', start_date: '2026-01-02', end_date: '2031-01-05' } }
    const modest = await makeAgency(cell)
    await allow(modest, 0)
    const trips = [
      await due(agency, await ayse(), now),
      await due(agency, null),
      await due(agency, await customer(agency)),
      await due(modest, await ayse(modest)),
    ]
    await sendAllDue()
    expect(await reasons(...trips)).toEqual(['trip_not_completed', 'no_address', 'no_address', 'daily_limit_reached'])
    for (const trip of trips) expect([await surveys(trip), await messages(trip)]).toEqual([[], []])
  })
  it('is one for a trip', async () => {
    const buyer = await ayse()
    const trip = await due(agency, buyer)
    await sendAllDue()
    await sql(`update surveys set invited_at = now() - interval '1 year' where trip_id = $1`, [trip])
    await sql(`update trip_notifications set status = 'scheduled', next_attempt_at = now() where trip_id = $1`, [trip])
    await sendAllDue()
    expect([await reasons(trip), (await surveys(trip)).length]).toEqual([['asked_before'], 1])
  })
})
