import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { importRows } from '../harness/agency.ts'
import { afterwards, airFile, refundFile } from '../harness/air.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { numbers, withPrinter } from '../harness/printer.ts'
import { ask, askPastWalls } from '../harness/sql.ts'

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})

describe('a void', () => {
  it('voids the held documents, once, and a restoration reverts it', async () => {
    const { capture, sale, sales } = await withPrinter(cell)
    const made = await capture(airFile({ tickets: ['2400000001', '2400000002'] }))
    const one = await capture(afterwards('VOID'))
    expect(one).toMatchObject({
      answered: 200,
      status: 'duplicate',
      document_action: 'void',
      ticket_sale_id: made.ticket_sale_id,
      duplicate_ticket_numbers: numbers('2400000001'),
    })
    const state = async () => {
      const { status, passengers, totals, version } = await sale(made.ticket_sale_id)
      return { status, documents: passengers.map((each) => each.document_status), sell: totals.sell, version }
    }
    expect(await state()).toMatchObject({ status: 'partly_voided', documents: ['void', 'open'], sell: '600.00' })
    const { version } = await state()
    await capture(afterwards('VOID', { sequence: '0300000009' }))
    expect((await state()).version).toBe(version)
    await capture(afterwards('VOID', { tickets: ['2400000002'], sequence: '0300000002' }))
    expect(await state()).toMatchObject({ status: 'void', documents: ['void', 'void'] })
    await capture(afterwards('RSTD', { tickets: ['2400000002'], sequence: '0300000003' }))
    expect(await state()).toMatchObject({ status: 'partly_voided', documents: ['void', 'open'] })
    const back = await capture(afterwards('RSTD', { sequence: '0300000004' }))
    expect(back).toMatchObject({ answered: 200, document_action: 'restore' })
    expect(await state()).toMatchObject({ status: 'draft', documents: ['open', 'open'], sell: '600.00' })
    expect(await sales()).toHaveLength(1)
  })
  it('of an issued and invoiced sale voids it, and leaves the invoice unchanged', async () => {
    const { agency, capture, sale } = await withPrinter(cell)
    await importRows(cell, agency.key, 'customers', [{ external_id: 'C', name: 'Acme' }])
    const passenger = { first_name: 'A', last_name: 'B', ticket_number: '2352400000001', total: '10.00' }
    const row = {
      external_id: 'X',
      passengers: [passenger],
      status: 'issued',
      invoice_date: '2026-03-02',
      customer_external_id: 'C',
    }
    const { rows } = await importRows(cell, agency.key, 'tickets', [row])
    expect(await sale(rows[0]?.id ?? null)).toMatchObject({ status: 'issued', invoiced: true })
    await capture(afterwards('VOID'))
    expect(await sale(rows[0]?.id ?? null)).toMatchObject({ status: 'void', invoiced: true })
    await capture(afterwards('RSTD', { sequence: '0300000004' }))
    expect(await sale(rows[0]?.id ?? null)).toMatchObject({ status: 'issued', invoiced: true })
  })
  it('that arrives before its issue is kept, and the issue creates a void sale', async () => {
    const { capture, sale } = await withPrinter(cell)
    const before = await capture(afterwards('VOID'))
    expect(before).toMatchObject({ answered: 422, status: 'failed', code: 'unparseable', document_action: 'void' })
    expect(before.error).toMatch(/^Void of a ticket that is not in this account: 2352400000001\./)
    const made = await capture(airFile({ tickets: ['2400000001', '2400000002'] }))
    expect(made.answered).toBe(201)
    expect(await sale(made.ticket_sale_id)).toMatchObject({
      status: 'partly_voided',
      passengers: [{ document_status: 'void' }, { document_status: 'open' }],
    })
    const again = await capture(afterwards('VOID'))
    expect(again).toMatchObject({
      answered: 200,
      status: 'duplicate',
      ticket_sale_id: made.ticket_sale_id,
    })
    await capture(afterwards('RSTD', { sequence: '0300000004' }))
    expect(await sale(made.ticket_sale_id)).toMatchObject({ status: 'draft' })
  })
  it('between two parts of a transaction keeps them in one sale', async () => {
    const { capture, sales } = await withPrinter(cell)
    await capture(airFile({ part: '1/2' }))
    await capture(afterwards('VOID'))
    const second = await capture(airFile({ part: '2/2', tickets: ['2400000002'] }))
    expect(second.answered).toBe(201)
    expect(await sales()).toMatchObject([
      { status: 'partly_voided', passengers: [{ document_status: 'void' }, { document_status: 'open' }] },
    ])
  })
  it('is ignored if it was restored before its issue arrived', async () => {
    const { capture, sale } = await withPrinter(cell)
    await capture(afterwards('VOID'))
    expect(await capture(afterwards('RSTD', { sequence: '0300000004' }))).toMatchObject({ answered: 422 })
    const made = await capture(airFile())
    expect(await sale(made.ticket_sale_id)).toMatchObject({
      status: 'draft',
      passengers: [{ document_status: 'open' }],
    })
  })
})

