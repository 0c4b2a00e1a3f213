import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { updateBranch } from '../../src/features/accounts/commands/save-branch.ts'
import { SERVER_OPERATOR } from '../../src/features/accounts/commands/seat-rules.ts'
import { updateSeat } from '../../src/features/accounts/commands/update-seat.ts'
import { readCapturedFile } from '../../src/features/ticket-printer/reads/read-captured-file.ts'
import { importRows, makeAgency } from '../harness/agency.ts'
import { type Air, airFile } from '../harness/air.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { fanOutEvents } from '../harness/fan-out.ts'
import { base64, type Capture, numbers, type Sale, withPrinter } from '../harness/printer.ts'
import { ask } from '../harness/sql.ts'

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})

describe('an issue', () => {
  it('creates one draft sale, equal to an import of the same data', async () => {
    const { agency, capture, sale, notified } = await withPrinter(cell)
    const { answered, ...made } = await capture(airFile(), { filename: 'A1.AIR', provider: 'sabre', format: 'iur' })
    expect(answered).toBe(201)
    expect(made).toMatchObject({
      status: 'parsed',
      provider: 'amadeus',
      format: 'air',
      filename: 'A1.AIR',
      document_action: 'issue',
      ticket_numbers: numbers('2400000001'),
      duplicate_ticket_numbers: null,
      part: null,
      error: null,
    })
    const shown = await sale(made.ticket_sale_id)
    expect(shown).toMatchObject({
      status: 'draft',
      external_id: null,
      pnr: 'XYZ789',
      gds_pnr: 'ABC123',
      settlement_channel: 'bsp',
      issuing_system: 'amadeus',
      currency: 'EUR',
      transaction_date: '2026-03-02',
      itinerary_type: 'one_way',
      international: true,
      totals: { sell: '300.00', cost: '292.80' },
      legs: [
        {
          airline_code: 'TK',
          flight_number: '1985',
          departure_airport: 'IST',
          arrival_airport: 'LHR',
          scheduled_departure: '2026-06-12T15:10',
          scheduled_arrival: '2026-06-12T17:15',
        },
      ],
      passengers: [
        {
          first_name: 'AYSE',
          last_name: 'YILMAZ',
          title: 'MRS',
          passenger_type: 'adult',
          ticket_number: '2352400000001',
          document_type: 'ticket',
          document_status: 'open',
          issued_on: '2026-03-02',
          base_fare: '240.00',
          taxes: [{ code: 'YR', amount: '60.00' }],
          commission_rate: '3',
          total: '300.00',
          form_of_payment: 'cash',
          endorsement: 'NONREF',
        },
      ],
    })
    const { pnr, gds_pnr, settlement_channel, issuing_system, currency, transaction_date, legs, passengers } = shown
    const again = { pnr, gds_pnr, settlement_channel, issuing_system, currency, transaction_date, legs }
    const row = { external_id: 'X', ...again, passengers: passengers.map((each) => ({ ...each, ticket_number: null })) }
    const { rows } = await importRows(cell, agency.key, 'tickets', [row])
    expect(rows[0]).toMatchObject({ status: 'created' })
    const { sell_lines, cost_lines, totals } = await sale(rows[0]?.id ?? null)
    expect({ sell_lines, cost_lines, totals }).toEqual({
      sell_lines: shown.sell_lines,
      cost_lines: shown.cost_lines,
      totals: shown.totals,
    })
    expect(await notified()).toMatchObject([
      { kind: 'ticket_captured', title: 'Tickets captured: ABC123', subject_type: 'TicketSale', subject_id: shown.id },
    ])
  })
  it('with a ticketing deadline is a draft, and the capture keeps the deadline', async () => {
    const { capture, sale } = await withPrinter(cell)
    const made = await capture(airFile().replace('TKOK02MAR', 'TKTL12MAR'))
    expect(made).toMatchObject({ answered: 201, ticketing_deadline: '2026-03-12' })
    expect(await sale(made.ticket_sale_id)).toMatchObject({ status: 'draft', option_date: null })
  })
  it('belongs to its office, customer, supplier and agent, and reports unknown ones', async () => {
    const { agency, capture, notified } = await withPrinter(cell)
    await cell.deps.db.inAccount(agency.number, async (tx) => {
      await updateBranch(tx, agency.branchOfOtherCompany, { office_ids: ['bertk2100'] })
      await updateBranch(tx, agency.otherBranch, { iata_numbers: ['99999981'] })
    })
    await cell.deps.db.inAccount(agency.number, (tx) =>
      updateSeat(tx, SERVER_OPERATOR, agency.advisor, { agent_sines: ['1002ec'] }),
    )
    await importRows(cell, agency.key, 'customers', [{ external_id: 'C', name: 'Acme', code: 'ACME' }])
    await importRows(cell, agency.key, 'suppliers', [{ external_id: 'S', name: 'Turkish Airlines', iata_code: 'TK' }])
    const named = await capture(airFile({ office: 'BERTK2100', sign: '1002ECSU', more: ['AITANACME'] }))
    expect(named.warnings.map(({ code }) => code)).not.toContain('supplier_not_found')
    const shown = await cell.call('GET', `/imports/tickets/records?branch_id=${agency.branchOfOtherCompany}`, agency)
    expect((shown.body as { data: Sale[] }).data).toMatchObject([
      {
        id: named.ticket_sale_id,
        company_id: agency.otherCompany,
        branch_id: agency.branchOfOtherCompany,
        customer: { external_id: 'C' },
        supplier: { external_id: 'S' },
      },
    ])
    expect(await notified()).toEqual([]) // the advisor's
    expect(await ask(cell, 'select seat_id, kind from notifications where account_id = $1', [agency.number])).toEqual([
      { seat_id: agency.advisor, kind: 'ticket_captured' },
    ])
    const byNumber = await capture(airFile({ office: 'XXXXX0000', iata: '99999981', tickets: ['2400000002'] }))
    const records = await cell.call('GET', `/imports/tickets/records?branch_id=${agency.otherBranch}`, agency)
    expect((records.body as { data: Sale[] }).data.map(({ id }) => id)).toEqual([byNumber.ticket_sale_id])
    const other = await withPrinter(cell)
    const nobody = await other.capture(airFile({ more: ['AITANACME'] }))
    expect(nobody.warnings.map(({ code }) => code)).toEqual([
      'supplier_not_found',
      'customer_not_found',
      'exchange_rate_missing',
    ])
    expect(await other.sale(nobody.ticket_sale_id)).toMatchObject({ customer: null, supplier: null })
  })
  it('notifies the issuing agent; of two matching signs, the longer one', async () => {
    const { agency, capture } = await withPrinter(cell)
    await cell.deps.db.inAccount(agency.number, async (tx) => {
      await updateSeat(tx, SERVER_OPERATOR, agency.owner.id, { agent_sines: ['2002BB', '1001'] })
      const signs = { agent_sines: ['1001ay', '1001AY'] }
      const { agent_sines } = await updateSeat(tx, SERVER_OPERATOR, agency.advisor, signs)
      expect(agent_sines).toEqual(['1001AY'])
    })
    const file = airFile({ sign: '1001AYSU' }).replace('1001AYSU-', '2002BBSU-') // who booked comes first
    expect(await capture(file)).toMatchObject({ answered: 201 })
    expect(await ask(cell, 'select seat_id from notifications where account_id = $1', [agency.number])).toEqual([
      { seat_id: agency.advisor },
    ])
  })
  it('creates one sale of the documents that the account does not have yet', async () => {
    const { agency, capture, sale, sales } = await withPrinter(cell)
    const passenger = { first_name: 'A', last_name: 'B', ticket_number: '235-2400000001', total: '10.00' }
    const { rows } = await importRows(cell, agency.key, 'tickets', [{ external_id: 'X', passengers: [passenger] }])
    const held = await capture(airFile())
    expect(held).toMatchObject({
      answered: 200,
      status: 'duplicate',
      ticket_sale_id: rows[0]?.id,
      duplicate_ticket_numbers: numbers('2400000001'),
    })
    const partly = await capture(airFile({ tickets: ['2400000001', '2400000002'] }))
    expect(partly).toMatchObject({
      answered: 201,
      status: 'parsed',
      ticket_numbers: numbers('2400000001', '2400000002'),
      duplicate_ticket_numbers: numbers('2400000001'),
    })
    expect((await sale(partly.ticket_sale_id)).passengers.map((each) => each.ticket_number)).toEqual(
      numbers('2400000002'),
    )
    expect(await sales()).toHaveLength(2)
  })
  it('is one sale in any number of parts, in any order, also when they arrive concurrently', async () => {
    const part = (nth: number): Air => ({
      part: `${nth}/3`,
      tickets: [`240000000${nth}`],
      fare: `${nth}00.00`,
      tax: '10.00',
      total: `${nth}10.00`,
    })
    for (const order of [
      [3, 1, 2],
      [2, 3, 1],
    ]) {
      const { capture, sales } = await withPrinter(cell)
      const made = []
      for (const nth of order) made.push(await capture(airFile(part(nth))))
      expect(made.map(({ answered, status }) => [answered, status])).toEqual(made.map(() => [201, 'parsed']))
      expect(made.map((each) => each.part)).toEqual(order.map((number) => ({ number, of: 3 })))
      expect(new Set(made.map((each) => each.ticket_sale_id)).size).toBe(1)
      const all = await sales()
      expect(all).toHaveLength(1)
      expect(all[0]).toMatchObject({ totals: { sell: '630.00', cost: '612.00' }, status: 'draft' })
      expect(all[0]?.passengers).toHaveLength(3)
      expect(all[0]?.legs).toHaveLength(1)
    }
    const { capture, sales } = await withPrinter(cell)
    await Promise.all([1, 2, 3].map((nth) => capture(airFile(part(nth)))))
    expect(await sales()).toMatchObject([{ totals: { sell: '630.00', cost: '612.00' } }])
  })
  it('leaves out the amounts of a part in another currency, and warns', async () => {
    const { capture, sale } = await withPrinter(cell)
    const first = await capture(airFile({ part: '1/2' }))
    const second = await capture(airFile({ part: '2/2', tickets: ['2400000002'], currency: 'USD' }))
    expect(second).toMatchObject({ answered: 201, ticket_sale_id: first.ticket_sale_id })
    expect(second.warnings.map(({ code }) => code)).toContain('other_currency')
    expect(await sale(first.ticket_sale_id)).toMatchObject({
      currency: 'EUR',
      totals: { sell: '300.00', cost: '292.80' },
      passengers: [{ total: '300.00' }, { ticket_number: '2352400000002', base_fare_currency: 'USD', total: null }],
    })
  })
  it('of a part whose sale is finished creates a separate sale', async () => {
    const { capture, sales } = await withPrinter(cell)
    const first = await capture(airFile({ part: '1/2' }))
    await ask(cell, `update bookings set status = 'issued' where id = $1`, [first.ticket_sale_id])
    const second = await capture(airFile({ part: '2/2', tickets: ['2400000002'] }))
    expect(second.answered).toBe(201)
    expect(second.ticket_sale_id).not.toBe(first.ticket_sale_id)
    expect(await sales()).toHaveLength(2)
  })
  it('is sent to subscriptions to tickets', async () => {
    const { agency, capture } = await withPrinter(cell)
    await ask(
      cell,
      `insert into webhooks (account_id, url, events, entities, role, signing_key)
       values ($1, 'https://receiver.example/', '{record.created}', '{tickets}', 'owner', '')`,
      [agency.number],
    )
    const made = await capture(airFile())
    await fanOutEvents(cell)
    expect(
      await ask(cell, 'select event, entity, record_id, external_id from webhook_events where account_id = $1', [
        agency.number,
      ]),
    ).toEqual([{ event: 'record.created', entity: 'tickets', record_id: made.ticket_sale_id, external_id: null }])
  })
})

