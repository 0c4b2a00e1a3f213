import type { Policies } from '../../platform/access/policies.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { printedArray } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { viewSql } from '../../platform/db/view.ts'
import { foundItem, KIND_NAMES, type KindName, SEARCHED_KINDS, WITH_DETAIL } from './search.view.ts'

/** SQL of what is found of a kind, as one row, or none. */
function groupSql(name: KindName, position: number, policies: Policies): string {
  const { found, from } = SEARCHED_KINDS[name]
  const detail = WITH_DETAIL.has(name) ? ['detail', 'min(detail)'] : []
  return `
    select '${name}' as kind, ${position} as position, min(rank) as rank, ${printedArray(`string_agg(item, ',' order by nth)`)} as items
    from (
      select f.rank, f.nth, ${viewSql(foundItem(name), policies)}::text as item
      from (
        select ${['id', 'min(rank) as rank', 'min(nth) as nth', ...detail.slice(1).map((sql) => `${sql} as detail`)].join(', ')}
        from ${found(policies)} with ordinality as c(${['id', 'rank', ...detail.slice(0, 1), 'nth'].join(', ')}) group by id
      ) f ${from} order by f.rank, f.nth limit $most
    ) found having count(*) > 0`
}

/** SQL of a row that names every parameter, so that each has its type also where no kind needs it. */
const NO_GROUP = `
    select null as kind, 0 as position, 0 as rank, null as items where $account::integer is null and $q::text is null
      and $text::text is null and $phone::text is null and $ticket::text is null and $most::integer is null`

/** The records that fit a text, grouped by kind, the best group first. The variant is one kind; without it all are searched. */
export const findRecords = byPolicies(
  {
    account: pg.integer,
    q: pg.text,
    text: pg.nullable(pg.text),
    phone: pg.nullable(pg.text),
    ticket: pg.nullable(pg.text),
    most: pg.integer,
  },
  { kind: pg.filled(pg.textOf<KindName>()), items: pg.filled(pg.printedJson) },
  (policies, variant) => {
    const groups = KIND_NAMES.filter(
      (name) =>
        (variant === '' || variant === name) && SEARCHED_KINDS[name].needs.every((policy) => policies.has(policy)),
    ).map((name) => groupSql(name, KIND_NAMES.indexOf(name), policies))
    return `select kind, items from (${[NO_GROUP, ...groups].join(' union all ')}) g order by rank, position`
  },
  KIND_NAMES,
)
