import fc from 'fast-check'
import { DatabaseError } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { enquiryAttributes } from '../../src/features/leads/commands/enquire.ts'
import { html } from '../../src/platform/page/html.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { ENQUIRY, formIn, referralsOf, typedInto } from '../harness/referrals.ts'
import { ask } from '../harness/sql.ts'

const TURKISH = { 'accept-language': 'tr' }
const HOUR_MS = 3_600_000
const VISITOR_LIMIT = 5
const CODE_LIMIT = 100
const MINUTE_LIMIT = 20

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const { make, open, send, formOf, enquire, leadsOf } = referralsOf(() => cell)
/** The error of a field on a page. */
const problemOf = (body: string, name: string) => new RegExp(`id="${name}-problem">([^<]*)`).exec(body)?.[1]
const escaped = (text: string) => html`${text}`.text

describe('a form that cannot be taken', () => {
  it.each<[string, Record<string, string>, string, string]>([
    ['name', { name: ' ' }, 'Please tell us your name', 'adınızı yazın'],
    ['email', { email: '' }, 'an e-mail address or a phone number', 'e-posta adresi ya da telefon'],
    ['email', { email: 'ayse@' }, 'e-mail address is incomplete', 'tam bir e-posta adresi değil'],
    ['phone', { phone: '12' }, 'cannot be dialled', 'aranamıyor'],
    ['target_departure_on', { target_departure_on: '31.05.2031' }, 'date does not exist', 'böyle bir gün yok'],
    [
      'target_return_on',
      { target_departure_on: '2031-05-10', target_return_on: '2031-05-09' },
      'before your departure',
      'gidiş gününden önce',
    ],
    ['party_size', { party_size: 'two' }, 'as a number', 'sayı olarak'],
    ['party_size', { party_size: '-1' }, 'as a number', 'sayı olarak'],
    ['message', { message: 'x'.repeat(10_001) }, 'text is too long', 'uzun'],
    ['destinations', { destinations: 'x'.repeat(201) }, 'text is too long', 'uzun'],
    [
      'destinations',
      { destinations: Array.from({ length: 101 }, (_, nth) => nth).join() },
      'cannot read',
      'okuyamadığımız',
    ],
    ['name', { name: 'a\u0000b' }, 'cannot read', 'okuyamadığımız'],
  ])(
    'shows the error next to %s, in the visitor’s language, and keeps the input: %o',
    async (field, fields, en, tr) => {
      const { id, token } = await make(agency)
      const typed = { message: 'Two rooms <3', flexible_dates: 'yes', ...fields }
      const answers = [await enquire(token, typed), await enquire(token, typed, TURKISH)]
      for (const [{ statusCode, body }, expectedText] of [
        [answers[0], en],
        [answers[1], tr],
      ] as [(typeof answers)[number], string][]) {
        expect(statusCode).toBe(422)
        expect(problemOf(body, field)).toContain(expectedText)
        for (const [name, text] of Object.entries({ ...ENQUIRY, ...typed }))
          if (name !== 'flexible_dates') expect([name, typedInto(body, name)]).toEqual([name, escaped(text)])
        expect(body).toMatch(/name="flexible_dates" value="yes" checked/)
        expect(body.match(/ autofocus/g)).toHaveLength(1)
      }
      expect(await leadsOf(id)).toEqual([])
    },
  )
  it('is never an error of ours, whatever is sent', async () => {
    const { id, token } = await make(agency)
    const names = [...Object.keys(enquiryAttributes), 'form', 'website', '__proto__', 'x']
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('', '2031-01-01', '3', 'a@example.com'),
    )
    const fields = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), text), {
      maxLength: 6,
      selector: ([name]) => name,
    })
    await fc.assert(
      fc.asyncProperty(fields, fc.ipV6(), async (given, address) => {
        const sent = { form: await formOf(token), ...ENQUIRY, ...Object.fromEntries(given) }
        const { statusCode, headers } = await send(token, sent, {}, address)
        expect([303, 422]).toContain(statusCode)
        if (statusCode === 303) expect(headers.location).toBe(`${token}/thanks`)
      }),
      { numRuns: 40 },
    )
    for (const { name, email, phone } of await leadsOf(id)) expect(name && (email ?? phone)).toBeTruthy()
    const bodies: [string | Buffer, string, number][] = [
      ['', 'application/x-www-form-urlencoded', 422],
      [Buffer.from('name=%FF%00&form=\xff', 'latin1'), 'application/x-www-form-urlencoded', 422],
      ['{}', 'application/json', 415],
      ['x'.repeat(200_000), 'application/x-www-form-urlencoded', 413],
    ]
    for (const [body, type, status] of bodies)
      expect((await send(token, body, { 'content-type': type })).statusCode).toBe(status)
  })
  it('is shown again if it is too early, too late or of another code, and is then accepted', async () => {
    const [{ id, token }, other] = [await make(agency), await make(agency)]
    const ofOther = await formOf(other.token)
    const late = await formOf(token)
    cell.clock.add(25 * HOUR_MS)
    const early = formIn((await open(token)).body)
    const sent: [string, string][] = [
      [early, 'That was quick'],
      [late, 'open for a while'],
      [ofOther, 'open for a while'],
      [`x${late}`, 'open for a while'],
      ['', 'open for a while'],
    ]
    const again: string[] = []
    for (const [form, expectedText] of sent) {
      const { statusCode, body } = await send(token, { form, ...ENQUIRY, message: 'Ours' })
      expect([statusCode, typedInto(body, 'name'), typedInto(body, 'message')]).toEqual([422, ENQUIRY.name, 'Ours'])
      expect(body).toContain(expectedText)
      again.push(formIn(body))
    }
    expect(await leadsOf(id)).toEqual([])
    cell.clock.add(2000)
    for (const form of again) expect((await send(token, { form, ...ENQUIRY })).statusCode).toBe(303)
    expect(await leadsOf(id)).toHaveLength(sent.length)
  })
})

