import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { PLACEHOLDERS, TEMPLATE_KINDS } from '../../src/features/communications/templates/template-kinds.ts'
import { POLICIES } from '../../src/platform/access/policies.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { restrictTagOf, saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'
import { tripsOf } from '../harness/trips.ts'

let cell: TestCell
let agency: Agency
let owner: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  owner = await signInAs(cell, agency.number, agency.owner.id)
})
const trips = tripsOf(() => cell)
type Answered = { code?: string; details?: Record<string, string[]>; data?: Record<string, unknown> }
async function app(method: string, path: string, body?: object, session = owner) {
  const answer = await cell.call(method, `/app/v1/templates${path}`, { session, ...(body && { body }) })
  return { status: answer.status, ...((answer.body ?? {}) as Answered) }
}
const TEXT = { subject: 'Bye {{customer.name}}', body: 'To {{trip.title}}' }

describe('a template', () => {
  it('is the built-in one, is changed by who read it last, and is restored', async () => {
    const before = (await app('GET', '/bon_voyage/en')).data
    expect(before).toMatchObject({ own: false, version: 0, placeholders: [...PLACEHOLDERS.bon_voyage] })
    const saved = await app('PATCH', '/bon_voyage/en', { version: 0, ...TEXT })
    expect(saved).toMatchObject({ status: 200, data: { own: true, ...TEXT } })
    const again = await app('PATCH', '/bon_voyage/en', { version: 0, ...TEXT })
    expect(again).toMatchObject({ status: 409, code: 'stale', data: saved.data })
    expect((await app('DELETE', '/bon_voyage/en')).status).toBe(204)
    expect((await app('GET', '/bon_voyage/en')).data).toEqual(before)
    await app('PATCH', '/bon_voyage/en', { version: 0, ...TEXT })
    const late = await app('PATCH', '/bon_voyage/en', { version: saved.data?.version, ...TEXT })
    expect(late).toMatchObject({ status: 409, code: 'stale' })
    await app('DELETE', '/bon_voyage/en')
    const rows = await ask<{ action: string; details: object }>(
      cell,
      `select action, details from audit_log where account_id = $1 and subject_id = 'bon_voyage en' order by id limit 2`,
      [agency.number],
    )
    expect(rows).toEqual([
      { action: 'template.saved', details: { before: { subject: null, body: null }, after: TEXT } },
      { action: 'template.reset', details: { before: TEXT, after: { subject: null, body: null } } },
    ])
  })
  it('of every kind and language is listed, and no other is found', async () => {
    const { data } = (await app('GET', '')) as unknown as { data: { kind: string; locale: string }[] }
    expect(data.map(({ kind, locale }) => `${kind} ${locale}`)).toEqual(
      TEMPLATE_KINDS.flatMap((kind) => [`${kind} en`, `${kind} tr`]),
    )
    for (const path of ['/nonesuch/en', '/bon_voyage/de', '/toString/en'])
      expect([path, (await app('GET', path)).status]).toEqual([path, 404])
  })
  it('is refused with the place of every unknown placeholder', async () => {
    const words = fc
      .string({ unit: fc.constantFrom('a', 'ş', '😀', ' ', '\n'), maxLength: 20 })
      .map((text) => `x${text}`)
    await fc.assert(
      fc.asyncProperty(words, words, async (start, middle) => {
        const body = `${start}{{nonesuch}}${middle}{{trip.title}}`
        const { status, details } = await app('PATCH', '/bon_voyage/en', { version: 0, subject: 'S', body })
        const lines = start.split('\n')
        const place = `Line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1}: `
        expect([status, Object.keys(details ?? {})]).toEqual([422, ['body']])
        expect(details?.body).toEqual([expect.stringContaining(`${place}bon_voyage has no placeholder {{nonesuch}}.`)])
      }),
      { numRuns: 20 },
    )
    const wrong = { version: 0, subject: 'a\nb {{x}}', body: 'Open {{trip.title' }
    expect((await app('PATCH', '/bon_voyage/en', wrong)).details).toEqual({
      subject: ['A subject must be one line of text.', expect.stringMatching(/^Line 2, column 3: .*\{\{x\}\}/)],
      body: [expect.stringMatching(/^Line 1, column 6: Enclose placeholders in double braces/)],
    })
    for (const body of ['', ' ', 'x\u0001', 'x'.repeat(10_001)])
      expect((await app('PATCH', '/bon_voyage/en', { version: 0, subject: 'S', body })).status).toBe(422)
  })
})

