import { startBare } from '../bare-client.ts'
import { get, load } from '../http.ts'
import { alternate, ratioOf } from '../measure.ts'
import type { World } from '../world.ts'
import type { Case } from './case.ts'

const TARGET = { atLeast: 0.6 }

/** An address of the product against a bare route that sends the same bytes. */
async function compare({ filled, rounds }: World, path: string, counted: boolean) {
  const { cell, reads, all } = await filled()
  const url = `${cell.url}/api/v1${path}`
  const body = await get(url, all[1]?.key ?? '')
  const bare = await startBare({ connection: null, routes: [{ path, body }] })
  const sides = { product: () => load(url, reads, counted), ceiling: () => load(`${bare}${path}`, reads, false) }
  await alternate(1, sides) // warms both up
  const { product, ceiling } = await alternate(rounds, sides)
  return [ratioOf({ name: `GET ${path}`, unit: 'requests/s', target: TARGET }, product, ceiling)]
}

export const health: Case = { name: 'health', run: (world) => compare(world, '/health', false) }
export const me: Case = { name: 'me', run: (world) => compare(world, '/me', true) }
