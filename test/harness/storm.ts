import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Network, readNetwork } from '../../src/platform/access/source-address.ts'
import type { Connection } from '../../src/platform/db/client.ts'
import { type Agency, makeAgency } from './agency.ts'
import { atEnd } from './at-end.ts'
import { startCell, type TestCell, uncounted } from './cell.ts'
import { type Chance, chance } from './chance.ts'
import { environmentOf } from './command-line.ts'
import { countNothing } from './history.ts'
import { end, freePort, type Served, serve, temporaryFolder } from './process.ts'

const LOOPBACK = [readNetwork('127.0.0.0/8') as Network]
const NOBODY = 'http://127.0.0.1:1024/'
const NEVER_SHED = { SHED_AFTER_MS: '0' }

export type Storm = { readonly cell: TestCell; readonly agencies: readonly Agency[] }

/** The same faults again by `FAULT_SEED`, which each run prints. */
export function seededChance(): Chance {
  const seed = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 2 ** 31))
  process.stdout.write(`FAULT_SEED=${seed}\n`)
  return chance(seed)
}

/** A database for the test, with agencies that subscribe to their records. */
export async function prepareStorm(agencies: number, connection?: Connection): Promise<Storm> {
  const deps = { count: uncounted, destinations: { allowed: LOOPBACK } }
  const cell = await startCell({ deps, ...(connection && { connection }) })
  await countNothing(cell)
  const made = await Promise.all(Array.from({ length: agencies }, () => makeAgency(cell)))
  for (const { key } of made)
    expect((await cell.call('POST', '/webhooks', { key, body: { url: NOBODY } })).status).toBe(201)
  return { cell, agencies: made }
}

/** `backdesk serve` on the database of a cell, which may be killed and started anew, always at the same address. */
export type Process = {
  readonly url: string
  readonly child: Served['child']
  kill(): Promise<void>
  start(): Promise<void>
}

export async function startProcess(cell: TestCell, environment: Record<string, string> = {}): Promise<Process> {
  const port = await freePort()
  const settings = {
    ...environmentOf(cell),
    ...NEVER_SHED,
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    ...environment,
  }
  let served = await serve(temporaryFolder(), settings)
  atEnd(async () => void (await end(served.child, 'SIGKILL')))
  return {
    url: `http://127.0.0.1:${port}`,
    get child() {
      return served.child
    },
    kill: async () => void (await end(served.child, 'SIGKILL')),
    async start() {
      served = await serve(temporaryFolder(), settings)
    },
  }
}

/** Milliseconds until a condition holds. */
export async function timeUntil(holds: () => Promise<boolean>, patienceMs = 60_000): Promise<number> {
  for (const begun = performance.now(); ; await sleep(20)) {
    const isTrue = await holds()
    const passed = performance.now() - begun
    if (isTrue) return passed
    if (passed > patienceMs) throw new Error(`It did not come true in ${patienceMs} ms`)
  }
}

/** The status of a GET, and 0 without a response. */
export async function statusOf(url: string, key = ''): Promise<number> {
  try {
    const answer = await fetch(url, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(90_000),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}
