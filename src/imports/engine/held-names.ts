/** Checks the unique names of a record: the paths of names that are taken, and how to claim the others. */
type Taking = { readonly taken: readonly number[]; accept(): void }

/**
 * Names that one record has at a time, among those that the rows of a wave ask for. `found` are the holders; whoever
 * comes first has a name, and rows that are accepted take theirs and give back what they had before. A record that is
 * new has no id: nobody else of the wave can have what it has taken.
 */
export function heldNames(
  found: Iterable<readonly [name: string, id: string]>,
): (names: readonly string[], before: readonly string[], id: string | null) => Taking {
  const holders = new Map<string, string | null>(found)
  return (names, before, id) => ({
    taken: [...names.keys()].filter((nth) => {
      const name = names[nth] as string
      const isOthers = holders.has(name) && (id === null || holders.get(name) !== id)
      return isOthers || names.indexOf(name) < nth
    }),
    accept() {
      for (const name of before) if (holders.get(name) === id) holders.delete(name)
      for (const name of names) holders.set(name, id)
    },
  })
}
