import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stayBatch } from '../data.ts'
import { type AtWork, dataOf, pickOf } from './agency-at-work.ts'

const IMPORTS = '/api/v1/imports'
const SMALLEST = 100
const SIZES = 5
const KEPT_BATCHES = 5
/** Customers and suppliers referenced by stays; `prepare` creates them. */
const CUSTOMERS = 500
const SUPPLIERS = 100
const FILE = readFileSync(join(import.meta.dirname, '../../samples/ticket_files/1-issue.air'), 'latin1')

type Counts = { readonly counts: Readonly<Record<'created' | 'failed', number>> }

let sent = 0
const sizeOf = (n: number) => SMALLEST * (1 + (n % SIZES))
const someStays = () => stayBatch(CUSTOMERS).slice(0, sizeOf(++sent))
const post = (at: AtWork, what: string, path: string, body: object) => at.send(what, { method: 'POST', path, body })

/** What the stays of an account name. */
export async function prepare(at: AtWork): Promise<void> {
  const customers = Array.from({ length: CUSTOMERS }, (_, n) => ({ external_id: `C-${n + 1}`, name: `Guest ${n + 1}` }))
  const suppliers = Array.from({ length: SUPPLIERS }, (_, n) => ({
    external_id: `S-${n + 1}`,
    name: `Grand Ege Resort ${n + 1}`,
    supplier_type: 'hotel',
  }))
  for (const [entity, rows] of Object.entries({ customers, suppliers })) {
    const answer = await post(at, 'prepare', `${IMPORTS}/${entity}`, { rows, mode: 'sync' })
    if (answer.status !== 200) throw new Error(`${entity} answered ${answer.status} ${answer.text.slice(0, 500)}`)
  }
  at.promised.customers += CUSTOMERS
}

/** 100 to 500 new stays, half of them synchronous and half asynchronous. */
export async function importStays(at: AtWork): Promise<void> {
  const rows = someStays()
  const mode = sent % 2 === 0 ? 'sync' : 'async'
  const answer = await post(at, `import stays, ${mode}`, `${IMPORTS}/hotel_stays`, { rows, mode })
  if (answer.status === 202) at.promised.stays += rows.length
  if (answer.status !== 200) return
  at.promised.stays += dataOf<Counts>(answer).counts.created
  at.stayBatches.push(rows)
  if (at.stayBatches.length > KEPT_BATCHES) at.stayBatches.shift()
}

/** Existing records. They are not changed. */
export async function resendStays(at: AtWork): Promise<void> {
  const rows = pickOf(at.stayBatches)
  if (!rows) return
  const answer = await post(at, 'send stays again', `${IMPORTS}/hotel_stays`, { rows, mode: 'sync' })
  if (answer.status === 200) at.promised.stays += dataOf<Counts>(answer).counts.created
}

export const validateStays = (at: AtWork): Promise<unknown> =>
  post(at, 'a dry run of stays', `${IMPORTS}/hotel_stays/validate`, { rows: someStays() })

/** Half of the rows update customers, half create new ones. */
export async function importCustomers(at: AtWork): Promise<void> {
  const n = ++sent
  const rows = Array.from({ length: sizeOf(n) }, (_, nth) => ({
    external_id: nth % 2 === 0 ? `N-${n}-${nth}` : `C-${nth + 1}`,
    name: `Guest ${n}`,
  }))
  const answer = await post(at, 'import customers', `${IMPORTS}/customers`, { rows, mode: 'sync' })
  if (answer.status === 200) at.promised.customers += dataOf<Counts>(answer).counts.created
}

let serial = 2_500_000_000
/** A file with two tickets that no other file has. */
export async function captureTicket(at: AtWork): Promise<void> {
  serial += 2
  const file = FILE.replace('2400000001', String(serial)).replace('2400000002', String(serial + 1))
  const content = Buffer.from(file, 'latin1').toString('base64')
  const answer = await post(at, 'capture a ticket', '/api/v1/ticket_imports', { filename: '1-issue.air', content })
  if (answer.status === 201) at.promised.captures++
}
