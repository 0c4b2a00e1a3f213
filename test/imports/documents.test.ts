import { beforeAll, describe, expect, it } from 'vitest'
import { payInvoice } from '../../src/features/documents/commands/pay-invoice.ts'
import { saveRates } from '../../src/features/exchange-rates/exchange-rates.store.ts'
import type { Desk } from '../../src/imports/desk.ts'
import { changeRecord } from '../../src/imports/engine/one-record.ts'
import { ALL_POLICIES } from '../../src/platform/access/policies.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { importables } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency, type Outcome } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'

type Line = { kind: string; quantity: number; amount: string; net: string; vat: string; gross: string }
type Invoice = {
  number: string
  document_type: string
  reverses: string | null
  currency: string
  net: string
  vat: string
  gross: string
  lines: Line[]
}
type Bill = {
  bill_number: string
  status: string
  currency: string
  total_amount: string
  net_amount: string
  vat_amount: string
}

let cell: TestCell
let agency: Agency
let rows = 0
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  await cell.deps.db.asSystem('a test needs rates', (tx) =>
    saveRates(tx, {
      source: 'tcmb',
      base: 'TRY',
      rates: ['EUR', 'USD'].map((currency) => ({
        currency,
        day: '2026-03-02',
        baseUnits: currency === 'EUR' ? '47.1234' : '43.5',
        currencyUnits: '1',
      })),
    }),
  )
  agency = await newAgency()
})

async function newAgency(): Promise<Agency> {
  const made = await makeAgency(cell)
  await importRows(cell, made.key, 'customers', [{ external_id: 'C', name: 'Ayşe' }])
  await importRows(cell, made.key, 'suppliers', [{ external_id: 'S', name: 'Hotel' }])
  return made
}

const stay = (more: object = {}) => {
  rows += 1
  return {
    external_id: `D${rows}`,
    customer_external_id: 'C',
    supplier_external_id: 'S',
    check_in_on: '2026-07-10',
    check_out_on: '2026-07-14',
    status: 'confirmed',
    invoice_date: '2026-04-01',
    transaction_date: '2026-03-02',
    currency: 'EUR',
    sell_lines: [
      { kind: 'room_rate', amount: '180.00', vat_rate: '10', quantity: 4 },
      { kind: 'service_fee', amount: '25.00', vat_rate: '20', tax_inclusive: false },
    ],
    cost_lines: [{ kind: 'room_rate', amount: '140.00', vat_rate: '10', quantity: 4 }],
    ...more,
  }
}
const send = async (row: object, more: object = {}, of = agency): Promise<Outcome> =>
  (await importRows(cell, of.key, 'hotel_stays', [row], more)).rows[0] as Outcome
const amend = (row: object) => send(row, { on_conflict: 'update' })

const ask = <T>(sql: string, values: unknown[]): Promise<T[]> =>
  withClient(cell.connection, async (client) => {
    if (!sql.startsWith('alter')) await client.query('set role backdesk_system')
    return (await client.query(sql, values)).rows as T[]
  })
const invoicesOf = (id: string | null) =>
  ask<Invoice>(
    `select i.number, i.document_type, r.number as reverses, i.currency,
      i.net::float8::text as net, i.vat::float8::text as vat, i.gross::float8::text as gross, i.lines
     from customer_invoices i left join customer_invoices r on r.account_id = i.account_id and r.id = i.reverses_id
     where i.booking_id = $1 order by i.created_at, i.document_type desc, i.currency`,
    [id],
  )
const billsOf = (id: string | null) =>
  ask<Bill>(
    `select bill_number, status, currency, total_amount::float8::text as total_amount, net_amount::float8::text as net_amount,
      vat_amount::float8::text as vat_amount from supplier_bills where booking_id = $1 order by currency`,
    [id],
  )

