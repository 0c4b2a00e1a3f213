/** Fields, by the policies needed to see them: a list, or `nothing`; `never` are those that are never shown. */
export type Needs = Readonly<Record<string, string>>

const NEEDED: Readonly<Record<string, readonly string[] | null>> = { nothing: [], never: null }

export const words = (text: string): string[] => text.trim().split(/\s+/)
/** Fields of what lies at a place, e.g. of `travelers[]`. */
export const at = (place: string, fields: string): string =>
  words(fields)
    .map((field) => `${place}.${field}`)
    .join(' ')
export const within = (place: string, needs: Needs): Needs =>
  Object.fromEntries(Object.entries(needs).map(([needed, fields]) => [needed, at(place, fields)]))
/** One reading of several groups of fields. */
export function of(...groups: readonly Needs[]): Needs {
  const all: Record<string, string> = {}
  for (const [needed, fields] of groups.flatMap(Object.entries<string>)) all[needed] = `${all[needed] ?? ''} ${fields}`
  return all
}

/** The fields of a reading, and the policies that each needs; null if it is never shown. */
export const needsOf = (needs: Needs = {}): ReadonlyMap<string, readonly string[] | null> =>
  new Map(
    Object.entries(needs).flatMap(([needed, fields]) =>
      words(fields).map((field) => [field, NEEDED[needed] === undefined ? words(needed) : NEEDED[needed]] as const),
    ),
  )
