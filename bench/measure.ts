/** A median with the least and the greatest of its rounds. */
export type Spread = { readonly median: number; readonly min: number; readonly max: number }
export type Target = { readonly atLeast: number } | { readonly atMost: number }
export type Result = {
  readonly name: string
  /** Units of `product` and `ceiling`. */
  readonly unit: string
  readonly product: Spread
  readonly ceiling: Spread | null
  /** Product divided by ceiling, by round; null if the target is an absolute figure. */
  readonly ratio: Spread | null
  /** Null if the figure is only reported. */
  readonly target: Target | null
  readonly reached: boolean | null
}
/** A measurement and what it is compared with. Both return a rate: higher is better. */
export type Comparison = { readonly name: string; readonly unit: string; readonly target: Target | null }

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number) => sorted[index] as number
  const middle = sorted.length >> 1
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2
  return { median, min: at(0), max: at(sorted.length - 1) }
}

export const milliseconds = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/** Runs the sides in turn, reversing the order each round, and returns the values of each. */
export async function alternate<K extends string>(
  rounds: number,
  sides: Readonly<Record<K, () => Promise<number>>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(sides) as K[]
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) values[name].push(await sides[name]())
  }
  return values
}

/** A ratio of two rates, measured round by round. */
export function ratioOf(what: Comparison, product: readonly number[], ceiling: readonly number[]): Result {
  const ratio = spread(product.map((value, round) => value / (ceiling[round] as number)))
  return {
    ...what,
    product: spread(product),
    ceiling: spread(ceiling),
    ratio,
    reached: isReached(what.target, ratio.median),
  }
}

/** A figure that is compared with its target directly. */
export function figureOf(what: Comparison, values: readonly number[]): Result {
  const product = spread(values)
  return { ...what, product, ceiling: null, ratio: null, reached: isReached(what.target, product.median) }
}

function isReached(target: Target | null, value: number): boolean | null {
  if (!target) return null
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
}
