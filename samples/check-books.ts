// node samples/check-books.ts [--account 20000001]: checks the books of an account, or of all, straight in the database.
// It joins the database of a running cell. Exit code 1 where a check finds anything.
import { parseArgs } from 'node:util'
import { table } from '#client/command.ts'
import { openCell } from '../src/cell.ts'
import { readConfig } from '../src/config.ts'
import { openLog } from '../src/platform/open-log.ts'
import { undeclared } from '../test/harness/undeclared.ts'

/** What holds of books, and the SQL of everything that breaks it: the rows are the offenders. */
const CHECKS: Readonly<Record<string, string>> = {
  'every customer document’s total equals its lines': `
    select i.account_id, i.number as offender from customer_invoices i,
      lateral (select sum((l ->> 'net')::numeric) as net, sum((l ->> 'vat')::numeric) as vat, sum((l ->> 'gross')::numeric) as gross
        from jsonb_array_elements(i.lines) l) s
    where (i.net, i.vat, i.gross) is distinct from (s.net, s.vat, s.gross) or i.net + i.vat <> i.gross`,
  'every posted supplier bill’s total equals its lines': `
    select b.account_id, b.bill_number as offender from supplier_bills b,
      lateral (select sum((l ->> 'net_amount')::numeric) as net, sum((l ->> 'vat_amount')::numeric) as vat, sum((l ->> 'total_amount')::numeric) as gross
        from jsonb_array_elements(b.lines) l) s
    where b.booking_id is not null and (b.net_amount, b.vat_amount, b.total_amount) is distinct from (s.net, s.vat, s.gross)`,
  'every line’s net and VAT make its gross, which is quantity times amount': `
    select account_id, booking_id::text as offender from booking_lines
    where net + vat <> gross or case when tax_inclusive then gross else net end <> round(amount * quantity, currency_digits(currency))`,
  'every invoiced booking’s documents equal its lines, currency by currency': `
    select b.account_id, b.id::text as offender from bookings b join booking_lines l on l.account_id = b.account_id and l.booking_id = b.id
    where b.invoiced and (l.side = 'sell' or b.supplier_id is not null)
    group by b.account_id, b.id, l.side, l.currency
    having sum(l.gross) is distinct from case l.side
      when 'sell' then (select i.gross from customer_invoices i where i.account_id = b.account_id and i.booking_id = b.id
        and i.currency = l.currency and i.document_type = 'invoice')
      else (select s.total_amount from supplier_bills s where s.account_id = b.account_id and s.booking_id = b.id
        and s.currency = l.currency and s.status <> 'void') end`,
  'every booking without an invoice has none that stands': `
    select b.account_id, b.id::text as offender from bookings b join customer_invoices i on i.account_id = b.account_id and i.booking_id = b.id
    where not b.invoiced group by 1, 2 having sum(i.gross) <> 0 or count(*) % 2 = 1`,
  'every cancelled booking nets to zero, and its supplier bills are void': `
    select b.account_id, b.id::text as offender from bookings b
    where b.status = 'cancelled' and (
      exists (select from customer_invoices i where i.account_id = b.account_id and i.booking_id = b.id group by i.currency
        having sum(i.net) <> 0 or sum(i.vat) <> 0 or sum(i.gross) <> 0)
      or exists (select from supplier_bills s where s.account_id = b.account_id and s.booking_id = b.id and s.status <> 'void'))`,
  'every credit note mirrors the invoice that it names': `
    select n.account_id, n.number as offender from customer_invoices n join customer_invoices i on i.account_id = n.account_id and i.id = n.reverses_id
    where (n.booking_id, n.customer_id, n.currency, -n.net, -n.vat, -n.gross, i.document_type)
      is distinct from (i.booking_id, i.customer_id, i.currency, i.net, i.vat, i.gross, 'invoice')`,
  'numbers have no gap': `
    select account_id, series || ' ' || year as offender from (
      select account_id, company_id, split_part(number, '-', 1) as series, split_part(number, '-', 2) as year, split_part(number, '-', 3)::integer as nth
      from customer_invoices
      union all
      select account_id, company_id, split_part(bill_number, '-', 1), split_part(bill_number, '-', 2), split_part(bill_number, '-', 3)::integer
      from supplier_bills where booking_id is not null) d
    group by account_id, company_id, series, year having count(*) <> max(nth) or count(distinct nth) <> count(*)`,
  'numbers of customer documents never run against dates': `
    select account_id, number as offender from (
      select *, lag(issued_on) over (partition by account_id, company_id, split_part(number, '-', 1), split_part(number, '-', 2) order by number) as before
      from customer_invoices) d
    where issued_on < before or split_part(number, '-', 2) <> extract(year from issued_on)::text`,
  'every total is the sum of its lines, where all are in one currency': `
    select b.account_id, b.id::text as offender from bookings b left join booking_lines l on l.account_id = b.account_id and l.booking_id = b.id
    group by b.account_id, b.id having coalesce(bool_and(l.currency = b.currency), true) and (
      b.sell_total <> coalesce(sum(l.gross) filter (where l.side = 'sell'), 0) or b.cost_total <> coalesce(sum(l.gross) filter (where l.side = 'cost'), 0)
      or b.margin_total <> coalesce(sum(case l.side when 'sell' then l.net else -l.net end), 0))`,
  'every total in the company’s currency is the sum of its lines at their rates': `
    select b.account_id, b.id::text as offender from bookings b join booking_lines l on l.account_id = b.account_id and l.booking_id = b.id
    group by b.account_id, b.id
    having case when bool_or(l.rate is null) then b.company_sell is not null else (b.company_sell, b.company_cost) is distinct from (
      coalesce(sum(round(l.gross * l.rate, currency_digits(b.company_currency))) filter (where l.side = 'sell'), 0),
      coalesce(sum(round(l.gross * l.rate, currency_digits(b.company_currency))) filter (where l.side = 'cost'), 0)) end`,
  'seats held equal seats sold': `
    select d.account_id, d.external_id as offender from tour_departures d
    where d.seats_held <> (select coalesce(sum(o.guest_count), 0) from tour_bookings o join bookings b on b.account_id = o.account_id and b.id = o.id
      where o.account_id = d.account_id and o.tour_departure_id = d.id and b.deleted_at is null and b.status in ('option', 'confirmed', 'in_progress'))`,
  'a departure that is full is not on sale': `
    select account_id, external_id as offender from tour_departures
    where seats_held > 0 and seats_held >= max_capacity and inventory_state in ('open', 'closed_direct', 'on_request', 'min_not_met')`,
  'no booking was created twice': `
    select account_id, external_id as offender from bookings where external_id is not null and deleted_at is null
    group by account_id, entity, source_system, external_id having count(*) > 1`,
  'no person, departure or document was created twice': `
    select account_id, external_id as offender from (
      select 'customers' as entity, account_id, source_system, external_id from customers
      union all select 'suppliers', account_id, source_system, external_id from suppliers
      union all select 'leads', account_id, source_system, external_id from leads
      union all select 'tour_departures', account_id, source_system, external_id from tour_departures
      union all select 'operator_invoices', account_id, source_system, external_id from operator_invoices
      union all select 'supplier_bills', account_id, source_system, external_id from supplier_bills) r
    where external_id is not null group by account_id, entity, source_system, external_id having count(*) > 1`,
  'no ticket number is sold twice': `
    select b.account_id, p ->> 'ticket_number' as offender from tickets t join bookings b on b.account_id = t.account_id and b.id = t.id,
      jsonb_array_elements(t.passengers) p
    where b.status <> 'cancelled' and b.deleted_at is null and p ->> 'ticket_number' is not null group by 1, 2 having count(*) > 1`,
}
const SHOWN = 5

const { values } = parseArgs({ options: { account: { type: 'string' } } })
const account = values.account === undefined ? null : Number(values.account)
const cell = await openCell(readConfig(process.env), openLog('warn'))
let broken = 0
try {
  const answers = []
  for (const [check, sql] of Object.entries(CHECKS)) {
    const find = undeclared<{ account: number | null }, { account_id: number; offender: string }>(
      `select account_id, offender from (${sql}) found where $account::integer is null or account_id = $account`,
    )
    const offenders = await cell.deps.db.askSystem('the books are checked', find, { account })
    if (offenders.length > 0) broken++
    const shown = offenders.slice(0, SHOWN).map(({ account_id, offender }) => `${account_id}/${offender}`)
    answers.push({ check, holds: offenders.length === 0 ? 'yes' : `NO: ${offenders.length}, e.g. ${shown.join(' ')}` })
  }
  process.stdout.write(`${table(answers)}\n`)
} finally {
  await cell.close()
}
process.exitCode = broken > 0 ? 1 : 0
