import { beforeAll, describe, expect, it, vi } from 'vitest'
import { POLICIES } from '../../src/platform/access/policies.ts'
import { importables } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency, type Outcome } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { restrictTagOf, saveRoleOf } from '../harness/settings.ts'
import { wholeRow } from '../harness/whole-records.ts'
import { startImports } from '../harness/worker.ts'

type Row = Record<string, unknown>

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})

const FAMOUS = { external_id: 'V', name: 'Very Famous', email: 'v@example.com', phone: '+905321112233' }
const STAY = { check_in_on: '2026-07-10', check_out_on: '2026-07-14' }
const TRAVELER = { first_name: 'Very', last_name: 'Famous', passport_number: 'U1', date_of_birth: '1987-04-23' }
const KNOWN = { external_id: 'K', name: 'Known', email: 'k@example.com', phone: '+905321112244' }

/** An agency with the restricted customer `V` and the customer `K`, and a key of the role. */
async function withSecret(role = 'manager') {
  const agency = await makeAgency(cell)
  const made = await importRows(cell, agency.key, 'customers', [FAMOUS, KNOWN])
  const [secret, known] = made.rows.map(({ id }) => String(id))
  await cell.call('PATCH', `/customers/${secret}`, { key: agency.key, body: { customer: { tags: ['vip'] } } })
  await restrictTagOf(cell, agency.number, 'vip')
  return { agency, secret: secret as string, known: known as string, key: await keyOf(agency, role) }
}
/** A key of a built-in role, or, as `no_view_money`, of one that lacks only that policy. */
async function keyOf(agency: Agency, role: string): Promise<string> {
  const [, lacking] = role.split('no_')
  const policies = POLICIES.filter((policy) => policy !== lacking)
  if (lacking) await saveRoleOf(cell, agency.number, role, policies)
  return (await agency.makeKey({ role })).key
}
const send = async (key: string, entity: string, row: Row, more: object = { on_conflict: 'update' }) =>
  (await importRows(cell, key, entity, [row], more)).rows[0] as Outcome
const record = async (key: string, entity: string, externalId: string) =>
  ((await cell.call('GET', `/imports/${entity}/records/${externalId}`, { key })).body as { data: Row }).data
const refusals = ({ errors }: Outcome) =>
  errors.filter(({ code }) => code === 'not_permitted').map(({ field }) => field)

/** Entities whose records name a customer, and the fields of them that are personal. */
const OF_CUSTOMERS = importables
  .map(({ entity }) => entity)
  .filter(({ fields }) => 'customer_external_id' in fields)
  .map((entity) => {
    const personal = Object.entries(entity.fields).filter(([, { pii }]) => pii)
    return [entity.key, entity, personal.map(([name]) => name)] as const
  })

/** References in a sample to missing records. */
const ALONE: Readonly<Record<string, Row>> = {
  operator_invoices: { booking_entity: null, booking_external_id: null },
}

