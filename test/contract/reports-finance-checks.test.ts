import { beforeAll, describe, expect, it } from 'vitest'
import { findDesk } from '../../src/features/accounts/reads/find-desk.ts'
import { saveRates } from '../../src/features/exchange-rates/exchange-rates.store.ts'
import { deskOf } from '../../src/imports/desk.ts'
import { makeRecord } from '../../src/imports/engine/one-record.ts'
import { ALL_POLICIES } from '../../src/platform/access/policies.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { entities } from '../../src/registry.ts'
import { type Agency, importRows } from '../harness/agency.ts'
import { afterwards, airFile, refundFile } from '../harness/air.ts'
import { PUBLISHED } from '../harness/books.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { withPrinter } from '../harness/printer.ts'
import { queryOf, runReport } from '../harness/reports.ts'
import { ask } from '../harness/sql.ts'
import { tripsOf } from '../harness/trips.ts'

const YEARS = { from: '2026-01-01', to: '2027-12-31' }
type Row = Readonly<Record<string, unknown>>

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  await cell.deps.db.asSystem('a test needs rates', (tx) =>
    saveRates(tx, { source: 'tcmb', base: 'TRY', rates: PUBLISHED }),
  )
})

const rowsOf = async (key: string, id: string, filters: Record<string, string> = {}): Promise<readonly Row[]> =>
  (await runReport(cell, key, id, `${queryOf({ ...YEARS, ...filters })}&limit=100`)).rows
async function send(agency: Agency, entity: string, rows: readonly object[], more: object = {}) {
  const { rows: outcomes } = await importRows(cell, agency.key, entity, [...rows], more)
  expect(outcomes.flatMap(({ errors }) => errors)).toEqual([])
}
async function withParties(agency: Agency): Promise<Agency> {
  await send(agency, 'customers', [{ external_id: 'C', name: 'Ayşe' }])
  await send(agency, 'suppliers', [{ external_id: 'S', name: 'Hotel' }])
  return agency
}

const priced = (sell: string | null, cost: string | null) => ({
  sell_lines: sell === null ? [] : [{ kind: 'other', amount: sell, vat_rate: '20' }],
  cost_lines: cost === null ? [] : [{ kind: 'other', amount: cost }],
})
const STAY = {
  customer_external_id: 'C',
  supplier_external_id: 'S',
  status: 'confirmed',
  check_in_on: '2026-06-01',
  check_out_on: '2026-06-03',
  transaction_date: '2026-03-02',
  invoice_date: '2026-03-03',
  currency: 'TRY',
  ...priced('120.00', '60.00'),
}
const BILL = {
  supplier_external_id: 'S',
  issued_on: '2026-03-03',
  currency: 'TRY',
  net_amount: '100.00',
  vat_amount: '20.00',
  total_amount: '120.00',
  paid_amount: '20.00',
  status: 'open',
}
const OPERATOR = { ...BILL, gross_amount: '120.00', commission_amount: '15.00', commission_vat_amount: '5.00' }

/** A record with one fault. */
const STAYS: Readonly<Record<string, object>> = {
  no_customer: { customer_external_id: null },
  not_invoiced: { invoice_date: null },
  no_supplier: { supplier_external_id: null },
  no_cost: priced('120.00', null),
  no_price: priced(null, '60.00'),
  below_cost: priced('120.00', '100.01'),
  rate_missing: { currency: 'USD' },
  lines_differ: {},
  sale_taken_back: {},
  sale_differs: {},
  customer_is_owed: {},
}
const BILLS: Readonly<Record<string, object>> = {
  overpaid: { paid_amount: '120.01' },
  paid_with_rest: { status: 'paid' },
  open_without_rest: { paid_amount: '120.00' },
  parts_differ: { net_amount: '99.00' },
  lines_differ: { lines: [{ amount: '60.00', quantity: 2 }, { amount: '0.01' }] },
}
const OPERATORS: Readonly<Record<string, object>> = {
  overpaid: { paid_amount: '120.01' },
  paid_with_rest: { status: 'paid' },
  open_without_rest: { paid_amount: '120.00' },
  parts_differ: { commission_vat_amount: '4.99' },
  owed_twice: { booking_entity: 'hotel_stays', booking_external_id: 'good' },
}
/** Faults that can only be created directly in the tables. */
const BROKEN = [
  `update customer_invoices i set lines = jsonb_set(lines, '{0,gross}', '"120.01"') from bookings b
    where b.account_id = i.account_id and b.id = i.booking_id and b.external_id = 'lines_differ'`,
  `update bookings set status = 'no_show', deleted_at = now() where external_id = 'sale_taken_back'`,
  `update booking_lines l set gross = 120.01 from bookings b
    where b.account_id = l.account_id and b.id = l.booking_id and b.external_id = 'sale_differs' and l.side = 'sell'`,
  `insert into customer_payments (account_id, invoice_id, amount, paid_on, created_by)
    select i.account_id, i.id, case b.external_id when 'good' then 120 else 120.01 end, '2026-03-05', 'test'
    from customer_invoices i join bookings b on b.account_id = i.account_id and b.id = i.booking_id
    where b.external_id in ('good', 'customer_is_owed')`,
]