describe('a form that is sent more than once', () => {
  it('makes one lead, also at once and by several processes, and is thanked for each time', async () => {
    const other = await startCell({ connection: cell.connection, deps: { count: uncounted } })
    const { id, token } = await make(agency)
    const form = await formOf(token)
    other.clock.set(cell.deps.now())
    const processes = [referralsOf(() => other), referralsOf(() => cell)]
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, nth) => processes[nth % 2]?.send(token, { form, ...ENQUIRY })),
    )
    expect(answers.map((answer) => [answer?.statusCode, answer?.headers.location])).toEqual(
      answers.map(() => [303, `${token}/thanks`]),
    )
    expect((await send(token, { form, ...ENQUIRY, name: 'Somebody else' })).statusCode).toBe(303)
    cell.clock.add(25 * HOUR_MS)
    const { body } = await send(token, { form, ...ENQUIRY })
    expect((await send(token, { form: formIn(body), ...ENQUIRY })).statusCode).toBe(303)
    expect(await leadsOf(id)).toMatchObject([{ name: ENQUIRY.name }])
    const visits = 'select sum(enquiries)::integer as enquiries from referral_visits where referral_code_id = $1'
    expect(await ask(cell, visits, [id])).toEqual([{ enquiries: 1 }])
  })
  it('is thanked for if a robot filled in the hidden field, and ignored', async () => {
    const { id, token } = await make(agency)
    const { statusCode, headers } = await enquire(token, { website: 'https://spam.example' })
    expect([statusCode, headers.location]).toEqual([303, `${token}/thanks`])
    expect(await leadsOf(id)).toEqual([])
  })
})

describe('an enquiry that waits for the account’s own writes', () => {
  it('for too long is shown again with its input, and then accepted', async () => {
    const late = () => Promise.reject(Object.assign(new DatabaseError('', 0, 'error'), { code: '55P03' }))
    const db = Object.create(cell.deps.db, { inAccount: { value: late }, close: { value: async () => {} } })
    const busy = await startCell({ connection: cell.connection, keys: cell.keys, deps: { db, count: uncounted } })
    const { id, token } = await make(agency)
    const form = await formOf(token)
    busy.clock.set(cell.deps.now())
    const { statusCode, headers, body } = await referralsOf(() => busy).send(token, { form, ...ENQUIRY }, TURKISH)
    expect([statusCode, headers['retry-after'], typedInto(body, 'name')]).toEqual([503, '10', ENQUIRY.name])
    expect(body).toContain('birazdan yeniden gönderin')
    expect((await send(token, { form: formIn(body), ...ENQUIRY })).statusCode).toBe(303)
    expect(await leadsOf(id)).toHaveLength(1)
  })
})