describe('a refund', () => {
  it('is attached to the sale that holds the ticket, once, and can be cancelled', async () => {
    const { capture, sale } = await withPrinter(cell)
    const made = await capture(airFile())
    const refund = await capture(refundFile())
    expect(refund).toMatchObject({
      answered: 200,
      status: 'duplicate',
      document_action: 'refund',
      ticket_sale_id: made.ticket_sale_id,
    })
    expect(await sale(made.ticket_sale_id)).toMatchObject({
      status: 'refunded',
      totals: { sell: '300.00' },
      passengers: [{ document_status: 'refunded' }],
      refunds: [
        {
          ticket_number: '2352400000001',
          status: 'draft',
          refunded_on: '2026-03-05',
          currency: 'EUR',
          gross: '240.00',
          used: '0.00',
          penalty: '40.00',
          taxes: [{ code: 'YR', amount: '60.00' }],
          tax_total: '60.00',
          commission_recall_rate: '3',
          total: '260.00',
        },
      ],
    })
    const other = await capture(refundFile({ sequence: '0500000002', total: '250.00' }))
    expect(other.warnings.map(({ code }) => code)).toContain('other_refund')
    expect((await sale(made.ticket_sale_id)).refunds).toHaveLength(1)
    await capture(afterwards('TRFX', { sequence: '0600000001', day: '06MAR' }))
    expect(await sale(made.ticket_sale_id)).toMatchObject({
      status: 'draft',
      passengers: [{ document_status: 'open' }],
      refunds: [{ status: 'cancelled', total: '260.00' }],
    })
  })
  it('of a ticket that was imported as refunded is attached, once', async () => {
    const { agency, capture, sale } = await withPrinter(cell)
    const document = { ticket_number: '2352400000001', document_status: 'refunded', total: '10.00' }
    const passengers = [{ first_name: 'A', last_name: 'B', ...document }]
    const { rows } = await importRows(cell, agency.key, 'tickets', [
      { external_id: 'X', passengers, status: 'refunded' },
    ])
    for (const sequence of ['0500000001', '0500000002']) await capture(refundFile({ sequence }))
    expect(await sale(rows[0]?.id ?? null)).toMatchObject({ status: 'refunded', refunds: [{ total: '260.00' }] })
    await capture(afterwards('TRFX', { sequence: '0600000001', day: '06MAR' }))
    expect(await sale(rows[0]?.id ?? null)).toMatchObject({
      status: 'issued',
      passengers: [{ document_status: 'open' }],
      refunds: [{ status: 'cancelled' }],
    })
  })
  it('of an unknown ticket is a separate draft sale with negative amounts', async () => {
    const { capture, sale } = await withPrinter(cell)
    const made = await capture(refundFile())
    expect(made).toMatchObject({ answered: 201, status: 'parsed', document_action: 'refund' })
    expect(await sale(made.ticket_sale_id)).toMatchObject({
      status: 'draft',
      totals: { sell: '-260.00', cost: '-252.80' }, // the airline keeps the penalty, and 3 % of the fare are given back
      passengers: [
        {
          document_status: 'refunded',
          base_fare: '-240.00',
          taxes: [
            { code: 'YR', amount: '-60.00' },
            { code: 'CP', amount: '40.00' },
          ],
          total: '-260.00',
        },
      ],
      refunds: [{ total: '260.00', status: 'draft' }],
    })
    expect(await capture(refundFile({ sequence: '0500000002' }))).toMatchObject({ answered: 200 })
  })
})

