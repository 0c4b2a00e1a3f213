import type { Reason } from '../../../platform/http/reasons.ts'
import { daysBetween } from '../../../platform/time.ts'

/** Days that a trip may have. */
export const DAYS_MAXIMUM = 366

/** Why a trip cannot have these dates, by the name of the end attribute. */
export function spanRefused(end: string, from: string | null, to: string | null): Reason[] {
  if (!from || !to) return []
  const nights = daysBetween(from, to)
  if (nights < 0) return [[end, `This is before the start, ${from}.`]]
  return nights >= DAYS_MAXIMUM
    ? [[end, `A trip has at most ${DAYS_MAXIMUM} days. From ${from} to ${to} is longer.`]]
    : []
}
