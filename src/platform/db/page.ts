import type { JsonText } from '../json-text.ts'
import * as pg from './pg-types.ts'

/** A sort key of a list: SQL that is never null, and the type that its text is read back as. */
export type SortKey = { readonly sql: string; readonly pg: string }
export type PageQuery = {
  /** SQL of one item, as JSON. */
  readonly item: string
  readonly from: string
  readonly where: readonly string[]
  /** The last one is unique. */
  readonly keys: readonly [SortKey, ...SortKey[]]
  readonly descending: boolean
}
/** The result of such a statement. */
export type PageRow = { readonly items: JsonText<never>; readonly more: boolean; readonly last: string[] | null }
export const PAGE_COLUMNS = { items: pg.printedJson, more: pg.boolean, last: pg.nullable(pg.json<string[]>()) }
export const PAGE_PARAMETERS = { limit: pg.integer, after: pg.nullable(pg.list(pg.text)) }

/**
 * A page by keyset: its items, and whether there are more. Parameters: `limit`, and for a further page `after`, the
 * sort key of the last item, as text.
 */
export function pageSql({ item, from, where, keys, descending }: PageQuery, continues: boolean): string {
  const order = keys.map(({ sql }) => `${sql} ${descending ? 'desc' : 'asc'}`).join(', ')
  const after = keys.map(({ pg }, at) => `($after::text[])[${at + 1}]::${pg}`).join(', ')
  const own = keys.map(({ sql }) => sql).join(', ')
  return pageOf(`
      select ${item}::text as item, json_build_array(${keys.map(({ sql }) => `(${sql})::text`).join(', ')}) as key,
        row_number() over (order by ${order}) as nth
      from ${from} where ${where.join(' and ')}
        ${continues ? `and (${own}) ${descending ? '<' : '>'} (${after})` : ''}
      order by ${order} limit $limit::bigint + 1`)
}

/** SQL of a JSON array, of SQL that joins the texts of its items by commas; null is an empty array. */
export const printedArray = (items: string): string => `'[' || coalesce(${items}, '') || ']'`

/** The page of rows `item`, `key` and `nth`, which are in order and one more than the limit where there are more. */
export const pageOf = (rows: string): string => `
    select ${printedArray(`string_agg(item, ',' order by nth) filter (where nth <= $limit)`)} as items, count(*) > $limit as more,
      (array_agg(key order by nth) filter (where nth <= $limit))[least(count(*), $limit)] as last
    from (${rows}) page`
