import type { Field } from '../../src/catalogue/kind.ts'
import type { Fields } from '../../src/catalogue/read-cells.ts'
import { findDesk } from '../../src/features/accounts/reads/find-desk.ts'
import { saveRates } from '../../src/features/exchange-rates/exchange-rates.store.ts'
import { deskOf } from '../../src/imports/desk.ts'
import { makeRecord } from '../../src/imports/engine/one-record.ts'
import type { Importable } from '../../src/imports/importable.ts'
import { ALL_POLICIES } from '../../src/platform/access/policies.ts'
import { entities } from '../../src/registry.ts'
import { type Agency, importRows } from './agency.ts'
import type { TestCell } from './cell.ts'

type Row = Readonly<Record<string, unknown>>

const LINKS = { customer_external_id: 'C', supplier_external_id: 'S', assigned_to_email: 'advisor@agency.example' }
const OF_ANOTHER_CURRENCY = { currency: 'EUR' }
/** Constraints of whole records that the examples of fields do not have: values that belong together. */
const TOGETHER: Readonly<Record<string, (row: Row) => Row>> = {
  tickets: ({ passengers }) => ({
    passengers: [
      { ...first(passengers), ticket_number: '0019999999901', conjunction_ticket_numbers: ['0019999999902'] },
    ],
  }),
  transfers: () => ({
    pickup_at: '2026-07-10T12:00:00Z',
    dropoff_at: '2026-07-10T13:00:00Z',
    return_pickup_at: '2026-07-12T12:00:00Z',
  }),
}
const first = (list: unknown): Row => (Array.isArray(list) ? list[0] : {})

/** A row in which every field has a value: that of the sample, or its example. */
export function wholeRow(fields: Fields, sample: Row = {}): Row {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]: [string, Field]) => [
      name,
      field.items ? [{ ...wholeRow(field.items), ...first(sample[name]) }] : (sample[name] ?? field.example),
    ]),
  )
}
function rowOf({ entity: { key, fields, sample, readOnly } }: Importable): Row {
  const row = { ...wholeRow(fields, sample.rows[0]), ...LINKS, external_id: `whole ${key}` }
  const lines = ['cost_lines', 'sell_lines'].flatMap((side) =>
    side in row ? [[side, [{ ...first(row[side as never]), ...OF_ANOTHER_CURRENCY }]] as const] : [],
  )
  const whole = { ...row, ...Object.fromEntries(lines) }
  const { external_id: _, ...made } = { ...whole, ...TOGETHER[key]?.(whole) }
  return Object.fromEntries(
    Object.entries(readOnly ? made : { ...made, external_id: row.external_id }).filter(([name]) => name in fields),
  )
}

/** Adds to an agency with the customer `C` and the supplier `S` a record of every entity with all fields. */
export async function makeWholeRecords(cell: TestCell, agency: Agency): Promise<void> {
  await cell.deps.db.asSystem('a test needs rates', (tx) =>
    saveRates(tx, {
      source: 'tcmb',
      base: 'TRY',
      rates: ['EUR', 'USD'].map((currency) => ({ currency, day: '2026-01-01', baseUnits: '47', currencyUnits: '1' })),
    }),
  )
  for (const importable of entities) {
    const { key } = importable.entity
    const errors = importable.entity.readOnly
      ? await makeHere(cell, agency, importable)
      : (await importRows(cell, agency.key, key, [rowOf(importable)])).rows[0]?.errors
    if (errors?.length !== 0) throw new Error(`${key}: ${JSON.stringify(errors)}`)
  }
}

const makeHere = (cell: TestCell, { number }: Agency, importable: Importable) =>
  cell.deps.db.inAccount(number, async (tx) => {
    const { company: id, branch, country, currency, time_zone: timeZone } = await findDesk(tx, null)
    const desk = deskOf({ company: { id, country, currency }, branch, timeZone, policies: ALL_POLICIES }, await tx.now)
    return (await makeRecord(tx, importable, rowOf(importable), desk)).errors
  })
