import type { Entity } from '../catalogue/entity.ts'
import type { Issue, ReadContext } from '../catalogue/kind.ts'
import { type Findings, readCells, type Values } from '../catalogue/read-cells.ts'

export type OutcomeStatus = 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed'

/** One row of a batch on its way: what was read of it, what is wrong with it, and what became of it. */
export type Draft = {
  readonly index: number
  readonly externalId: string | null
  /** The cells that were given, as read; those of references hold what the client sent. */
  readonly given: Values
  errors: Issue[]
  warnings: Issue[]
  /** Column → id of the records that the row refers to, where it does. */
  readonly links: Record<string, string | null>
  status: OutcomeStatus
  id: string | null
  recordStatus: string | null
  reason: string | null
}

const blank = (index: number, externalId: string | null): Draft => ({
  index,
  externalId,
  given: {},
  errors: [],
  warnings: [],
  links: {},
  status: 'failed',
  id: null,
  recordStatus: null,
  reason: null,
})

/** The key of a row as it would be read, before anything else of the row is. */
export const externalIdOf = (row: Record<string, unknown>): string | null =>
  typeof row.external_id === 'string' ? row.external_id.trim() : null

/** Reads every cell of every row: no database, no exceptions. Rows of `skip` are not looked into. */
export function readRows(
  entity: Entity,
  rows: readonly Record<string, unknown>[],
  skip: ReadonlySet<string>,
  context: ReadContext,
): { drafts: Draft[]; ignored: string[] } {
  const ignored = new Set<string>()
  const drafts = rows.map((row, index): Draft => {
    const key = externalIdOf(row)
    if (key !== null && skip.has(key)) {
      for (const name in row) if (!Object.hasOwn(entity.fields, name)) ignored.add(name)
      return blank(index, key)
    }
    const found: Findings = { errors: [], warnings: [], ignored }
    const given = readCells(entity.fields, row, context, found)
    const externalId = typeof given.external_id === 'string' ? given.external_id : null
    return { ...blank(index, externalId), given, errors: found.errors, warnings: found.warnings }
  })
  return { drafts, ignored: shownNames(ignored) }
}

/** Names of keys that no entity has are the client's invention: they are cut, and so is their number. */
const SHOWN_NAMES = 500
const SHOWN_NAME_LENGTH = 200
const shownNames = (names: ReadonlySet<string>): string[] =>
  [...names]
    .filter(isShowable)
    .sort()
    .slice(0, SHOWN_NAMES)
    .map((name) => name.slice(0, SHOWN_NAME_LENGTH).toWellFormed())

/** A key that is no well-formed text is ignored without being named. */
const isShowable = (name: string) => name.isWellFormed() && !name.includes('\u0000')

/**
 * Rows in the order in which they may be written: the first of each record, then the second, and so on. Several
 * external ids can lead to one record that is there. Rows without an id are in the first wave, where they fail.
 */
export function waves(drafts: readonly Draft[], recordOf: (externalId: string) => string | undefined): Draft[][] {
  const seen = new Map<string, number>()
  const found: Draft[][] = []
  for (const draft of drafts) {
    const key = draft.externalId === null ? null : (recordOf(draft.externalId) ?? draft.externalId)
    const nth = key === null ? 0 : (seen.get(key) ?? 0)
    if (key !== null) seen.set(key, nth + 1)
    const wave = found[nth] ?? []
    wave.push(draft)
    found[nth] = wave
  }
  return found
}
