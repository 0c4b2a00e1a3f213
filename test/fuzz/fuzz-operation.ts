import { hash } from 'node:crypto'
import type { Operation } from './operations.ts'
import { requestOf } from './requests.ts'
import { send, shown } from './send.ts'
import { inCopyOf, type World } from './world.ts'

/** Number of cases that share a copy of the world in a long run, since some of them end records. */
const SLICE = 250
const SEEDS = 2 ** 31

/** The seed of a case, which determines all of it; different for each operation. */
export const seedOf = (base: number, { method, path }: Operation, nth: number): number =>
  Number.parseInt(hash('sha256', `${base} ${method} ${path} ${nth}`).slice(0, 12), 16) % SEEDS

/** Sends these cases in order. Returns the first of each kind of failure: its seed, the fault and the request. */
async function sendAll(world: World, operation: Operation, seeds: readonly number[]): Promise<Map<string, string>> {
  const failures = new Map<string, string>()
  for (const seed of seeds) {
    const request = requestOf(operation, seed)
    const wrong = await send(world, operation, request)
    const kind = wrong?.replace(/[0-9a-f-]{8,}|\d+/g, '#').slice(0, 160)
    if (wrong && kind && !failures.has(kind)) failures.set(kind, `seed ${seed}: ${wrong}\n  ${shown(world, request)}`)
  }
  return failures
}

/** Sends the cases of an operation, and answers a line for each kind of failure. In a long run they go to copies of the world. */
export async function fuzzOperation(
  world: World,
  operation: Operation,
  seeds: readonly number[],
  long: boolean,
): Promise<string[]> {
  if (!long) return [...(await sendAll(world, operation, seeds)).values()]
  const failures = new Map<string, string>()
  for (let at = 0; at < seeds.length; at += SLICE) {
    const slice = seeds.slice(at, at + SLICE)
    const found = await inCopyOf(world, (copy) => sendAll(copy, operation, slice))
    for (const [kind, failure] of found) if (!failures.has(kind)) failures.set(kind, failure)
  }
  return [...failures.values()]
}
