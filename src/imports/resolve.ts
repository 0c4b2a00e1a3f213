import type { Entity } from '../catalogue/entity.ts'
import type { Reference, ReferenceKey } from '../catalogue/kind.ts'
import type { AccountTx } from '../platform/db/database.ts'
import { type Statement, statement } from '../platform/db/statement.ts'
import type { Draft } from './draft.ts'

type Input = { account: number; keys: string[]; source: string | null }
type Match = { key: string; id: string; found: number }
const steps = new Map<string, Statement<Input, Match>>()

/** One query for each reference and match step, over all rows. */
function step(reference: Reference, key: ReferenceKey): Statement<Input, Match> {
  const name = `${reference.table}.${key.column}`
  const known = steps.get(name) ?? statement<Input, Match>(stepSql(reference, key))
  steps.set(name, known)
  return known
}

function stepSql({ table, merges }: Reference, { column, lowered }: ReferenceKey): string {
  const alive = table === 'seats' ? 't.active' : 't.deleted_at is null'
  const isKey = column === 'external_id'
  const named = (record: string) =>
    `${record}.account_id = $account and ${record}.${column} = ${lowered ? 'lower(k.key)' : 'k.key'}
      ${isKey ? `and ($source::text is null or ${record}.source_system = $source)` : ''}`
  const found =
    merges && isKey
      ? `${table} named on ${named('named')} join ${table} t on t.account_id = $account and t.id = coalesce(named.merged_into_id, named.id)`
      : `${table} t on ${named('t')}`
  return `
    select k.key, min(t.id::text) as id, count(*)::integer as found
    from unnest($keys::text[]) as k(key) join ${found} where ${alive} group by 1`
}

/**
 * Fills `links` of the drafts that name other records: in the published order of keys, each tried with the cell's own
 * value. A natural key that fits two records is no match.
 */
export async function resolve(
  tx: AccountTx,
  entity: Entity,
  drafts: readonly Draft[],
  source: string | null,
): Promise<void> {
  const references = Object.entries(entity.fields).flatMap(([name, { reference }]) =>
    reference ? [{ name, reference }] : [],
  )
  await Promise.all(references.map(({ name, reference }) => resolveOne(tx, name, reference, drafts, source)))
}

async function resolveOne(
  tx: AccountTx,
  name: string,
  reference: Reference,
  drafts: readonly Draft[],
  source: string | null,
): Promise<void> {
  let open: Draft[] = []
  for (const draft of drafts) {
    if (draft.given[name] === null) draft.links[reference.column] = null
    if (typeof draft.given[name] === 'string') open.push(draft)
  }
  const ambiguous = new Set<Draft>()
  for (const key of reference.by) {
    if (open.length === 0) return
    const cellOf = (draft: Draft) => draft.given[name] as string
    const matches = await tx.all(step(reference, key), { keys: [...new Set(open.map(cellOf))], source })
    const byKey = new Map(matches.map((match) => [match.key, match]))
    open = open.filter((draft) => {
      const match = byKey.get(cellOf(draft))
      if (match?.found === 1) draft.links[reference.column] = match.id
      else if (match) ambiguous.add(draft)
      return match?.found !== 1
    })
  }
  for (const draft of open) {
    const issue = ambiguous.has(draft)
      ? { at: name, code: 'reference_ambiguous', message: `More than one ${reference.to} record has this key.` }
      : {
          at: name,
          code: reference.missing ?? 'reference_not_found',
          message: `No ${reference.to} record has this key.`,
        }
    if (reference.onMissing === 'error') draft.errors.push(issue)
    else draft.warnings.push({ ...issue, message: `${issue.message} The cell is passed over.` })
  }
}
