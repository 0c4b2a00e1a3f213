import { withoutKey } from '../catalogue/entity.ts'
import type { ReadContext } from '../catalogue/kind.ts'
import type { AccountTx } from '../platform/db/database.ts'
import { type Draft, readRows } from './draft.ts'
import type { Importable } from './importable.ts'
import { loadOne } from './load.ts'
import type { RowContext } from './rules.ts'
import { runRows } from './run.ts'
import { addTerms, knownTerms } from './terms.ts'

/** Where a record belongs that is made here, and what reading it depends on. */
export type Desk = {
  readonly company: string
  readonly branch: string | null
  readonly read: ReadContext
  readonly context: RowContext
}
type Row = Readonly<Record<string, unknown>>

/** Makes a record as an import would, but with no key of another system. The draft tells what became of it. */
export const makeRecord = (tx: AccountTx, importable: Importable, row: Row, desk: Desk): Promise<Draft> =>
  runOne(tx, importable, row, desk, null)

/** Changes a record as a row of an import would, by the same rules; undefined where there is no such record. */
export const changeRecord = (
  tx: AccountTx,
  importable: Importable,
  id: string,
  row: Row,
  desk: Desk,
): Promise<Draft | undefined> => runOne(tx, importable, row, desk, id)

async function runOne(tx: AccountTx, importable: Importable, row: Row, desk: Desk, id: null): Promise<Draft>
async function runOne(
  tx: AccountTx,
  importable: Importable,
  row: Row,
  desk: Desk,
  id: string | null,
): Promise<Draft | undefined>
async function runOne(
  tx: AccountTx,
  importable: Importable,
  row: Row,
  { company, branch, read, context }: Desk,
  id: string | null,
): Promise<Draft | undefined> {
  const entity = withoutKey(importable.entity)
  const present = id === null ? undefined : await loadOne(tx, entity, id)
  if (id !== null && !present) return undefined
  const terms = await knownTerms(tx, entity)
  const { drafts, ignored } = readRows(entity, [row], new Set(), { ...read, terms })
  for (const name of ignored)
    drafts[0]?.errors.push({ at: name, code: 'not_allowed', message: `${entity.label} have no such field.` })
  const place = { origin: { company, branch, source: null }, named: { company: false, branch: false }, context }
  await runRows(tx, { ...importable, entity }, drafts, () => present, place)
  addTerms(tx, entity, terms, drafts, [row])
  return drafts[0]
}
