/** Names of parameters in other APIs that are not similar to ours. */
const ALIASES = new Map(
  Object.entries({
    q: ['search', 'query', 'text', 'keyword'],
    limit: ['per_page', 'page_size', 'size', 'count', 'max'],
    cursor: ['page', 'offset', 'after', 'starting_after', 'next_cursor'],
    from: ['start', 'since'],
    to: ['end', 'until'],
    updated_since: ['since', 'modified_since', 'updated_after'],
  }),
)
/** So much of a name may be mistyped: one of three letters. */
const LETTERS_PER_TYPO = 3
/** A shorter part of a name is not specific enough for a suggestion. */
const TELLING_WORD = 3

/**
 * The most likely known name: equal except for case and punctuation, with other or no brackets, a name of other APIs,
 * with a few typing errors, or with one word more or less. Null if none is close.
 */
export function closestName(name: string, known: readonly string[]): string | null {
  const asked = bare(name)
  const forms = known.flatMap((one) => [bare(one), ...(ALIASES.get(bare(one)) ?? [])].map((form) => ({ one, form })))
  const same = forms.find(({ form }) => letters(form) === letters(asked))
  if (same) return same.one
  const near = closest(forms, ({ form }) => typos(letters(asked), letters(form)))
  const { length } = letters(asked)
  if (near && near.distance < length && near.distance <= Math.max(1, length / LETTERS_PER_TYPO)) return near.best.one
  const related = forms.filter(({ form }) => isWithin(words(asked), words(form)) || isWithin(words(form), words(asked)))
  return closest(related, ({ form }) => Math.abs(words(form).length - words(asked).length))?.best.one ?? null
}

/** The own part of a name: of `filters[from]`, or `trip.from`, it is `from`. */
const bare = (name: string): string => /([^[\].]+)\]?$/.exec(name)?.[1] ?? name
const letters = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
const words = (name: string): string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
const isWithin = (some: readonly string[], all: readonly string[]): boolean =>
  some.every((word) => all.includes(word)) && some.some((word) => word.length >= TELLING_WORD)

function closest<T>(all: readonly T[], distanceOf: (one: T) => number): { best: T; distance: number } | null {
  const measured = all.map((best) => ({ best, distance: distanceOf(best) }))
  return measured.length === 0 ? null : measured.reduce((one, other) => (other.distance < one.distance ? other : one))
}

/** Letters to add, remove, replace or swap with the next one (optimal string alignment). */
function typos(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const differs = from[i - 1] === to[j - 1] ? 0 : 1
      const swaps = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const steps = [at(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1, at(rows, i - 1, j - 1) + differs]
      row[j] = Math.min(...steps, ...(swaps ? [at(rows, i - 2, j - 2) + 1] : []))
    }
    rows[i] = row
  }
  return at(rows, from.length, to.length)
}
const at = (rows: readonly number[][], i: number, j: number): number => rows[i]?.[j] ?? 0
