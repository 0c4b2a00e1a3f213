import { beforeAll, describe, expect, it } from 'vitest'
import { type Fixed, fixed } from '../../src/platform/money.ts'
import { importables } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { filtersOf, queryOf, type Report, runReport, walkReport } from '../harness/reports.ts'

const YEARS = { from: '2026-01-01', to: '2027-12-31', as_of: '2027-12-31' }
/** Amounts may be given in more decimals than their currency has. */
const ODD = '10.0050'

describe('amounts of more decimals than their currency has', () => {
  let cell: TestCell
  let agency: Agency
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    agency = await makeAgency(cell)
    for (const { entity } of importables) await importRows(cell, agency.key, entity.key, [...entity.sample.rows])
    await makeBook(cell, agency)
  })

  it('are rounded before they are added up: the rows of a report come to its totals', async () => {
    const { body } = await cell.call('GET', '/reports', agency)
    const checked: string[] = []
    for (const preset of (body as { data: { key: string; filters: { key: string }[] }[] }).data) {
      const { key } = preset
      const { rows, pages } = await walkReport(cell, agency.key, key, queryOf(filtersOf(preset, YEARS)))
      const sums = pages[0]?.totals?.by_currency ?? []
      for (const { currency, ...own } of sums) {
        const shown = rows.filter((row) => row.currency === currency)
        for (const [name, sum] of Object.entries(own).filter(([, sum]) => typeof sum === 'string'))
          expect([key, currency, name, fixed(String(sum))]).toEqual([key, currency, name, sumOf(shown, name)])
      }
      if (sums.length > 0) checked.push(key)
    }
    expect(checked).toEqual(expect.arrayContaining(['ticket_sales', 'unused_tickets', 'refunds_and_voids']))
  })
  it('are so in the reports of an agency as well', async () => {
    const bill = {
      supplier_external_id: 'S-501',
      issued_on: '2026-03-02',
      currency: 'GBP',
      total_amount: ODD,
    }
    const bills = ['R1', 'R2'].map((external_id) => ({ ...bill, external_id, bill_number: external_id }))
    const { rows } = await importRows(cell, agency.key, 'supplier_bills', bills)
    expect(rows.flatMap(({ errors }) => errors)).toEqual([])
    const filters = [{ field: 'currency', operator: 'eq', value: 'GBP' }]
    const definition = { entity: 'supplier_bills', columns: ['total_amount'], filters, group_by: null, sort: [] }
    const body = { saved_report: { name: 'Bills', definition } }
    const saved = await cell.call('POST', '/saved_reports', { key: agency.key, body })
    const { id } = (saved.body as { data: { id: string } }).data
    const report = (await cell.call('GET', `/saved_reports/${id}`, agency)).body as Report
    expect(report.rows.map(({ total_amount }) => total_amount)).toEqual(['10.01', '10.01'])
    expect(report.totals?.by_currency).toMatchObject([{ currency: 'GBP', total_amount: '20.02' }])
  })
  it('come to what the sales come to', async () => {
    const query = queryOf({ from: YEARS.from, to: YEARS.to, currency: 'EUR' })
    const [documents, sales] = await Promise.all([
      runReport(cell, agency.key, 'ticket_sales', query),
      runReport(cell, agency.key, 'sales_by_product', `${query}&filters[entity]=tickets`),
    ])
    expect(documents.totals?.by_currency[0]?.sell).toBe(sales.totals?.by_currency[0]?.sell)
  })
})

describe('a lead that names no currency', () => {
  it('is worth its value in the currency of its company', async () => {
    const cell = await startCell({ deps: { count: uncounted } })
    const { key } = await makeAgency(cell)
    for (const external_id of ['L1', 'L2'])
      await importRows(cell, key, 'leads', [{ external_id, name: 'Ada', estimated_value: '100.0050' }])
    const report = await runReport(cell, key, 'lead_funnel', queryOf({ currency: 'TRY' }))
    expect(report.totals?.by_currency).toEqual([{ currency: 'TRY', leads: 2, converted: 0, estimated_value: '200.02' }])
    expect((await runReport(cell, key, 'lead_funnel', queryOf({ currency: 'EUR' }))).rows).toEqual([])
  })
})

const sumOf = (rows: Report['rows'], name: string): Fixed =>
  rows.reduce((sum, row) => sum + fixed(String(row[name] ?? '0')), 0n)

/** Ticket sales of a document each, whose amounts end on half a cent. */
async function makeBook(cell: TestCell, { key }: Agency): Promise<void> {
  const sale = (at: number, more: object = {}, refunds: object[] | null = null) => ({
    external_id: `T${at}`,
    status: 'issued',
    currency: 'EUR',
    settlement_channel: 'bsp',
    transaction_date: '2026-03-02',
    legs: [
      {
        airline_code: 'TK',
        flight_number: '1',
        departure_airport: 'IST',
        arrival_airport: 'LHR',
        scheduled_departure: '2026-03-09T22:30',
      },
    ],
    passengers: [
      {
        first_name: 'Ada',
        last_name: 'Lovelace',
        ticket_number: `235240000000${at}`,
        issued_on: '2026-03-02',
        base_fare: ODD,
        commission_amount: '1.0050',
        ...more,
      },
    ],
    refunds,
  })
  const refund = {
    ticket_number: '2352400000003',
    refunded_on: '2026-03-05',
    total: ODD,
    penalty: ODD,
    commission_recall: '0.5050',
  }
  const rows = [
    sale(1),
    sale(2),
    sale(3, { document_status: 'refunded' }, [refund]),
    sale(4, { document_status: 'refunded' }, [{ ...refund, ticket_number: '2352400000004' }]),
  ]
  const { rows: outcomes } = await importRows(cell, key, 'tickets', rows)
  expect(outcomes.flatMap(({ errors }) => errors)).toEqual([])
}
