import { beforeAll, describe, expect, it } from 'vitest'
import { saveRates } from '../src/features/exchange-rates/exchange-rates.store.ts'
import { type Agency, importRows, makeAgency as makeAccount, type Outcome } from '../test/harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../test/harness/cell.ts'
import { addDirt } from './add-dirt.ts'
import { ENTITIES, type EntityKey, makeAgency } from './make-agency.ts'
import { makeCancellations } from './make-cancellations.ts'
import { makeRates, RATES_BASE } from './make-rates.ts'
import type { Row } from './pieces/row.ts'

const TODAY = '2026-09-15'
const SIZE = {
  customers: 120,
  suppliers: 30,
  leads: 40,
  tour_departures: 30,
  tickets: 150,
  hotel_stays: 100,
  transfers: 60,
  cruises: 60,
  car_rentals: 60,
  tour_bookings: 120,
  operator_invoices: 60,
  supplier_bills: 60,
}
const ROWS_AT_ONCE = 500
const dirty = addDirt(makeAgency({ seed: 11, today: TODAY, ...SIZE }), 11)

let cell: TestCell
let account: Agency
const outcomes = new Map<EntityKey, readonly Outcome[]>()

async function send(entity: string, rows: readonly Row[], more: object = {}): Promise<Outcome[]> {
  const found: Outcome[] = []
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    found.push(
      ...(await importRows(cell, account.key, entity, rows.slice(at, at + ROWS_AT_ONCE), { mode: 'sync', ...more }))
        .rows,
    )
  return found
}

beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  account = await makeAccount(cell)
  const rates = makeRates({ seed: 11, from: '2025-07-01', to: '2026-12-31' })
  await cell.deps.db.asSystem('the rates of the made agency', (tx) =>
    saveRates(tx, {
      source: 'made',
      base: RATES_BASE,
      rates: rates.map(({ day, currency, rate }) => ({ day, currency, baseUnits: rate, currencyUnits: '1' })),
    }),
  )
  for (const entity of ENTITIES) outcomes.set(entity, await send(entity, dirty.agency[entity]))
})

describe('a dirty export', () => {
  it.each(ENTITIES)('of %s fails in exactly the expected rows and for the expected reasons', (entity) => {
    const rows = dirty.agency[entity]
    const codes = new Map(dirty.flawed[entity].map(({ row, code }) => [row, code]))
    const failed = (outcomes.get(entity) ?? []).map(({ errors }) => [...new Set(errors.map(({ code }) => code))])
    expect(failed).toEqual(rows.map((row) => (codes.has(row) ? [codes.get(row)] : [])))
  })
  it('lacks no exchange rate', () => {
    const warnings = [...outcomes.values()].flat().flatMap((outcome) => outcome.warnings.map(({ code }) => code))
    expect(warnings).not.toContain('exchange_rate_missing')
    expect(warnings).toEqual(
      expect.arrayContaining(['inconsistent', 'capacity_exceeded', 'unknown_seat', 'reference_not_found']),
    )
  })
  it('fills some departures to the last seat, and sells more of one than it has', async () => {
    const answer = await cell.call('GET', '/imports/tour_departures/records?limit=100', { key: account.key })
    const { data } = answer.body as { data: { max_capacity: number; seats_held: number; status: string }[] }
    const left = data.filter(({ status }) => status === 'sold_out').map((one) => one.max_capacity - one.seats_held)
    expect(left.filter((seats) => seats < 0)).toHaveLength(1)
    expect(left.filter((seats) => seats === 0).length).toBeGreaterThan(0)
    expect(left.filter((seats) => seats > 0)).toEqual([])
  })
  it('has bookings that can be cancelled by a re-send', async () => {
    for (const [entity, rows] of Object.entries(makeCancellations(dirty))) {
      const cancelled = await send(entity, rows, { on_conflict: 'update' })
      expect(cancelled.map(({ status, record_status }) => [status, record_status])).toEqual(
        rows.map(() => ['updated', 'cancelled']),
      )
    }
  })
  it('fails again in the same way after that', async () => {
    const again = await send('tickets', dirty.agency.tickets)
    expect(again.filter(({ status }) => status === 'failed')).toHaveLength(dirty.flawed.tickets.length)
  })
})
