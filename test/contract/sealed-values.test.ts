import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sealIdentity } from '../../src/features/privacy/seal-identity.job.ts'
import { deliveryQueue } from '../../src/features/webhooks/deliveries.job.ts'
import { type Network, readNetwork } from '../../src/platform/access/source-address.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { holdersOf } from '../harness/every-column.ts'
import { fanOutEvents } from '../harness/fan-out.ts'
import { type Capture, withPrinter } from '../harness/printer.ts'
import { ask } from '../harness/sql.ts'
import { subscribe } from '../harness/subscriber.ts'
import { GO_ON } from '../harness/worker.ts'

const AIR = join(import.meta.dirname, '../ticket-printer/fixtures/air')

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})

/** Numbers that nothing else contains, one for each place where a person may be. */
const numbers = () => {
  const unique = randomUUID().replaceAll('-', '').toUpperCase()
  return { stay: `P${unique}`, person: `N${unique}`, ticket: `T${unique}` }
}
type Numbers = ReturnType<typeof numbers>

const stay = ({ stay, person }: Numbers, more: object = {}) => ({
  external_id: 'H',
  customer_external_id: 'C',
  supplier_external_id: 'S',
  transaction_date: '2026-03-02',
  currency: 'TRY',
  check_in_on: '2027-05-01',
  check_out_on: '2027-05-03',
  travelers: [
    { first_name: 'Ayşe', last_name: 'Ak', passport_number: stay, passport_expiry: '2026-12-01' },
    { first_name: 'Can "J"', last_name: 'Ak', national_id: person },
  ],
  ...more,
})

async function agencyWith(found: Numbers): Promise<Agency> {
  const agency = await makeAgency(cell)
  await importRows(cell, agency.key, 'customers', [{ external_id: 'C', name: 'Ayşe Ak' }])
  await importRows(cell, agency.key, 'suppliers', [{ external_id: 'S', name: 'Hotel' }])
  expect(await importRows(cell, agency.key, 'hotel_stays', [stay(found)])).toMatchObject({
    rows: [{ errors: [], status: 'created' }],
  })
  return agency
}
/** What the API shows of the booking and of the travellers of its customer. */
async function shown({ key }: Agency) {
  const read = async (path: string) => (await cell.call('GET', path, { key })).text
  const record = await read('/imports/hotel_stays/records/H')
  const { customer } = (JSON.parse(record) as { data: { customer: { id: string } } }).data
  return [
    record,
    await read(`/customers/${customer.id}/travelers`),
    await read('/imports/hotel_stays/records'),
    await read('/reports/passport_expiry?from=2026-01-01&to=2027-12-31'),
  ]
}