describe('the same bytes', () => {
  it('are captured again, and create nothing', async () => {
    const { capture, captures, sales } = await withPrinter(cell)
    const first = await capture(airFile())
    const second = await capture(airFile(), { filename: 'again.air' })
    expect(second).toMatchObject({ answered: 200, status: 'duplicate', ticket_sale_id: first.ticket_sale_id })
    expect(second.id).not.toBe(first.id)
    expect((await captures()).map(({ id }) => id)).toEqual([second.id, first.id])
    expect(await sales()).toHaveLength(1)
  })
  it('sent eight times concurrently create one sale', async () => {
    const { send, captures, sales } = await withPrinter(cell)
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(airFile())))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
    expect(await sales()).toHaveLength(1)
    expect(await captures()).toHaveLength(8)
  })
  it('whose documents were in another sale are processed once that sale is cancelled', async () => {
    const { agency, capture } = await withPrinter(cell)
    const passenger = { first_name: 'A', last_name: 'B', ticket_number: '235-2400000001', total: '10.00' }
    const row = { external_id: 'X', passengers: [passenger] }
    await importRows(cell, agency.key, 'tickets', [row])
    expect((await capture(airFile())).answered).toBe(200)
    const cancelled = { ...row, status: 'cancelled' }
    await importRows(cell, agency.key, 'tickets', [cancelled], { on_conflict: 'update' })
    expect((await capture(airFile())).answered).toBe(201)
  })
  it('that failed are parsed again, and stay one capture', async () => {
    const { capture, captures } = await withPrinter(cell)
    const first = await capture('ITINERARY FOR YILMAZ')
    expect(first).toMatchObject({ answered: 422, status: 'failed', code: 'unparseable' })
    expect(await capture('ITINERARY FOR YILMAZ')).toEqual(first)
    expect(await captures()).toHaveLength(1)
  })
  it('get the same answer for the same Idempotency-Key, except for a failure, which is not stored', async () => {
    const { agency, captures } = await withPrinter(cell)
    const send = (content: string, key: string) =>
      cell.call('POST', '/ticket_imports', {
        key: agency.key,
        body: { content: base64(content) },
        headers: { 'idempotency-key': key },
      })
    const first = await send(airFile(), 'one')
    const replay = await send(airFile(), 'one')
    expect([replay.status, replay.text, replay.headers['idempotent-replay']]).toEqual([201, first.text, 'true'])
    expect(await captures()).toHaveLength(1)
    await send('nothing', 'two')
    expect((await send('nothing', 'two')).headers['idempotent-replay']).toBeUndefined()
    expect(await captures()).toHaveLength(2)
  })
})

