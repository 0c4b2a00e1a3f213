import { randomUUIDv7 } from 'node:crypto'
import type { Entity } from '../../catalogue/entity.ts'
import type { Issue } from '../../catalogue/kind.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../platform/db/take-change-number.ts'
import type { Desk } from '../desk.ts'
import type { Importable } from '../importable.ts'
import { load, type Present } from './load.ts'
import { planAmend, planCreate } from './plan.ts'
import { externalIdOf, type ImportRow, type OutcomeStatus, readImportRows } from './read-rows.ts'
import { resolve } from './resolve.ts'
import { addTerms, knownTerms } from './terms.ts'
import { type Write, write } from './write.ts'

/** A batch of rows, its envelope checked. */
export type RowBatch = {
  readonly rows: readonly Record<string, unknown>[]
  readonly source: string
  readonly desk: Desk
  /** Whether the client named the company or branch itself. */
  readonly named: { readonly company: boolean; readonly branch: boolean }
  readonly onConflict: 'skip' | 'update'
}
export type OutcomeCounts = Record<'total' | OutcomeStatus, number>
/** Rows without an outcome so far. */
export const noCounts = (total: number): OutcomeCounts => ({
  total,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
})
export type BatchRun = {
  readonly rows: readonly ImportRow[]
  readonly ignored: readonly string[]
  readonly counts: OutcomeCounts
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Reads, resolves and writes a batch. A dry run is this, taken back at its end. The account's change number comes
 * first, so imports of one account follow each other and cannot meet in a deadlock.
 */
export async function runBatch(tx: AccountTx, importable: Importable, batch: RowBatch): Promise<BatchRun> {
  const { entity } = importable
  const { source, desk } = batch
  const { policies } = desk.context
  const amends = entity.mode === 'upsert' || batch.onConflict === 'update'
  takeChangeNumber(tx)
  const [present, terms] = await Promise.all([
    load(tx, entity, idsOf(batch.rows), source, amends && policies),
    knownTerms(tx, entity.fields),
  ])
  const skip = amends ? NONE : new Set(present.keys())
  const { rows, ignored } = readImportRows(entity, batch.rows, skip, { ...desk.read, terms })
  let known = present
  for (const [nth, wave] of waves(rows, (externalId) => present.get(externalId)?.id).entries()) {
    if (nth > 0) {
      const again = wave.flatMap(({ externalId }) => externalId ?? [])
      known = await load(tx, entity, again, source, amends && policies)
    }
    const presentOf = (row: ImportRow) => (row.externalId === null ? undefined : known.get(row.externalId))
    const open = amends ? wave : wave.filter((row) => !skipped(row, presentOf(row)))
    await runRows(tx, importable, open, presentOf, batch)
  }
  addTerms(tx, entity.fields, terms, rows.filter(isWritten))
  return { rows, ignored, counts: count(rows) }
}

/** The external ids that rows name, as far as the database can hold them. */
function idsOf(rows: RowBatch['rows']): string[] {
  const ids = rows.map(externalIdOf).filter((id) => id?.isWellFormed() && !id.includes('\u0000'))
  return [...new Set(ids)] as string[]
}

export const isWritten = ({ status }: ImportRow): boolean => status === 'created' || status === 'updated'

/**
 * The origin of rows; `source` is null for a record without another system, which may name records of all of them.
 * `keptAs` is the system of its own key, if it has one.
 */
type Origin = Pick<RowBatch, 'desk' | 'named'> & { readonly source: string | null; readonly keptAs?: string | null }

/** Resolves, decides and writes rows that name each record once. */
export async function runRows(
  tx: AccountTx,
  { entity, rules, afterWrite }: Importable,
  open: readonly ImportRow[],
  presentOf: (row: ImportRow) => Present | undefined,
  { source, keptAs = source, desk, named }: Origin,
): Promise<void> {
  await resolve(tx, entity, open, source, desk.context.policies)
  const ahead = open.map((row) => ({ given: row.given, links: row.links, stored: presentOf(row) ?? null }))
  const decide = (await rules?.(tx, ahead, { ...desk.context, source })) ?? {}
  const updates: Write[] = []
  function* plan(): Generator<Write> {
    for (const row of open) {
      const present = presentOf(row)
      if (present) {
        Object.assign(row, { id: present.id, status: 'unchanged' })
        row.warnings.push(...elsewhere(entity, present, desk, named))
        const change = planAmend(entity, decide, row, present, desk.context.policies)
        if (change) updates.push(change)
      } else {
        const record = planCreate(entity, decide, row, randomUUIDv7())
        if (record) yield record
      }
    }
  }
  // Updates are written first, because new records may take what they release; without updates, records are planned
  // while waiting.
  const inserts = open.some(presentOf) ? [...plan()] : plan()
  const place = { company: desk.company, branch: desk.branch, source: keptAs }
  const updated = await write(tx, entity, 'update', updates, place)
  const inserted = await write(tx, entity, 'insert', inserts, place)
  for (const { row, id } of inserted) Object.assign(row, { id, status: 'created' })
  for (const { row } of updated) row.status = 'updated'
  for (const row of open)
    if (row.errors.length > 0) Object.assign(row, { status: 'failed', recordStatus: presentOf(row)?.status ?? null })
  const written = [...inserted, ...updated]
  if (afterWrite && written.length > 0) await afterWrite(tx, written, desk.context)
}

/** Existing bookings are never changed by this command, whatever the row contains. */
function skipped(row: ImportRow, present: Present | undefined): boolean {
  if (!present) return false
  Object.assign(row, {
    status: 'skipped',
    reason: 'already_exists',
    id: present.id,
    recordStatus: present.status,
    errors: [],
    warnings: [],
  })
  return true
}

/** An import never moves a record to another company or branch. */
function elsewhere({ scope }: Entity, present: Present, desk: Desk, named: RowBatch['named']): Issue[] {
  if (scope === 'account') return []
  const issue = (at: string, what: string): Issue => ({
    at,
    code: 'company_unchanged',
    message: `The ${what} of an existing record cannot be changed. The record was kept in its ${what}.`,
  })
  if (named.company && present.company_id !== desk.company) return [issue('company_id', 'company')]
  return named.branch && present.branch_id !== desk.branch ? [issue('branch_id', 'branch')] : []
}

function count(rows: readonly ImportRow[]): OutcomeCounts {
  const counts = noCounts(rows.length)
  for (const { status } of rows) counts[status]++
  return counts
}

/**
 * Rows in the order in which they may be written: the first of each record, then the second, and so on. Several
 * external ids can lead to one existing record. Rows without an id are in the first wave, where they fail.
 */
function waves(rows: readonly ImportRow[], recordOf: (externalId: string) => string | undefined): ImportRow[][] {
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
