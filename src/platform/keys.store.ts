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

export const listAccountsToSign = statement(
  {},
  { account: pg.integer },
  'select account_id as account from accounts order by account_id',
)
export const retireSigningKeys = statement(
  {},
  {},
  `update account_keys set retired_at = now() where use = 'signing' and retired_at is null`,
)
/** New keys, and as retired ones those that signed before accounts had random keys: once. */
export const addSigningKeys = statement(
  { accounts: pg.list(pg.integer), fresh: pg.list(pg.bytes), first: pg.list(pg.bytes) },
  {},
  `
  insert into account_keys (account_id, use, wrapped, retired_at)
  select g.account, 'signing', k.wrapped, k.retired_at
  from unnest($accounts::integer[], $fresh::bytea[], $first::bytea[]) as g(account, fresh, first)
    cross join lateral (values (g.fresh, null::timestamptz), (g.first, '-infinity')) as k(wrapped, retired_at)
  where k.retired_at is null or not exists (
    select from account_keys o where o.account_id = g.account and o.retired_at = '-infinity')`,
)
