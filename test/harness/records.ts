import { beforeAll, expect } from 'vitest'
import { saveRates } from '../../src/features/exchange-rates/exchange-rates.store.ts'
import { type Agency, importRows, makeAgency, type Outcome } from './agency.ts'
import { startCell, type TestCell, uncounted } from './cell.ts'

type Totals = { sell: string | null; cost: string | null; margin: string | null; vat: string | null }
export type Line = { kind: string; label: string | null; quantity: number; gross: string; origin: string }
/** A record as read back. */
export type Shown = {
  id: string
  status: string
  version: number
  totals: Totals
  customer: { id: string; external_id: string | null; name: string | null } | null
  supplier: { id: string; external_id: string | null } | null
  sell_lines: Line[]
  cost_lines: Line[]
} & Record<string, unknown>
export type Row = { external_id: string } & Record<string, unknown>

const codesOf = (issues: Outcome['errors']) => issues.map(({ field, code }) => `${field} ${code}`)
export const errors = (outcome: Outcome | undefined) => codesOf(outcome?.errors ?? [])
export const warnings = (outcome: Outcome | undefined) => codesOf(outcome?.warnings ?? [])
export const parts = (lines: Line[]) => lines.map(({ kind, label, gross }) => [kind, label, gross])

/**
 * For a test file: a cell with one rate of the euro, and an agency with the customer `C` and the suppliers `S` and `S2`
 * (`the.cell` and `the.agency`, once the tests run); and short words for sending its rows and reading its records.
 */
export function withRecords() {
  const the = {} as { cell: TestCell; agency: Agency }
  beforeAll(async () => {
    the.cell = await startCell({ deps: { count: uncounted } })
    await the.cell.deps.db.asSystem('a test needs a rate', (tx) =>
      saveRates(tx, {
        source: 'tcmb',
        base: 'TRY',
        rates: [{ currency: 'EUR', day: '2026-03-02', baseUnits: '47.1234', currencyUnits: '1' }],
      }),
    )
    the.agency = await newAgency()
  })
  async function newAgency(): Promise<Agency> {
    const made = await makeAgency(the.cell)
    await importRows(the.cell, made.key, 'customers', [{ external_id: 'C', name: 'Ayşe', email: 'Ayse@Example.com' }])
    await importRows(the.cell, made.key, 'suppliers', [
      { external_id: 'S', name: 'Hotel' },
      { external_id: 'S2', name: 'Airline' },
    ])
    return made
  }
  let count = 0
  const send = async (entity: string, row: object, more: object = {}, of = the.agency): Promise<Outcome> =>
    (await importRows(the.cell, of.key, entity, [row], more)).rows[0] as Outcome
  return {
    the,
    newAgency,
    /** An external id that no other row has. */
    next(prefix: string): string {
      count += 1
      return `${prefix}${count}`
    },
    send,
    sendAll: async (entity: string, rows: object[], more: object = { on_conflict: 'update' }): Promise<Outcome[]> =>
      (await importRows(the.cell, the.agency.key, entity, rows, more)).rows,
    amend: (entity: string, row: object): Promise<Outcome> => send(entity, row, { on_conflict: 'update' }),
    async make(entity: string, row: Row): Promise<Row> {
      expect(await send(entity, row)).toMatchObject({ status: 'created', errors: [] })
      return row
    },
    async read(entity: string, { external_id }: { external_id: string }, key = the.agency.key): Promise<Shown> {
      const path = `/imports/${entity}/records/${encodeURIComponent(external_id)}`
      return ((await the.cell.call('GET', path, { key })).body as { data: Shown }).data
    },
  }
}
