import type { Fields } from '../../catalogue/read-cells.ts'
import { termKey } from '../../catalogue/term-key.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import type { ImportRow } from './read-rows.ts'

type Term = RowFrom<typeof own>
type Terms = ReadonlyMap<string, string>

const own = statement(
  { account: pg.integer, taxonomies: pg.list(pg.text) },
  { taxonomy: pg.text, key: pg.text, label: pg.text },
  'select taxonomy, key, label from terms where account_id = $account and taxonomy = any($taxonomies::text[])',
)
const add = statement(
  { account: pg.integer, terms: pg.jsonText },
  {},
  `
  insert into terms (account_id, taxonomy, key, label)
  select $account::integer, taxonomy, key, label from json_to_recordset($terms::json) as t(taxonomy text, key text, label text)
  order by taxonomy, key on conflict do nothing`,
)

const none: Terms = new Map()
const taxonomiesOf = (fields: Fields) =>
  Object.entries(fields).flatMap(([name, { taxonomy, suggestedValues = [] }]) =>
    taxonomy ? [{ name, taxonomy, builtIn: suggestedValues }] : [],
  )

/** How the terms of the fields' taxonomies may be written: by key or by label, in any case. */
export async function knownTerms(tx: AccountTx, fields: Fields): Promise<Terms> {
  const taxonomies = taxonomiesOf(fields)
  if (taxonomies.length === 0) return none
  const added = await tx.all(own, { taxonomies: taxonomies.map(({ taxonomy }) => taxonomy) })
  const pairs = (taxonomy: string, key: string, label: string): [string, string][] => [
    [`${taxonomy} ${key}`, key],
    [`${taxonomy} ${termKey(label)}`, key],
  ]
  return new Map([
    ...added.flatMap(({ taxonomy, key, label }) => pairs(taxonomy, key, label)),
    ...taxonomies.flatMap(({ taxonomy, builtIn }) => builtIn.flatMap((key) => pairs(taxonomy, key, key))),
  ])
}

/** Adds the terms that written rows brought along to the account's own, labelled as they were sent first. */
export function addTerms(
  tx: AccountTx,
  fields: Fields,
  known: Terms,
  written: readonly Pick<ImportRow, 'given' | 'sent'>[],
): void {
  const added = new Map<string, Term>()
  for (const { name, taxonomy } of taxonomiesOf(fields)) {
    for (const { given, sent } of written) {
      const key = given[name]
      const id = `${taxonomy} ${key}`
      if (typeof key !== 'string' || known.has(id) || added.has(id)) continue
      added.set(id, { taxonomy, key, label: String(sent[name]).trim() })
    }
  }
  if (added.size > 0) tx.later(add, { terms: JSON.stringify([...added.values()]) })
}
