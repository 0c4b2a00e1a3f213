import { randomUUIDv7 } from 'node:crypto'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { type Surveying, surveyUrl } from '../survey-address.ts'

/** Between two surveys of a customer, and between an invitation and its reminder. */
const APART_DAYS = 30
const REMINDED_AFTER_DAYS = 5

/** A customer to be invited about a completed trip; `id` is the caller's own. */
type Due = { readonly id: string; readonly trip: string; readonly customer: string }
/** A survey that exists once its mail is queued, or why there is none. */
export type Invitation =
  | { readonly survey: string; readonly trip: string; readonly customer: string; readonly link: string }
  | { readonly refused: 'asked_before' | 'asked_recently' }

/** Locks the customer, so that a concurrent invitation is seen. */
const hold = statement(
  { account: pg.integer, customers: pg.list(pg.uuid) },
  {},
  'select from customers where account_id = $account and id = any($customers::uuid[]) order by id for no key update',
)
const judge = statement(
  { account: pg.integer, given: pg.jsonText },
  { id: pg.uuid, refused: pg.nullable(pg.textOf<'asked_before' | 'asked_recently'>()) },
  `
  with judged as (
    select m.*, case
      when exists (select from surveys s where s.account_id = $account::integer and s.trip_id = m.trip) then 'asked_before'
      when exists (select from surveys s where s.account_id = $account and s.customer_id = m.customer
        and s.invited_at > now() - interval '${APART_DAYS} days') then 'asked_recently' end as refused
    from json_to_recordset($given::json) as m(id uuid, trip uuid, customer uuid)
  )
  select id, case when refused is null and row_number() over (partition by customer, refused order by id) > 1
    then 'asked_recently' else refused end as refused
  from judged`,
)
/** The reminder comes at the same hour of the account's clock. */
const keep = statement(
  { account: pg.integer, given: pg.jsonText },
  {},
  `
  insert into surveys (account_id, id, trip_id, customer_id, advisor_id, reminder_due_at, next_attempt_at)
  select t.account_id, m.survey, t.id, m.customer, t.assigned_advisor_id, due_at, due_at
  from json_to_recordset($given::json) as m(survey uuid, trip uuid, customer uuid)
    join trips t on t.account_id = $account::integer and t.id = m.trip
    join accounts a on a.account_id = t.account_id
    cross join lateral (select (now() at time zone a.time_zone + interval '${REMINDED_AFTER_DAYS} days') at time zone a.time_zone as due_at) at`,
)

/**
 * Finds which customers may be invited for a trip: each at most once within some weeks. Returns results by the given
 * ids.
 */
export async function prepareInvitations(
  tx: AccountTx,
  deps: Surveying,
  due: readonly Due[],
): Promise<ReadonlyMap<string, Invitation>> {
  if (due.length === 0) return new Map()
  tx.later(hold, { customers: due.map(({ customer }) => customer) })
  const judged = await tx.all(judge, { given: JSON.stringify(due) })
  const refusals = new Map(judged.map(({ id, refused }) => [id, refused]))
  return new Map(
    due.map(({ id, trip, customer }): [string, Invitation] => {
      const refused = refusals.get(id)
      if (refused) return [id, { refused }]
      const survey = randomUUIDv7()
      return [id, { survey, trip, customer, link: surveyUrl(deps, { account: tx.account, survey }) }]
    }),
  )
}

/** Stores the surveys whose mails were queued, in the same transaction: no survey exists without its mail. */
export function keepInvitations(tx: AccountTx, invitations: readonly Invitation[]): void {
  if (invitations.length > 0) tx.later(keep, { given: JSON.stringify(invitations) })
}