describe('a booking that becomes invoiced', () => {
  it('posts an invoice from its sell lines and a supplier bill from its cost lines', async () => {
    const { id, warnings } = await send(stay())
    expect(warnings).toEqual([])
    const [invoice, ...others] = await invoicesOf(id)
    expect(others).toEqual([])
    expect(invoice).toMatchObject({
      document_type: 'invoice',
      currency: 'EUR',
      net: '679.55',
      vat: '70.45',
      gross: '750',
    })
    expect(invoice?.number).toMatch(/^INV-\d{4}-\d{6}$/)
    expect(invoice?.lines.map(({ kind, quantity, gross }) => [kind, quantity, gross])).toEqual([
      ['room_rate', 4, '720'],
      ['service_fee', 1, '30'],
    ])
    expect(await billsOf(id)).toMatchObject([
      { status: 'open', currency: 'EUR', total_amount: '560', net_amount: '509.09', vat_amount: '50.91' },
    ])
  })
  it('does so when an amendment makes it firm, dates it, or names its customer, and only once', async () => {
    const cases = [
      [{ status: 'draft' }, { status: 'confirmed' }],
      [{ invoice_date: undefined }, { invoice_date: '2026-04-02' }],
      [{ customer_external_id: undefined }, { customer_external_id: 'C' }],
    ] as const
    for (const [before, after] of cases) {
      const row = stay(before)
      const { id } = await send(row)
      expect(await invoicesOf(id)).toEqual([])
      expect((await amend({ external_id: row.external_id, ...after })).status).toBe('updated')
      expect(await invoicesOf(id)).toHaveLength(1)
      expect(await billsOf(id)).toHaveLength(1)
      expect((await amend({ external_id: row.external_id, notes: 'later' })).status).toBe('updated')
      expect(await invoicesOf(id)).toHaveLength(1)
    }
  })
  it('has one invoice for each currency', async () => {
    const lines = ['EUR', 'USD', 'TRY', 'USD'].map((currency) => ({ kind: 'other', amount: '100.00', currency }))
    const { id } = await send(stay({ sell_lines: lines, cost_lines: lines.slice(0, 2) }))
    expect((await invoicesOf(id)).map(({ currency, gross }) => [currency, gross])).toEqual([
      ['EUR', '100'],
      ['TRY', '100'],
      ['USD', '200'],
    ])
    expect((await billsOf(id)).map(({ currency }) => currency)).toEqual(['EUR', 'USD'])
  })
  it('posts no supplier bill without a supplier, and nothing without a customer, and warns', async () => {
    const alone = await send(stay({ supplier_external_id: undefined }))
    expect(alone.warnings.map(({ field, code }) => [field, code])).toEqual([['supplier_external_id', 'not_invoiced']])
    expect([(await invoicesOf(alone.id)).length, (await billsOf(alone.id)).length]).toEqual([1, 0])
    const nobody = await send(stay({ customer_external_id: undefined }))
    expect(nobody.warnings.map(({ field, code }) => [field, code])).toEqual([['customer_external_id', 'not_invoiced']])
    expect([(await invoicesOf(nobody.id)).length, (await billsOf(nobody.id)).length]).toEqual([0, 0])
  })
})