describe('unusable content', () => {
  it.each([
    ['an empty file', '', /empty/],
    ['two mebibytes of zeros', new Uint8Array(2 * 1024 * 1024), /empty|zero|nothing/i],
    ['a file that is cut off', airFile().slice(0, -10), /incomplete/],
    ['a training record', airFile().replace(';7A;;', ';7A;T;'), /training/],
    ['a reservation without tickets', airFile({ option: 'IM' }).replace(/T-K.*\r\n/, ''), /without ticket numbers/],
    [
      'an XML bomb',
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><OrderViewRS>&b;</OrderViewRS>',
      /document type/,
    ],
    ['bytes of no meaning', Uint8Array.from({ length: 999 }, (_, at) => (at * 7919) % 256), /./],
  ])('%s is kept, with the reason', async (_, content, reason) => {
    const { capture, captures, sales, notified } = await withPrinter(cell)
    const made = await capture(content, { filename: 'x.air' })
    expect(made).toMatchObject({ answered: 422, status: 'failed', code: 'unparseable', ticket_sale_id: null })
    expect(made.error).toMatch(reason)
    expect(await captures()).toMatchObject([{ id: made.id, status: 'failed', error: made.error }])
    expect(await sales()).toEqual([])
    const isRead = made.document_action !== null
    expect(await notified()).toMatchObject([
      {
        kind: 'ticket_capture_failed',
        body: isRead ? made.error : 'The file could not be read. See the capture for the reason.',
        subject_id: made.id,
      },
    ])
  })
  it.each<[string, object, number, string | null]>([
    ['content that is no base64', { content: 'a*b' }, 422, 'content'],
    ['content without its padding', { content: 'YWI' }, 422, 'content'],
    ['no content', {}, 422, 'content'],
    ['content that is no text', { content: 7 }, 422, 'content'],
    ['an encoding that nobody knows', { content: '', encoding: 'klingon' }, 422, 'encoding'],
    ['an agent that is no object', { content: '', agent: 'x' }, 422, 'agent'],
    ...[1, 2, 3].map((more) => {
      const content = base64(new Uint8Array(2 * 1024 * 1024 + more))
      return [`2 MiB and ${more} more`, { content }, 413, null] as [string, object, number, null]
    }),
    ['more than 2 MiB, whatever follows', { content: `${'A'.repeat(3 * 1024 * 1024)}*` }, 413, null],
  ])('%s is refused, and nothing is stored', async (_, body, status, at) => {
    const { agency, captures } = await withPrinter(cell)
    const answer = await cell.call('POST', '/ticket_imports', { key: agency.key, body })
    expect(answer.status).toBe(status)
    if (at) expect((answer.body as { details: object }).details).toHaveProperty([at])
    expect(await captures()).toEqual([])
  })
})

