import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

export const FILES_AT_ONCE = 100

/** Longer than any transaction, so that no running one can have claimed the file before it expired. */
const GRACE = '1 hour'

export const findExpiredFiles = statement(
  {},
  { account: pg.integer, id: pg.uuid },
  `
  select account_id as account, id from files
  where expires_at < now() - interval '${GRACE}' and ${notMovedSql('account_id')} order by expires_at limit ${FILES_AT_ONCE}`,
)

export const forgetFile = statement(
  { accounts: pg.list(pg.integer), ids: pg.list(pg.uuid) },
  {},
  `
  delete from files f using unnest($accounts::integer[], $ids::uuid[]) as gone(account_id, id)
  where f.account_id = gone.account_id and f.id = gone.id`,
)