describe('a preview', () => {
  const previewed = async (given: object, session = owner, kind = 'bon_voyage') =>
    app('POST', `/${kind}/en/preview`, given, session)

  it('has the values of the record as the role sees them, and sends nothing', async () => {
    const customer = await trips.customer(agency, { name: 'Ayşe Su', customer_type: 'corporate', tags: ['vip'] })
    const trip = await trips.make(agency, { title: 'Roma' }, customer)
    await restrictTagOf(cell, agency.number, 'vip')
    const given = { ...TEXT, body: '{{greeting}}\n\n{{trip.title}}\n\n{{customer.name}}', trip_id: trip }
    expect((await previewed(given)).data).toMatchObject({
      subject: 'Bye Ayşe Su',
      plain: 'Hello Ayşe Su,\n\nRoma\n\nAyşe Su',
      without_value: [],
    })
    const roles = [
      ['no_names', 'view_personal_data'],
      ['no_vips', 'view_restricted_customers'],
    ] as const
    for (const [role, lacking] of roles) {
      await saveRoleOf(
        cell,
        agency.number,
        role,
        POLICIES.filter((policy) => policy !== lacking),
      )
      const masked = (await previewed(given, await sessionOf(role))).data
      expect([role, masked]).toMatchObject([role, { plain: 'Hello,\n\nRoma', without_value: ['customer.name'] }])
      expect(JSON.stringify(masked)).not.toContain('Ayşe')
    }
    await saveRoleOf(
      cell,
      agency.number,
      'no_trips',
      POLICIES.filter((policy) => policy !== 'view_trips'),
    )
    expect(await previewed(given, await sessionOf('no_trips'))).toMatchObject({ status: 403, code: 'forbidden' })
    const [sent] = await ask(cell, 'select count(*)::integer as n from message_sends where account_id = $1', [
      agency.number,
    ])
    expect(sent).toEqual({ n: 0 })
  })
  it('reads the trip and the customer of a booking, and amounts only for roles that see money', async () => {
    const customer = { external_id: 'P', name: 'Can' }
    await importRows(cell, agency.key, 'customers', [customer])
    const { rows } = await importRows(cell, agency.key, 'hotel_stays', [
      {
        external_id: 'P',
        customer_external_id: 'P',
        check_in_on: '2031-05-10',
        check_out_on: '2031-05-11',
        status: 'confirmed',
        balance_due_on: '2031-04-01',
        sell_lines: [{ kind: 'room_rate', amount: '100' }],
      },
    ])
    const [booking_id, customer_id] = [String(rows[0]?.id), (await idsOf('customers', 'P'))[0]]
    const trip_id = await trips.make(
      agency,
      { title: 'Bodrum', start_date: '2031-05-10', end_date: '2031-05-11' },
      customer_id,
    )
    await ask(
      cell,
      'insert into trip_bookings (account_id, booking_id, trip_id) values ($1, $2, $3) on conflict do nothing',
      [agency.number, booking_id, trip_id],
    )
    const given = {
      subject: '{{trip.title}}',
      body: '{{customer.name}}\n{{balance.amount}}\n{{balance.due_on}}',
      booking_id,
    }
    const { data } = await previewed(given, owner, 'payment_due')
    expect(data).toMatchObject({ subject: 'Bodrum', plain: expect.stringMatching(/^Can\n.*100.*\n.*April 2031$/) })
    await saveRoleOf(
      cell,
      agency.number,
      'no_money',
      POLICIES.filter((policy) => policy !== 'view_money'),
    )
    expect((await previewed(given, await sessionOf('no_money'), 'payment_due')).data).toMatchObject({
      plain: 'Can',
      without_value: ['balance.amount', 'balance.due_on'],
    })
  })
  it('is refused without a record, for one of another account, and with an unknown placeholder', async () => {
    const other = await makeAgency(cell)
    const [theirs, id] = [await trips.make(other), await trips.customer(other)]
    expect(await previewed({})).toMatchObject({ status: 422, details: { trip_id: [expect.any(String)] } })
    expect(await previewed({}, owner, 'birthday')).toMatchObject({
      status: 422,
      details: { customer_id: [expect.any(String)] },
    })
    for (const given of [{ trip_id: theirs }, { customer_id: id }, { booking_id: id }])
      expect((await previewed(given)).status).toBe(404)
    const trip_id = await trips.make(agency)
    expect((await previewed({ trip_id, body: '{{x}}' })).details).toHaveProperty('body')
    const survey = await previewed({ trip_id, subject: 'S', body: '{{survey.link}}' }, owner, 'survey')
    expect(survey.data).toMatchObject({ plain: '[survey.link]', made_when_sent: ['survey.link'] })
  })
  it('of a message to a seat greets the person who asks', async () => {
    const { data } = await previewed({}, owner, 'invitation')
    expect(data).toMatchObject({ plain: expect.stringContaining('Hello Owner,'), made_when_sent: ['invitation.link'] })
  })
})

async function sessionOf(role: string): Promise<string> {
  const seat = { name: role, email: `${role}-${crypto.randomUUID()}@agency.example`, role, branchId: null }
  const id = await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
  return signInAs(cell, agency.number, id)
}
const idsOf = async (table: string, externalId: string) =>
  (
    await ask<{ id: string }>(cell, `select id from ${table} where account_id = $1 and external_id = $2`, [
      agency.number,
      externalId,
    ])
  ).map(({ id }) => id)
