import type { Entity } from '../../../catalogue/entity.ts'
import type { Plan } from '../../../platform/access/plans.ts'
import type { Policies } from '../../../platform/access/policies.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { planLacks } from '../../../platform/http/gate.ts'
import { type Definition, type DefinitionReason, readDefinition } from '../builder/definition.ts'
import { presetOf } from '../builder/preset-of.ts'
import type { Given } from '../filters.ts'
import type { Preset } from '../preset.ts'
import type { SavedReport } from './saved-report-attributes.ts'

/** What reports can be made of. */
export type ReportSources = { readonly presets: readonly Preset[]; readonly entities: readonly Entity[] }
/** The reader of a saved report, and the day in the account's calendar. */
type For = { readonly plan: Plan; readonly policies: Policies; readonly today: string }
/** A preset with its filters, and its definition if it has one. */
export type Runnable = { readonly preset: Preset; readonly given: Given; readonly definition: Definition | null }
/** Why a report cannot be run as saved, by attribute. */
export class InvalidReport {
  readonly reasons: readonly DefinitionReason[]
  constructor(reasons: readonly DefinitionReason[]) {
    this.reasons = reasons
  }
}

/** The preset that a saved report is today, by what there is now and not when it was saved. */
export function runnableOf(
  { preset_key, filters, definition }: Pick<SavedReport, 'preset_key' | 'filters' | 'definition'>,
  { presets, entities }: ReportSources,
  { plan, policies, today }: For,
): Runnable | InvalidReport {
  if (preset_key === null) {
    const read = readDefinition(definition, entities)
    if (!isDefinition(read))
      return new InvalidReport(read.map(([at, reason]) => [`definition${at && `.${at}`}`, reason]))
    const entity = entities.find(({ key }) => key === read.entity) as Entity
    return { preset: presetOf(read, entity, { policies, today }), given: { group_by: read.group_by }, definition: read }
  }
  const preset = presets.find(({ key }) => key === preset_key)
  if (!preset) return new InvalidReport([['preset_key', `${preset_key} is not a report`]])
  if (!plan.features.has(preset.feature)) throw planLacks(plan, preset.feature)
  return { preset, given: filters ?? {}, definition: null }
}

const isDefinition = (read: Definition | readonly DefinitionReason[]): read is Definition => !Array.isArray(read)

/** Refuses to run a report that refers to fields or records that no longer exist. */
export function requireValid(runnable: Runnable | InvalidReport): Runnable {
  if (!(runnable instanceof InvalidReport)) return runnable
  throw new ApiError(
    'validation_failed',
    'The saved report uses a report, field or filter that no longer exists. See details. Update or delete the saved report.',
    {
      details: Object.fromEntries(runnable.reasons.map(([at, reason]) => [at, [reason]])),
    },
  )
}