describe('unbalanced documents', () => {
  let agency: Agency
  beforeAll(async () => {
    agency = await withParties((await withPrinter(cell)).agency)
    const named = (rows: Readonly<Record<string, object>>, of: object, name?: string) =>
      Object.entries(rows).map(([external_id, more]) => ({
        external_id,
        ...(name && { [name]: external_id }),
        ...of,
        ...more,
      }))
    await send(agency, 'hotel_stays', named({ good: {}, cancelled: {}, draft: { status: 'draft' }, ...STAYS }, STAY))
    await send(agency, 'hotel_stays', [{ external_id: 'cancelled', status: 'cancelled' }], { on_conflict: 'update' })
    const good = {
      good: {},
      withheld: { withholding_amount: '10.00', total_amount: '110.00' },
      void: { status: 'void' },
    }
    await send(agency, 'supplier_bills', named({ ...good, ...BILLS }, BILL, 'bill_number'))
    await send(agency, 'operator_invoices', named({ good: {}, ...OPERATORS }, OPERATOR, 'invoice_number'))
    await withClient(cell.connection, async (client) => {
      await client.query('alter table customer_invoices disable trigger posted; set role backdesk_system')
      for (const sql of BROKEN) await client.query(sql)
    })
  })
  const found = async (role: string) => {
    const { key } = await agency.makeKey({ role })
    return rowsOf(key, 'unbalanced_documents')
  }

  it('are exactly those with which something is wrong, each by its reason', async () => {
    const rows = await found('owner')
    const reasons = (document: string) =>
      rows
        .filter((row) => row.document === document)
        .map(({ reason, booking, number }) => `${reason} ${booking ?? number}`)
    const of = (all: readonly string[]) => all.map((reason) => `${reason} ${reason}`).toSorted()
    const ON_INVOICES = ['lines_differ', 'sale_taken_back', 'sale_differs', 'customer_is_owed']
    expect(reasons('booking').toSorted()).toEqual(of(Object.keys(STAYS).filter((name) => !ON_INVOICES.includes(name))))
    expect(reasons('customer_invoice').toSorted()).toEqual(of(ON_INVOICES))
    expect(reasons('supplier_bill').toSorted()).toEqual(of([...Object.keys(BILLS), 'sale_taken_back']))
    const operators = rows.filter(({ document }) => document === 'operator_invoice')
    expect(operators.map(({ reason, number }) => `${reason} ${number}`).toSorted()).toEqual(of(Object.keys(OPERATORS)))
    const differences = Object.fromEntries(
      rows.map(({ document, reason, difference }) => [`${document} ${reason}`, difference]),
    )
    expect(differences).toMatchObject({
      'booking below_cost': '-0.01',
      'customer_invoice lines_differ': '-0.01',
      'customer_invoice customer_is_owed': '0.01',
      'supplier_bill overpaid': '0.01',
      'supplier_bill parts_differ': '1.00',
      'operator_invoice parts_differ': '-0.01',
    })
  })
  it('hide what a role may not see, and are not found by it', async () => {
    const reasons = async (role: string) => [...new Set((await found(role)).map(({ reason }) => reason))].toSorted()
    const plain = ['no_customer', 'not_invoiced', 'rate_missing', 'sale_taken_back']
    expect(await reasons('marketing')).toEqual([])
    expect(await reasons('advisor')).toEqual([...plain, 'customer_is_owed', 'lines_differ', 'sale_differs'].toSorted())
    expect((await found('advisor')).filter(({ document }) => String(document).includes('supplier'))).toMatchObject([
      { reason: 'sale_taken_back' },
    ])
    const { key } = await agency.makeKey({ role: 'advisor' })
    const statusOf = async (reason: string) =>
      (await cell.call('GET', `/reports/unbalanced_documents?${queryOf({ reason })}`, { key })).status
    expect([await statusOf('lines_differ'), await statusOf('sale_differs,below_cost')]).toEqual([200, 403])
  })
  it('have firm bookings without a customer, of every vertical those that an import warns of', async () => {
    const { agency: own } = await withPrinter(cell)
    await withParties(own)
    const departures = entities.find(({ entity }) => entity.key === 'tour_departures')
    await send(own, 'tour_departures', (departures?.entity.sample.rows ?? []) as object[])
    const warned: string[] = []
    let made = 0
    await cell.deps.db.inAccount(own.number, async (tx) => {
      const { company, branch, country, currency, time_zone } = await findDesk(tx, null)
      const desk = deskOf(
        { company: { id: company, country, currency }, branch, timeZone: time_zone, policies: ALL_POLICIES },
        await tx.now,
      )
      for (const importable of entities.filter(({ entity }) => entity.base?.table === 'bookings')) {
        const { external_id: _, customer_external_id: __, ...sample } = importable.entity.sample.rows[0] as Row
        for (const status of importable.entity.statuses ?? []) {
          const cells = { ...sample, passengers: [{ first_name: 'A', last_name: 'B', total: '10.00' }] }
          const given = importable.entity.key === 'tickets' ? cells : sample
          const row = await makeRecord(
            tx,
            importable,
            { ...given, status, invoice_date: '2026-03-02', transaction_date: '2026-03-02' },
            desk,
          )
          expect(row.errors).toEqual([])
          if (row.warnings.some(({ code, at }) => code === 'not_invoiced' && at === 'customer_external_id'))
            warned.push(String(row.id))
          made += 1
        }
      }
    })
    const listed = (await rowsOf(own.key, 'unbalanced_documents', { reason: 'no_customer' })).map(
      ({ record_id }) => record_id,
    )
    expect(listed.toSorted()).toEqual(warned.toSorted())
    expect([warned.length > 20, made - warned.length > 20]).toEqual([true, true])
  })
})

