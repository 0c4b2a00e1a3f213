import type { Client } from 'pg'
import type { Agencies, Agency } from '../agencies.ts'
import { BATCH, stayBatch } from '../data.ts'
import { get, post } from '../http.ts'
import { alternate, figureOf, milliseconds, ratioOf } from '../measure.ts'
import type { Case } from './case.ts'

/** The account's id. */
const BOOKINGS = 1_000_000
const CUSTOMERS = 20_000
/** The days over which the bookings are spread, up to `LAST`. */
const DAYS = 1_095
const LAST = '2026-10-31'
const MONTH = { from: '2026-10-01', to: LAST }
const TWO_YEARS = { from: '2024-11-01', to: LAST }
const IMPORTS_PER_ROUND = 4
const WELL_UNDER_A_SECOND_MS = 500

/** Stays of four currencies, one in ten of them cancelled, with invoices of a fifth. Nights are those of the company, which has rates. */
const fill = `
  with c as (select array_agg(id) as ids from customers where account_id = $1),
    s as (select array_agg(id) as ids from suppliers where account_id = $1),
    made as (
      insert into bookings (account_id, entity, company_id, branch_id, source_system, external_id, status, customer_id, supplier_id,
        currency, transaction_date, travels_on, destination, sell_total, cost_total, margin_total, vat_total,
        company_currency, company_sell, company_cost, company_margin, company_vat, changed, invoiced)
      select $1, 'hotel_stays', $2, $3, 'api', 'R-' || n, case when n % 10 = 0 then 'cancelled' when n % 5 = 1 then 'invoiced' else 'confirmed' end,
        c.ids[1 + n % cardinality(c.ids)], s.ids[1 + n % cardinality(s.ids)], (array['EUR', 'USD', 'GBP', 'TRY'])[1 + n % 4],
        date '${LAST}' - n % ${DAYS}, date '${LAST}' - n % ${DAYS} + 30, (array['Roma', 'Paris', 'London', 'Antalya', 'Dubai'])[1 + n % 5],
        745, 560, 166.28, 69.63, 'EUR', 700, 530, 150.28, 64.63, 1 + n / 500, n % 5 = 1
      from c, s, generate_series(1, ${BOOKINGS}) as n returning id, company_id, branch_id, customer_id, currency, transaction_date, status, external_id
    ), stays as (
      insert into hotel_stays (account_id, id, check_in_on, check_out_on, guest_count)
      select $1, id, transaction_date + 30, transaction_date + 34, 2 from made
    )
  insert into customer_invoices (account_id, company_id, branch_id, document_type, number, booking_id, customer_id, currency, issued_on, tax_point_on, due_on, lines,
    net, vat, gross)
  select $1, company_id, branch_id, 'invoice', 'INV-' || external_id, id, customer_id, currency, transaction_date, transaction_date, transaction_date + 30,
    '[{"kind": "room_rate", "label": null, "amount": "745.00", "quantity": 1, "vat_rate": "10", "tax_inclusive": true, "net": "675.37", "vat": "69.63", "gross": "745.00"}]',
    675.37, 69.63, 745 from made where status = 'invoiced'`
/** Nineteen of twenty are paid within fifty days. */
const pay = `
  insert into customer_payments (account_id, invoice_id, amount, paid_on, method, created_by)
  select account_id, id, gross, issued_on + 10 + abs(hashtext(number)) % 40, 'card', 'benchmark' from customer_invoices
  where account_id = $1 and abs(hashtext(number)) % 20 > 0`
const people = `
  insert into customers (account_id, company_id, branch_id, source_system, external_id, name, changed)
  select $1, $2, $3, 'bench', 'R-' || n, 'Ayşe Yılmaz ' || n, 1 from generate_series(1, ${CUSTOMERS}) as n`
const hotels = `
  insert into suppliers (account_id, source_system, external_id, name, supplier_type, changed)
  select $1, 'bench', 'R-' || n, 'Grand Ege Resort ' || n, 'hotel', 1 from generate_series(1, 300) as n`

/** Triggers and foreign keys are disabled meanwhile. */
async function fillAccount(client: Client, { account, company, branch }: Agency): Promise<void> {
  await client.query('set session_replication_role = replica; set statement_timeout = 0')
  await client.query(people, [account, company, branch])
  await client.query(hotels, [account])
  await client.query(fill, [account, company, branch])
  await client.query('set session_replication_role = default') // payments settle invoices
  await client.query(pay, [account])
  await client.query('vacuum analyze customers, suppliers, bookings, hotel_stays, customer_invoices, customer_payments')
  await client.query('checkpoint')
}

const PRESETS = [
  'sales_by_customer',
  'sales_by_supplier',
  'sales_by_advisor',
  'sales_by_product',
  'sales_by_branch',
  'sales_by_destination',
  'margin_by_booking',
  'vat_summary',
  'receivables_aging',
] as const
/** The one of them that is of a day, and has no window. */
const AGED = 'receivables_aging'
type Window = typeof MONTH
const addressOf = ({ cell }: Agencies, preset: string, { from, to }: Window) =>
  `${cell.url}/api/v1/reports/${preset}?${preset === AGED ? `filters[as_of]=${to}` : `filters[from]=${from}&filters[to]=${to}`}`

/** Reports of one account with a million bookings, and an import of another one while a heavy report runs. */
export const reports: Case = {
  name: 'reports',
  async run({ empty, rounds }) {
    const agencies = await empty()
    const client = await agencies.asSuperuser()
    const owner = agencies.all[0] as Agency
    await fillAccount(client, owner)
    await client.end()
    const results = []
    for (const preset of PRESETS) {
      const address = addressOf(agencies, preset, MONTH)
      const round = () => milliseconds(() => get(address, owner.key))
      await round()
      const { times } = await alternate(rounds, { times: round })
      const what = `${preset}, a month of ${BOOKINGS.toLocaleString('en')} bookings`
      results.push(figureOf({ name: what, unit: 'ms', target: { atMost: WELL_UNDER_A_SECOND_MS } }, times))
    }
    return [...results, await besideAnImport(agencies, owner, rounds)]
  },
}

/** Import speed while the heaviest report runs in a loop. */
async function besideAnImport(agencies: Agencies, owner: Agency, rounds: number) {
  const heavy = addressOf(agencies, 'sales_by_supplier', TWO_YEARS)
  const side = (beside: boolean) => async () => {
    const agency = await agencies.ingest.take(IMPORTS_PER_ROUND)
    const stop = beside ? runAgainAndAgain(() => get(heavy, owner.key)) : async () => {}
    let ms = 0
    for (let n = 0; n < IMPORTS_PER_ROUND; n++) {
      const body = JSON.stringify({ rows: stayBatch(1), mode: 'sync' })
      ms += await milliseconds(() => post(`${agencies.cell.url}/api/v1/imports/hotel_stays`, agency.key, body))
    }
    await stop()
    return (IMPORTS_PER_ROUND * BATCH * 1000) / ms
  }
  const sides = { beside: side(true), alone: side(false) }
  await alternate(1, sides)
  const { beside, alone } = await alternate(rounds, sides)
  return ratioOf(
    { name: `import of ${BATCH} hotel_stays beside a report of two years`, unit: 'rows/s', target: { atLeast: 0.9 } },
    beside,
    alone,
  )
}

/** Answers how to stop. */
function runAgainAndAgain(work: () => Promise<unknown>): () => Promise<void> {
  let goesOn = true
  const running = (async () => {
    while (goesOn) await work()
  })()
  return async () => {
    goesOn = false
    await running
  }
}
