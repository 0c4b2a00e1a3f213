import PostalMime from 'postal-mime'
import { beforeAll, describe, expect, it } from 'vitest'
import { bornOn } from '../../src/features/birthdays/born-on.ts'
import { greetBirthdays } from '../../src/features/birthdays/greet-birthdays.job.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { messagesOf } from '../harness/messages.ts'
import { CELL_MAIL, mailTo, sendDue } from '../harness/sending.ts'
import { type Smtp, startSmtp } from '../harness/smtp.ts'
import { ask } from '../harness/sql.ts'
import { tripsOf } from '../harness/trips.ts'
import { GO_ON } from '../harness/worker.ts'

type Greeting = { day: string; status: string; reason: string | null; communication: string | null }

let smtp: Smtp
let cell: TestCell
beforeAll(async () => {
  smtp = await startSmtp()
  cell = await startCell({ mailFrom: CELL_MAIL, deps: { count: uncounted, mail: mailTo(smtp) } })
})
const { customer } = tripsOf(() => cell)
const { allow } = messagesOf(() => cell)
const sql = <T>(text: string, values: unknown[] = []) => ask<T>(cell, text, values)
const agencyIn = async (zone: string) => {
  const agency = await makeAgency(cell)
  await sql('update accounts set time_zone = $2 where account_id = $1', [agency.number, zone])
  return agency
}
const keen = (of: Agency, birthday: string, more: object = {}) =>
  customer(of, { email: `${crypto.randomUUID()}@example.com`, opted_in_marketing: true, birthday, ...more })
/** Sends the due greetings at this local time. */
const greetAt = (zone: string, local: string) => {
  const at = Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds
  return greetBirthdays.run({ ...cell.deps, now: () => at }, GO_ON)
}
const greetingsOf = (of: string) =>
  sql<Greeting>(
    `select celebrated_on::text as day, status, skipped_reason as reason, communication_id as communication
     from birthday_greetings where customer_id = $1 order by celebrated_on`,
    [of],
  )
const daysOf = async (of: string) => (await greetingsOf(of)).map(({ day }) => day)
/** Moves the sent messages into the past. */
const letPass = () => sql(`update communications set created_at = created_at - interval '1 year'`)

