/** A file as a look into the folder found it. */
export type SeenFile = { readonly name: string; readonly size: number; readonly mtimeMs: number }

export const isSame = (one: SeenFile, other: Omit<SeenFile, 'name'>): boolean =>
  one.size === other.size && one.mtimeMs === other.mtimeMs
