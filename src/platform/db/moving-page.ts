import { pageOf } from './page.ts'

type MovingList = {
  /** SQL of one item over `t`, as JSON. */
  readonly item: string
  /** A table that the feed publishes, so that a change of a row moves it to the end of its change numbers. */
  readonly table: string
  readonly where: readonly string[]
}

/**
 * A page of rows, last changed first, which misses none although rows move while it is read: the sort key contains the
 * account's change number at the first page. The walk goes down from there over the rows as they were, and then up over
 * those changed since. Change numbers become visible in order, which timestamps do not. Parameters: `limit`, and for a
 * further page `after`: that number, and the change number and id of the last row.
 */
export function movingPageSql({ item, table, where }: MovingList, continues: boolean): string {
  const [first, last, id] = ['($after::text[])[1]::bigint', '($after::text[])[2]::bigint', '($after::text[])[3]::uuid']
  const rows = (part: number, direction: 'asc' | 'desc', since: string, more: string) => `
    (select ${part} as part, row_number() over (order by t.changed ${direction}, t.id ${direction}) as nth, ${item}::text as item,
      json_build_array((${since})::text, t.changed::text, t.id::text) as key
    from ${table} t where ${[...where, more].join(' and ')} order by t.changed ${direction}, t.id ${direction} limit $limit::bigint + 1)`
  const parts = continues
    ? [
        rows(1, 'desc', first, `${last} <= ${first} and (t.changed, t.id) < (${last}, ${id})`),
        rows(2, 'asc', first, `t.changed > ${first} and (${last} <= ${first} or (t.changed, t.id) > (${last}, ${id}))`),
      ]
    : [rows(1, 'desc', 'select max(c.last) from change_counters c where c.account_id = $account', 'true')]
  return pageOf(
    `select item, key, row_number() over (order by part, nth) as nth from (${parts.join(' union all ')}) walk`,
  )
}
