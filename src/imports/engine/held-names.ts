/** Checks the unique names of a record: the paths of names that are taken, and how to claim the others. */
type Taking = { readonly taken: readonly number[]; accept(): void }

/**
 * Names that only one record may have at a time, limited to those in the rows of a wave. `found` are the holders. The
 * first row gets a name; accepted rows take theirs and release their previous ones. A new record has no id: no other
 * row of the wave can have its name.
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