describe('a refund that arrives before its issue', () => {
  it('is attached to the sale that the issue completes', async () => {
    const { agency, capture, captures, sale, sales } = await withPrinter(cell)
    await importRows(cell, agency.key, 'customers', [{ external_id: 'C', name: 'Acme', code: 'ACME' }])
    const refund = await capture(refundFile())
    const made = await capture(airFile({ more: ['AITANACME'] }))
    expect(made).toMatchObject({
      answered: 201,
      status: 'parsed',
      ticket_sale_id: refund.ticket_sale_id,
      duplicate_ticket_numbers: null,
    })
    expect(await sale(refund.ticket_sale_id)).toMatchObject({
      status: 'refunded',
      customer: { external_id: 'C' },
      totals: { sell: '300.00', cost: '292.80' },
      legs: [{ flight_number: '1985' }],
      passengers: [{ document_status: 'refunded', base_fare: '240.00', total: '300.00', commission_rate: '3' }],
      refunds: [{ ticket_number: '2352400000001', status: 'draft', total: '260.00' }],
    })
    expect(await sales()).toHaveLength(1)
    expect(await captures()).toHaveLength(2)
    expect(await capture(airFile({ sequence: '0200000002' }))).toMatchObject({
      answered: 200,
      status: 'duplicate',
      duplicate_ticket_numbers: numbers('2400000001'),
    })
  })
  it('keeps what users changed in its sale, which is merged into the sale of the issue', async () => {
    const { agency, capture, captures, sale, sales } = await withPrinter(cell)
    const first = await capture(refundFile())
    const second = await capture(refundFile({ ticket: '2400000002', sequence: '0500000002' }))
    expect(await sales()).toHaveLength(2)
    await ask(cell, `update bookings set notes = 'Ask for the bank account' where id = $1`, [first.ticket_sale_id])
    await ask(
      cell,
      `update tickets set passengers = jsonb_set(passengers, '{0,email}', '"ayse@example.com"') where id = $1`,
      [first.ticket_sale_id],
    )
    await capture(airFile({ tickets: ['2400000001', '2400000002'] }))
    const [only, ...others] = (await sales()).filter(({ status }) => status !== 'deleted')
    expect(others).toEqual([])
    expect(only).toMatchObject({
      id: first.ticket_sale_id,
      status: 'refunded',
      notes: 'Ask for the bank account',
      passengers: [{ email: 'ayse@example.com', total: '300.00' }, { total: '300.00' }],
      refunds: numbers('2400000001', '2400000002').map((ticket_number) => ({ ticket_number })),
    })
    const kept = (await captures()).find(({ id }) => id === second.id)
    expect(kept?.ticket_sale_id).toBe(first.ticket_sale_id)
    await importRows(cell, agency.key, 'customers', [{ external_id: 'C', name: 'Acme' }])
    await capture(afterwards('VOID', { tickets: ['2400000002'], day: '08MAR' }))
    expect(await sale(first.ticket_sale_id)).toMatchObject({
      status: 'refunded',
      passengers: [{ document_status: 'refunded' }, { document_status: 'void' }],
    })
  })
  it('leaves a finished sale unchanged, and notifies', async () => {
    for (const [set, code] of [
      [`status = 'issued'`, 'sale_finished'],
      [`status = 'issued', invoiced = true`, 'sale_invoiced'],
    ] as const) {
      const { capture, sale } = await withPrinter(cell)
      const refund = await capture(refundFile())
      await ask(cell, `update bookings set ${set} where id = $1`, [refund.ticket_sale_id])
      const before = await sale(refund.ticket_sale_id)
      const issue = await capture(airFile())
      expect(issue).toMatchObject({ answered: 200, status: 'duplicate', ticket_sale_id: refund.ticket_sale_id })
      expect(issue.warnings.map((warning) => warning.code)).toEqual([code])
      expect(await sale(refund.ticket_sale_id)).toEqual(before)
    }
  })
})

