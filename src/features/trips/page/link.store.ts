import { isHere } from '../../../platform/db/moved.ts'
import { statement } from '../../../platform/db/statement.ts'
import { LOOK_SQL, type Look } from '../../../platform/page/look.ts'

/** A share link that holds: what it opens, and how much of it. */
export type Link = Look & {
  readonly account: number
  readonly id: string
  readonly trip: string
  /** Whose segments alone are shown; null for all. */
  readonly supplier: string | null
  readonly showPrices: boolean
  readonly showTravelers: boolean
  /** As it is kept; null where none is asked for. */
  readonly password: string | null
  /** Those that the account had in other cells, sealed. */
  readonly formerSecrets: readonly Buffer[]
}
type Named = { readonly account: number; readonly id: string }

/** Wrong passwords that cost no wait. */
const FREE_ATTEMPTS = 4
const FIRST_WAIT_S = 5
const LONGEST_WAIT_S = 900
const DOUBLINGS = Math.ceil(Math.log2(LONGEST_WAIT_S / FIRST_WAIT_S))

/** A link that was revoked, has expired, or whose account is closed is as little there as one that never was. */
export const findLink = statement<{ token: Buffer }, Link>(`
  select l.account_id as account, l.id, l.trip_id as trip, l.supplier_id as supplier, l.password_hash as password,
    ${LOOK_SQL}, l.show_prices and l.supplier_id is null as "showPrices", l.show_travelers as "showTravelers", a.former_secrets as "formerSecrets"
  from share_links l join accounts a on a.account_id = l.account_id and a.status = 'active'
  where l.token_hash = $token and l.revoked_at is null and (l.expires_at is null or l.expires_at > now()) and ${isHere('l.account_id')}`)

export const countView = statement<Named, never>(`
  update share_links set view_count = view_count + 1, last_viewed_at = now() where account_id = $account and id = $id`)

/**
 * Counts an attempt as a wrong one before the password is looked at, so that guesses made at once do not slip past the
 * wait. Each wait is twice the one before; a day without an attempt forgives all.
 */
export const takeAttempt = statement<Named, { taken: boolean; wait: number }>(`
  with nth as (
    select account_id, id, case when blocked_until < now() - interval '1 day' then 1 else failed_attempts + 1 end as attempt
    from share_links where account_id = $account and id = $id and (blocked_until is null or blocked_until <= now()) for update
  ), taken as (
    update share_links l set failed_attempts = attempt, blocked_until = case when attempt > ${FREE_ATTEMPTS}
      then now() + interval '1 second' * least(${LONGEST_WAIT_S}, ${FIRST_WAIT_S} * 2 ^ least(attempt - ${FREE_ATTEMPTS + 1}, ${DOUBLINGS})) end
    from nth where l.account_id = nth.account_id and l.id = nth.id returning l.id
  )
  select exists (select from taken) as taken, coalesce(greatest(1, ceil(extract(epoch from blocked_until - now()))), 1)::integer as wait
  from share_links where account_id = $account and id = $id`)

/** After the right password: nothing is held against the link any more. */
export const forgiveAttempts = statement<Named, never>(`
  update share_links set failed_attempts = 0, blocked_until = null where account_id = $account and id = $id`)
