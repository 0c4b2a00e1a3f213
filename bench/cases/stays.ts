import type { Client } from 'pg'
import type { Agencies, Agency } from '../agencies.ts'
import { BATCH, type Stay, stayBatch, storedStays } from '../data.ts'
import { post } from '../http.ts'
import { milliseconds, ratioOf } from '../measure.ts'
import type { Case } from './case.ts'

const PER_ROUND = 6
const WARM_UP = 3
const PATH = '/api/v1/imports/hotel_stays'

/** The same rows into the same tables in one statement, references resolved and prices worked out beforehand. */
const SQL = `
  with given as (select * from json_to_recordset($4::json) as r(id uuid, external_id text, status text, customer_id uuid, supplier_id uuid,
      currency text, transaction_date date, notes text, travelers jsonb, sell numeric, cost numeric, margin numeric, vat numeric,
      check_in_on date, check_out_on date, guest_count integer)),
    records as (
      insert into bookings (account_id, id, entity, company_id, branch_id, source_system, external_id, status, customer_id, supplier_id, currency,
        transaction_date, notes, travelers, sell_total, cost_total, margin_total, vat_total,
        company_currency, company_sell, company_cost, company_margin, company_vat)
      select $1, id, 'hotel_stays', $2, $3, 'api', external_id, status, customer_id, supplier_id, currency,
        transaction_date, notes, travelers, sell, cost, margin, vat, 'EUR', sell, cost, margin, vat from given),
    own as (
      insert into hotel_stays (account_id, id, check_in_on, check_out_on, guest_count)
      select $1, id, check_in_on, check_out_on, guest_count from given),
    lines as (
      insert into booking_lines (account_id, booking_id, side, position, origin, kind, label, amount, quantity, currency, vat_rate, tax_inclusive, net, vat, gross,
        rate, rate_day, rate_source)
      select $1, booking_id, side, position, origin, kind, label, amount, quantity, currency, vat_rate, tax_inclusive, net, vat, gross, rate, rate_day, rate_source
      from json_to_recordset($5::json) as l(booking_id uuid, side text, position smallint, origin text, kind text, label text, amount numeric,
        quantity integer, currency text, vat_rate numeric, tax_inclusive boolean, net numeric, vat numeric, gross numeric,
        rate numeric, rate_day date, rate_source text))
  insert into travelers (account_id, customer_id, first_name, last_name, nationality, passport_number, passport_country, date_of_birth)
  select $1, customer_id, first_name, last_name, nationality, passport_number, passport_country, date_of_birth
  from json_to_recordset($6::json) as t(customer_id uuid, first_name text, last_name text, nationality text, passport_number text,
    passport_country text, date_of_birth date)`

type Times = Record<'validate' | 'commit' | 'resend' | 'bare', number>

/** The ids of an account's people by their external ids. */
async function idsOf(client: Client, { account }: Agency): Promise<Map<string, string>> {
  const { rows } = await client.query<{ external_id: string; id: string }>(
    `select external_id, id from customers where account_id = $1 union all select external_id, id from suppliers where account_id = $1`,
    [account],
  )
  return new Map(rows.map(({ external_id, id }) => [external_id, id]))
}

async function bareTime(client: Client, agency: Agency, stays: readonly Stay[]): Promise<number> {
  await client.query(`select set_config('app.account', $1, false)`, [String(agency.account)])
  const values = [agency.account, agency.company, agency.branch, ...storedStays(stays, await idsOf(client, agency))]
  return milliseconds(() => client.query({ name: 'stays', text: SQL, values }))
}

async function productTimes({ cell }: Agencies, { key }: Agency, stays: readonly Stay[]): Promise<Omit<Times, 'bare'>> {
  const body = JSON.stringify({ rows: stays, mode: 'sync' })
  const sent = async (path: string, outcome: string) => {
    const answer = await post(`${cell.url}${PATH}${path}`, key, body)
    if (!answer.includes(`"${outcome}":${BATCH}`)) throw new Error(`Not all were ${outcome}: ${answer.slice(0, 500)}`)
  }
  return {
    validate: await milliseconds(() => sent('/validate', 'created')),
    commit: await milliseconds(() => sent('', 'created')),
    resend: await milliseconds(() => sent('', 'skipped')),
  }
}

export const stays: Case = {
  name: 'stays',
  async run({ withBookings, rounds, customersEach }) {
    const agencies = await withBookings()
    const client = await agencies.asApp()
    const batch = async (): Promise<Times> => {
      const agency = await agencies.ingest.take(3)
      const bare = await bareTime(client, agency, stayBatch(customersEach))
      return { bare, ...(await productTimes(agencies, agency, stayBatch(customersEach))) }
    }
    const round = async (): Promise<Times> => {
      const rates: Times = { validate: 0, commit: 0, resend: 0, bare: 0 }
      for (let n = 0; n < PER_ROUND; n++) {
        const times = await batch()
        for (const name of Object.keys(rates) as (keyof Times)[]) rates[name] += times[name]
      }
      for (const name of Object.keys(rates) as (keyof Times)[]) rates[name] = (PER_ROUND * BATCH * 1000) / rates[name]
      return rates
    }
    for (let n = 0; n < WARM_UP; n++) await round()
    await sameRows(agencies, client, customersEach)
    const measured: Times[] = []
    for (let n = 0; n < rounds; n++) measured.push(await round())
    const of = (name: keyof Times) => measured.map((times) => times[name])
    const unit = 'rows/s'
    return [
      ratioOf(
        { name: `import of ${BATCH} hotel_stays on 1,000,000`, unit, target: { atLeast: 0.6 } },
        of('commit'),
        of('bare'),
      ),
      ratioOf(
        { name: 'validate of the same, against the commit', unit, target: { atLeast: 1 } },
        of('validate'),
        of('commit'),
      ),
      ratioOf(
        { name: 're-send of the same, against the commit', unit, target: { atLeast: 6 } },
        of('resend'),
        of('commit'),
      ),
    ]
  },
}

/** Whether the product and the ceiling leave the same behind. */
async function sameRows(agencies: Agencies, client: Client, customers: number): Promise<void> {
  const left = async (agency: Agency, work: () => Promise<unknown>) => {
    await client.query(`select set_config('app.account', $1, false)`, [String(agency.account)])
    const count = async () => (await client.query(COUNTED, [agency.account])).rows[0] as Record<string, string>
    const before = await count()
    await work()
    return Object.entries(await count())
      .map(([name, value]) => `${name} ${Number(value) - Number(before[name])}`)
      .join(', ')
  }
  const agency = await agencies.ingest.take(3)
  const batch = stayBatch(customers)
  const again = batch.map((stay) => ({
    ...stay,
    external_id: `X${stay.external_id}`,
    travelers: stay.travelers.map((one) => ({
      ...one,
      passport_number: `X${one.passport_number}`,
      last_name: `X ${one.last_name}`,
    })),
  }))
  const product = await left(agency, () => productTimes(agencies, agency, batch))
  const bare = await left(agency, () => bareTime(client, agency, again))
  if (product !== bare) throw new Error(`The product wrote ${product}, the ceiling ${bare}`)
}
const COUNTED = `
  select (select count(*) from bookings where account_id = $1) as bookings, (select count(*) from hotel_stays where account_id = $1) as stays,
    (select count(*) from travelers where account_id = $1) as travelers, count(*) as lines, sum(net) as net, sum(vat) as vat, sum(gross) as gross
  from booking_lines where account_id = $1`
