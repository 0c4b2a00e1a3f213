import type { Issue } from '../../catalogue/kind.ts'

/** The states of a booking and the moves between them; every other move is refused. */
export type Machine = {
  readonly moves: Readonly<Record<string, readonly string[]>>
  /** The states in which a booking with an invoice date is invoiced: confirmed, and whatever comes after. */
  readonly firm: ReadonlySet<string>
}
export const CANCELLED = 'cancelled'

/** Why a state cannot be reached from another, with those that can. */
export function moveRefused(moves: Machine['moves'], from: string, to: string, at: string): Issue[] {
  const allowed = moves[from] ?? []
  if (allowed.includes(to)) return []
  return [
    { at, code: 'invalid_transition', message: `A record with the status ${from} cannot change to ${to}.`, allowed },
  ]
}

/** The transitions of statuses before the sale. */
export const OFFERED = {
  draft: ['option', 'confirmed', CANCELLED],
  option: ['draft', 'confirmed', CANCELLED],
}

/** The states of a service that takes place: a transfer, a tour. */
export const inProgress = {
  statuses: ['draft', 'option', 'confirmed', 'in_progress', 'completed', 'cancelled', 'no_show'],
  machine: {
    moves: {
      ...OFFERED,
      confirmed: ['in_progress', 'cancelled', 'no_show'],
      in_progress: ['completed'],
    },
    firm: new Set(['confirmed', 'in_progress', 'completed', 'no_show']),
  },
} satisfies { statuses: readonly [string, ...string[]]; machine: Machine }

/** Transitions forward in the listed order, and to cancelled from any status except the last. */
export function forward(...states: readonly string[]): Machine['moves'] {
  const open = states.filter((state) => state !== CANCELLED)
  return Object.fromEntries(open.slice(0, -1).map((state, at) => [state, [...open.slice(at + 1), CANCELLED]] as const))
}
