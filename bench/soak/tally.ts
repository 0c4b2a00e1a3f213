import type { Answer } from './call.ts'

/** The parts of a soak that are held against each other: minutes, where it takes ten. */
export const PARTS = 10

type Answered = { readonly what: string; readonly part: number; readonly status: number; readonly ms: number }

/** Answers by worker and time. */
export type Tally = {
  note(what: string, answer: Answer): void
  readonly answered: readonly Answered[]
  /** Answers by their status. */
  statuses(): ReadonlyMap<number, number>
  /** The part that has begun. */
  part(): number
}

export function tally(seconds: number): Tally {
  const begin = performance.now()
  const answered: Answered[] = []
  const part = () => Math.min(PARTS - 1, Math.floor(((performance.now() - begin) * PARTS) / (seconds * 1000)))
  return {
    answered,
    part,
    note: (what, { status, ms }) => void answered.push({ what, part: part(), status, ms }),
    statuses: () => new Map([...Map.groupBy(answered, ({ status }) => status)].map(([key, all]) => [key, all.length])),
  }
}

/** The quantile of the values; 0 if there are none. */
export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
