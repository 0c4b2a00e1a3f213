import { closestName } from './closest-name.ts'
import type { Reason } from './reasons.ts'

/** Limits of the number and length of reported unknown names; a body may have thousands. */
const NAMED = 20
const CHARACTERS = 100

/** Why names are refused that nothing has, each with the closest known one, else with all of them. */
export function unknownNames(
  what: 'parameter' | 'attribute' | 'filter' | 'grouping',
  unknown: readonly string[],
  known: readonly string[],
): Reason[] {
  return unknown.slice(0, NAMED).map((name) => {
    const start = name.slice(0, CHARACTERS).toWellFormed()
    const closest = closestName(start, known)
    const advice = closest
      ? `Did you mean ${closest}?`
      : known.length > 0
        ? `Known: ${known.join(', ')}.`
        : 'Remove it.'
    return [start, `Unknown ${what}. ${advice}`]
  })
}
