import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { resetTemplate, saveTemplate, templateNamed } from '../../src/features/communications/commands/save-template.ts'
import { sendAutomated } from '../../src/features/communications/commands/send-automated.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { anyText } from '../harness/any-text.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { dueOf, flight, only, rome, withTrip } from '../harness/due.ts'
import { messagesOf } from '../harness/messages.ts'
import { ask } from '../harness/sql.ts'
import { tripsOf } from '../harness/trips.ts'

const TRAVELER_KINDS = ['payment_due', 'documents_due', 'pre_departure', 'online_check_in', 'bon_voyage']
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ publicUrl: 'https://desk.example', deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const { customer } = tripsOf(() => cell)
const { make, sendAllDue, outcomes, skipped, messages, messagesTo, dueMessageOf } = dueOf(() => cell)
const { allow } = messagesOf(() => cell)
const sql = <T>(text: string, values: unknown[] = []) => ask<T>(cell, text, values)

describe('a due message of a trip', () => {
  it('is queued as a separate message to the customer of the trip', async () => {
    const ayse = await customer(agency, { email: 'ayse@example.com', locale: 'en' })
    const trip = await make(agency, rome, ayse, 'pre_departure')
    await sendAllDue()
    const message = only(await messages(trip))
    expect(message).toMatchObject({
      customer_id: ayse,
      trip_id: trip,
      to_addresses: ['ayse@example.com'],
      purpose: 'service',
      subject: 'One week to go: Rome in spring',
      on_its_way: true,
    })
    expect(message.body_plain).toBe(`Hello Ayşe,

In a week it begins: “Rome in spring”.

Dates: 12 – 19 March 2031
Destinations: Rome and Naples

Your first flights, in local times:
TK 1861 · Istanbul (IST) → Rome (FCO) · Wednesday, 12 March 2031, 08:35 → 10:20

Have passports, insurance and cards at hand, and tell us if something has changed on your side. We are here for any last question.

Kind regards,
Test Seyahat`)
    expect(await outcomes(trip)).toEqual([
      { kind: 'pre_departure', status: 'sent', reason: null, communication: message.id },
    ])
    await sendAllDue()
    expect(await messages(trip)).toHaveLength(1)
  })
  it.each<[string, string | undefined, string | null, string, string]>([
    ['the customer', 'tr-TR', 'en', 'en', 'tr'],
    ['the customer', 'en', 'tr', 'tr', 'en'],
    ['the customer', 'de', 'tr', 'tr', 'en'],
    ['the trip', undefined, 'tr', 'en', 'tr'],
    ['the account', undefined, null, 'tr', 'tr'],
    ['the account', undefined, null, 'en', 'en'],
  ])('is in the language of %s: %s, %s, %s', async (_, locale, language, account, expected) => {
    await sql('update accounts set locale = $2 where account_id = $1', [agency.number, account])
    const of = await customer(agency, { email: 'a@example.com', ...(locale && { locale }) })
    const { subject, body_plain, body_html } = await dueMessageOf(
      agency,
      withTrip(rome, { settings: language === null ? {} : { language } }),
      of,
      'online_check_in',
    )
    const turkish = expected === 'tr'
    expect(subject).toBe(turkish ? 'Online check-in zamanı: Rome in spring' : 'Time to check in: Rome in spring')
    expect(body_plain).toContain(turkish ? '12 Mart 2031 Çarşamba, 08:35' : 'Wednesday, 12 March 2031, 08:35')
    expect(body_html).toContain(`<div lang="${expected}"`)
  })
  it('is signed by the advisor, and speaks to a company by its name', async () => {
    const of = await customer(agency, { name: 'Deniz Holding AŞ', customer_type: 'corporate', email: 'a@example.com' })
    const { body_plain } = await dueMessageOf(
      agency,
      withTrip(rome, { assigned_advisor_id: agency.advisor }),
      of,
      'documents_due',
    )
    expect(body_plain).toMatch(/^Hello Deniz Holding AŞ,\n\n[\s\S]*Kind regards,\nIşıl Çağlar\nTest Seyahat$/)
  })
  it('reaches a customer whom a restricted tag hides from others', async () => {
    const of = await customer(agency, { email: 'vip@example.com', tags: ['vip'] })
    await sql(`insert into restricted_tags (account_id, name) values ($1, 'vip')`, [agency.number])
    expect((await dueMessageOf(agency, rome, of, 'bon_voyage')).to_addresses).toEqual(['vip@example.com'])
  })
  it('is skipped if there is no address', async () => {
    const silent = await customer(agency)
    const gone = await customer(agency, { email: 'gone@example.com' })
    const trips = await Promise.all([silent, gone, null].map((of) => make(agency, rome, of, 'bon_voyage')))
    await sql('update customers set deleted_at = now() where id = $1', [gone])
    await sendAllDue()
    for (const trip of trips) expect(await skipped(trip)).toEqual(['bon_voyage skipped no_address'])
  })
  it('is skipped past what the account may send on a day, and no further', async () => {
    const modest = await makeAgency(cell)
    await allow(modest, 3)
    const of = await customer(modest, { email: 'a@example.com' })
    const trips = await Promise.all(Array.from({ length: 5 }, () => make(modest, rome, of, 'bon_voyage')))
    await sendAllDue()
    const all = (await Promise.all(trips.map(skipped))).flat().toSorted()
    expect(all.map((one) => one.replace('bon_voyage ', ''))).toEqual([
      'sent null',
      'sent null',
      'sent null',
      'skipped daily_limit_reached',
      'skipped daily_limit_reached',
    ])
    expect(await messagesTo(of)).toHaveLength(3)
  })
})

