import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { shownFields } from '../../src/catalogue/columns.ts'
import type { Entity } from '../../src/catalogue/entity.ts'
import type { Reference } from '../../src/catalogue/kind.ts'
import { reportStatement } from '../../src/features/reports/compile.ts'
import type { Preset } from '../../src/features/reports/preset.ts'
import { BATCH_STATUSES } from '../../src/imports/batches/batch-shape.ts'
import { listBatches } from '../../src/imports/batches/batches.store.ts'
import { revertsOf } from '../../src/imports/batches/revert-batch.store.ts'
import { identities, onesOf, wholesOf } from '../../src/imports/engine/load.ts'
import { step } from '../../src/imports/engine/resolve.ts'
import { writesOf } from '../../src/imports/engine/write.ts'
import { BUILT_IN_ROLES } from '../../src/platform/access/policies.ts'
import { composed, type Statement } from '../../src/platform/db/statement.ts'
import { queueDepths } from '../../src/platform/jobs/queue-depths.ts'
import { scheduleQueue } from '../../src/platform/jobs/schedule.ts'
import { entities, followUpsOf, queuesOf, reportSources, routesOf, scheduledJobs } from '../../src/registry.ts'
import { startCell } from './cell.ts'
import type * as Watched from './watch-statements.ts'

export const ROOT = join(import.meta.dirname, '../..')
export const ROLES = Object.values(BUILT_IN_ROLES)
const PROGRAM = 'src/main.ts' // runs when it is imported
export const sources = ['src', 'demo'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== PROGRAM),
)

/** The place where the program declares what a statement writes: the entity, for generated statements. */
export const entityOf = new Map<Statement, Entity>()

/**
 * Makes every statement of the program, those too that are made when they are first asked for: for each entity, role and
 * filter. `watched` is what `watch-statements.ts` notes, which is imported before anything else.
 */
export async function makeEveryStatement({ made, families }: typeof Watched): Promise<void> {
  for (const file of sources) await import(join(ROOT, file))
  const { deps } = await startCell()
  followUpsOf(deps.log)
  routesOf(deps)
  scheduleQueue(deps, scheduledJobs)
  queueDepths(deps.db, queuesOf(deps))
  for (const status of [undefined, ...BATCH_STATUSES])
    for (const ofEntity of [true, false]) listBatches(status, ofEntity)
  for (const importable of entities) makeStatementsOf(importable.entity)
  for (const family of composed)
    for (const role of ROLES)
      for (const variant of family.variants) made.set(family.of(role, variant), families.get(family) as string)
  for (const preset of reportSources.presets) makeReports(preset, made)
}

/** A report under no filter and under all of them, for each role, date basis and grouping. */
function makeReports(preset: Preset, made: Map<Statement, string>): void {
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
    if (!entity.readOnly) for (const one of Object.values(revertsOf(guarded)(entity))) noteEntity(one, entity)
  }
  for (const one of Object.values(writesOf(entity))) noteEntity(one, entity)
  for (const { reference } of Object.values(shownFields(entity)))
    for (const key of reference?.by ?? []) for (const role of ROLES) step(reference as Reference, key, role)
}
const noteEntity = (one: Statement, entity: Entity): unknown => entityOf.set(one, entity)
