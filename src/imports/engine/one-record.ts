import type { Entity } from '../../catalogue/entity.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../platform/db/take-change-number.ts'
import { onceFor } from '../../platform/once-for.ts'
import type { Desk } from '../desk.ts'
import type { Importable } from '../importable.ts'
import { loadOne, type Present } from './load.ts'
import { type ImportRow, readImportRows } from './read-rows.ts'
import { isWritten, runRows } from './run.ts'
import { addTerms, knownTerms } from './terms.ts'

type Row = Readonly<Record<string, unknown>>
/** Records that a row names by id and not by a key: the column of each reference, and the id. */
type Links = Readonly<Record<string, string | null>>

/** The same entity for records that no import brings: they have no key in another system. */
const withoutKey = onceFor((entity: Entity): Entity => {
  const { external_id: _, ...fields } = entity.fields
  return { ...entity, fields }
})

/**
 * Makes a record as an import would. The row contains the outcome. With a `source`, the row has the record's key in
 * that system; otherwise the record has no key of another system.
 */
export function makeRecord(
  tx: AccountTx,
  importable: Importable,
  row: Row,
  desk: Desk,
  { links = {}, source = null }: { readonly links?: Links; readonly source?: string | null } = {},
): Promise<ImportRow> {
  takeChangeNumber(tx)
  return runOne(tx, importable, row, desk, { links, source })
}

/** Changes a record by the same rules as an import row; undefined if it does not exist. */
export async function changeRecord(
  tx: AccountTx,
  importable: Importable,
  id: string,
  row: Row,
  desk: Desk,
  links: Links = {},
): Promise<ImportRow | undefined> {
  takeChangeNumber(tx)
  const present = await loadOne(tx, withoutKey(importable.entity), id, desk.context.policies)
  return present && runOne(tx, importable, row, desk, { present, links, source: null })
}

type One = { readonly present?: Present; readonly links: Links; readonly source: string | null }
async function runOne(
  tx: AccountTx,
  importable: Importable,
  given: Row,
  desk: Desk,
  { present, links, source }: One,
): Promise<ImportRow> {
  const entity = source === null ? withoutKey(importable.entity) : importable.entity
  const terms = await knownTerms(tx, entity.fields)
  const { rows, ignored } = readImportRows(entity, [given], new Set(), { ...desk.read, terms })
  const row = rows[0] as ImportRow
  Object.assign(row.links, links)
  for (const name of ignored)
    row.errors.push({ at: name, code: 'not_allowed', message: `${entity.label} do not have this field. Remove it.` })
  const origin = { source: null, keptAs: source, desk, named: { company: false, branch: false } }
  await runRows(tx, { ...importable, entity }, [row], () => present, origin)
  addTerms(tx, entity.fields, terms, [row].filter(isWritten))
  return row
}