describe('whatever is known of a trip', () => {
  const text = (maxLength: number) =>
    fc.oneof(
      fc.constantFrom(
        'Işıl’ın “düğün” gezisi',
        'رحلة إلى إسطنبول',
        '<img src=x onerror=alert(1)>',
        'x\r\nBcc: a@b.example',
      ),
      fc.constant('uzun '.repeat(maxLength / 5).trim()),
      anyText({ maxLength }).map((any) => any.replaceAll('\0', '')),
    )
  const day = fc.constantFrom(null, '2031-03-12', '2031-03-31')
  const known = fc.record({
    title: text(200),
    name: text(60).filter((name) => name.trim() !== ''),
    locale: fc.constantFrom(null, 'tr', 'en', 'ar'),
    start_date: day,
    nights: fc.option(fc.nat(20)),
    destinations: fc.array(text(30), { maxLength: 4 }),
    advised: fc.boolean(),
    segments: fc.array(
      fc.record({
        flight_number: fc.option(text(8)),
        airline_code: fc.constantFrom(null, 'TK', 'XX'),
        departure_airport: fc.constantFrom(null, 'IST', 'ZZZ'),
        start_time: fc.constantFrom(null, '2031-03-12T00:00', '2031-03-12T23:55'),
        end_time: fc.constantFrom(null, '2031-03-13T01:05'),
      }),
      { maxLength: 2 },
    ),
  })
  it('every kind has complete lines, or is skipped with a reason', async () => {
    await fc.assert(
      fc.asyncProperty(known, async ({ title, name, locale, start_date, nights, destinations, advised, segments }) => {
        const of = await customer(agency, { email: 'a@example.com' })
        await sql('update customers set name = $2, first_name = null, locale = $3 where id = $1', [of, name, locale])
        const end_date =
          start_date && nights !== null ? Temporal.PlainDate.from(start_date).add({ days: nights }) : null
        const columns = {
          title,
          start_date,
          end_date,
          destinations,
          ...(advised && { assigned_advisor_id: agency.advisor }),
        }
        const days = [{ date: start_date, segments: segments.map((one) => ({ ...flight, ...one })) }]
        const trip = await make(
          agency,
          { trip: columns, days, travelers: [{ name: 'X' }] },
          of,
          ...TRAVELER_KINDS,
          'passport_check',
        )
        await sendAllDue()
        const sentMessages = await messages(trip)
        const done = await outcomes(trip)
        expect(done.filter(({ communication }) => communication !== null).length).toBe(sentMessages.length)
        expect(
          new Set(done.map(({ status, reason }) => reason ?? status)).difference(
            new Set(['sent', 'nothing_due', 'no_flights', 'nothing_to_check']),
          ),
        ).toEqual(new Set())
        for (const { subject, body_plain, body_html } of sentMessages) {
          expect(subject).not.toMatch(/[\p{Cc}]/u)
          expect(body_plain).not.toMatch(/\n{3}|undefined|null\b|NaN/)
          if (!/[{}]/.test(`${title}${name}${destinations}${JSON.stringify(segments.map((one) => one.flight_number))}`))
            expect(`${subject}${body_plain}`).not.toMatch(/\{\{|\}\}/)
          expect(body_html.replace(/<\/?(?:div|p|br|a)(?: (?:lang|style|dir|href)="[^"<>]*")*>/g, '')).not.toMatch(
            /[<>]/,
          )
        }
      }),
      { numRuns: 8 },
    )
  })
})

describe('words of an account’s own', () => {
  let agency: Agency
  beforeAll(async () => {
    agency = await makeAgency(cell)
  })
  const save = (kind: string, locale: string, subject: string, body: string) =>
    cell.deps.db.inAccount(agency.number, (tx) => saveTemplate(tx, templateNamed(kind, locale), { subject, body }))
  it('replaces the built-in template in its language, until it is reset', async () => {
    const of = await customer(agency, { name: 'Ali <b>Can</b>', email: 'a@example.com', locale: 'tr' })
    await save(
      'bon_voyage',
      'tr',
      'Yolun açık olsun {{ customer.name }}',
      'Sayın {{customer.name}},\r\n\r\n{{trip.title}}\n{{advisor.email}}',
    )
    await save('bon_voyage', 'en', 'Other', 'Other')
    const own = await dueMessageOf(agency, rome, of, 'bon_voyage')
    expect([own.subject, own.body_plain]).toEqual([
      'Yolun açık olsun Ali <b>Can</b>',
      'Sayın Ali <b>Can</b>,\n\nRome in spring',
    ])
    expect(own.body_html).toContain('Sayın Ali &lt;b&gt;Can&lt;/b&gt;,')
    await cell.deps.db.inAccount(agency.number, async (tx) => {
      expect(await resetTemplate(tx, templateNamed('bon_voyage', 'tr'))).toBe(true)
      expect(await resetTemplate(tx, templateNamed('bon_voyage', 'tr'))).toBe(false)
    })
    expect((await dueMessageOf(agency, rome, of, 'bon_voyage')).subject).toBe('İyi yolculuklar!')
    const audited = await sql(
      'select action, subject_id, details from audit_log where account_id = $1 and subject_type = $2 order by id',
      [agency.number, 'template'],
    )
    expect(audited).toEqual(
      ['saved tr', 'saved en', 'reset tr'].map((change) => ({
        action: `template.${change.split(' ')[0]}`,
        subject_id: `bon_voyage ${change.split(' ')[1]}`,
        details: { before: expect.anything(), after: expect.anything() },
      })),
    )
    expect(audited.at(-1)).toMatchObject({
      details: {
        before: { subject: own.subject.replace('Ali <b>Can</b>', '{{ customer.name }}') },
        after: { subject: null, body: null },
      },
    })
  })
  it.each([
    [
      'birthday',
      'en',
      'Hi',
      'For {{trip.title}}',
      /birthday has no placeholder \{\{trip\.title\}\}\. Known placeholders: .*\{\{customer\.name\}\}/,
    ],
    ['survey', 'en', '{{survey.Link}}', 'x', /survey has no placeholder/],
    ['survey', 'en', 'Hi', '{{}}', /has no placeholder \{\{\}\}/],
    ['survey', 'en', 'Hi', 'See {{survey.link', /in double braces/],
    ['survey', 'en', 'Hi\nBcc: all', 'x', /one line/],
    ['survey', 'en', 'Hi', 'x\u0000', /control characters/],
    ['survey', 'en', ' ', 'x', /needs a subject/],
    ['survey', 'en', 'x'.repeat(201), 'x', /200 characters/],
    ['survey', 'en', 'x', 'x'.repeat(10_001), /10000 characters/],
    ['surveys', 'en', 'x', 'x', /No template surveys exists. Choose one of payment_due, /],
    ['survey', 'de', 'x', 'x', /No templates exist in de. Choose one of en, tr/],
  ])('are refused where they do not hold: %s %s %j %j', async (kind, locale, subject, body, reason) => {
    await expect(save(kind, locale, subject, body)).rejects.toThrow(reason)
  })
})

describe('marketing', () => {
  it('goes only to customers who opted in, and has an unsubscribe link', async () => {
    const [keen, cold, silent] = [
      await customer(agency, { email: 'keen@example.com', opted_in_marketing: true, locale: 'tr' }),
      await customer(agency, { email: 'cold@example.com' }),
      await customer(agency, { opted_in_marketing: true }),
    ]
    const sayings = [keen, cold, silent].map((of) => ({
      kind: 'birthday' as const,
      customer: of,
      seat: null,
      trip: null,
    }))
    const invited = {
      kind: 'survey' as const,
      customer: cold,
      seat: null,
      trip: null,
      values: () => ({ 'survey.link': 'https://desk.example/f/abc' }),
    }
    const sendResults = await cell.deps.db.inAccount(agency.number, (tx) =>
      sendAutomated(tx, cell.deps, [...sayings, invited]),
    )
    const [birthday] = await messagesTo(keen)
    expect(sendResults).toEqual([
      { communication: birthday?.id },
      { skipped: 'not_opted_in' },
      { skipped: 'no_address' },
      { communication: expect.any(String) },
    ])
    expect(birthday).toMatchObject({ purpose: 'marketing', subject: 'Doğum gününüz kutlu olsun!' })
    expect(birthday?.body_plain).toMatch(/buradan vazgeçebilirsiniz:\nhttps:\/\/desk\.example\/u\/[\w-]{80,}$/)
    expect(birthday?.body_html).toMatch(/<a href="https:\/\/desk\.example\/u\/[\w-]{80,}"/)
    const survey = only(await messagesTo(cold))
    expect(survey).toMatchObject({ purpose: 'service' })
    expect(survey.body_plain).toContain('\n\nhttps://desk.example/f/abc\n\n')
    expect(survey.body_plain).not.toContain('/u/')
  })
})
