import { daysBetween } from '../../platform/time.ts'
import { refuseAttributes } from '../attributes.ts'

/** Days that a trip may have. */
export const DAYS_MAXIMUM = 366

/** Refuses dates that a trip cannot have, by the name of the attribute that says when it ends. */
export function refuseSpan(end: string, from: string | null, to: string | null): void {
  if (!from || !to) return
  const nights = daysBetween(from, to)
  if (nights < 0) refuseAttributes([[end, `is before the start, ${from}`]])
  if (nights >= DAYS_MAXIMUM) refuseAttributes([[end, `makes more than ${DAYS_MAXIMUM} days: from ${from} to ${to}`]])
}
