import { it } from 'vitest'
import { compileReport } from '../../src/features/reports/compile.ts'
import { presetsOf } from '../../src/features/reports/presets.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { importRows, makeAgency } from '../harness/agency.ts'
import { startCell, uncounted } from '../harness/cell.ts'

const N = Number(process.env.N ?? 200000)
it('perf', { timeout: 900000 }, async () => {
  const cell = await startCell({ deps: { count: uncounted } })
  const agency = await makeAgency(cell)
  await importRows(
    cell,
    agency.key,
    'customers',
    Array.from({ length: 100 }, (_, i) => ({ external_id: `C${i}`, name: `Cust ${i}` })),
  )
  await importRows(
    cell,
    agency.key,
    'suppliers',
    Array.from({ length: 50 }, (_, i) => ({ external_id: `S${i}`, name: `Sup ${i}` })),
  )
  const t0 = Date.now()
  await withClient(cell.connection, async (c) => {
    await c.query('set statement_timeout = 0; set role backdesk_system')
    const q = (sql: string) => c.query(sql.replaceAll('$A', String(agency.number)))
    await q(`create temp table cs as select id, row_number() over () - 1 as n from customers where account_id = $A`)
    await q(`create temp table ss as select id, row_number() over () - 1 as n from suppliers where account_id = $A`)
    await q(`create temp table co as select id from companies where account_id = $A and is_default`)
    await q(`insert into bookings (account_id, entity, company_id, external_id, source_system, status, customer_id, supplier_id, currency, transaction_date, invoice_date, sell_total, cost_total, margin_total, vat_total, invoiced, company_currency, company_sell, company_cost, company_margin, company_vat, travels_on, first_issued_on, last_issued_on, changed)
      select $A, case when g % 3 = 0 then 'tickets' else 'hotel_stays' end, (select id from co), 'B' || g, 'x', case when g % 20 = 0 then 'cancelled' when g % 3 = 0 then 'issued' else 'confirmed' end, cs.id, ss.id, (array['TRY','EUR','USD'])[1 + g % 3],
      date '2024-11-20' + (g % 730)::int, date '2024-11-20' + (g % 730)::int, 120, 90, 10, 20, true, 'TRY', 120, 90, 10, 20, date '2024-12-20' + (g % 730)::int, case when g % 3 = 0 then date '2024-11-20' + (g % 730)::int end, case when g % 3 = 0 then date '2024-11-20' + (g % 730)::int end, 1
      from generate_series(1, ${N}) g join cs on cs.n = g % 100 join ss on ss.n = g % 50`)
    await q(`insert into booking_lines (account_id, booking_id, side, position, origin, kind, amount, quantity, currency, vat_rate, tax_inclusive, net, vat, gross, rate)
      select $A, b.id, s.side, case s.side when 'sell' then 0 else 1 end, 'given', 'x', s.gross, 1, b.currency, 20, true, s.gross - 20, 20, s.gross, 1 from bookings b cross join (values ('sell', 120), ('cost', 90)) s(side, gross) where b.account_id = $A`)
    await q(
      `insert into tickets (account_id, id, passengers) select $A, id, jsonb_build_array(jsonb_build_object('first_name','A','last_name','B','ticket_number', lpad((row_number() over ())::text, 13, '2'), 'issued_on', transaction_date, 'base_fare', '100', 'total', '100', 'commission_amount', '5', 'document_status', case when random() < 0.05 then 'void' else 'open' end)) from bookings where account_id = $A and entity = 'tickets'`,
    )
    await q(`insert into customer_invoices (account_id, company_id, document_type, number, booking_id, customer_id, currency, issued_on, due_on, lines, net, vat, gross)
      select $A, company_id, 'invoice', 'INV-' || external_id, id, customer_id, currency, invoice_date, invoice_date + 14, '[{"kind":"x","amount":"120","quantity":1,"vat_rate":"20","net":"100","vat":"20","gross":"120"}]', 100, 20, 120 from bookings where account_id = $A`)
    await q(`insert into customer_invoices (account_id, company_id, document_type, number, booking_id, customer_id, reverses_id, currency, issued_on, due_on, lines, net, vat, gross)
      select $A, i.company_id, 'credit_note', 'CN-' || i.number, i.booking_id, i.customer_id, i.id, i.currency, i.issued_on + 10, i.issued_on + 10, '[]', -100, -20, -120 from customer_invoices i join bookings b on b.account_id = i.account_id and b.id = i.booking_id where i.account_id = $A and b.status = 'cancelled'`)
    await q(
      `insert into customer_payments (account_id, invoice_id, amount, paid_on, created_by) select $A, i.id, 120, i.issued_on + 20, 'x' from customer_invoices i join bookings b on b.account_id = i.account_id and b.id = i.booking_id where i.account_id = $A and document_type = 'invoice' and b.status <> 'cancelled' and i.issued_on < '2026-08-01'`,
    )
    await q(`insert into supplier_bills (account_id, company_id, bill_number, supplier_id, booking_id, issued_on, currency, net_amount, vat_amount, total_amount, paid_amount, status, lines, changed)
      select $A, company_id, 'BILL-' || external_id, supplier_id, id, invoice_date, currency, 70, 20, 90, 0, case when status = 'cancelled' then 'void' else 'open' end, '[{"description":"x","quantity":1,"amount":"90","vat_rate":"20","net_amount":"70","vat_amount":"20","total_amount":"90"}]', 1 from bookings where account_id = $A`)
    await q('reset role')
    await q('analyze')
  })
  console.log('filled', Date.now() - t0)
  const get = async (path: string) => {
    const t = performance.now()
    const a = await cell.call('GET', path, { key: agency.key })
    return [
      a.status,
      Math.round(performance.now() - t),
      a.text.length,
      a.status === 200 ? (a.body as any).summary.rows : a.text,
    ]
  }
  for (const k of [
    'margin_by_booking',
    'receivables_aging',
    'payables_aging',
    'vat_summary',
    'refunds_and_voids',
    'commission_expected',
    'unbalanced_documents',
    'currency_exposure',
  ])
    for (const f of [
      'filters[from]=2026-10-01&filters[to]=2026-10-31',
      'filters[from]=2025-11-01&filters[to]=2026-10-31',
      ...(k.includes('aging') ? [`filters[group_by]=month`] : []),
    ])
      console.log(k, f, ...(await get(`/reports/${k}?${f}`)))
  for (const key of (process.env.EXPLAIN ?? '').split(',').filter(Boolean))
    await withClient(cell.connection, async (c) => {
      const preset = presetsOf([{ key: 'tickets', label: 'T' }]).find((p) => p.key === key)!
      const f: any = Object.fromEntries(Object.keys(preset.filters).map((n) => [n, null]))
      if ('as_of' in f) f.as_of = '2026-11-21'
      Object.assign(f, { from: '2025-11-01', to: '2026-10-31' })
      const policies = { has: () => true } as any
      let sql = compileReport({ preset, policies, filters: f, continues: false } as any)
      sql = sql
        .replace(/\$account/g, String(agency.number))
        .replace(/\$as_of/g, `'2026-11-21'`)
        .replace(/\$from/g, `'2025-11-01'`)
        .replace(/\$to/g, `'2026-10-31'`)
        .replace(/\$today/g, `'2026-11-21'`)
        .replace(/\$zone/g, `'UTC'`)
        .replace(/\$limit/g, '100')
      await c.query(
        `set statement_timeout = 0; set work_mem='64MB'; set jit=off; set enable_seqscan=off; set role backdesk_app`,
      )
      await c.query(`select set_config('app.account', $1, false)`, [String(agency.number)])
      const { rows } = await c.query('explain (analyze, costs off, buffers off) ' + sql)
      console.log(key, rows.map((r: any) => r['QUERY PLAN']).join('\n'))
    })
})
