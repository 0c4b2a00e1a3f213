import { byPolicies } from '../../platform/db/by-policies.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import { shareLink } from './share-links.view.ts'

/** The limit of unrevoked links per trip: generous, so that one too many by a race does no harm. */
export const LINKS = 100

/** The links of a trip as an array, newest first; no row if the trip does not exist. */
export const readShareLinks = byPolicies(
  { account: pg.integer, trip: pg.uuid },
  { items: pg.printedJson },
  (policies) => `
  select coalesce((select json_agg(${viewSql(shareLink, policies)} order by l.created_at desc, l.id desc)
    from share_links l where l.account_id = t.account_id and l.trip_id = t.id), '[]')::text as items
  from trips t where t.account_id = $account and t.id = $trip`,
)
export const readShareLink = byPolicies(
  { account: pg.integer, trip: pg.uuid, id: pg.uuid },
  { item: pg.printedJson },
  (policies) => `
  select ${viewSql(shareLink, policies)}::text as item
  from share_links l where l.account_id = $account and l.trip_id = $trip and l.id = $id`,
)

/** The data for a new link; no row if the trip does not exist. */
export const findShared = statement(
  { account: pg.integer, trip: pg.uuid, supplier: pg.nullable(pg.uuid) },
  { links: pg.integer, supplier: pg.nullable(pg.uuid) },
  `
  select (select count(*)::integer from share_links l where l.account_id = t.account_id and l.trip_id = t.id and l.revoked_at is null) as links,
    (select s.id from suppliers s where s.account_id = t.account_id and s.id = $supplier::uuid and s.deleted_at is null) as supplier
  from trips t where t.account_id = $account and t.id = $trip`,
)

export type NewLink = {
  readonly label: string | null
  readonly audience: string
  readonly supplier: string | null
  readonly prices: boolean
  readonly travelers: boolean
  readonly password: string | null
  readonly expires: string | null
}
export const insertShareLink = statement(
  {
    account: pg.integer,
    trip: pg.uuid,
    label: pg.nullable(pg.text),
    audience: pg.text,
    supplier: pg.nullable(pg.uuid),
    prices: pg.boolean,
    travelers: pg.boolean,
    password: pg.nullable(pg.text),
    expires: pg.nullable(pg.instant),
    id: pg.uuid,
    hash: pg.bytes,
    hint: pg.text,
    seat: pg.nullable(pg.uuid),
  },
  {},
  `
  insert into share_links (account_id, id, trip_id, label, audience, supplier_id, token_hash, token_hint, show_prices,
    show_travelers, password_hash, expires_at, created_by_id)
  values ($account::integer, $id::uuid, $trip::uuid, $label, $audience, $supplier::uuid, $hash, $hint, $prices::boolean,
    $travelers::boolean, $password, $expires::timestamptz, $seat::uuid)`,
)

export const revokeStored = statement(
  { account: pg.integer, trip: pg.uuid, id: pg.uuid },
  { id: pg.uuid },
  `
  update share_links set revoked_at = now()
  where account_id = $account and trip_id = $trip and id = $id and revoked_at is null returning id`,
)
