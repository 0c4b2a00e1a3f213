import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { queryOf, runReport } from '../harness/reports.ts'

describe('unused tickets', () => {
  let cell: TestCell
  let agency: Agency
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    cell.clock.set(Date.parse('2026-07-01T12:00:00Z'))
    agency = await makeAgency(cell)
  })
  const leg = (on: string, status: string | null = null) => ({
    airline_code: 'TK',
    flight_number: '1',
    departure_airport: 'IST',
    arrival_airport: 'LHR',
    scheduled_departure: `${on}T22:30`,
    scheduled_arrival: `${on}T23:55`,
    status,
  })
  let count = 0
  const sell = async (name: string, legs: object[], document: object = {}, sale: object = {}) => {
    count += 1
    const passenger = {
      first_name: 'Ada',
      last_name: name,
      ticket_number: `23524${String(count).padStart(8, '0')}`,
      base_fare: '100.00',
      total: '120.00',
    }
    const row = {
      external_id: name,
      status: 'issued',
      currency: 'EUR',
      settlement_channel: 'bsp',
      transaction_date: '2026-03-02',
      legs,
      passengers: [{ ...passenger, issued_on: '2026-03-02', ...document }],
      ...sale,
    }
    expect((await importRows(cell, agency.key, 'tickets', [row])).rows).toMatchObject([{ status: 'created' }])
  }
  const report = (filters: Readonly<Record<string, string>> = {}, key = agency.key) =>
    runReport(cell, key, 'unused_tickets', queryOf(filters))
  const names = async (filters: Readonly<Record<string, string>> = {}) =>
    (await report(filters)).rows.map(({ external_id }) => external_id)

  it('are open, past their last flight, and not known to be flown', async () => {
    await sell('yesterday', [leg('2026-06-20'), leg('2026-06-30')])
    await sell('half flown', [leg('2026-05-01', 'Flown'), leg('2026-05-09', 'OK')])
    await sell('captured', [leg('2026-04-01')], {}, { status: 'draft' })
    await sell('today', [leg('2026-06-20'), leg('2026-07-01')])
    await sell('flown', [leg('2026-05-01', 'USED'), leg('2026-05-09', 'F')])
    await sell('refunded', [leg('2026-05-01')], { document_status: 'refunded' })
    await sell('void', [leg('2026-05-01')], { document_status: 'void' })
    await sell('exchanged', [leg('2026-05-01')], { document_status: 'exchanged' })
    await sell('not issued', [leg('2026-05-01')], { ticket_number: null })
    await sell('cancelled', [leg('2026-05-01')], {}, { status: 'cancelled' })
    await sell('open-dated', [])
    await sell('long ago', [leg('2025-06-01')])
    await sell('by another', [leg('2026-04-02')], {}, { settlement_channel: 'direct' })
    expect(await names()).toEqual(['yesterday', 'half flown', 'by another', 'captured'])
    expect(await names({ settlement_channel: 'bsp', from: '2026-04-01', to: '2026-05-09' })).toEqual([
      'half flown',
      'captured',
    ])
    expect(await names({ date_basis: 'issue', from: '2026-03-03', to: '2026-03-31' })).toEqual([])
    expect(await names({ from: '2025-01-01', to: '2026-01-01' })).toEqual(['long ago'])
    const { rows, totals } = await report({ from: '2026-06-01', to: '2026-06-30' })
    expect(rows).toMatchObject([
      {
        travel_ended_on: '2026-06-30',
        days_past: 1,
        legs: 2,
        unflown_legs: 2,
        route: 'IST-LHR-LHR',
        passenger: 'Ada yesterday',
        total: '120.00',
      },
    ])
    expect(totals?.by_currency).toEqual([{ currency: 'EUR', documents: 1, total: '120.00' }])
  })
  it('are issued on the day of their sale, if no other day is stated', async () => {
    const issued = { date_basis: 'issue', from: '2026-02-01', to: '2026-02-28' }
    const sale = { transaction_date: '2026-02-03' }
    await sell('undated', [leg('2026-05-01')], { issued_on: null }, sale)
    await sell('sold before', [leg('2026-05-02')], { issued_on: '2026-03-02' }, sale)
    const { rows } = await report(issued)
    expect(rows).toMatchObject([{ external_id: 'undated', issued_on: '2026-02-03' }])
  })
  it('show a role neither who nor how much, if it may not see it', async () => {
    const { key } = await agency.makeKey({ role: 'viewer' })
    const { rows } = await report({}, key)
    expect(rows).toHaveLength(6)
    for (const row of rows)
      expect(row).toMatchObject({
        ticket_number: null,
        passenger: null,
        customer: null,
        total: null,
        route: expect.any(String),
      })
  })
})
