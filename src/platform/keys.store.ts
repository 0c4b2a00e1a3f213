import * as pg from './db/pg-types.ts'
import { statement } from './db/statement.ts'

/** Keys of accounts are not made meanwhile. */
export const lockCellKey = statement(
  {},
  { wrapped: pg.bytes, wrapped_by: pg.text },
  'select wrapped, wrapped_by from cell_keys for update',
)
export const wrapCellKey = statement(
  { wrapped: pg.bytes, by: pg.text },
  {},
  'update cell_keys set wrapped = $wrapped, wrapped_by = $by',
)
export const readKeys = statement(
  { account: pg.integer, id: pg.uuid, most: pg.integer },
  { account: pg.integer, id: pg.uuid, wrapped: pg.bytes },
  `
  select account_id as account, id, wrapped from account_keys
  where (account_id, id) > ($account::integer, $id::uuid) order by account_id, id limit $most`,
)
export const wrapKeys = statement(
  { accounts: pg.list(pg.integer), ids: pg.list(pg.uuid), wrapped: pg.list(pg.bytes) },
  {},
  `
  update account_keys k set wrapped = g.wrapped
  from unnest($accounts::integer[], $ids::uuid[], $wrapped::bytea[]) as g(account_id, id, wrapped)
  where k.account_id = g.account_id and k.id = g.id`,
)
