import fc from 'fast-check'
import { expect } from 'vitest'
import { saveRates } from '../../src/features/exchange-rates/exchange-rates.store.ts'
import { type Agency, importRows } from './agency.ts'
import { PUBLISHED } from './books.ts'
import { startCell, type TestCell, uncounted } from './cell.ts'
import { clockedDatabase } from './database-clock.ts'
import { ask } from './sql.ts'

/** Some are 30, 31, 60, 90 and 91 days apart. */
export const DAYS = ['2026-03-02', '2026-03-15', '2026-03-31', '2026-04-01', '2026-04-30', '2026-05-01', '2026-06-30']
const day = fc.constantFrom(...DAYS)
const maybe = <T>(...values: T[]) => fc.constantFrom(null, ...values)
const cents = (min: number, max: number) => fc.integer({ min, max }).map((amount) => (amount / 100).toFixed(2))
/** Without a rate of the dollar, dollar amounts are unknown in the company’s currency. */
const currency = fc.constantFrom('TRY', 'TRY', 'EUR', 'EUR', 'JPY', 'KWD', 'USD')
const line = fc.record({
  kind: fc.constant('other'),
  amount: cents(-9_999, 999_999),
  quantity: fc.integer({ min: 1, max: 5 }),
  vat_rate: maybe('20', '10', '7.7'),
  tax_inclusive: fc.boolean(),
  currency: fc.constantFrom(...Array.from({ length: 6 }, () => null), 'EUR'),
})
const parties = { customer_external_id: maybe('C1', 'C2'), supplier_external_id: maybe('S1', 'S2') }
const stay = fc.record({
  ...parties,
  currency,
  transaction_date: day,
  invoice_date: fc.constantFrom(null, ...DAYS),
  status: fc.constantFrom('option', 'confirmed', 'confirmed', 'no_show'),
  rate_basis: maybe('net', 'commissionable'),
  margin_mode: fc.constantFrom('percent', 'amount'),
  margin_value: fc.constantFrom('0', '7.5', '12'),
  sell_lines: fc.array(line, { maxLength: 3 }),
  cost_lines: fc.array(line, { maxLength: 2 }),
})
const ticket = fc.record({
  ...parties,
  currency: fc.constantFrom('TRY', 'EUR', 'USD'),
  transaction_date: day,
  invoice_date: maybe('2026-03-31'),
  status: fc.constantFrom('draft', 'issued', 'issued', 'partly_voided', 'refunded', 'void'),
  passengers: fc.array(
    fc.record({
      first_name: fc.constant('Ada'),
      last_name: fc.constant('Lovelace'),
      base_fare: cents(0, 99_999),
      total: maybe('512.34'),
      service_fee: maybe('12.34'),
      commission_rate: maybe('7.5'),
      commission_amount: maybe('3.21'),
      document_status: maybe('open', 'void', 'refunded', 'exchanged'),
    }),
    { minLength: 1, maxLength: 3 },
  ),
})
/** Whose parts are present or not, and add up or not. */
const document = {
  supplier_external_id: fc.constantFrom('S1', 'S2'),
  document_type: fc.constantFrom('invoice', 'invoice', 'credit_note'),
  issued_on: day,
  due_on: fc.constantFrom(null, ...DAYS),
  currency,
  net_amount: maybe('100.00'),
  total_amount: fc.constantFrom('120.00', '-120.00', '99.90'),
  paid_amount: maybe('0.00', '20.00', '120.00', '150.00'),
  status: fc.constantFrom('draft', 'open', 'partially_paid', 'paid', 'disputed', 'void'),
}
const billLine = (stated: boolean) =>
  fc.record({
    amount: fc.constant('60.00'),
    vat_rate: maybe('20', '10'),
    ...(stated && { net_amount: fc.constant('50.00'), vat_amount: fc.constant('10.00') }),
  })
const bill = fc.record({
  ...document,
  vat_amount: maybe('20.00', '0.00'),
  withholding_amount: maybe('5.00'),
  lines: fc.oneof(
    fc.constant(null),
    fc.array(billLine(true), { minLength: 1, maxLength: 2 }),
    fc.array(billLine(false), { minLength: 1, maxLength: 2 }),
  ),
})
const operatorInvoice = fc.record({
  ...document,
  balance_due_on: maybe('2026-05-01'),
  booking: maybe('A0', 'A1'),
  commission_amount: maybe('0.00', '12.34'),
  commission_vat_amount: maybe('2.47'),
})
/** The result of a stay, and of its invoices. */
const fate = fc.record({
  cancelled: maybe('2026-04-10', '2026-05-20'),
  paid: fc.constantFrom('nothing', 'a part', 'all', 'more', 'there and back'),
  on: day,
})
const few = <T>(of: fc.Arbitrary<T>, most: number) => fc.array(of, { minLength: 1, maxLength: most })
/** The books of an agency as they are after years. */
export const financeBook = fc.record({
  stays: few(fc.record({ row: stay, fate, abroad: fc.boolean() }), 7),
  tickets: few(ticket, 3),
  bills: few(bill, 4),
  operators: few(operatorInvoice, 3),
})
export type FinanceBook = typeof financeBook extends fc.Arbitrary<infer B> ? B : never