describe('identity numbers', () => {
  it('are hidden in report files of sessions, and in clear in those of keys', async () => {
    const found = numbers()
    const agency = await agencyWith(found)
    const session = await signInAs(cell, agency.number, agency.owner.id)
    const path = '/reports/passport_expiry.csv?filters[from]=2026-01-01&filters[to]=2027-12-31'
    const [ofKey, ofSession] = [
      await cell.call('GET', path, { key: agency.key }),
      await cell.call('GET', `/app/v1${path}`, { session }),
    ].map(({ text }) => text)
    expect(ofKey).toContain(found.stay)
    expect(ofSession).not.toContain(found.stay)
    expect(ofSession).toContain(`•${found.stay.slice(-3)}`)
  })

  it('are nowhere in the database, and everywhere in the API as before', async () => {
    const found = numbers()
    const agency = await agencyWith(found)
    const queued = { rows: [stay(found, { external_id: 'H2' })], mode: 'async', default_currency: 'TRY' }
    expect((await cell.call('POST', '/imports/hotel_stays', { key: agency.key, body: queued })).status).toBeLessThan(
      500,
    )
    expect(await holdersOf(cell, [found.stay, found.person])).toEqual([])
    const [record, travelers, feed] = await shown(agency)
    for (const text of [record, travelers, feed])
      expect([text?.includes(found.stay), text?.includes(found.person)]).toEqual([true, true])
    expect((await shown(agency)).join()).not.toContain('~sealed~')
  })
  it('find the same traveller again, and a row that says the same changes nothing', async () => {
    const found = numbers()
    const agency = await agencyWith(found)
    const again = await importRows(cell, agency.key, 'hotel_stays', [stay(found)], { on_conflict: 'update' })
    expect(again.rows).toMatchObject([{ status: 'unchanged' }])
    const renamed = [{ first_name: 'Ayse', last_name: 'Yilmaz', passport_number: found.stay, nationality: 'TR' }]
    await importRows(cell, agency.key, 'hotel_stays', [stay(found, { external_id: 'H2', travelers: renamed })])
    expect(
      await ask(cell, 'select first_name, nationality from travelers where account_id = $1 order by first_name', [
        agency.number,
      ]),
    ).toEqual([
      { first_name: 'Ayşe', nationality: 'TR' },
      { first_name: 'Can "J"', nationality: null },
    ])
  })
  it('are sent to subscribers in clear, and wait for them sealed', async () => {
    const destinations = { allowed: [readNetwork('127.0.0.0/8') as Network] }
    const sending = await startCell({ deps: { count: uncounted, destinations } })
    const agency = await makeAgency(sending)
    const { requests } = await subscribe(sending, agency)
    const found = numbers()
    await importRows(sending, agency.key, 'suppliers', [{ external_id: 'S', name: 'Hotel' }])
    await importRows(sending, agency.key, 'hotel_stays', [stay(found, { customer_external_id: undefined })])
    await fanOutEvents(sending)
    expect(await holdersOf(sending, [found.stay, found.person])).toEqual([])
    await (await deliveryQueue(sending.deps).claim())?.(GO_ON)
    const bodies = requests().map(({ body }) => body)
    expect(bodies.filter((body) => body.includes(found.stay) && body.includes(found.person))).toHaveLength(1)
    expect(bodies.join()).not.toContain('~sealed~')
  })
  it('of a ticket file are nowhere in the database, and in the capture and its sale', async () => {
    const { agency, send, sale } = await withPrinter(cell)
    const number = `U${randomUUID().slice(0, 8).toUpperCase()}`.replaceAll('-', '')
    const file = readFileSync(join(AIR, 'issue-one-passenger.air'), 'latin1').replace('/TUR/000000/', `/TUR/${number}/`)
    const { ticket_sale_id, id } = (await send(file)).body as Capture
    expect(await holdersOf(cell, [number])).toEqual([])
    expect(JSON.stringify(await sale(ticket_sale_id))).toContain(number)
    expect((await cell.call('GET', `/ticket_imports/${id}`, { key: agency.key })).text).not.toContain('~sealed~')
  })
  it('are opened by no other account, whatever somebody writes', async () => {
    const found = numbers()
    const agency = await agencyWith(found)
    const [stored] = await ask<{ passport: string }>(
      cell,
      'select passport_number as passport from travelers where account_id = $1 and passport_number is not null',
      [agency.number],
    )
    const other = await makeAgency(cell)
    for (const name of [stored?.passport, '~sealed~x~', '~sealed~~', `"~sealed~${'A'.repeat(60)}~"`]) {
      const body = { customer: { name } }
      const made = await cell.call('POST', '/customers', { key: other.key, body })
      expect([made.status, (made.body as { data: { name: string } }).data.name]).toEqual([201, name])
    }
  })
})