describe('cancelling an invoiced booking', () => {
  it('mirrors every invoice by a credit note that names it, and voids the supplier bill', async () => {
    const row = stay({
      sell_lines: [
        { kind: 'room_rate', amount: '33.3333', vat_rate: '20', quantity: 3 },
        { kind: 'other', amount: '10.00', currency: 'USD' },
      ],
    })
    const { id } = await send(row)
    const outcome = await amend({ external_id: row.external_id, status: 'cancelled' })
    expect(outcome).toMatchObject({ status: 'updated', record_status: 'cancelled' })
    const documents = await invoicesOf(id)
    const [invoices, notes] = ['invoice', 'credit_note'].map((type) =>
      documents.filter(({ document_type }) => document_type === type),
    ) as [Invoice[], Invoice[]]
    expect(notes.map(({ reverses }) => reverses)).toEqual(invoices.map(({ number }) => number))
    for (const [at, note] of notes.entries()) {
      const invoice = invoices[at] as Invoice
      expect(note.number).toMatch(/^CN-\d{4}-\d{6}$/)
      expect(note.currency).toBe(invoice.currency)
      for (const part of ['net', 'vat', 'gross'] as const) expect(Number(note[part]) + Number(invoice[part])).toBe(0)
      for (const [nth, line] of note.lines.entries()) {
        const mirrored = invoice.lines[nth] as Line
        expect([line.kind, line.amount, line.quantity]).toEqual([mirrored.kind, mirrored.amount, -mirrored.quantity])
        for (const part of ['net', 'vat', 'gross'] as const) expect(Number(line[part]) + Number(mirrored[part])).toBe(0)
      }
    }
    expect((await billsOf(id)).map(({ status }) => status)).toEqual(['void'])
  })
  it('happens once: a cancelled booking takes its notes alone, and nothing is credited again', async () => {
    const row = stay()
    const { id } = await send(row)
    await amend({ external_id: row.external_id, status: 'cancelled' })
    expect(await amend({ external_id: row.external_id, status: 'cancelled' })).toMatchObject({ status: 'unchanged' })
    expect(await amend({ external_id: row.external_id, status: 'draft' })).toMatchObject({
      status: 'failed',
      reason: 'cancelled',
    })
    expect(await amend({ external_id: row.external_id, notes: 'why' })).toMatchObject({ status: 'updated' })
    expect(await invoicesOf(id)).toHaveLength(2)
  })
  it('is one command: the command line does the same', async () => {
    const { id } = await send(stay())
    const stays = importables.find(({ entity }) => entity.key === 'hotel_stays')
    const desk: Desk = {
      company: agency.company.id,
      branch: null,
      read: { decimalSeparator: null, country: 'TR', currency: 'TRY', timeZone: 'Europe/Istanbul' },
      context: {
        currency: 'TRY',
        today: '2026-05-05',
        timeZone: 'UTC',
        now: '2026-05-05T09:00:00Z',
        policies: ALL_POLICIES,
      },
    }
    const draft = await cell.deps.db.inAccount(agency.number, (tx) =>
      changeRecord(tx, stays as never, String(id), { status: 'cancelled' }, desk),
    )
    expect(draft).toMatchObject({ status: 'updated', recordStatus: 'cancelled', errors: [] })
    expect((await invoicesOf(id)).map(({ document_type }) => document_type)).toEqual(['invoice', 'credit_note'])
    expect((await billsOf(id)).map(({ status }) => status)).toEqual(['void'])
  })
  it('is atomic: if the reversal fails, the booking stays unchanged', async () => {
    const row = stay()
    const { id } = await send(row)
    await ask(
      'alter table customer_invoices add constraint broken check (document_type <> $$credit_note$$) not valid',
      [],
    )
    const answer = await cell.call('POST', '/imports/hotel_stays', {
      key: agency.key,
      body: { rows: [{ external_id: row.external_id, status: 'cancelled' }], on_conflict: 'update' },
    })
    await ask('alter table customer_invoices drop constraint broken', [])
    expect(answer.status).toBeGreaterThanOrEqual(400)
    const [booking] = await ask<{ status: string }>('select status from bookings where id = $1', [id])
    expect(booking?.status).toBe('confirmed')
    expect((await billsOf(id)).map(({ status }) => status)).toEqual(['open'])
  })
})

describe('amounts that no document can hold', () => {
  it('fail their row alone, whether or not there is a rate for them', async () => {
    const huge = { kind: 'other', amount: '999999999999999', currency: 'XPF' }
    const { rows } = await importRows(cell, agency.key, 'hotel_stays', [stay({ sell_lines: [huge, huge] }), stay()])
    expect(rows.map(({ status, errors }) => [status, errors.map(({ code }) => code)])).toEqual([
      ['failed', ['out_of_range']],
      ['created', []],
    ])
  })
  it('nor too many lines to be a sale', async () => {
    const taxes = Array.from({ length: 100 }, (_, at) => at)
    const passengers = taxes.map((one) => ({
      first_name: 'A',
      last_name: 'B',
      taxes: taxes.map((other) => ({ code: `${one}-${other}`, amount: '1.00' })),
    }))
    const sales = [
      { external_id: 'MANY', passengers },
      { external_id: 'FEW', passengers: passengers.slice(0, 3) },
    ]
    const { rows } = await importRows(cell, agency.key, 'tickets', sales)
    expect(rows.map(({ status, errors }) => [status, errors.map(({ code }) => code)])).toEqual([
      ['failed', ['too_long']],
      ['created', []],
    ])
  })
})

