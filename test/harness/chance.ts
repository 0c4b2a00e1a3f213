/** Numbers from 0 to below `below`, the same ones for the same seed. */
export type Chance = (below: number) => number

/** Small and fast, and good enough to choose by (mulberry32). */
export function chance(seed: number): Chance {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** One of a list that has at least one. */
export const pick = <T>(any: Chance, from: readonly T[]): T => from[any(from.length)] as T
