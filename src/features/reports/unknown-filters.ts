import { ApiError } from '../../platform/http/errors.ts'
import type { Reason } from '../../platform/http/reasons.ts'
import { unknownNames } from '../../platform/http/unknown-names.ts'
import type { Given } from './filters.ts'
import type { Preset } from './preset.ts'

/** The filters that the catalogue lists for a preset. */
const filterNames = ({ dates, groupings, filters }: Preset): string[] => [
  ...(dates ? ['from', 'to'] : []),
  ...(Object.keys(dates?.by ?? {}).length > 1 ? ['date_basis'] : []),
  ...(groupings ? ['group_by'] : []),
  ...Object.keys(filters),
]
const parameter = (name: string) => `filters[${name}]`

/** Why filters, or a grouping, are refused that the preset does not have: the report would be another one than was asked for. */
export function unknownFilters(preset: Preset, given: Given): Reason[] {
  const known = filterNames(preset)
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  const groupings = Object.keys(preset.groupings ?? {})
  const grouping = typeof given.group_by === 'string' ? given.group_by.trim() : ''
  const isUnknown = known.includes('group_by') && grouping !== '' && !groupings.includes(grouping)
  return [
    ...unknownNames('filter', unknown.map(parameter), known.map(parameter)),
    ...unknownNames('grouping', isUnknown ? [grouping] : [], groupings).map(
      ([, reason]): Reason => [parameter('group_by'), reason],
    ),
  ]
}

/** Refuses query parameters by which a report would be another one than was asked for. */
export function refuseUnknownFilters(preset: Preset, given: Given): void {
  const reasons = unknownFilters(preset, given)
  if (reasons.length === 0) return
  throw new ApiError('invalid_parameter', 'The report does not have this filter. See details for each filter.', {
    details: Object.fromEntries(reasons.map(([name, reason]) => [name, [reason]])),
  })
}