describe('what comes in for an invoice', () => {
  const pay = (number: string, amount: string) =>
    cell.deps.db.inAccount(agency.number, (tx) =>
      payInvoice(tx, number, { amount, paidOn: '2026-05-01', method: null, note: null, by: 'test' }),
    )
  it('lies between nothing and the whole, in the digits of its currency; of a reversed one nothing comes in', async () => {
    const row = stay()
    const { id } = await send(row)
    const [invoice] = await invoicesOf(id)
    const number = invoice?.number as string
    for (const amount of ['750.01', '-0.01', '0', '1.001', 'x', '1e2'])
      await expect(pay(number, amount)).rejects.toThrow()
    expect(await pay(number, '300')).toMatchObject({ paid: '300.00', open: '450.00' })
    await expect(pay(number, '450.01')).rejects.toThrow('would exceed it')
    expect(await pay(number, '-100.5')).toMatchObject({ paid: '199.50', open: '550.50' })
    await amend({ external_id: row.external_id, status: 'cancelled' })
    await expect(pay(number, '1')).rejects.toThrow('is reversed')
    const note = (await invoicesOf(id)).find(({ document_type }) => document_type === 'credit_note')
    await expect(pay(note?.number as string, '1')).rejects.toThrow('would exceed it')
    expect(await pay(note?.number as string, '-199.5')).toMatchObject({ paid: '-199.50', open: '-550.50' })
    await expect(pay('INV-1999-000001', '1')).rejects.toThrow('No customer invoice INV-1999-000001')
  })
})

describe('posted documents', () => {
  const numbers = async (of: Agency, type: string) =>
    (
      await ask<{ number: string }>(
        'select number from customer_invoices where account_id = $1 and document_type = $2 order by number',
        [of.number, type],
      )
    ).map(({ number }) => number)
  const series = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${prefix}-${String(at + 1).padStart(6, '0')}`)

  it('are numbered without a gap, by company and year, whatever dry runs and failures lie between', async () => {
    const own = await newAgency()
    await importRows(cell, own.key, 'hotel_stays', [stay(), stay(), stay({ check_out_on: '2026-07-01' })])
    await importRows(cell, own.key, 'hotel_stays', [stay(), stay()], {}, true)
    await importRows(cell, own.key, 'hotel_stays', [stay(), stay({ invoice_date: '2025-01-02' })])
    await importRows(cell, own.key, 'hotel_stays', [stay()], { company_id: own.otherCompany })
    const given = await numbers(own, 'invoice')
    const year = String(given[0]).slice(0, 8)
    expect(given).toEqual([...series(year, 1), ...series(year, 4)].toSorted())
  })
  it('keep that under concurrent imports and cancels', { timeout: 60_000 }, async () => {
    const own = await newAgency()
    const batches = Array.from({ length: 8 }, () => Array.from({ length: 6 }, () => stay()))
    await Promise.all(batches.map((batch) => importRows(cell, own.key, 'hotel_stays', batch)))
    const cancels = batches.map((batch) =>
      batch.slice(0, 3).map(({ external_id }) => ({ external_id, status: 'cancelled' })),
    )
    await Promise.all(
      cancels.map((batch) => importRows(cell, own.key, 'hotel_stays', batch, { on_conflict: 'update' })),
    )
    const [firstInvoice] = await numbers(own, 'invoice')
    expect(await numbers(own, 'invoice')).toEqual(series(String(firstInvoice).slice(0, 8), 48))
    const [first] = await numbers(own, 'credit_note')
    expect(await numbers(own, 'credit_note')).toEqual(series(String(first).slice(0, 7), 24))
  })
  it('never change and are never deleted', async () => {
    await send(stay())
    for (const change of ['update customer_invoices set gross = 1, net = 1, vat = 0', 'delete from customer_invoices'])
      await expect(ask(change, [])).rejects.toThrow('A posted document never changes')
  })
  it('are in the supplier bills’ feed with no key of another system', async () => {
    const own = await newAgency()
    await send(stay(), {}, own)
    const { body } = await cell.call('GET', '/imports/supplier_bills/records', { key: own.key })
    const { data } = body as { data: object[] }
    expect(data).toMatchObject([
      { entity: 'supplier_bills', external_id: null, status: 'open', total_amount: '560.00', balance_amount: '560.00' },
    ])
  })
})
