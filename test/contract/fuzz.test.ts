import { beforeAll, describe, expect, it } from 'vitest'
import { fuzzOperation, seedOf } from '../fuzz/fuzz-operation.ts'
import { type Operation, operations } from '../fuzz/operations.ts'
import { settings } from '../fuzz/settings.ts'
import { makeWorld, type World } from '../fuzz/world.ts'

const { seed, only, replay, long } = settings
const SMALL = 20
const cases = long ? settings.cases : SMALL
const TIMEOUT_MS = 30_000 + 200 * cases

const nameOf = ({ method, path }: Operation) => `${method} ${path}`
const chosen = operations.filter((operation) => only === null || nameOf(operation) === only)
const seedsFor = (operation: Operation) =>
  replay === null ? Array.from({ length: cases }, (_, nth) => seedOf(seed, operation, nth)) : [replay]

describe(`nothing that a client can send (seed ${seed})`, () => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld()
  })
  it.each(chosen.map((operation) => [nameOf(operation), operation] as const))(
    'to %s breaks it, is answered otherwise than documented, or shows another account',
    { timeout: TIMEOUT_MS },
    async (_, operation) => {
      expect((await fuzzOperation(world, operation, seedsFor(operation), long)).join('\n\n')).toBe('')
    },
  )
})