describe('a record of a restricted customer', () => {
  it.each(OF_CUSTOMERS)('of %s cannot be unlinked, linked to another or overwritten', async (key, entity, personal) => {
    const { agency, key: manager } = await withSecret()
    for (const { key: other, sample } of importables.map(({ entity }) => entity))
      if (other === 'suppliers' || other === 'tour_departures')
        await importRows(cell, agency.key, other, [...sample.rows])
    const whole: Row = { ...wholeRow(entity.fields), ...entity.sample.rows[0] }
    const personalValues = Object.fromEntries(personal.map((name) => [name, whole[name]]))
    const given: Row = {
      ...entity.sample.rows[0],
      ...personalValues,
      ...ALONE[key],
      external_id: 'R',
      customer_external_id: 'V',
    }
    expect(await send(agency.key, key, given)).toMatchObject({ status: 'created' })
    const before = await record(agency.key, key, 'R')
    expect(await record(manager, key, 'R')).toMatchObject(Object.fromEntries(personal.map((name) => [name, null])))

    for (const customer_external_id of [null, '', 'K', 'k@example.com'])
      expect(refusals(await send(manager, key, { external_id: 'R', customer_external_id }))).toEqual([
        'customer_external_id',
      ])
    for (const name of personal)
      for (const value of [given[name], null])
        expect(refusals(await send(manager, key, { external_id: 'R', [name]: value }))).toEqual([name])
    expect(await send(manager, key, { external_id: 'R', customer_external_id: 'V' })).toMatchObject({
      status: 'unchanged',
      errors: [],
    })
    expect(await record(agency.key, key, 'R')).toEqual(before)
    const unlinked = await send(agency.key, key, { external_id: 'R', customer_external_id: null })
    expect([unlinked.status, refusals(unlinked)]).toEqual(['updated', []])
  })

  it('cannot be unlinked by an import that is worked on later, by a dry run, or when it comes back', async () => {
    const { agency, key: manager } = await withSecret()
    const lead = { ...FAMOUS, external_id: 'RL', customer_external_id: 'V' }
    const { id } = await importRows(cell, agency.key, 'leads', [lead])
    const row = { external_id: 'RL', customer_external_id: null }
    expect(refusals((await importRows(cell, manager, 'leads', [row], {}, true)).rows[0] as Outcome)).toHaveLength(1)

    const left = (await cell.call('POST', `/imports/${id}/revert`, { key: manager })).body
    expect(left).toMatchObject({ data: { reverted: 0, left: [{ external_id: 'RL', reason: 'not_permitted' }] } })
    expect((await cell.call('POST', `/imports/${id}/revert`, { key: agency.key })).body).toMatchObject({
      data: { reverted: 1 },
    })
    expect(refusals(await send(manager, 'leads', row))).toEqual(['customer_external_id'])
    expect(await send(agency.key, 'leads', { external_id: 'RL' })).toMatchObject({ status: 'updated' })

    const body = { row, mode: 'async' }
    const queued = await cell.call('POST', '/imports/leads', { key: manager, body })
    const batch = (queued.body as { data: { id: string } }).data.id
    const stop = startImports(cell)
    const path = `/imports/${batch}/rows`
    await vi.waitUntil(
      async () => {
        const { data } = (await cell.call('GET', path, { key: manager })).body as { data: Outcome[] }
        return data.length > 0 && refusals(data[0] as Outcome).length === 1
      },
      { timeout: 10_000, interval: 20 },
    )
    await stop()
    expect((await record(manager, 'leads', 'RL')).name).toBeNull()
    expect((await record(agency.key, 'leads', 'RL')).customer).toMatchObject({ external_id: 'V' })
  })

  it('is made anew by the rows of a batch that was taken back, by a role that sees none of it', async () => {
    const { agency, key } = await withSecret('no_view_personal_data')
    const person = { external_id: 'N', name: 'New', email: 'n@example.com' }
    const { id } = await importRows(cell, key, 'customers', [person])
    await cell.call('POST', `/imports/${id}/revert`, { key })
    for (const name of ['New', 'Other']) {
      const again = await send(key, 'customers', { ...person, name })
      expect([again.status, again.warnings.map(({ code }) => code)]).toEqual(['updated', ['restored']])
      expect(await record(agency.key, 'customers', 'N')).toMatchObject({ name })
      await cell.call('DELETE', `/customers/${again.id}`, { key })
    }
  })

  it('shows nothing when the API changes it', async () => {
    const { agency, secret, key } = await withSecret()
    const { rows } = await importRows(cell, agency.key, 'leads', [{ ...FAMOUS, customer_external_id: 'V' }])
    for (const [path, as, more] of [
      [`/customers/${secret}`, 'customer', { locale: 'tr' }],
      [`/leads/${rows[0]?.id}`, 'lead', { occasion: 'x' }],
    ] as const) {
      const read = (await cell.call('GET', path, { key })).body as { data: Row }
      const changed = async (given: Row) => {
        const { status, body } = await cell.call('PATCH', path, { key, body: { [as]: given } })
        return [status, Object.keys((body as { details?: object }).details ?? {}).toSorted()]
      }
      for (const email of ['v@example.com', 'x@example.com', 'nonsense', ''])
        expect(await changed({ email, name: 'X' })).toEqual([422, ['email', 'name']])
      const { email, name, phone } = read.data
      expect([email, name, phone]).toEqual([null, null, null])
      expect(await changed({ email, name, phone, ...more })).toEqual([200, []])
      const { data } = (await cell.call('GET', path, { key: agency.key })).body as { data: Row }
      expect(data).toMatchObject({ email: 'v@example.com', name: 'Very Famous', phone: '+905321112233' })
    }
  })
})