describe('refunds and voids', () => {
  it('are credit notes, repayments, voids and refunds, each on its day', async () => {
    const { agency, capture } = await withPrinter(cell)
    await withParties(agency)
    await send(agency, 'hotel_stays', [{ external_id: 'H', ...STAY }])
    await send(agency, 'hotel_stays', [{ external_id: 'H', status: 'cancelled' }], { on_conflict: 'update' })
    await ask(
      cell,
      `insert into customer_payments (account_id, invoice_id, amount, paid_on, created_by)
       select account_id, id, case document_type when 'invoice' then 50 else -50 end, '2026-12-31', 'test'
       from customer_invoices where account_id = $1`,
      [agency.number],
    )
    const passenger = { first_name: 'A', last_name: 'B', base_fare: '100.00', taxes: [{ code: 'TR', amount: '18.40' }] }
    const documents = ['open', 'void', 'refunded', 'exchanged', 'void'].map((document_status, at) => ({
      ...passenger,
      document_status,
      ticket_number: `235-990000000${at}`,
      issued_on: at === 4 ? null : '2026-02-02',
    }))
    await send(agency, 'tickets', [
      { external_id: 'T', status: 'issued', currency: 'EUR', transaction_date: '2026-02-01', passengers: documents },
    ])
    await capture(airFile({ tickets: ['2400000001', '2400000002'] }))
    await capture(refundFile())
    await capture(afterwards('VOID', { tickets: ['2400000002'] }))
    await capture(airFile({ tickets: ['2400000003'], sequence: '0200000003', pnr: 'XYZ123' }))
    await capture(afterwards('VOID', { tickets: ['2400000003'], sequence: '0300000003' }))
    await capture(afterwards('RSTD', { tickets: ['2400000003'], sequence: '0300000004' }))
    await capture(refundFile({ ticket: '2400000009', sequence: '0500000009' }))

    const documentsIn = (rows: readonly Row[]) =>
      rows.map(
        ({
          day,
          kind,
          ticket_number,
          currency,
          credited,
          paid_back,
          ticket_value,
          refunded,
          penalty,
          commission_recalled,
        }) =>
          [
            day,
            kind,
            ticket_number,
            currency,
            credited,
            paid_back,
            ticket_value,
            refunded,
            penalty,
            commission_recalled,
          ].join(' '),
      )
    const today = (
      await ask<{ day: string }>(cell, `select (now() at time zone 'Europe/Istanbul')::date::text as day`)
    )[0]?.day
    const expected = [
      '2026-02-01 ticket_void 2359900000004 EUR   118.40   ',
      '2026-02-02 ticket_refund 2359900000002 EUR   118.40   ',
      '2026-02-02 ticket_void 2359900000001 EUR   118.40   ',
      '2026-03-05 ticket_refund 2352400000001 EUR   300.00 260.00 40.00 7.20',
      '2026-03-05 ticket_refund 2352400000009 EUR   260.00 260.00 40.00 7.20',
      `${today} credit_note  TRY 120.00     `,
      `${today} ticket_void 2352400000002 EUR   300.00   `,
      '2026-12-31 payment_returned  TRY  50.00    ',
    ]
    expect(documentsIn(await rowsOf(agency.key, 'refunds_and_voids')).toSorted()).toEqual(expected.toSorted())
    const sold = { from: '2026-02-01', to: '2026-02-01' }
    expect(documentsIn(await rowsOf(agency.key, 'refunds_and_voids', sold))).toEqual(expected.slice(0, 1))
    const march = { from: '2026-03-01', to: '2026-03-31' }
    expect(documentsIn(await rowsOf(agency.key, 'refunds_and_voids', march))).toHaveLength(2)
    const now = { from: String(today), to: String(today) }
    expect(documentsIn(await rowsOf(agency.key, 'refunds_and_voids', now))).toHaveLength(2)
    const { key } = await agency.makeKey({ role: 'viewer' })
    expect(documentsIn(await rowsOf(key, 'refunds_and_voids', march))).toEqual(
      Array.from({ length: 2 }, () => '2026-03-05 ticket_refund  EUR      '),
    )
  })
})

