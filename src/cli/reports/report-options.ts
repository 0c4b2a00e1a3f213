import { ApiError } from '../../platform/http/errors.ts'

/** Values may hold commas, so each option is one pair. */
export const pairs = (value: string, before: string[] = []): string[] => [...before, value]

/** Filters by their names. */
export const filtersOf = ({ filter = [] }: { readonly filter?: readonly string[] }): Record<string, string> =>
  Object.fromEntries(
    filter.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new Error(`--filter takes name=value, not ${pair}.`)
      return [pair.slice(0, at), pair.slice(at + 1)] as const
    }),
  )

/** Says of a refusal each of its reasons. */
export async function saying<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error
    const reasons = Object.entries(error.details).flatMap(([at, all]) => all.map((reason) => `${at}: ${reason}`))
    throw new Error(reasons.join('\n'))
  }
}
