import * as pg from './platform/db/pg-types.ts'
import { statement } from './platform/db/statement.ts'

export const currentRole = statement(
  {},
  { role: pg.filled(pg.text), above: pg.filled(pg.boolean) },
  'select rolname as role, rolsuper or rolbypassrls as above from pg_roles where rolname = current_user',
)