describe('the commission that is expected', () => {
  it('counts an operator’s invoice in place of its booking, what refunds leave, and segments of their own', async () => {
    const { agency, capture } = await withPrinter(cell)
    await withParties(agency)
    const commissionable = { ...STAY, rate_basis: 'commissionable', margin_value: '10', cost_lines: [] }
    await send(agency, 'hotel_stays', [
      { external_id: 'H1', ...commissionable },
      { external_id: 'H2', ...commissionable },
      { external_id: 'H3', ...commissionable, status: 'option' },
    ])
    const named = (external_id: string, booking_external_id: string, more: object) => ({
      ...OPERATOR,
      external_id,
      invoice_number: external_id,
      booking_entity: 'hotel_stays',
      booking_external_id,
      ...more,
    })
    await send(agency, 'operator_invoices', [
      named('O', 'H2', {}),
      named('V', 'H1', { status: 'void' }),
      named('C', 'H1', { document_type: 'credit_note', commission_amount: '3.00', commission_vat_amount: '1.00' }),
      named('N', 'H1', { commission_amount: null, net_amount: null }),
    ])
    await capture(airFile())
    await capture(refundFile())
    const { make, day, segment } = tripsOf(() => cell)
    const trip = await make(agency, {
      title: 'T',
      status: 'confirmed',
      start_date: '2026-03-10',
      end_date: '2026-03-12',
    })
    await day(agency, trip)
    const sold = { status: 'confirmed', title: 'Tour', currency: 'EUR', price_amount: '200.00' }
    await segment(agency, trip, 1, { ...sold, commission_rate: '7.5' })
    await segment(agency, trip, 1, { ...sold, commission_amount: '12.00', cost_currency: 'TRY' })
    await segment(agency, trip, 1, { ...sold, status: 'proposed', commission_amount: '99.00', cost_currency: 'TRY' })

    const rows = await rowsOf(agency.key, 'commission_expected')
    expect(
      rows
        .map(({ source, currency, commission, commission_vat }) =>
          [source, currency, commission, commission_vat].join(' '),
        )
        .toSorted(),
    ).toEqual([
      'booking TRY 10.00 2.00',
      'operator_invoice TRY -3.00 -1.00',
      'operator_invoice TRY 15.00 5.00',
      'trip_segment EUR 15.00 0.00',
      'trip_segment TRY 12.00 0.00',
    ])
    const { key } = await agency.makeKey({ role: 'advisor' })
    expect(await rowsOf(key, 'commission_expected')).toEqual([])
  })
})