describe('a session', () => {
  it('sees the end of numbers, and reads them whole where it is audited', async () => {
    const found = numbers()
    const agency = await agencyWith(found)
    const session = await signInAs(cell, agency.number, agency.owner.id)
    const read = async (path: string) => (await cell.call('GET', `/app/v1${path}`, { session })).text
    const record = await read('/imports/hotel_stays/records/H')
    const { customer, travelers } = (JSON.parse(record) as { data: { customer: { id: string }; travelers: object[] } })
      .data
    for (const text of [
      record,
      await read(`/customers/${customer.id}/travelers`),
      await read('/imports/hotel_stays/records'),
    ])
      expect([holds(text, found), text.includes(`"•••••${found.stay.slice(-3)}"`)]).toEqual([false, true])
    const kept = await importRows(cell, agency.key, 'hotel_stays', [stay(found, { travelers })], {
      on_conflict: 'update',
    })
    expect(kept.rows[0]?.errors).toMatchObject([{ code: 'invalid_string' }, { code: 'invalid_string' }])

    const path = `/app/v1/customers/${customer.id}/identity`
    expect(holds((await cell.call('POST', path, { session })).text, found)).toBe(true)
    const rows = 'select seat_id, subject_id from audit_log where account_id = $1 and action = $2'
    expect(await ask(cell, rows, [agency.number, 'identity.read'])).toEqual([
      { seat_id: agency.owner.id, subject_id: customer.id },
    ])
  })

  it('reads numbers anew by the same Idempotency-Key: audited again, and stored nowhere', async () => {
    const found = numbers()
    const agency = await agencyWith(found)
    const session = await signInAs(cell, agency.number, agency.owner.id)
    const headers = { 'idempotency-key': randomUUID() }
    const [customer] = await ask<{ id: string }>(cell, 'select id from customers where account_id = $1', [
      agency.number,
    ])
    const path = `/app/v1/customers/${customer?.id}/identity`
    for (const times of [1, 2]) {
      const answer = await cell.call('POST', path, { session, headers })
      expect([answer.status, holds(answer.text, found)]).toEqual([200, true])
      const reads = 'select id from audit_log where account_id = $1 and action = $2'
      expect(await ask(cell, reads, [agency.number, 'identity.read'])).toHaveLength(times)
    }
    expect(await ask(cell, 'select key from idempotency_keys where key = $1', [headers['idempotency-key']])).toEqual([])
  })
})
const holds = (text: string, { stay, person }: Numbers) => text.includes(stay) || text.includes(person)

describe('an upgrade', () => {
  const until = (interval: string) => ask(cell, `update cell_keys set seals_from = now() + interval '${interval}'`)

  it('keeps numbers clear for a day, then seals them by and by; reads and records stay the same', async () => {
    await until('1 day')
    const upgraded = await startCell({ connection: cell.connection, deps: { count: uncounted } })
    const here = cell
    cell = upgraded
    try {
      const found = numbers()
      const agency = await agencyWith(found)
      const clear = await holdersOf(cell, [found.stay])
      expect(clear).toEqual(expect.arrayContaining(['bookings.travelers', 'travelers.passport_number']))
      const before = await shown(agency)
      const run = () => sealIdentity.run(cell.deps, new AbortController().signal)
      await run()
      expect(await holdersOf(cell, [found.stay])).toEqual(clear)

      await until('-2 minutes')
      cell = await startCell({ connection: cell.connection, deps: { count: uncounted } })
      expect(await shown(agency)).toEqual(before)
      const renamed = [{ first_name: 'Ayse', last_name: 'Yilmaz', passport_number: found.stay }]
      await importRows(cell, agency.key, 'hotel_stays', [stay(found, { external_id: 'H2', travelers: renamed })])
      expect(await ask(cell, 'select id from travelers where account_id = $1', [agency.number])).toHaveLength(2)

      await run()
      expect(await holdersOf(cell, [found.stay, found.person])).toEqual([])
      expect((await shown(agency))[0]).toEqual(before[0])
      const again = await importRows(cell, agency.key, 'hotel_stays', [stay(found)], { on_conflict: 'update' })
      expect(again.rows).toMatchObject([{ status: 'unchanged' }])
    } finally {
      cell = here
      await until('-1 day')
    }
  })
})
