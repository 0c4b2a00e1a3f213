import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import * as pg from '../../src/platform/db/pg-types.ts'
import { type Statement, statement } from '../../src/platform/db/statement.ts'
import { singleClient } from '../harness/cell.ts'
import { type Described, describer } from '../harness/describe-statement.ts'
import { makeEveryStatement, ROLES, ROOT, sources } from '../harness/every-statement.ts'

/** Before everything that is imported, and that another file has imported, since it notes what modules make. */
const watched = await vi.hoisted(() => {
  vi.resetModules()
  return import('../harness/watch-statements.ts')
})
const { families, made, MECHANISM } = watched

let client: Client
let describe: (statement: Statement) => Promise<Described>
beforeAll(async () => {
  await makeEveryStatement(watched)
  client = await singleClient()
  describe = await describer(client)
})
afterAll(() => client.end())

/** The differences between a declaration and PostgreSQL. */
function differences(one: Statement, { takes, gives }: Described): string[] {
  const wrong: string[] = []
  for (const [name, type] of Object.entries(takes)) {
    const declared = typesOf(one.takes[name] as TSchema)
    const isNumber = declared.includes('int4') && ['int8', 'numeric', 'float8'].includes(type)
    if (declared.length > 0 && !declared.includes(type) && !isNumber)
      wrong.push(`$${name} is declared as ${declared[0]}, and is ${type}`)
  }
  for (const name of Object.keys(one.gives).filter((name) => !(name in gives))) wrong.push(`gives no ${name}`)
  for (const [name, { type, nullable }] of Object.entries(gives)) {
    const shape = one.gives[name]
    if (!shape) {
      wrong.push(`gives ${name}, which is not declared`)
      continue
    }
    const declared = typesOf(shape)
    if (declared.length > 0 && !declared.includes(type))
      wrong.push(`${name} is declared as ${declared[0]}, and is ${type}`)
    if (declared.length > 0 && nullable === true && !isNullable(shape) && !('filled' in shape))
      wrong.push(
        `${name} can be null: declare pg.nullable(…), pg.filled(…) if a condition excludes null, or the column not null`,
      )
    if (declared.length > 0 && nullable === false && isNullable(shape))
      wrong.push(`${name} is never null: declare it without pg.nullable`)
  }
  return wrong
}

type Shape = TSchema & { readonly pg?: readonly string[]; readonly anyOf?: Shape[]; readonly items?: Shape }
const isNullable = ({ anyOf }: Shape): boolean =>
  anyOf?.some(({ type }: Shape & { type?: string }) => type === 'null') ?? false
function typesOf(shape: Shape): readonly string[] {
  if (shape.pg) return shape.pg
  if (shape.anyOf) return shape.anyOf.flatMap((one) => ((one as { type?: string }).type === 'null' ? [] : typesOf(one)))
  if (shape.items) return typesOf(shape.items).map((type) => `_${type}`)
  return []
}

const CALL = /\b(statement|variantOf)\(/
it('is described, wherever it is made', () => {
  const described = new Set(made.values())
  const calls = sources
    .filter((file) => !MECHANISM.test(file))
    .flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => (CALL.test(line) ? [`${file}:${at + 1}`] : [])),
    )
  expect(calls.length).toBeGreaterThan(300)
  expect(calls.filter((call) => !described.has(call))).toEqual([])
})
it('takes and gives what it declares', async () => {
  const wrong = new Set<string>()
  for (const [one, site] of made) {
    const described = await describe(one).catch((error: Error) => error.message)
    const found = typeof described === 'string' ? [described] : differences(one, described)
    for (const text of found) wrong.add(`${site} ${text}`)
  }
  expect(made.size).toBeGreaterThan(1_000)
  expect([...wrong], 'Correct the declarations of these statements').toEqual([])
}, 120_000)
it('declares no parameter that none of its variants names', () => {
  const unnamed = [...families].flatMap(([{ takes, of, variants }, site]) => {
    const named = new Set(ROLES.flatMap((role) => variants.flatMap((variant) => of(role, variant).named)))
    return Object.keys(takes).flatMap((name) => (named.has(name) ? [] : `${site} $${name}`))
  })
  expect(unnamed).toEqual([])
})

it('is refused where it names what it does not declare, or leaves out what it declares', () => {
  expect(() => statement({}, {}, 'select $custmer')).toThrow('names $custmer')
  expect(() => statement({ customer: pg.uuid }, {}, 'select 1')).toThrow('declares customer')
})
