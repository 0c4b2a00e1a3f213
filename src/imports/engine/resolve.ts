import type { Entity } from '../../catalogue/entity.ts'
import type { Reference, ReferenceKey } from '../../catalogue/kind.ts'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { firstOf } from '../../platform/db/first-of.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type Statement, variantOf } from '../../platform/db/statement.ts'
import { sees } from '../visible.ts'
import type { ImportRow } from './read-rows.ts'

const TAKES = { account: pg.integer, keys: pg.list(pg.text), source: pg.nullable(pg.text) }
const GIVES = { key: pg.text, id: pg.text, found: pg.integer }
type Step = Statement<pg.InputOf<typeof TAKES>, pg.RowOf<typeof GIVES>>
const steps = new Map<string, Step>()

/** One query for each reference and match step, over all rows. Those that ask the same share it, and so its plan. */
export function step(reference: Reference, key: ReferenceKey, policies: Policies): Step {
  const text = stepSql(reference, key, policies)
  const known = steps.get(text) ?? variantOf(TAKES, GIVES, text)
  steps.set(text, known)
  return known
}

function stepSql(reference: Reference, { column, lowered, pii }: ReferenceKey, policies: Policies): string {
  const { table, alive = 't.deleted_at is null', merges, restricted } = reference
  const knowable = pii && restricted && !policies.has('view_restricted_customers') ? `and not (${restricted})` : ''
  const isKey = column === 'external_id'
  const named = (record: string) =>
    `${record}.account_id = $account and ${record}.${column} = k.wanted
      ${isKey ? `and ($source::text is null or ${record}.source_system = $source)` : ''}`
  const found =
    merges && isKey
      ? `${table} named on ${named('named')} join ${table} t on t.account_id = $account and t.id = ${firstOf('named.merged_into_id', 'named.id')}`
      : `${table} t on ${named('t')}`
  // `offset` keeps `lower` out of the join: it is not leakproof, and behind row-level security it would be evaluated
  // for every row.
  const keys = `(select key, ${lowered ? 'lower(key)' : 'key'} as wanted from unnest($keys::text[]) as key offset 0) k`
  return `
    select k.key, min(t.id::text) as id, count(*)::integer as found from ${keys} join ${found} where ${alive} ${knowable} group by 1`
}

/**
 * Fills `links` of the rows that name other records: the keys are tried in the published order, each with the cell's
 * own value. A natural key that matches two records matches none, and one that the writer may not see of a record does
 * not match it.
 */
export async function resolve(
  tx: AccountTx,
  entity: Entity,
  rows: readonly ImportRow[],
  source: string | null,
  policies: Policies,
): Promise<void> {
  const references = Object.entries(entity.fields).flatMap(([name, { reference }]) =>
    reference ? [{ name, reference }] : [],
  )
  await Promise.all(references.map(({ name, reference }) => resolveOne(tx, name, reference, rows, source, policies)))
}

async function resolveOne(
  tx: AccountTx,
  name: string,
  reference: Reference,
  rows: readonly ImportRow[],
  source: string | null,
  policies: Policies,
): Promise<void> {
  let open: ImportRow[] = []
  for (const row of rows) {
    if (row.given[name] === null) row.links[reference.column] = null
    if (typeof row.given[name] === 'string') open.push(row)
  }
  const ambiguous = new Set<ImportRow>()
  for (const key of reference.by.filter((key) => sees(policies, key))) {
    if (open.length === 0) return
    const cellOf = (row: ImportRow) => row.given[name] as string
    const matches = await tx.all(step(reference, key, policies), { keys: [...new Set(open.map(cellOf))], source })
    const byKey = new Map(matches.map((match) => [match.key, match]))
    open = open.filter((row) => {
      const match = byKey.get(cellOf(row))
      if (match?.found === 1) row.links[reference.column] = match.id
      else if (match) ambiguous.add(row)
      return match?.found !== 1
    })
  }
  for (const row of open) {
    const issue = ambiguous.has(row)
      ? { at: name, code: 'reference_ambiguous', message: `More than one ${reference.to} record has this key.` }
      : {
          at: name,
          code: reference.missing ?? 'reference_not_found',
          message: `No ${reference.to} record has this key.`,
        }
    if (reference.onMissing === 'error') row.errors.push(issue)
    else row.warnings.push({ ...issue, message: `${issue.message} The value was left out.` })
  }
}
