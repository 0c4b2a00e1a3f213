import { it } from 'vitest'
import { compileReport } from '../../src/features/reports/compile.ts'
import { bspReconciliation } from '../../src/features/reports/presets/bsp/bsp-reconciliation.ts'
import { unusedTickets } from '../../src/features/reports/presets/bsp/unused-tickets.ts'
import { BUILT_IN_ROLES } from '../../src/platform/access/policies.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { statement } from '../../src/platform/db/statement.ts'
import { makeAgency } from '../harness/agency.ts'
import { startCell, uncounted } from '../harness/cell.ts'
import { runReport } from '../harness/reports.ts'

const N = 300_000
it('speed', async () => {
  const cell = await startCell({ deps: { count: uncounted } })
  const a = await makeAgency(cell)
  await withClient({ ...cell.connection, user: 'postgres' }, async (client) => {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into bookings (account_id, id, entity, company_id, branch_id, external_id, status, currency, transaction_date, changed, first_issued_on, last_issued_on, travels_on)
      select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'tickets', $2, $3, 'T' || n, 'issued', 'EUR', date '2024-01-01' + n % 1000, n, date '2024-01-01' + n % 1000, date '2024-01-01' + n % 1000, date '2024-02-01' + n % 1000
      from generate_series(1, ${N}) n`,
      [a.number, a.company.id, a.branch?.id ?? null],
    )
    await client.query(
      `insert into tickets (account_id, id, settlement_channel, legs, passengers, refunds)
      select account_id, id, 'bsp', jsonb_build_array(jsonb_build_object('airline_code','TK','departure_airport','IST','arrival_airport','LHR','scheduled_departure', travels_on || 'T10:00')),
       jsonb_build_array(jsonb_build_object('first_name','A','last_name','B','ticket_number','235' || lpad(changed::text, 10, '0'),'issued_on', transaction_date,'airline_code','TK','base_fare','100.00','taxes', jsonb_build_array(jsonb_build_object('code','TR','amount','20.00')), 'commission_amount','3.00','document_status', case when changed % 20 = 0 then 'refunded' else 'open' end)),
       case when changed % 20 = 0 then jsonb_build_array(jsonb_build_object('ticket_number','235' || lpad(changed::text, 10, '0'),'status','draft','refunded_on', transaction_date + 10, 'total','120.00')) end
      from bookings where account_id = $1`,
      [a.number],
    )
    await client.query(
      `insert into ticket_numbers select account_id, '235' || lpad(changed::text, 10, '0'), id, 0, false from bookings where account_id = $1`,
      [a.number],
    )
    await client.query(
      `insert into bsp_billings (account_id, id, company_id, format, filename, sha256) select $1, ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, 'hot', 'x', sha256(n::text::bytea) from generate_series(0, 99) n`,
      [a.number, a.company.id],
    )
    await client.query(
      `insert into bsp_lines (account_id, billing_id, line, number, code, transaction, void, agent, issued_on, period_on, currency, total, exchanged, commission, remittance)
      select account_id, ('00000000-0000-7000-9000-' || lpad(to_hex((changed % 1000) / 10), 12, '0'))::uuid, changed, '235' || lpad(changed::text, 10, '0'), 'TKTT', 'sale', false, '88123456', transaction_date, transaction_date + 10, 'EUR', 120, 0, 3, 117 from bookings where account_id = $1`,
      [a.number],
    )
    await client.query('set session_replication_role = default')
    await client.query('vacuum analyze')
  })
  for (const q of [
    'bsp_reconciliation?filters[from]=2025-03-01&filters[to]=2025-03-31',
    'bsp_reconciliation?filters[from]=2025-03-01&filters[to]=2025-03-31&filters[group_by]=bucket',
    'bsp_reconciliation?filters[date_basis]=transaction&filters[from]=2025-03-01&filters[to]=2025-03-31',
    'bsp_reconciliation?filters[from]=2025-01-01&filters[to]=2025-12-31',
    'unused_tickets?filters[from]=2025-03-01&filters[to]=2025-03-31',
    'unused_tickets?filters[date_basis]=issue&filters[from]=2025-03-01&filters[to]=2025-03-31',
    'unused_tickets?filters[from]=2024-03-01&filters[to]=2026-02-01',
  ]) {
    for (let i = 0; i < 2; i++) {
      const t = performance.now()
      const [id, query] = q.split('?') as [string, string]
      const r = await runReport(cell, a.key, id, query)
      console.log(q, Math.round(performance.now() - t), 'ms', JSON.stringify(r.summary))
    }
  }
  const preset = bspReconciliation
  const st = statement<any, any>(
    compileReport({
      preset,
      policies: BUILT_IN_ROLES.owner as never,
      continues: false,
      filters: {
        from: '2025-03-01',
        to: '2025-03-31',
        date_basis: 'issue',
        tolerance: '0.01',
        bucket: null,
        airline_number: null,
        transaction: null,
        company_id: null,
        branch_id: null,
        currency: null,
        group_by: null,
      },
    }),
  )
  await withClient(cell.connection, async (client) => {
    await client.query('set role backdesk_app')
    await client.query(`select set_config('app.account', $1, false)`, [String(a.number)])
    await client.query("set work_mem = '64MB'; set jit = off")
    const { rows } = await client.query(
      'explain (analyze, buffers, costs off, timing on) ' + st.text,
      st.values({
        account: a.number,
        from: '2025-03-01',
        to: '2025-03-31',
        tolerance: '0.01',
        limit: 50,
        today: '2026-01-01',
        zone: 'UTC',
        after: null,
      }),
    )
    console.log(
      rows
        .map((r: any) => r['QUERY PLAN'])
        .filter((l: string) => /actual|Execution|Planning|Index|Filter|Removed/.test(l))
        .join('\n'),
    )
  })
}, 300_000)