describe('too many enquiries', () => {
  const midnight = Date.parse('2031-03-10T21:00:00Z') // in Istanbul
  it('of a visitor, a day and a code are refused kindly, at once too, until the account’s next day', async () => {
    const [{ id, token }, other] = [await make(agency), await make(agency)]
    cell.clock.set(midnight - HOUR_MS)
    const forms = await Promise.all(
      Array.from({ length: VISITOR_LIMIT + 3 }, async () => formIn((await open(token)).body)),
    )
    cell.clock.set(midnight - HOUR_MS / 2)
    const answers = await Promise.all(forms.map((form) => send(token, { form, ...ENQUIRY, message: 'Mine' })))
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect([refused.length, (await leadsOf(id)).length]).toEqual([3, VISITOR_LIMIT])
    const wait = Number(refused[0]?.headers['retry-after'])
    expect(wait).toBeGreaterThan(HOUR_MS / 2000 - 60)
    expect(wait).toBeLessThanOrEqual(HOUR_MS / 2000)
    expect(refused[0]?.body).toContain('send it again tomorrow')
    expect(typedInto(refused[0]?.body ?? '', 'message')).toBe('Mine')
    expect((await enquire(token, {}, TURKISH)).body).toContain('yarın yeniden gönderin')
    expect((await enquire(token, {}, {}, '203.0.113.77')).statusCode).toBe(303)
    expect((await enquire(other.token)).statusCode).toBe(303)
    cell.clock.set(midnight + 1000)
    expect((await send(token, { form: formIn(refused[0]?.body ?? ''), ...ENQUIRY })).statusCode).toBe(303)
  })
  it('in one minute wait for the next, before they take a turn among the account’s own writes', async () => {
    const counting = await startCell({ connection: cell.connection })
    const { send: sendCounted, formOf: formOfCounted } = referralsOf(() => counting)
    const [{ id, token }, other] = [await make(agency), await make(agency)]
    counting.clock.set(Date.parse('2031-03-20T12:00:00Z'))
    const [form, theirs] = [await formOfCounted(token), await formOfCounted(other.token)]
    counting.clock.set(Date.parse('2031-03-20T12:01:20Z'))
    for (let nth = 0; nth < MINUTE_LIMIT; nth++)
      expect((await sendCounted(token, { form, ...ENQUIRY })).statusCode).toBe(303)
    const { statusCode, headers, body } = await sendCounted(token, { form, ...ENQUIRY, message: 'Mine' })
    expect([statusCode, headers['retry-after'], typedInto(body, 'message')]).toEqual([429, '40', 'Mine'])
    expect(body).toContain('once more in a moment')
    expect((await sendCounted(other.token, { form: theirs, ...ENQUIRY })).statusCode).toBe(303)
    counting.clock.add(40_000)
    expect((await sendCounted(token, { form, ...ENQUIRY })).statusCode).toBe(303)
    expect(await leadsOf(id)).toHaveLength(1)
  })
  it('for a code and a day are refused, from any visitor', async () => {
    const { id, token } = await make(agency)
    const day = Temporal.Instant.fromEpochMilliseconds(cell.deps.now())
      .toZonedDateTimeISO('Europe/Istanbul')
      .toPlainDate()
      .toString()
    await ask(cell, `insert into referral_visits values ($1, $2, $3, '\\x00', $4)`, [
      agency.number,
      id,
      day,
      CODE_LIMIT - 1,
    ])
    const statuses = [await enquire(token), await enquire(token, {}, {}, '203.0.113.8')].map(
      ({ statusCode }) => statusCode,
    )
    expect(statuses).toEqual([303, 429])
  })
})
