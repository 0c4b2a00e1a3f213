import { TAGS_MAXIMUM } from '../../../catalogue/tags.ts'
import type { Policies } from '../../../platform/access/policies.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { demandPolicy } from '../../../platform/http/demand-policy.ts'
import { refuseAttributes } from '../../../records/attributes.ts'
import { type CustomerMove, MOVED } from '../../../records/customer-move.ts'
import { restrictedSql } from '../reads/restricted.ts'

/** Both in the order of their ids, so that two merges of the same people cannot wait for each other. */
const lock = statement(
  MOVED,
  { id: pg.uuid, restricted: pg.boolean },
  `
  select c.id, coalesce(${restrictedSql('c')}, false) as restricted
  from customers c where c.account_id = $account and c.id in ($loser::uuid, $into::uuid) and c.deleted_at is null
  order by c.id for update of c`,
)

/** Attributes that a survivor takes over if its own are empty. */
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
/** Restricted tags come first, so that none is dropped if there are too many. */
const HIDES = 'exists (select from restricted_tags r where r.account_id = t.account_id and r.name = tag)'
const fill = statement(
  MOVED,
  {},
  `
  update customers t set ${GAPS.map((name) => `${name} = coalesce(t.${name}, l.${name})`).join(', ')},
    ${NAMES.map((name) => `${name} = case when coalesce(t.name, t.first_name, t.last_name) is null then l.${name} else t.${name} end`).join(', ')},
    tags = (select coalesce(array_agg(distinct tag), '{}') from (select tag from unnest(t.tags || l.tags) with ordinality as u(tag, nth) group by tag order by ${HIDES} desc, min(nth) limit ${TAGS_MAXIMUM}) as kept(tag))
  from customers l where t.account_id = $account::integer and t.id = $into and l.account_id = t.account_id and l.id = $loser`,
)

const bury = statement(
  MOVED,
  {},
  `
  update customers set merged_into_id = $into, deleted_at = now() where account_id = $account::integer and id = $loser`,
)

/**
 * Merges two customers: all records of the loser move to the survivor, which keeps its own values and takes over the
 * missing ones. `moves` is `customerMoves` of the registry, the statements of each feature. Afterwards the loser is not
 * found, and its external ids lead to the survivor. False if the loser does not exist. Merging reveals the loser's
 * data, so it requires the policies to see both.
 */
export async function mergeCustomers(
  tx: AccountTx,
  policies: Policies,
  { loser, into }: { readonly loser: string; readonly into: string },
  moves: readonly CustomerMove[],
): Promise<boolean> {
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
  tx.later(bury, pair) // before its links move, so that the audit log has one merge
  for (const { statement } of moves) tx.later(statement, pair)
  auditOwn(tx, { action: 'customer.merged', subjectType: 'customer', subjectId: loser, details: { into } })
  return true
}
