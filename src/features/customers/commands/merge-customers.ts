import { TAGS_MAXIMUM } from '../../../catalogue/tags.ts'
import type { Policies } from '../../../platform/access/policies.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { demandPolicy } from '../../../platform/http/demand-policy.ts'
import { refuseAttributes } from '../../../records/attributes.ts'
import { refileBookingsOf } from '../../filing/commands/refile-bookings.ts'
import { restrictedSql } from '../reads/restricted.ts'

/** Both in the order of their ids, so that two merges of the same people cannot wait for each other. */
const lock = statement(
  { account: pg.integer, loser: pg.uuid, into: pg.uuid },
  { id: pg.uuid, restricted: pg.boolean },
  `
  select c.id, coalesce(${restrictedSql('c')}, false) as restricted
  from customers c where c.account_id = $account and c.id in ($loser::uuid, $into::uuid) and c.deleted_at is null
  order by c.id for update of c`,
)

/** What a survivor takes over where it has nothing of its own. */
const GAPS = [
  'email',
  'phone',
  'legal_name',
  'tax_number',
  'tax_office',
  'tax_office_code',
  'birthday',
  'anniversary',
  'preferred_channel',
  'preferred_currency',
  'lifecycle_stage',
  'vip_tier',
  'code',
  'locale',
  'address',
]
/** A name is taken over whole or not at all. */
const NAMES = ['name', 'first_name', 'last_name']
/** Those that hide who the customer is come first, so that none falls away where there are too many. */
const HIDES = 'exists (select from restricted_tags r where r.account_id = t.account_id and r.name = tag)'
const fill = statement(
  { account: pg.integer, loser: pg.uuid, into: pg.uuid },
  {},
  `
  update customers t set ${GAPS.map((name) => `${name} = coalesce(t.${name}, l.${name})`).join(', ')},
    ${NAMES.map((name) => `${name} = case when coalesce(t.name, t.first_name, t.last_name) is null then l.${name} else t.${name} end`).join(', ')},
    tags = (select coalesce(array_agg(distinct tag), '{}') from (select tag from unnest(t.tags || l.tags) with ordinality as u(tag, nth) group by tag order by ${HIDES} desc, min(nth) limit ${TAGS_MAXIMUM}) as kept(tag))
  from customers l where t.account_id = $account::integer and t.id = $into and l.account_id = t.account_id and l.id = $loser`,
)

/** Columns that name a customer and can name another as they are. */
export const NAMED_IN = [
  ['bookings', 'customer_id'],
  ['leads', 'customer_id'],
  ['leads', 'imported_customer_id'],
  ['operator_invoices', 'customer_id'],
  ['customer_invoices', 'customer_id'],
  ['travelers', 'customer_id'],
  ['trip_travelers', 'customer_id'],
  ['communications', 'customer_id'],
  ['customers', 'merged_into_id'],
  ['referral_codes', 'customer_id'],
  ['surveys', 'customer_id'],
  ['tasks', 'taskable_id'],
] as const
const moves = NAMED_IN.map(([table, column]) =>
  statement(
    { account: pg.integer, loser: pg.uuid, into: pg.uuid },
    {},
    `update ${table} set ${column} = $into where account_id = $account::integer and ${column} = $loser`,
  ),
)
/** A customer has one imported note; the other's stays as one of the application. */
const moveNotes = statement(
  { account: pg.integer, loser: pg.uuid, into: pg.uuid },
  {},
  `
  update customer_notes n set customer_id = $into, source = case when n.source = 'import' and exists (select from customer_notes o
      where o.account_id = n.account_id and o.customer_id = $into and o.source = 'import') then 'app' else n.source end
  where n.account_id = $account::integer and n.customer_id = $loser`,
)
/** A trip that both of them buy names the survivor once. */
const moveTrips = statement(
  { account: pg.integer, loser: pg.uuid, into: pg.uuid },
  {},
  `
  with gone as (delete from trip_customers where account_id = $account::integer and customer_id = $loser returning trip_id, is_primary)
  insert into trip_customers as t (account_id, trip_id, customer_id, is_primary)
  select $account, trip_id, $into::uuid, is_primary from gone
  on conflict (account_id, trip_id, customer_id) do update set is_primary = t.is_primary or excluded.is_primary`,
)
/** Who was greeted twice on a day, as both, was greeted. */
const moveGreetings = statement(
  { account: pg.integer, loser: pg.uuid, into: pg.uuid },
  {},
  `
  with doubled as (
    delete from birthday_greetings g where g.account_id = $account::integer and g.customer_id = $loser and exists (select
      from birthday_greetings o where o.account_id = g.account_id and o.customer_id = $into and o.celebrated_on = g.celebrated_on)
  )
  update birthday_greetings g set customer_id = $into where g.account_id = $account::integer and g.customer_id = $loser and not exists (select
    from birthday_greetings o where o.account_id = g.account_id and o.customer_id = $into and o.celebrated_on = g.celebrated_on)`,
)
const bury = statement(
  { account: pg.integer, loser: pg.uuid, into: pg.uuid },
  {},
  `
  update customers set merged_into_id = $into, deleted_at = now() where account_id = $account::integer and id = $loser`,
)

/**
 * Makes two customers one: everything of the loser becomes the survivor's, which keeps its own values and takes over
 * what it lacks. From then on the loser is not found, and its external ids lead to the survivor. False where the loser
 * is none. Since it gives up what the loser is, it is for those who see who both are.
 */
export async function mergeCustomers(tx: AccountTx, policies: Policies, loser: string, into: string): Promise<boolean> {
  demandPolicy(policies, 'view_personal_data')
  takeChangeNumber(tx)
  const both = await tx.all(lock, { loser, into })
  const found = new Set(both.map(({ id }) => id))
  if (both.some(({ restricted }) => restricted)) demandPolicy(policies, 'view_restricted_customers')
  if (!found.has(loser)) return false
  if (loser === into) refuseAttributes([['into_id', 'Send the id of another customer.']])
  if (!found.has(into)) refuseAttributes([['into_id', 'No customer with this id exists in this account.']])
  const pair = { loser, into }
  tx.later(fill, pair)
  tx.later(bury, pair) // before its links move, which the audit log then tells as one merge
  tx.later(moveNotes, pair)
  tx.later(moveTrips, pair)
  tx.later(moveGreetings, pair)
  for (const move of moves) tx.later(move, pair)
  refileBookingsOf(tx, into)
  auditOwn(tx, { action: 'customer.merged', subjectType: 'customer', subjectId: loser, details: { into } })
  return true
}
