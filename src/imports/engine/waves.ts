import type { ImportRow } from './read-rows.ts'

/**
 * Rows in the order in which they may be written: the first of each record, then the second, and so on. Several
 * external ids can lead to one record that is there. Rows without an id are in the first wave, where they fail.
 */
export function waves(rows: readonly ImportRow[], recordOf: (externalId: string) => string | undefined): ImportRow[][] {
  const seen = new Map<string, number>()
  const found: ImportRow[][] = []
  for (const row of rows) {
    const key = row.externalId === null ? null : (recordOf(row.externalId) ?? row.externalId)
    const nth = key === null ? 0 : (seen.get(key) ?? 0)
    if (key !== null) seen.set(key, nth + 1)
    const wave = found[nth] ?? []
    wave.push(row)
    found[nth] = wave
  }
  return found
}
