import type { Entity } from '../../catalogue/entity.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { onceFor } from '../../platform/once-for.ts'
import { type FeedFilter, FILTER_TYPES, feedSql, readSql } from './feed-sql.ts'

export const readsOf = onceFor((entity: Entity) =>
  byPolicies({ account: pg.integer, source: pg.text, external_id: pg.text }, { item: pg.printedJson }, (policies) =>
    readSql(entity, policies),
  ),
)

export const feedsOf = onceFor((entity: Entity) =>
  byPolicies(
    {
      account: pg.integer,
      limit: pg.integer,
      changed: pg.bigint,
      id: pg.uuid,
      ...FILTER_TYPES,
    } as pg.Columns,
    { items: pg.printedJson, more: pg.boolean, changed: pg.nullable(pg.text), id: pg.nullable(pg.text) },
    (policies, filters) => feedSql(entity, policies, filters === '' ? [] : (filters.split(' ') as FeedFilter[])),
    [...Object.keys(FILTER_TYPES), Object.keys(FILTER_TYPES).join(' ')],
  ),
)
