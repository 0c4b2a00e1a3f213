import * as pg from './platform/db/pg-types.ts'
import { statement } from './platform/db/statement.ts'

export const readAppliedNames = statement(
  { names: pg.list(pg.text) },
  { count: pg.integer },
  'select count(*)::integer as count from migrations where name = any($names::text[])',
)
