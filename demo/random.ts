/** Numbers that look random and are the same for the same seed (mulberry32). */
export type Random = {
  /** From 0 up to, not including, 1. */
  next(): number
  int(minimum: number, maximum: number): number
  pick<T>(list: readonly T[]): T
  chance(probability: number): boolean
  digits(count: number): string
}

/** The same items in another order. */
export function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const keyed = list.map((item) => ({ item, key: random.next() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (minimum: number, maximum: number) => minimum + Math.floor(next() * (maximum - minimum + 1))
  return {
    next,
    int,
    pick: (list) => list[int(0, list.length - 1)] as (typeof list)[number],
    chance: (probability) => next() < probability,
    digits: (count) => Array.from({ length: count }, () => int(0, 9)).join(''),
  }
}
