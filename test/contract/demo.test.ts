import { beforeAll, describe, expect, it } from 'vitest'
import { type Demo, demoIsWanted } from '../../demo/make-demo.ts'
import { greetBirthdays } from '../../src/features/birthdays/greet-birthdays.job.ts'
import { FILING_QUEUE } from '../../src/features/filing/filing-queue.ts'
import { STREAM_QUEUE } from '../../src/features/stream/stream-queue.ts'
import { keepSchedules } from '../../src/features/trip-notifications/keep-schedules.job.ts'
import { queuesOf } from '../../src/registry.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { cloneDemo, DEMO_SECRET } from '../harness/demo.ts'
import { ask } from '../harness/sql.ts'
import { GO_ON } from '../harness/worker.ts'

type Dashboard = { data: Record<string, unknown> & Record<string, unknown[]> }
type Listed = { data: { updated_at: string }[]; page: { next_cursor: string | null } }
type SurveyCounts = { invited: number; completed: number }
const WINDOWS = [30, 60, 90, 180, 365]
/** The day on the agency's clock. */
/** When the demo was made, which may be minutes ago. */
const MADE = '(select max(created_at) from audit_log)'
const TODAY = `(now() at time zone 'Europe/Istanbul')::date`
const TOUCHES = `kind in ('welcome_home', 'survey', 'anniversary', 'rebook')`

let cell: TestCell
let demo: Demo
beforeAll(async () => {
  const made = await cloneDemo()
  cell = await startCell({ connection: made.connection, cellSecret: DEMO_SECRET })
  demo = made.demo
})
const read = async (path: string) =>
  ((await cell.call('GET', path, { key: demo.keys.full })).body as Dashboard).data as Dashboard['data']
const sql = <T>(text: string) => ask<T>(cell, text)
const sum = (items: readonly unknown[], of: keyof SurveyCounts) =>
  (items as SurveyCounts[]).reduce((total, item) => total + item[of], 0)

describe('the demo agency', () => {
  it.each(WINDOWS)('has a performance of %i days that is worth looking at', async (days) => {
    const { invited, started, completed, per_advisor, detractors, nps, ...more } = await read(
      `/performance?window_days=${days}`,
    )
    for (const list of [per_advisor, detractors, more.top_suppliers]) expect(list).not.toEqual([])
    expect([sum(per_advisor as unknown[], 'invited'), sum(per_advisor as unknown[], 'completed')]).toEqual([
      invited,
      completed,
    ])
    expect(Number(invited)).toBeGreaterThan(Number(started))
    expect(Number(started)).toBeGreaterThanOrEqual(Number(completed))
    expect(Number(nps)).toBeGreaterThan(0)
    expect(more.complimentary).toMatchObject({ total_amount: expect.any(String), currency: 'TRY' })
  })
  it('has a year of opinions: of ten suppliers, by two advisors, and as a whole good', async () => {
    const year = await read('/performance?window_days=365')
    expect(year).toMatchObject({ nps: expect.closeTo(55, -1) })
    expect([year.top_suppliers?.length, year.detractors?.length]).toEqual([10, 4])
    expect(year.per_advisor).toHaveLength(3) // including trips without an advisor
    expect(year.detractors).toEqual(
      year.detractors?.map(() =>
        expect.objectContaining({ comment: expect.any(String), follow_up_task_id: expect.any(String) }),
      ),
    )
  })
  it.each([60, 365])('has customers who need attention within %i days', async (days) => {
    const { upcoming, overdue_rebooks, recent_touches, top_referrals } = await read(`/retention?window_days=${days}`)
    expect([upcoming?.length, overdue_rebooks?.length]).toEqual([days === 60 ? 10 : expect.any(Number), 10])
    const touches = recent_touches as { kind: string; status: string }[]
    expect(new Set(touches.map(({ status }) => status))).toEqual(new Set(['sent', 'skipped', 'failed']))
    expect(new Set(touches.map(({ kind }) => kind)).size).toBe(5)
    expect(top_referrals?.map((code) => (code as { conversions: number }).conversions)).toEqual([3, 2, 1, 1, 0])
  })
  it('has pages to look at', async () => {
    const survey = await cell.app.inject(demo.survey)
    expect([survey.statusCode, survey.body.match(/role="radiogroup"/g)?.length]).toEqual([200, 4])
    const code = await cell.app.inject(demo.referral)
    expect([code.statusCode, code.body]).toEqual([200, expect.stringContaining('<form')])
    expect(demo.records).toMatchObject({ trips: 86, referral_codes: 5 })
    const [kept] = await sql(
      'select (select count(*)::integer from surveys) as surveys, (select count(*)::integer from trips) as trips',
    )
    expect(demo.records).toMatchObject(kept as object)
  })
  it.each(['', 'source=referral', 'scope=open', 'scope=closed', 'scope=stale'])(
    'has lists of leads in the order that they promise: %s',
    async (query) => {
      const mailTexts: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path: string = `/leads?limit=20&${query}${cursor && `&cursor=${cursor}`}`
        const { data, page } = (await cell.call('GET', path, { key: demo.keys.full })).body as Listed
        mailTexts.push(...data.map((lead) => lead.updated_at))
        cursor = page.next_cursor
      }
      expect(new Set(mailTexts).size).toBeGreaterThan(1)
      expect(mailTexts).toEqual(mailTexts.toSorted().toReversed())
    },
  )
  it('is made once', async () => {
    expect(await demoIsWanted(cell.deps)).toBe(false)
  })
})