describe('a birthday', () => {
  it.each([
    '2031-02-28',
    '2032-02-28',
    '2032-02-29',
    '2031-03-01',
    '2032-03-01',
    '2031-01-01',
    '2032-12-31',
    '2100-02-28',
  ])('on %s agrees with the report of birthdays', async (day) => {
    const reported = await sql<{ born: string }>(
      `select born::date::text from generate_series($1::date - interval '150 years', $1::date, interval '1 day') born
         where (born::date + make_interval(years => extract(year from $1::date)::integer - extract(year from born)::integer))::date = $1::date
         order by born`,
      [day],
    )
    const born = bornOn(Temporal.PlainDate.from(day)).map(String)
    expect(born.toSorted()).toEqual(reported.map((row) => row.born))
  })
  it.each([
    ['Europe/Istanbul', '1990-06-15', ['2031-06-15', '2032-06-15']],
    ['Europe/Berlin', '1990-03-30', ['2031-03-30', '2032-03-30']], // the clocks go forward that day, in 2031
    ['Asia/Kathmandu', '1992-02-29', ['2031-02-28', '2032-02-29']],
    ['Pacific/Apia', '2001-01-01', ['2031-01-01', '2032-01-01']],
    ['America/New_York', '2031-06-15', ['2031-06-15', '2032-06-15']], // of newborn people
  ])('is greeted from nine on, by the clock of %s, for customers born on %s', async (zone, birthday, days) => {
    const of = await keen(await agencyIn(zone), birthday)
    for (const [nth, day] of days.entries()) {
      const before = Temporal.PlainDate.from(day).subtract({ days: 1 })
      for (const early of [`${before}T23:59`, `${day}T00:00`, `${day}T08:59:59`]) await greetAt(zone, early)
      expect(await daysOf(of)).toEqual(days.slice(0, nth))
      for (const time of ['09:00', '09:05', '23:59:59']) await greetAt(zone, `${day}T${time}`)
      expect(await daysOf(of)).toEqual(days.slice(0, nth + 1))
      await letPass()
    }
    await greetAt(zone, `${Temporal.PlainDate.from(days[0] as string).add({ days: 1 })}T09:00`)
    expect((await greetingsOf(of)).map(({ status }) => status)).toEqual(['sent', 'sent'])
  })
  it('is greeted later that day if it was missed at nine, and not on another day', async () => {
    const of = await keen(await agencyIn('Asia/Tokyo'), '1980-05-05')
    await greetAt('Asia/Tokyo', '2031-05-06T00:00')
    await greetAt('Asia/Tokyo', '2031-05-06T09:00')
    expect(await daysOf(of)).toEqual([])
    await greetAt('Asia/Tokyo', '2032-05-05T21:30')
    expect(await daysOf(of)).toEqual(['2032-05-05'])
  })
  it('arrives as a mail with an unsubscribe link', async () => {
    const agency = await agencyIn('Asia/Dubai')
    const of = await keen(agency, '1980-05-05', { email: 'dubai@example.com', locale: 'tr' })
    await greetAt('Asia/Dubai', '2031-05-05T10:00')
    await sendDue(cell.deps)
    const mails = smtp.received.filter(({ to }) => to.includes('dubai@example.com'))
    const mail = await PostalMime.parse(mails[0]?.raw ?? '')
    const [greeting] = await greetingsOf(of)
    expect([mails.length, mail.subject, greeting?.status]).toEqual([1, 'Doğum gününüz kutlu olsun!', 'sent'])
    expect(mail.messageId).toContain(String(greeting?.communication))
    expect(mail.headers.map(({ key }) => key)).toContain('list-unsubscribe')
  })
  it.each<[string, object]>([
    ['did not opt in', { opted_in_marketing: false }],
    ['has no address', { email: null }],
    ['is a company', { customer_type: 'corporate' }],
    ['is not active', { active: false }],
    ['is deleted', { deleted_at: '2026-01-01T00:00Z' }],
  ])('of a customer who %s leaves nothing', async (_, columns) => {
    const agency = await agencyIn('Asia/Tokyo')
    const of = await keen(agency, '1980-05-05')
    const set = Object.keys(columns).map((name, at) => `${name} = $${at + 2}`)
    await sql(`update customers set ${set.join(', ')} where id = $1`, [of, ...Object.values(columns)])
    await greetAt('Asia/Tokyo', '2031-05-05T09:00')
    expect(await greetingsOf(of)).toEqual([])
  })
  it('is not greeted by an agency that is closed', async () => {
    const agency = await agencyIn('Asia/Tokyo')
    const of = await keen(agency, '1980-05-05')
    await sql(`update accounts set status = 'closed' where account_id = $1`, [agency.number])
    await greetAt('Asia/Tokyo', '2031-05-05T09:00')
    expect(await greetingsOf(of)).toEqual([])
  })
  it('is skipped past what the account may send on a day, and where something else advertised on it', async () => {
    const agency = await agencyIn('Asia/Tokyo')
    await allow(agency, 1)
    const people = await Promise.all(Array.from({ length: 3 }, () => keen(agency, '1980-05-05')))
    await greetAt('Asia/Tokyo', '2031-05-05T09:00')
    const reasons = (await Promise.all(people.map(greetingsOf))).flat().map(({ status, reason }) => reason ?? status)
    expect(reasons.toSorted()).toEqual(['daily_limit_reached', 'daily_limit_reached', 'sent'])
    const touched = await keen(agency, '1980-05-06')
    await sql(
      `insert into communications (account_id, company_id, customer_id, direction, status, channel, purpose, thread_id)
       values ($1, $2, $3, 'outbound', 'sent', 'email', 'marketing', $3)`,
      [agency.number, agency.company.id, touched],
    )
    await greetAt('Asia/Tokyo', '2031-05-06T09:00')
    expect(await greetingsOf(touched)).toMatchObject([{ status: 'skipped', reason: 'touched_today' }])
  })
  it('of two customers who are made one is greeted no second time', async () => {
    const agency = await agencyIn('Asia/Tokyo')
    const [loser, survivor] = [await keen(agency, '1980-05-05'), await keen(agency, '1980-05-05')]
    await greetAt('Asia/Tokyo', '2031-05-05T09:00')
    await sql(`update customers set birthday = '1980-05-07' where id = $1`, [loser])
    await greetAt('Asia/Tokyo', '2031-05-07T09:00')
    const merge = { key: agency.key, body: { into_id: survivor } }
    expect((await cell.call('POST', `/customers/${loser}/merge`, merge)).status).toBe(200)
    expect([await daysOf(survivor), await daysOf(loser)]).toEqual([['2031-05-05', '2031-05-07'], []])
    await sql(`update customers set birthday = '1980-05-07' where id = $1`, [survivor])
    await greetAt('Asia/Tokyo', '2031-05-07T12:00')
    expect(await daysOf(survivor)).toHaveLength(2)
  })
})
