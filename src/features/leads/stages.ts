import { quoted } from '../../platform/db/quoted.ts'

const OPEN_STAGES = ['inbox', 'qualified', 'nurturing', 'proposal'] as const
export const STAGES = [...OPEN_STAGES, 'won', 'lost'] as const
export type Stage = (typeof STAGES)[number]

export const LOST_REASONS = [
  'price',
  'competitor',
  'budget',
  'dates_unavailable',
  'destination_changed',
  'no_response',
  'booked_elsewhere',
  'travel_cancelled',
  'not_serviceable',
  'duplicate',
  'spam',
  'other',
] as const

const isOpen = (stage: Stage): boolean => (OPEN_STAGES as readonly Stage[]).includes(stage)
/** SQL over a lead `t`. */
export const OPEN_LEAD_SQL = `t.stage in (${quoted(OPEN_STAGES)})`

/**
 * Whether an unconverted lead may move from one stage to another: freely among the open ones, from them to both final
 * ones, from lost to any open one, and from won only to proposal.
 */
export function mayMove(from: Stage, to: Stage): boolean {
  if (isOpen(from)) return true
  return from === 'lost' ? isOpen(to) : to === 'proposal'
}