const UNKNOWN = 'nobody@example.com'
describe('a guess', () => {
  it.each(OF_CUSTOMERS.map(([key, entity]) => [key, entity] as const))(
    'of a customer whom %s may name by e-mail is answered as a miss',
    async (key, entity) => {
      for (const [role, email] of [
        ['manager', 'v@example.com'],
        ['no_view_personal_data', 'k@example.com'],
      ] as const) {
        const own = await withSecret(role)
        for (const { key: other, sample } of importables.map(({ entity }) => entity))
          if (other === 'suppliers' || other === 'tour_departures')
            await importRows(cell, own.agency.key, other, [...sample.rows])
        const responses = []
        for (const customer_external_id of [email, UNKNOWN]) {
          const number = 'invoice_number' in entity.fields && { invoice_number: customer_external_id }
          const given = { ...entity.sample.rows[0], ...ALONE[key], ...number }
          const row = { ...given, customer_external_id, external_id: customer_external_id }
          const { errors, warnings, status } = await send(own.key, key, row, {})
          responses.push({
            errors,
            warnings,
            status,
            customer: (await record(own.key, key, customer_external_id)).customer,
          })
          await importRows(cell, own.agency.key, key, [{ external_id: customer_external_id, status: 'cancelled' }], {
            on_conflict: 'update',
          })
        }
        expect(responses[0]).toEqual(responses[1])
        expect(responses[0]?.warnings).toContainEqual(expect.objectContaining({ field: 'customer_external_id' }))
      }
    },
  )

  it('of a price, a birth date or a name is refused, right or wrong', async () => {
    const { agency } = await withSecret()
    const lines = (amount: string) => [{ kind: 'room_rate', amount }]
    const stay = { external_id: 'H', customer_external_id: 'K', ...STAY }
    const right: Row = { sell_lines: lines('100'), cost_lines: lines('60'), travelers: [TRAVELER] }
    const wrong: Row = {
      sell_lines: lines('101'),
      cost_lines: lines('61'),
      travelers: [{ ...TRAVELER, date_of_birth: '1990-01-01' }],
    }
    await send(agency.key, 'hotel_stays', { ...stay, ...right })
    for (const [role, names] of [
      ['no_view_money', ['cost_lines', 'sell_lines']],
      ['no_view_costs', ['cost_lines', 'sell_lines']],
      ['no_view_personal_data', ['travelers']],
    ] as const) {
      const key = await keyOf(agency, role)
      for (const name of names) {
        const [hit, miss] = [
          await send(key, 'hotel_stays', { external_id: 'H', [name]: right[name] }),
          await send(key, 'hotel_stays', { external_id: 'H', [name]: wrong[name] }),
        ]
        expect([role, refusals(hit)]).toEqual([role, [name]])
        expect(hit).toEqual(miss)
      }
      expect(await send(key, 'hotel_stays', { external_id: 'H', notes: role })).toMatchObject({
        status: 'updated',
        errors: [],
      })
    }
    const key = await keyOf(agency, 'no_view_personal_data')
    for (const name of ['Known', 'Unknown', null])
      expect(refusals(await send(key, 'customers', { external_id: 'K', name }))).toEqual(['name'])
    expect(await send(key, 'customers', { external_id: 'N', name: 'New' })).toMatchObject({ status: 'created' })
  })

  it('of a ticket number or a passport is answered alike, right or wrong', async () => {
    const { agency, known } = await withSecret()
    const sale = (external_id: string, ticket_number: string) => ({
      external_id,
      customer_external_id: 'K',
      passengers: [{ ...TRAVELER, ticket_number }],
    })
    await send(agency.key, 'tickets', sale('T', '2352403123456'))
    const key = await keyOf(agency, 'no_view_personal_data')
    const [hit, miss] = [
      await send(key, 'tickets', sale('T1', '2352403123456')),
      await send(key, 'tickets', sale('T2', '2352403123457')),
    ]
    expect({ ...hit, id: null, external_id: null }).toEqual({ ...miss, id: null, external_id: null })
    expect(await send(agency.key, 'tickets', sale('T3', '2352403123456'))).toMatchObject({ status: 'failed' })
    const travelers = async (as: string) =>
      ((await cell.call('GET', `/customers/${known}/travelers`, { key: as })).body as { data: Row[] }).data
    expect([await travelers(key), (await travelers(agency.key)).length]).toEqual([[], 1])
  })

  it('of a lead’s customer by e-mail does not match e-mails that the role may not see', async () => {
    for (const [role, email] of [
      ['manager', 'v@example.com'],
      ['no_view_personal_data', 'k@example.com'],
    ] as const) {
      const own = await withSecret(role)
      const ids = []
      for (const as of [own.key, own.agency.key]) {
        const body = { lead: { name: 'Very Famous Known', email } }
        const lead = (await cell.call('POST', '/leads', { key: own.agency.key, body })).body as { data: { id: string } }
        const made = await cell.call('POST', `/leads/${lead.data.id}/convert`, { key: as, body: {} })
        ids.push((made.body as { data: { customer: { id: string } } }).data.customer.id)
      }
      const theirs = role === 'manager' ? own.secret : own.known
      expect([role, ids[0] === theirs]).toEqual([role, false])
    }
  })
  it('of a lead’s customer is not requested if leaving it out does not help', async () => {
    const { agency, secret, known, key } = await withSecret()
    const { id } = await send(agency.key, 'leads', { external_id: 'L', name: 'Lead', customer_external_id: 'V' })
    const convert = async (as: string, body: Row) => {
      const answer = await cell.call('POST', `/leads/${id}/convert`, { key: as, body })
      return [answer.status, (answer.body as { details?: { customer_id?: string[] } }).details?.customer_id?.[0]]
    }
    const leaveOut = expect.stringMatching(/Leave this out\.$/)
    expect(await convert(key, { customer_id: known })).toEqual([422, leaveOut])
    await cell.call('DELETE', `/customers/${secret}`, { key: agency.key })
    for (const body of [{}, { customer_id: known }, { customer_id: secret }])
      expect(await convert(key, body)).toEqual([422, expect.stringMatching(/view_restricted_customers/)])
    expect(await convert(agency.key, {})).toEqual([201, undefined])
  })
})

