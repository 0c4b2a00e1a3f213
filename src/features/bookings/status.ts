import type { Issue } from '../../catalogue/kind.ts'
import type { BookingState } from './reads/booking-states.ts'

/** The statuses that can follow each status; every other transition is refused. */
export type Moves<State extends string = string> = Readonly<Partial<Record<State, readonly State[]>>>
export const CANCELLED = 'cancelled'

/** Why a state cannot be reached from another, with those that can. */
export function moveRefused(moves: Moves, from: string, to: string, at: string): Issue[] {
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
} as const satisfies Moves<BookingState>

/** The states of a service that takes place: a transfer, a tour. */
export const inProgress = {
  statuses: ['draft', 'option', 'confirmed', 'in_progress', 'completed', 'cancelled', 'no_show'],
  moves: {
    ...OFFERED,
    confirmed: ['in_progress', 'cancelled', 'no_show'],
    in_progress: ['completed'],
  },
} satisfies { statuses: readonly [BookingState, ...BookingState[]]; moves: Moves<BookingState> }

/** Transitions forward in the listed order, and to cancelled from any status except the last. */
export function forward(...states: readonly BookingState[]): Moves<BookingState> {
  const open = states.filter((state) => state !== CANCELLED)
  const moves = open.slice(0, -1).map((state, at) => [state, [...open.slice(at + 1), CANCELLED]] as const)
  return Object.fromEntries(moves) as Moves<BookingState>
}