it('a file of 2 MiB is accepted, also with line breaks in its base64', async () => {
  const { agency } = await withPrinter(cell)
  const content = base64(new Uint8Array(2 * 1024 * 1024).fill(65)).replaceAll(/.{76}/g, '$&\r\n')
  const { status, body } = await cell.call('POST', '/ticket_imports', { key: agency.key, body: { content } })
  expect([status, (body as { code: string }).code]).toEqual([422, 'unparseable']) // stored although it contains no ticket
})

describe('a capture', () => {
  it('requires a key for ticket imports, and a role with the policy', async () => {
    const { agency, send } = await withPrinter(cell)
    const keyOf = async (given: object) => (await agency.makeKey(given)).key
    expect((await send(airFile(), {}, await keyOf({ scopes: ['ticket_import'] }))).status).toBe(201)
    expect((await send(airFile(), {}, await keyOf({ scopes: ['import'] }))).status).toBe(403)
    expect((await send(airFile(), {}, await keyOf({ role: 'marketing' }))).status).toBe(403)
    expect((await send(airFile(), {}, await keyOf({ role: 'advisor' }))).status).toBe(200)
    const other = await makeAgency(cell)
    const { data } = (await cell.call('GET', '/ticket_imports', { key: agency.key })).body as { data: Capture[] }
    const path = `/ticket_imports/${data[0]?.id}`
    expect(await cell.call('GET', path, { key: agency.key })).toMatchObject({ status: 200, body: { data: data[0] } })
    expect((await cell.call('GET', path, { key: other.key })).status).toBe(404)
    expect((await cell.call('GET', `/ticket_imports/${randomUUID()}`, { key: agency.key })).status).toBe(404)
  })
  it('stores the bytes sealed, returns them unchanged, and no card number is stored elsewhere', async () => {
    const { agency, capture } = await withPrinter(cell)
    const content = Buffer.from(
      airFile({ payment: 'CCVI4444333322221111/1229/A123456' }).replace('AYSE', 'AYŞE'),
      'latin1',
    )
    const made = await capture(content, { encoding: 'iso-8859-9' })
    const rows = await ask<{ row: string; content: Buffer; encoding: string }>(
      cell,
      `select to_jsonb(c) - 'content' as row, content, encoding from ticket_captures c where account_id = $1`,
      [agency.number],
    )
    const sales = await ask(cell, 'select * from tickets where account_id = $1', [agency.number])
    expect(JSON.stringify([rows[0]?.row, sales])).not.toContain('4444333322221111')
    expect(JSON.stringify(rows[0]?.row)).toContain('1111')
    expect(rows[0]?.encoding).toBe('windows-1254')
    expect(rows[0]?.content.includes('YILMAZ')).toBe(false)
    const again = await capture(content)
    const { db, printerFiles } = cell.deps
    for (const { id } of [made, again])
      expect(await db.inAccount(agency.number, (tx) => readCapturedFile(tx, printerFiles, id))).toEqual(content)
  })
  it('has the time of its file', async () => {
    const { capture } = await withPrinter(cell)
    expect(await capture(airFile())).toMatchObject({ captured_at: '2026-03-01T21:00:00.000000Z' })
  })
})