describe('the past of the demo agency', () => {
  it.each([
    [
      'a touch that was sent has its message, of the time at which it was',
      `
      select from trip_notifications n left join communications m on m.account_id = n.account_id and m.id = n.communication_id
      where n.status = 'sent' and (m.trip_id is distinct from n.trip_id or m.sent_at <> n.sent_at or m.sent_at < n.send_at)`,
    ],
    [
      'nothing was said before its time, or before its trip was',
      `
      select from trip_notifications n join trips t using (account_id)
      where t.id = n.trip_id and t.end_date < current_date - 3
        and (n.created_at <> t.created_at or (n.skipped_reason is not distinct from 'past') <> (n.send_at < t.created_at))`,
    ],
    [
      'what was skipped has a reason, and nothing is left that was due',
      `
      select from trip_notifications where status = 'skipped' and skipped_reason is null or status = 'scheduled' and send_at <= ${MADE}`,
    ],
    [
      'marketing went to who had agreed, and once a day',
      `
      select from communications m join customers c on c.account_id = m.account_id and c.id = m.customer_id
      where m.purpose = 'marketing' and (c.opted_in_at is null or c.opted_in_at > m.sent_at or exists (
        select from communications o where o.customer_id = c.id and o.purpose = 'marketing' and o.id <> m.id and o.sent_at::date = m.sent_at::date))`,
    ],
    [
      'a survey is of a mail that was sent, and its instants follow each other',
      `
      select from surveys s left join trip_notifications n on n.trip_id = s.trip_id and n.kind = 'survey' and n.status = 'sent'
      where n.id is null or s.invited_at <> n.sent_at or s.started_at < s.invited_at or s.completed_at < s.started_at
        or s.completed_at > now() or s.started_at > now() or s.reminder_due_at <= s.invited_at`,
    ],
    [
      'nobody was asked twice within a month',
      `
      select from surveys a join surveys b on b.customer_id = a.customer_id and b.id <> a.id
      where b.invited_at between a.invited_at and a.invited_at + interval '30 days'`,
    ],
    [
      'a reminder went to whoever had not answered when it was due, and has its message',
      `
      select from surveys s where (s.reminder_status = 'sent')
        <> (s.reminder_due_at <= now() and coalesce(s.completed_at > s.reminder_due_at, true))
        or (s.reminder_status = 'sent') <> exists (select from communications m where m.trip_id = s.trip_id
          and m.sent_at = s.reminder_due_at and m.purpose = 'service')`,
    ],
    [
      'ratings are of segments of the trip, by their suppliers',
      `
      select from survey_ratings r join surveys s on s.id = r.survey_id left join trip_segments g on g.id = r.segment_id
      where g.trip_id is distinct from s.trip_id or g.supplier_id is distinct from r.supplier_id or s.completed_at is null`,
    ],
    [
      'detractors, and nobody else, have a task that is as old as the answer',
      `
      select from surveys s left join tasks t on t.id = s.follow_up_task_id
      where (s.nps <= 6) is distinct from (t.id is not null) and s.nps is not null
        or t.created_at <> s.completed_at or t.due_at < s.completed_at or t.taskable_id <> s.trip_id`,
    ],
    [
      'gestures follow their answers',
      `
      select from gestures g join surveys s on s.id = g.survey_id
      where s.completed_at is null or g.created_at < s.completed_at or g.created_at > now()`,
    ],
    [
      'greetings have their messages, on the birthday',
      `
      select from birthday_greetings g join customers c on c.id = g.customer_id left join communications m on m.id = g.communication_id
      where g.status = 'sent' and (m.customer_id is distinct from g.customer_id or m.sent_at <> g.sent_at)
        or to_char(c.birthday, 'MM-DD') <> to_char(g.celebrated_on, 'MM-DD')`,
    ],
    [
      'a conversion is of a lead that came by a code that was there',
      `
      select from leads l join referral_codes r on r.id = l.referral_code_id left join trips t on t.id = l.trip_id
        left join trip_customers x on x.trip_id = t.id and x.is_primary
      where l.source <> 'referral' or l.created_at < r.created_at or l.created_at > now() or (l.stage = 'won') <> (t.id is not null)
        or l.converted_at <> t.created_at or l.customer_id <> x.customer_id or l.created_at > l.converted_at`,
    ],
    [
      'invoices are numbered in the order of their dates, and due after the payment terms',
      `
      select from (select i.*, c.payment_terms_days as terms, row_number() over (order by i.issued_on, i.number) as nth
          from customer_invoices i join companies c on c.account_id = i.account_id and c.id = i.company_id) i
        join bookings b on b.id = i.booking_id
      where right(i.number, 6)::integer <> nth - (select count(*) from customer_invoices o where extract(year from o.issued_on) < extract(year from i.issued_on))
        or i.due_on <> i.issued_on + terms or terms = 0 or i.issued_on <> b.invoice_date or i.issued_on > ${TODAY}`,
    ],
    [
      'payments came after their invoices, up to today, and no more than was owed',
      `
      select from customer_payments p join customer_invoices i on i.id = p.invoice_id
      where p.paid_on < i.issued_on or p.paid_on > ${TODAY}
        or (select sum(o.amount) from customer_payments o where o.invoice_id = i.id) > i.gross`,
    ],
    [
      'trips are numbered in the order in which they were made, without a gap',
      `
      select from (select reference_number, row_number() over (partition by left(reference_number, 8) order by created_at, reference_number) as nth
        from trips) t where right(reference_number, 5)::integer <> nth`,
    ],
  ])('agrees: %s', async (_, wrong) => {
    expect(await sql(wrong)).toEqual([])
  })
  it('has customers who paid, who have time left, and a few who are late', async () => {
    const [found] = await sql<Record<'all' | 'paid' | 'parts' | 'not_due' | 'overdue' | 'bills', number>>(`
      select count(*)::integer as all, count(*) filter (where p.amount = i.gross)::integer as paid,
        count(*) filter (where p.amount < i.gross)::integer as parts,
        count(*) filter (where p.amount is null and i.due_on >= ${TODAY})::integer as not_due,
        count(*) filter (where p.amount is distinct from i.gross and i.due_on < ${TODAY})::integer as overdue,
        (select count(*) from supplier_bills where booking_id is not null and status = 'paid')::integer as bills
      from customer_invoices i left join lateral (select sum(amount) as amount from customer_payments p where p.invoice_id = i.id) p on true`)
    const { all = 0, paid = 0, parts, not_due, overdue = 0, bills } = found ?? {}
    for (const some of [parts, not_due, overdue, bills]) expect(some).toBeGreaterThan(0)
    expect([paid / all > 0.7, overdue / all < 0.15]).toEqual([true, true])
  })
  it('speaks Turkish to its customers and to its own people', async () => {
    const locales = await sql(
      'select distinct a.locale, s.locale as seat from accounts a join seats s using (account_id)',
    )
    expect(locales).toEqual([{ locale: 'tr', seat: 'tr' }])
  })
  it('has something of each kind to agree about', async () => {
    const [found] = await sql<Record<string, number>>(`
      select (select count(*) from trip_notifications where ${TOUCHES} and status = 'sent')::integer as sent,
        (select count(*) from birthday_greetings)::integer as greetings,
        (select count(*) from surveys where reminder_status = 'sent')::integer as reminders,
        (select count(*) from tasks where completed_at is null and subject like 'Talk to%')::integer as open_tasks,
        (select count(*) from tasks where completed_at is not null)::integer as done,
        (select count(distinct skipped_reason) from trip_notifications where status = 'skipped')::integer as reasons`)
    for (const count of Object.values(found ?? {})) expect(count).toBeGreaterThan(0)
    expect(found).toMatchObject({ open_tasks: 1, done: 3 })
  })
})

