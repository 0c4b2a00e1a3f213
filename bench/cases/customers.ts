import type { Client } from 'pg'
import type { Agencies } from '../agencies.ts'
import { BATCH, customerBatch } from '../data.ts'
import { post } from '../http.ts'
import { alternate, milliseconds, ratioOf } from '../measure.ts'
import type { Case } from './case.ts'

const PER_ROUND = 6
const WARM_UP = 3

/** The same rows into the same table, which keeps its keys and triggers. */
const SQL = `
  insert into customers (account_id, company_id, branch_id, source_system, external_id, name, customer_type, email, phone, address, preferred_currency, code)
  select $1, $2, $3, 'api', r.external_id, r.name, r.customer_type, r.email, r.phone,
    jsonb_build_object('line', r.address_line, 'city', r.address_city, 'zip', r.address_zip), r.preferred_currency, r.code
  from jsonb_to_recordset($4::jsonb) as r(external_id text, name text, customer_type text, email text, phone text,
    address_line text, address_city text, address_zip text, preferred_currency text, code text)`

/** Rows a second of a few batches, each prepared before the clock runs. */
async function rate(one: () => Promise<() => Promise<unknown>>, batches = PER_ROUND): Promise<number> {
  let spent = 0
  for (let n = 0; n < batches; n++) spent += await milliseconds(await one())
  return (batches * BATCH * 1000) / spent
}

async function importOnce({ cell, ingest }: Agencies): Promise<() => Promise<unknown>> {
  const { key } = await ingest.take(1)
  const { body } = customerBatch()
  return async () => {
    const answer = await post(`${cell.url}/api/v1/imports/customers`, key, body)
    if (!answer.includes(`"created":${BATCH}`)) throw new Error(`Not all were created: ${answer.slice(0, 500)}`)
  }
}

async function insertOnce({ all }: Agencies, client: Client): Promise<() => Promise<unknown>> {
  const { account, company, branch } = all[Math.floor(Math.random() * all.length)] as Agencies['all'][number]
  await client.query(`select set_config('app.account', $1, false)`, [String(account)])
  const { rows } = customerBatch()
  return () => client.query({ name: 'customers', text: SQL, values: [account, company, branch, rows] })
}

export const customers: Case = {
  name: 'customers',
  async run({ empty, filled, rounds, customers: count }) {
    const [small, large] = [await empty(), await filled()]
    const [smallDb, largeDb] = [await small.asApp(), await large.asApp()]
    const sides = {
      small: () => rate(() => importOnce(small)),
      smallBare: () => rate(() => insertOnce(small, smallDb)),
      large: () => rate(() => importOnce(large)),
      largeBare: () => rate(() => insertOnce(large, largeDb)),
    }
    await alternate(WARM_UP, sides)
    const at = await alternate(rounds, sides)
    await smallDb.end() // or the server would outlive the cell
    await small.cell.stop()
    const name = `import of ${BATCH} customers`
    const onMany = `${name} on ${count.toLocaleString('en')}`
    return [
      ratioOf({ name, unit: 'rows/s', target: { atLeast: 0.5 } }, at.small, at.smallBare),
      ratioOf({ name: onMany, unit: 'rows/s', target: { atLeast: 0.5 } }, at.large, at.largeBare),
      ratioOf({ name: `${onMany} against on none`, unit: 'rows/s', target: { atLeast: 0.75 } }, at.large, at.small),
    ]
  },
}
