import type { Entity } from '../catalogue/entity.ts'
import { TAXONOMIES, type Taxonomy, termKey } from '../catalogue/taxonomies.ts'
import type { AccountTx } from '../platform/db/database.ts'
import { statement } from '../platform/db/statement.ts'
import type { Draft } from './draft.ts'

type Term = { taxonomy: string; key: string; label: string }
type Terms = ReadonlyMap<string, string>
/** An entity, or what else has fields with terms. */
type Fielded = Pick<Entity, 'fields'>
type Rows = readonly Readonly<Record<string, unknown>>[]

const own = statement<{ account: number; taxonomies: string[] }, Term>(
  'select taxonomy, key, label from terms where account_id = $account and taxonomy = any($taxonomies::text[])',
)
const add = statement<{ account: number; terms: string }, never>(`
  insert into terms (account_id, taxonomy, key, label)
  select $account::integer, taxonomy, key, label from json_to_recordset($terms::json) as t(taxonomy text, key text, label text)
  order by taxonomy, key on conflict do nothing`)

const none: Terms = new Map()
const builtIn = Object.entries(TAXONOMIES).flatMap(([taxonomy, terms]) => terms.map((term) => ({ taxonomy, ...term })))
const taxonomiesOf = ({ fields }: Fielded) =>
  Object.entries(fields).flatMap(([name, { taxonomy }]) => (taxonomy ? [{ name, taxonomy: taxonomy as Taxonomy }] : []))

/** How the terms of the entity's taxonomies may be written: by key or by label, in any case. */
export async function knownTerms(tx: AccountTx, entity: Fielded): Promise<Terms> {
  const taxonomies = taxonomiesOf(entity).map(({ taxonomy }) => taxonomy)
  if (taxonomies.length === 0) return none
  const terms = [
    ...(await tx.all(own, { taxonomies })),
    ...builtIn.filter(({ taxonomy }) => taxonomies.includes(taxonomy as Taxonomy)),
  ]
  return new Map(
    terms.flatMap(({ taxonomy, key, label }) => [
      [`${taxonomy} ${key}`, key],
      [`${taxonomy} ${termKey(label)}`, key],
    ]),
  )
}

const WRITTEN: ReadonlySet<string> = new Set(['created', 'updated'])
/** Adds the terms that written rows brought along to the account's own, labelled as they were sent first. */
export function addTerms(
  tx: AccountTx,
  entity: Fielded,
  known: Terms,
  drafts: readonly Pick<Draft, 'status' | 'given' | 'index'>[],
  rows: Rows,
): void {
  const added = new Map<string, Term>()
  for (const { name, taxonomy } of taxonomiesOf(entity)) {
    for (const { status, given, index } of drafts) {
      const key = given[name]
      const id = `${taxonomy} ${key}`
      if (typeof key !== 'string' || !WRITTEN.has(status) || known.has(id) || added.has(id)) continue
      added.set(id, { taxonomy, key, label: String(rows[index]?.[name]).trim() })
    }
  }
  if (added.size > 0) tx.later(add, { terms: JSON.stringify([...added.values()]) })
}