describe('after the demo was made', () => {
  it('every day of a trip is to be known by its facts, days gone by as well', async () => {
    const [found] = await sql(`select count(*) filter (where date < current_date)::integer > 100 as past,
        count(*) filter (where kinds < 3)::integer as forgotten
      from (select d.date, (select count(*) from trip_day_facts f where f.trip_day_id = d.id) as kinds from trip_days d) days`)
    expect(found).toEqual({ past: true, forgotten: 0 })
  })
  it('nothing is sent: no message waits, and only queues that send nothing have work', async () => {
    const states = await sql<{ status: string }>(
      `select distinct status from communications where direction = 'outbound'`,
    )
    expect(states.map(({ status }) => status).toSorted()).toEqual(['delivered', 'failed', 'sent'])
    const busy: string[] = []
    for (const queue of queuesOf(cell.deps)) if (await queue.claim()) busy.push(queue.name)
    // A notification may have become due since; that none was due when the demo was made is tested above.
    const silent = [FILING_QUEUE, STREAM_QUEUE, 'audit chain', 'trip notifications']
    const hint = 'The demo leaves work for these queues: list one that sends nothing in `silent` of this test'
    expect(
      busy.filter((name) => !silent.includes(name) && !name.startsWith('day facts')),
      hint,
    ).toEqual([])
    expect(await sql('select from message_sends')).toEqual([])
  })
  it('no greetings and notifications are sent', async () => {
    const counts = () =>
      sql(`select (select count(*) from communications) as messages, (select count(*) from birthday_greetings) as greetings,
        (select count(*) from trip_notifications) as touches, (select max(updated_at) from trip_notifications) as touched`)
    const before = await counts()
    await greetBirthdays.run(cell.deps, GO_ON)
    await keepSchedules.run(cell.deps, GO_ON)
    expect(await counts()).toEqual(before)
  })
})
