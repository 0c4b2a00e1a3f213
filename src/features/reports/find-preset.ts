import type { Plan } from '../../platform/access/plans.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { planLacks } from '../../platform/http/gate.ts'
import type { Preset } from './preset.ts'

/** The preset of a key, where the plan includes it. */
export function findPreset(presets: readonly Preset[], key: string, plan: Plan): Preset {
  const preset = presets.find((preset) => preset.key === key)
  if (!preset) throw new ApiError('not_found', 'No report with this key exists. GET /reports lists the reports.')
  if (!plan.features.has(preset.feature)) throw planLacks(plan, preset.feature)
  return preset
}
