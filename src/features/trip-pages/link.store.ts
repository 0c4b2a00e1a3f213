import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { type AgencyLook, LOOK_SQL } from '../../platform/page/look.ts'

/** A share link that holds: what it opens, and how much of it. */
export type Link = AgencyLook & {
  readonly account: number
  readonly id: string
  readonly trip: string
  /** The supplier whose segments are shown; null for all. */
  readonly supplier: string | null
  readonly showPrices: boolean
  readonly showTravelers: boolean
  /** The password hash; null without a password. */
  readonly password: string | null
  /** Those that the account had in other cells, sealed. */
  readonly formerSecrets: readonly Buffer[]
}

/** Revoked and expired links, and links of closed accounts, are treated like unknown ones. */
export const findLink = statement(
  { token: pg.bytes },
  {
    account: pg.integer,
    id: pg.uuid,
    trip: pg.uuid,
    /** The supplier whose segments are shown; null for all. */
    supplier: pg.nullable(pg.uuid),
    /** The password hash; null without a password. */
    password: pg.nullable(pg.text),
    agency: pg.text,
    /** `#rrggbb`; null for the program’s own. */
    accent: pg.nullable(pg.text),
    /** A data URL. */
    logo: pg.nullable(pg.text),
    showPrices: pg.boolean,
    showTravelers: pg.boolean,
    /** Those that the account had in other cells, sealed. */
    formerSecrets: pg.list(pg.bytes),
  },
  `
  select l.account_id as account, l.id, l.trip_id as trip, l.supplier_id as supplier, l.password_hash as password,
    ${LOOK_SQL}, l.show_prices and l.supplier_id is null as "showPrices", l.show_travelers as "showTravelers", a.former_secrets as "formerSecrets"
  from share_links l join accounts a on a.account_id = l.account_id and a.status = 'active'
  where l.token_hash = $token and l.revoked_at is null and (l.expires_at is null or l.expires_at > now()) and ${notMovedSql('l.account_id')}`,
)

export const countView = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  `
  update share_links set view_count = view_count + 1, last_viewed_at = now() where account_id = $account and id = $id`,
)
