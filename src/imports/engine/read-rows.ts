import type { Entity } from '../../catalogue/entity.ts'
import type { Issue, ReadContext } from '../../catalogue/kind.ts'
import { type Findings, readCells, type Values } from '../../catalogue/read-cells.ts'

export const OUTCOME_STATUSES = ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number]

type Sent = Readonly<Record<string, unknown>>
/** One row of a batch: its values, its issues and its outcome. */
export type ImportRow = {
  readonly index: number
  readonly sent: Sent
  readonly externalId: string | null
  /** The given cells, as read; references hold the values that the client sent. */
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

const blank = (index: number, sent: Sent, externalId: string | null): ImportRow => ({
  index,
  sent,
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
export const externalIdOf = (row: Sent): string | null =>
  typeof row.external_id === 'string' ? row.external_id.trim() : null

/** Reads every cell of every row: no database, no exceptions. Rows of `skip` are not looked into. */
export function readImportRows(
  entity: Entity,
  sent: readonly Sent[],
  skip: ReadonlySet<string>,
  context: ReadContext,
): { rows: ImportRow[]; ignored: string[] } {
  const ignored = new Set<string>()
  const rows = sent.map((row, index): ImportRow => {
    const key = externalIdOf(row)
    if (key !== null && skip.has(key)) {
      for (const name in row) if (!Object.hasOwn(entity.fields, name)) ignored.add(name)
      return blank(index, row, key)
    }
    const found: Findings = { errors: [], warnings: [], ignored }
    const given = readCells(entity.fields, row, context, found)
    const externalId = typeof given.external_id === 'string' ? given.external_id : null
    return { ...blank(index, row, externalId), given, errors: found.errors, warnings: found.warnings }
  })
  return { rows, ignored: shownNames(ignored) }
}

/** Names of keys that no entity has are the client's invention: they are cut, and so is their number. */
export const SHOWN_NAMES = 500
const SHOWN_NAME_LENGTH = 200
const shownNames = (names: ReadonlySet<string>): string[] =>
  [...names]
    .filter(isShowable)
    .sort()
    .slice(0, SHOWN_NAMES)
    .map((name) => name.slice(0, SHOWN_NAME_LENGTH).toWellFormed())

/** A key that is not well-formed text is ignored without being named. */
const isShowable = (name: string) => name.isWellFormed() && !name.includes('\u0000')