type Clocked = { readonly cell: TestCell; setClock(at: string | null): Promise<void> }
/** A cell with the rates that were published, and a clock of its database that can be set. */
export async function startFinanceCell(): Promise<Clocked> {
  const { connection, set: setClock } = await clockedDatabase()
  const cell = await startCell({ connection, deps: { count: uncounted } })
  await cell.deps.db.asSystem('a test needs rates', (tx) =>
    saveRates(tx, { source: 'tcmb', base: 'TRY', rates: PUBLISHED }),
  )
  return { cell, setClock }
}

/**
 * Imports a book: its records, cancellations on another day, and payments. The clock of the database is set meanwhile.
 */
export async function keepFinanceBook(
  { cell, setClock }: Clocked,
  agency: Agency,
  { stays, tickets, bills, operators }: FinanceBook,
): Promise<void> {
  const { key, otherCompany } = agency
  const send = async (entity: string, rows: object[], more: object = {}) => {
    if (rows.length === 0) return
    const { rows: outcomes } = await importRows(cell, key, entity, rows, more)
    expect(outcomes.flatMap(({ errors }) => errors)).toEqual([])
  }
  await setClock(null)
  await ask(cell, 'update companies set backdate_invoices = true where account_id = $1', [agency.number])
  await send('customers', [
    { external_id: 'C1', name: 'Ayşe' },
    { external_id: 'C2', name: 'Zoë' },
  ])
  await send('suppliers', [
    { external_id: 'S1', name: 'Hotel' },
    { external_id: 'S2', name: 'Airline' },
  ])
  const nights = { check_in_on: '2026-06-01', check_out_on: '2026-06-03' }
  const rows = stays.map(({ row, ...other }, at) => ({ ...other, row: { external_id: `A${at}`, ...nights, ...row } }))
  const companies = [
    [false, {}],
    [true, { company_id: otherCompany }],
  ] as const
  for (const [abroad, more] of companies) {
    const own = rows.filter((each) => each.abroad === abroad).map(({ row }) => row)
    await send('hotel_stays', own, more)
  }
  await send('tickets', numbered('T', tickets))
  await send('supplier_bills', numbered('B', bills, 'bill_number'))
  await send(
    'operator_invoices',
    numbered('O', operators, 'invoice_number').map(({ booking, ...row }) => ({
      ...row,
      ...(rows.some((each) => each.row.external_id === booking) && {
        booking_entity: 'hotel_stays',
        booking_external_id: booking,
      }),
    })),
  )
  for (const [on, some] of Map.groupBy(rows, ({ fate }) => fate.cancelled)) {
    const cancellable = some.filter(({ row }) => row.status !== 'no_show')
    await setClock(on && `${on}T09:00:00Z`)
    if (on) await send('hotel_stays', cancellable.map(cancelled), { on_conflict: 'update' })
  }
  await setClock(null)
  await pay(cell, agency, new Map(rows.map(({ row, fate }) => [row.external_id, fate])))
}

/** Payments as they are after years: parts, too much, and what went back on the credit note. */
async function pay(
  cell: TestCell,
  { number }: Agency,
  fates: ReadonlyMap<string, FinanceBook['stays'][number]['fate']>,
): Promise<void> {
  const invoices = await ask<{ id: string; external_id: string; gross: string; note: string | null }>(
    cell,
    `select i.id, b.external_id, i.gross::text, n.id as note from customer_invoices i join bookings b on b.account_id = i.account_id and b.id = i.booking_id
       left join customer_invoices n on n.account_id = i.account_id and n.reverses_id = i.id
     where i.account_id = $1 and i.document_type = 'invoice' and i.gross <> 0`,
    [number],
  )
  const shares = { nothing: [], 'a part': [0.25], all: [0.5, 0.5], more: [1.5], 'there and back': [1, -1] }
  const payments = invoices.flatMap(({ id, external_id, gross, note }) => {
    const { paid, on } = fates.get(external_id) ?? { paid: 'nothing', on: '2026-03-02' }
    return shares[paid].map((share) => [share < 0 ? (note ?? id) : id, String(Number(gross) * share), on])
  })
  const columns = [0, 1, 2].map((at) => payments.map((payment) => payment[at]))
  await ask(
    cell,
    `insert into customer_payments (account_id, invoice_id, amount, paid_on, created_by)
     select $1, i.id, round(p.amount, currency_digits(i.currency)), p.day, 'test'
     from unnest($2::uuid[], $3::numeric[], $4::date[]) as p(id, amount, day) join customer_invoices i on i.account_id = $1 and i.id = p.id
     where round(p.amount, currency_digits(i.currency)) <> 0`,
    [number, ...columns],
  )
}

const numbered = <T extends object>(prefix: string, rows: T[], name?: string) =>
  rows.map((row, at) => ({ external_id: `${prefix}${at}`, ...(name && { [name]: `${prefix}-${at}` }), ...row }))
const cancelled = ({ row }: { row: { external_id: string } }) => ({ external_id: row.external_id, status: 'cancelled' })
