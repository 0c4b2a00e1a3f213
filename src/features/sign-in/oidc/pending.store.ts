import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'

const PURPOSE = pg.textOf<'sign_in' | 'invitation' | 'link' | 'proof'>()

export const insertPending = statement(
  {
    account: pg.integer,
    provider: pg.uuid,
    state: pg.bytes,
    browser: pg.bytes,
    purpose: PURPOSE,
    link: pg.nullable(pg.uuid),
    session: pg.nullable(pg.uuid),
    returnTo: pg.text,
  },
  {},
  `
  insert into pending_sign_ins (account_id, provider_id, state_hash, browser_hash, purpose, link_id, session_id, return_to)
  values ($account, $provider, $state, $browser, $purpose, $link, $session, $returnTo)`,
)
export type Pending = RowFrom<typeof takePending>
/** Takes a sign-in that this browser began with this provider; no row for any other, or the second time. */
export const takePending = statement(
  { provider: pg.uuid, state: pg.bytes, browser: pg.bytes },
  {
    account: pg.integer,
    purpose: PURPOSE,
    link: pg.nullable(pg.uuid),
    session: pg.nullable(pg.uuid),
    return_to: pg.text,
  },
  `
  delete from pending_sign_ins
  where state_hash = $state and browser_hash = $browser and provider_id = $provider and expires_at > now()
  returning account_id as account, purpose, link_id as link, session_id as session, return_to`,
)
export const purgePending = statement({}, {}, 'delete from pending_sign_ins where expires_at <= now()')
