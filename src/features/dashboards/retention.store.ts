import { byPolicies } from '../../platform/db/by-policies.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { viewSql } from '../../platform/db/view.ts'
import { retention } from './retention.view.ts'

export const readRetention = byPolicies(
  { account: pg.integer, days: pg.integer, today: pg.date, now: pg.instant },
  { item: pg.printedJson },
  (policies) => `select ${viewSql(retention, policies)}::text as item`,
)
