import { randomUUIDv7 } from 'node:crypto'
import type { Issue, ReadContext } from '../catalogue/kind.ts'
import type { AccountTx } from '../platform/db/database.ts'
import { type Draft, externalIdOf, type OutcomeStatus, readRows, waves } from './draft.ts'
import type { Importable } from './importable.ts'
import { load, type Present } from './load.ts'
import { planAmend, planCreate } from './plan.ts'
import { resolve } from './resolve.ts'
import type { RowContext } from './rules.ts'
import { addTerms, knownTerms } from './terms.ts'
import { type Origin, type Write, write } from './write.ts'

/** A batch of rows, its envelope checked. */
export type Batch = {
  readonly rows: readonly Record<string, unknown>[]
  readonly origin: Origin & { readonly source: string }
  /** Whether the client named the company or branch itself. */
  readonly named: { readonly company: boolean; readonly branch: boolean }
  readonly onConflict: 'skip' | 'update'
  readonly read: ReadContext
  readonly context: RowContext
}
export type Counts = Record<'total' | OutcomeStatus, number>
export type Ran = { readonly drafts: readonly Draft[]; readonly ignored: readonly string[]; readonly counts: Counts }

const NONE: ReadonlySet<string> = new Set()

/** Reads, resolves and writes a batch. A dry run is this, taken back at its end. */
export async function runImport(tx: AccountTx, importable: Importable, batch: Batch): Promise<Ran> {
  const { entity } = importable
  const amends = entity.mode === 'upsert' || batch.onConflict === 'update'
  const ids = [
    ...new Set(batch.rows.map(externalIdOf).filter((id) => id?.isWellFormed() && !id.includes('\u0000'))),
  ] as string[]
  const [present, terms] = await Promise.all([
    load(tx, entity, ids, batch.origin.source, amends),
    knownTerms(tx, entity),
  ])
  const skip = amends ? NONE : new Set(present.keys())
  const { drafts, ignored } = readRows(entity, batch.rows, skip, { ...batch.read, terms })
  let known = present
  for (const [nth, wave] of waves(drafts, (externalId) => present.get(externalId)?.id).entries()) {
    if (nth > 0) {
      const again = wave.flatMap(({ externalId }) => externalId ?? [])
      known = await load(tx, entity, again, batch.origin.source, amends)
    }
    const presentOf = (draft: Draft) => (draft.externalId === null ? undefined : known.get(draft.externalId))
    const open = amends ? wave : wave.filter((draft) => !skipped(draft, presentOf(draft)))
    await runRows(tx, importable, open, presentOf, batch)
  }
  addTerms(tx, entity, terms, drafts, batch.rows)
  return { drafts, ignored, counts: count(drafts) }
}

type Place = Pick<Batch, 'named' | 'context'> & { readonly origin: Origin }

/** Resolves, decides and writes rows that name each record once. */
export async function runRows(
  tx: AccountTx,
  { entity, rules, settle }: Importable,
  open: readonly Draft[],
  presentOf: (draft: Draft) => Present | undefined,
  { origin, named, context }: Place,
): Promise<void> {
  await resolve(tx, entity, open, origin.source)
  const ahead = open.map((draft) => ({ given: draft.given, links: draft.links, stored: presentOf(draft) ?? null }))
  const decide = (await rules?.(tx, ahead, { ...context, source: origin.source })) ?? {}
  const inserts: Write[] = []
  const updates: Write[] = []
  for (const draft of open) {
    const present = presentOf(draft)
    if (present) {
      Object.assign(draft, { id: present.id, status: 'unchanged' })
      if (entity.scope === 'company') draft.warnings.push(...elsewhere(present, origin, named))
      const change = planAmend(entity, decide, draft, present)
      if (change) updates.push(change)
    } else {
      const record = planCreate(entity, decide, draft, randomUUIDv7())
      if (record) inserts.push(record)
    }
  }
  const updated = await write(tx, entity, 'update', updates, origin) // first: what they give back may be taken
  const inserted = await write(tx, entity, 'insert', inserts, origin)
  for (const { draft, id } of inserted) Object.assign(draft, { id, status: 'created' })
  for (const { draft } of updated) draft.status = 'updated'
  for (const draft of open)
    if (draft.errors.length > 0)
      Object.assign(draft, { status: 'failed', recordStatus: presentOf(draft)?.status ?? null })
  const written = [...inserted, ...updated]
  if (settle && written.length > 0) await settle(tx, written, context)
}

/** A booking that is there stays as it is, whatever its row holds. */
function skipped(draft: Draft, present: Present | undefined): boolean {
  if (!present) return false
  Object.assign(draft, {
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
function elsewhere(present: Present, origin: Origin, named: Batch['named']): Issue[] {
  const issue = (at: string, what: string): Issue => ({
    at,
    code: 'company_unchanged',
    message: `The record stays in the ${what} that it is in.`,
  })
  if (named.company && present.company_id !== origin.company) return [issue('company_id', 'company')]
  return named.branch && present.branch_id !== origin.branch ? [issue('branch_id', 'branch')] : []
}

function count(drafts: readonly Draft[]): Counts {
  const counts: Counts = { total: drafts.length, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 }
  for (const { status } of drafts) counts[status]++
  return counts
}
