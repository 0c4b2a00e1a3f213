import PostalMime from 'postal-mime'
import { beforeAll, describe, expect, it } from 'vitest'
import { optOutOfMarketing } from '../../src/features/customers/commands/opt-out.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { dueOf } from '../harness/due.ts'
import { CELL_MAIL, mailTo, sendDue } from '../harness/sending.ts'
import type { Written } from '../harness/shared-trip.ts'
import { type Smtp, startSmtp } from '../harness/smtp.ts'
import { ask } from '../harness/sql.ts'
import { tripsOf } from '../harness/trips.ts'

let smtp: Smtp
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  smtp = await startSmtp()
  const deps = { count: uncounted, mail: mailTo(smtp) }
  cell = await startCell({ publicUrl: 'https://desk.example', mailFrom: CELL_MAIL, deps })
  agency = await makeAgency(cell)
})
const { customer, inAccount } = tripsOf(() => cell)
const { make, sendAllDue: queueAllDue, skipped } = dueOf(() => cell)
const sql = <T>(text: string, values: unknown[] = []) => ask<T>(cell, text, values)

const over: Written = { trip: { title: 'Rome', start_date: '2026-01-02', end_date: '2026-01-05' } }
const keen = (more: object = {}) =>
  customer(agency, { email: `${crypto.randomUUID()}@example.com`, opted_in_marketing: true, locale: 'en', ...more })
/** Makes a trip after which these kinds are due now. */
async function due(of: string | null, kinds: readonly string[], written = over): Promise<string> {
  const trip = await make(agency, written, of, ...kinds)
  await sql(`update trip_notifications set anchor = 'end_date' where trip_id = $1`, [trip])
  return trip
}
/** The mails that a recipient received, from the server that accepted them. */
async function mailsTo(of: string) {
  const [{ email } = { email: '' }] = await sql<{ email: string }>('select email from customers where id = $1', [of])
  return Promise.all(smtp.received.filter(({ to }) => to.includes(email)).map(({ raw }) => PostalMime.parse(raw)))
}
async function sendAll(): Promise<void> {
  await queueAllDue()
  await sendDue(cell.deps)
}

