import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { shownFields } from '../../src/catalogue/columns.ts'
import type { Entity } from '../../src/catalogue/entity.ts'
import type { Reference } from '../../src/catalogue/kind.ts'
import { reportStatement } from '../../src/features/reports/compile.ts'
import type { Preset } from '../../src/features/reports/preset.ts'
import { BATCH_STATUSES } from '../../src/imports/batches/batch-shape.ts'
import { listBatches } from '../../src/imports/batches/batch-sql.ts'
import { revertsOf } from '../../src/imports/batches/revert-batch.ts'
import { identities, onesOf, wholesOf } from '../../src/imports/engine/load.ts'
import { step } from '../../src/imports/engine/resolve.ts'
import { writesOf } from '../../src/imports/engine/write.ts'
import { BUILT_IN_ROLES } from '../../src/platform/access/policies.ts'
import * as pg from '../../src/platform/db/pg-types.ts'
import { composed, type Statement, statement } from '../../src/platform/db/statement.ts'
import { queueDepths } from '../../src/platform/jobs/queue-depths.ts'
import { scheduleQueue } from '../../src/platform/jobs/schedule.ts'
import { entities, outboxOf, queuesOf, reportSources, routesOf, scheduledJobs } from '../../src/registry.ts'
import { singleClient, startCell } from '../harness/cell.ts'
import { type Described, describer } from '../harness/describe-statement.ts'

/** Before everything that is imported, since it notes the statements that modules make. */
const { families, made, MECHANISM } = await vi.hoisted(() => import('../harness/watch-statements.ts'))

const ROOT = join(import.meta.dirname, '../..')
const PROGRAM = 'src/main.ts' // runs when it is imported
const sources = ['src', 'demo'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== PROGRAM),
)
const ROLES = Object.values(BUILT_IN_ROLES)

let client: Client
let describe: (statement: Statement) => Promise<Described>
beforeAll(async () => {
  for (const file of sources) await import(join(ROOT, file))
  await makeVariants()
  client = await singleClient()
  describe = await describer(client)
})
afterAll(() => client.end())

/** Makes what is made when it is first asked for: for each entity, role and filter. */
async function makeVariants(): Promise<void> {
  const { deps } = await startCell()
  outboxOf(deps.log)
  routesOf(deps)
  scheduleQueue(deps, scheduledJobs)
  queueDepths(deps.db, queuesOf(deps))
  for (const status of [undefined, ...BATCH_STATUSES])
    for (const ofEntity of [true, false]) listBatches(status, ofEntity)
  for (const importable of entities) makeStatementsOf(importable.entity)
  for (const family of composed)
    for (const role of ROLES)
      for (const variant of family.variants) made.set(family.of(role, variant), families.get(family) as string)
  for (const preset of reportSources.presets) makeReports(preset)
}

/** A report under no filter and under all of them, for each role, date basis and grouping. */
function makeReports(preset: Preset): void {
  const asked = Object.fromEntries(Object.keys(preset.filters).map((name) => [name, 'asked']))
  const nothing = Object.fromEntries(Object.keys(preset.filters).map((name) => [name, null]))
  const days = preset.dates ? { from: null, to: null } : {}
  for (const policies of ROLES)
    for (const group_by of [null, ...Object.keys(preset.groupings ?? {})])
      for (const date_basis of [null, ...Object.keys(preset.dates?.by ?? {})])
        for (const filters of [asked, nothing])
          for (const continues of [true, false]) {
            const query = { preset, policies, filters: { ...days, ...filters, date_basis, group_by }, continues }
            made.set(reportStatement(query), `the report ${preset.key}`)
          }
}

function makeStatementsOf(entity: Entity): void {
  identities(entity)
  for (const guarded of entity.restricted ? [true, false] : [false]) {
    wholesOf(guarded)(entity)
    onesOf(guarded)(entity)
    if (!entity.readOnly) revertsOf(guarded)(entity)
  }
  writesOf(entity)
  for (const { reference } of Object.values(shownFields(entity)))
    for (const key of reference?.by ?? []) for (const role of ROLES) step(reference as Reference, key, role)
}

/** What a declaration says otherwise than PostgreSQL. */
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
      wrong.push(`${name} can be null`)
    if (declared.length > 0 && nullable === false && isNullable(shape)) wrong.push(`${name} is never null`)
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
  expect([...wrong]).toEqual([])
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