describe('a message that came', () => {
  const file = async (key: string, communication: Row) => {
    const message = { direction: 'inbound', body_plain: 'Hello', ...communication }
    const { body } = await cell.call('POST', '/communications', { key, body: { communication: message } })
    return (body as { data: Row & { id: string; thread_id: string } }).data
  }
  it.each([
    ['viewer', 'V'],
    ['viewer', 'K'],
    ['no_view_personal_data', 'K'],
    ['manager', 'V'],
    ['admin', 'V'],
  ])('does not reveal to %s whether an address is that of customer %s', async (role, customer) => {
    const { agency, key } = await withSecret(role)
    const { email, phone } = customer === 'V' ? FAMOUS : KNOWN
    for (const [channel, guess] of [
      ['email', `Somebody <${email}>`],
      ['sms', phone],
      ['whatsapp', `whatsapp:${phone}`],
      ['phone', phone],
    ] as const) {
      const made = await file(key, { channel, from_address: guess })
      expect([channel, made.customer_id, made.thread_id]).toEqual([channel, null, made.id])
    }
    const [mail] = [await file(agency.key, { channel: 'email', from_address: email })]
    expect(mail.customer_id).not.toBeNull() // which roles that may know it are shown
    const { body } = await cell.call('GET', '/communications?limit=100', { key })
    const withCustomer = (body as { data: Row[] }).data.filter(({ customer_id }) => customer_id !== null)
    expect(withCustomer.map(({ id }) => id)).toEqual([mail.id])
  })

  it.each([
    ['viewer', 'K'],
    ['manager', 'V'],
  ])('does not reveal to %s the thread of a Message-ID about customer %s', async (role, customer) => {
    const { agency, key } = await withSecret(role)
    const { email } = customer === 'V' ? FAMOUS : KNOWN
    const known = await file(agency.key, { channel: 'email', from_address: email, external_id: '<known@example.com>' })
    for (const in_reply_to of ['<known@example.com>', '<unknown@example.com>']) {
      const made = await file(key, { channel: 'email', from_address: UNKNOWN, in_reply_to })
      expect([made.customer_id, made.thread_id, made.in_reply_to]).toEqual([null, made.id, in_reply_to])
      const noted = { channel: 'email', direction: 'internal', in_reply_to }
      const answer = await cell.call('POST', '/communications', { key, body: { communication: noted } })
      expect(Object.keys((answer.body as { details: object }).details)).toEqual(['customer_id'])
    }
    // Nor in later messages of the thread.
    await file(agency.key, { channel: 'email', from_address: email, in_reply_to: '<known@example.com>' })
    const { body } = await cell.call('GET', `/communications?thread_id=${known.thread_id}`, { key })
    expect((body as { data: Row[] }).data).toHaveLength(2)
    const answered = await file(agency.key, {
      channel: 'email',
      from_address: UNKNOWN,
      in_reply_to: '<known@example.com>',
    })
    expect([answered.thread_id, answered.customer_id]).toEqual([known.thread_id, known.customer_id])
  })
})