describe('a touch', () => {
  it.each([
    ['anniversary', 'A year ago: Rome'],
    ['rebook', 'Where to next?'],
  ])('%s reaches the customer by mail, with a way to leave', async (kind, subject) => {
    const of = await keen()
    const trip = await due(of, [kind])
    await sendAll()
    const [mail, ...others] = await mailsTo(of)
    expect([others, mail?.subject, await skipped(trip)]).toEqual([[], subject, [`${kind} sent null`]])
    const leave = mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value
    expect(leave).toMatch(/^<https:\/\/desk\.example\/u\/[\w-]{80,}>$/)
    expect(mail?.text).toContain(leave?.slice(1, -1))
  })
  it('of marketing goes only to customers who opted in; one about the trip goes to all', async () => {
    const cold = await keen({ opted_in_marketing: false })
    const trip = await due(cold, ['anniversary', 'rebook', 'welcome_home'])
    await sendAll()
    expect(await skipped(trip)).toEqual([
      'anniversary skipped not_opted_in',
      'rebook skipped not_opted_in',
      'welcome_home sent null',
    ])
    expect(await mailsTo(cold)).toHaveLength(1)
  })
  it('is not sent after an opt-out, whether scheduled or queued before', async () => {
    const [early, late] = [await keen(), await keen()]
    const trips = [await due(early, ['anniversary']), await due(late, ['rebook'])]
    await inAccount(agency, (tx) => optOutOfMarketing(tx, early))
    await queueAllDue()
    await inAccount(agency, (tx) => optOutOfMarketing(tx, late))
    await sendDue(cell.deps)
    expect(await Promise.all(trips.map(skipped))).toEqual([['anniversary skipped not_opted_in'], ['rebook sent null']])
    expect([await mailsTo(early), await mailsTo(late)]).toEqual([[], []])
    const failed = await sql('select failure_reason as reason from communications where customer_id = $1', [late])
    expect(failed).toEqual([{ reason: 'unsubscribed' }])
  })
  it('comes once on a day to a customer, whatever there is to advertise', async () => {
    const of = await keen()
    const trips = [await due(of, ['anniversary']), await due(of, ['rebook', 'anniversary', 'welcome_home'])]
    await queueAllDue()
    const later = await due(of, ['anniversary'])
    await sendAll()
    const all = (await Promise.all([...trips, later].map(skipped))).flat().toSorted()
    expect(all.filter((one) => one.endsWith('sent null'))).toHaveLength(2) // one that advertises, and the welcome
    expect(all.filter((one) => one.endsWith('skipped touched_today'))).toHaveLength(3)
    expect(await mailsTo(of)).toHaveLength(2)
    await sql(`update communications set created_at = created_at - interval '1 day' where customer_id = $1`, [of])
    const nextDay = await due(of, ['anniversary'])
    await queueAllDue()
    expect(await skipped(nextDay)).toEqual(['anniversary sent null'])
  })
  it.each<[string, object, string]>([
    ['is cancelled', { status: 'cancelled' }, 'trip_not_confirmed'],
    ['was never confirmed', { status: 'proposed' }, 'trip_not_confirmed'],
    ['goes on', { end_date: '2190-01-05' }, 'trip_not_completed'],
    ['has lost its start', { start_date: null }, 'trip_not_completed'],
  ])('is skipped where the trip %s', async (_, columns, reason) => {
    const trip = await due(await keen(), ['anniversary', 'rebook'], { trip: { ...over.trip, ...columns } })
    await queueAllDue()
    expect(await skipped(trip)).toEqual([`anniversary skipped ${reason}`, `rebook skipped ${reason}`])
  })
})

describe('who is asked to travel again', () => {
  const trip = (columns: object) => async (of: string) => {
    await make(agency, { trip: { ...over.trip, ...columns } }, of)
  }
  const lead =
    (columns: Record<string, unknown>, column = 'imported_customer_id') =>
    async (of: string) => {
      const row = { stage: 'qualified', deleted_at: null, customer_id: null, ...columns, [column]: of }
      await sql(
        `insert into leads (account_id, company_id, name, stage, deleted_at, customer_id, imported_customer_id, changed)
       select $1, $2, 'Lead', r.stage, r.deleted_at, r.customer_id, r.imported_customer_id, 1
       from json_to_record($3) as r(stage text, deleted_at timestamptz, customer_id uuid, imported_customer_id uuid)`,
        [agency.number, agency.company.id, JSON.stringify(row)],
      )
    }
  it.each<[string, (of: string) => Promise<unknown>, string]>([
    ['has a later trip', trip({ start_date: '2026-01-06', end_date: null }), 'skipped travels_again'],
    ['has plans', trip({ status: 'planning', start_date: '2190-01-06', end_date: null }), 'skipped travels_again'],
    [
      'has a later trip that was cancelled',
      trip({ status: 'cancelled', start_date: '2026-02-06', end_date: null }),
      'sent null',
    ],
    ['has an earlier trip', trip({ start_date: '2025-01-06', end_date: '2025-01-07' }), 'sent null'],
    ['is in an open lead', lead({}), 'skipped in_talks'],
    ['became the customer of an open lead', lead({}, 'customer_id'), 'skipped in_talks'],
    ['is in a lead that is lost', lead({ stage: 'lost' }), 'sent null'],
    ['is in a lead that was deleted', lead({ deleted_at: '2026-01-01T00:00Z' }), 'sent null'],
  ])('is one who %s: %#', async (_, happens, expected) => {
    const of = await keen()
    await happens(of)
    const over_ = await due(of, ['rebook'])
    await queueAllDue()
    expect(await skipped(over_)).toEqual([`rebook ${expected}`])
  })
})