describe('a cancelled refund', () => {
  it('that arrives before refund and issue leaves the ticket open', async () => {
    const { capture, sale } = await withPrinter(cell)
    const cancelled = await capture(afterwards('TRFX', { sequence: '0600000001', day: '06MAR' }))
    expect(cancelled).toMatchObject({ answered: 422, status: 'failed' })
    expect(cancelled.error).toMatch(/The cancellation is stored/)
    const refund = await capture(refundFile())
    expect(await sale(refund.ticket_sale_id)).toMatchObject({
      status: 'draft',
      totals: { sell: '0.00' },
      passengers: [{ document_status: 'open', total: null }],
      refunds: [{ status: 'cancelled', total: '260.00' }],
    })
    await capture(airFile())
    expect(await sale(refund.ticket_sale_id)).toMatchObject({
      status: 'draft',
      totals: { sell: '300.00' },
      passengers: [{ document_status: 'open', total: '300.00' }],
      refunds: [{ status: 'cancelled', total: '260.00' }],
    })
  })
})

describe('captures of a former version', () => {
  it('keep their facts when the database is upgraded', async () => {
    const { agency, capture, sale } = await withPrinter(cell)
    const refund = await capture(refundFile())
    await capture(afterwards('VOID', { tickets: ['2400000002'] }))
    await ask(cell, `delete from ticket_document_events where account_id = $1 and action = 'refund'`, [agency.number])
    const [, upgrade = ''] =
      /(insert into ticket_document_events.*?;)/s.exec(readFileSync('migrations/0039_ticket_facts.sql', 'utf8')) ?? []
    await askPastWalls(cell, upgrade)
    const issue = await capture(airFile({ tickets: ['2400000001', '2400000002'] }))
    expect(issue).toMatchObject({ answered: 201, ticket_sale_id: refund.ticket_sale_id })
    expect(await sale(refund.ticket_sale_id)).toMatchObject({
      status: 'refunded',
      passengers: [{ document_status: 'refunded', total: '300.00' }, { document_status: 'void' }],
    })
  })
})

describe('a refund in two parts', () => {
  it('of unknown tickets is one draft sale with both refunds, and its supplier is looked up', async () => {
    const { capture, sale } = await withPrinter(cell)
    const part = (nth: number) =>
      refundFile({ ticket: `240000000${nth}` })
        .replace(';1/1;', `;${nth}/2;`)
        .replace('ENDX', nth === 2 ? 'ENDX' : 'END')
    const first = await capture(part(1))
    const second = await capture(part(2))
    expect(second).toMatchObject({ answered: 201, ticket_sale_id: first.ticket_sale_id })
    expect(first.warnings.map(({ code }) => code)).toContain('supplier_not_found')
    expect(await sale(first.ticket_sale_id)).toMatchObject({
      status: 'draft',
      totals: { sell: '-520.00' },
      passengers: [{ airline_code: 'TK' }, { airline_code: 'TK' }],
      refunds: numbers('2400000001', '2400000002').map((ticket_number) => ({ ticket_number, total: '260.00' })),
    })
  })
})

describe('an exchange', () => {
  it('is a new sale that names the old document, which becomes exchanged if the account has it', async () => {
    const { capture, sale } = await withPrinter(cell)
    const old = await capture(airFile())
    const exchange = airFile({
      tickets: ['2400000009'],
      sequence: '0700000001',
      issued: '260307',
      payment: 'O/CASH+/CASH',
      more: ['FO235-2400000001IST02MAR26/99999992/235-24000000011E1'],
    })
    const made = await capture(exchange)
    expect(made).toMatchObject({ answered: 201, status: 'parsed', document_action: 'exchange' })
    expect(await sale(made.ticket_sale_id)).toMatchObject({
      status: 'draft',
      passengers: [{ ticket_number: '2352400000009', exchanged_ticket_number: '2352400000001' }],
      exchanges: [{ ticket_number: '2352400000009', exchanged_ticket_numbers: numbers('2400000001') }],
    })
    expect(await sale(old.ticket_sale_id)).toMatchObject({
      status: 'exchanged',
      passengers: [{ document_status: 'exchanged' }],
    })
  })
  it('that arrives before the issue of the old document marks that as exchanged', async () => {
    const { capture, sale } = await withPrinter(cell)
    await capture(
      airFile({
        tickets: ['2400000009'],
        sequence: '0700000001',
        issued: '260307',
        payment: 'O/CASH+/CASH',
        more: ['FO235-2400000001IST02MAR26/99999992/235-24000000011E1'],
      }),
    )
    const old = await capture(airFile())
    expect(await sale(old.ticket_sale_id)).toMatchObject({
      status: 'exchanged',
      passengers: [{ document_status: 'exchanged' }],
    })
  })
})
