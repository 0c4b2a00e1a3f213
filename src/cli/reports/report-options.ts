import { UserError } from '../../platform/user-error.ts'

/** Values may hold commas, so each option is one pair. */
export const pairs = (value: string, before: string[] = []): string[] => [...before, value]

/** Filters by their names. */
export const filtersOf = ({ filter = [] }: { readonly filter?: readonly string[] }): Record<string, string> =>
  Object.fromEntries(
    filter.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new UserError('invalid_value', `--filter takes name=value, not ${pair}.`)
      return [pair.slice(0, at), pair.slice(at + 1)] as const
    }),
  )
