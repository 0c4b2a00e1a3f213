import type { Values } from '../../catalogue/read-cells.ts'
import type { Revert } from '../../imports/importable.ts'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { type ListQuery, listing } from '../../platform/db/listing.ts'
import { type PageRow, pageSql, printedArray } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import type { PageRequest } from '../../platform/http/route.ts'
import { attributeSql } from '../../records/attribute-sql.ts'
import { PERSON_PARAMETERS, personConditions, searchConditions } from '../../records/search.ts'
import { customerAttributes } from './customer-attributes.ts'
import { customerDetail, customerItem } from './customers.view.ts'
import { personalSql, restrictedSql } from './reads/restricted.ts'
import { travelerItem, travelerNameSql } from './travelers.view.ts'

const ALIVE = 't.account_id = $account and t.deleted_at is null'
const CONDITIONS = {
  ...personConditions(restrictedSql('t')),
  company_id: 't.company_id = $company_id::uuid',
  vip_tier: 't.vip_tier = $vip_tier',
  lifecycle_stage: 't.lifecycle_stage = $lifecycle_stage',
}
const pageFrom =
  (from: (continues: boolean) => string) =>
  ({ policies, where, continues }: ListQuery): string =>
    pageSql(
      {
        item: viewSql(customerItem, policies),
        from: from(continues),
        where: [ALIVE, ...where],
        keys: [
          { sql: 't.created_at', pg: 'timestamptz' },
          { sql: 't.id', pg: 'uuid' },
        ],
        descending: true,
      },
      continues,
    )

/** This many customers are scanned in list order before the index is used. */
const LOOKED_THROUGH = 5_000
const recent = (continues: boolean) => `(select * from customers t where ${ALIVE}
  ${continues ? 'and (t.created_at, t.id) < (($after::text[])[1]::timestamptz, ($after::text[])[2]::uuid)' : ''}
  order by t.created_at desc, t.id desc limit ${LOOKED_THROUGH}) t`
/** The index looks by three letters at least. */
const INDEXED_LETTERS = 3
const matching = (text: string) => `select customers_like('%' || ${text} || '%')`
const INDEXED = {
  text: `t.id in (${matching('like_text(fold($q))')})`,
  number: `t.id in (${matching('like_text(fold($q))')} union all ${matching('$number::text')})`,
}

const all = () => 'customers t'
const TAKES = {
  ...PERSON_PARAMETERS,
  company_id: pg.uuid,
  vip_tier: pg.text,
  lifecycle_stage: pg.text,
}
const listAll = listing(TAKES, CONDITIONS, pageFrom(all))
const listRecent = listing(TAKES, CONDITIONS, pageFrom(recent))
const listMatching = listing(TAKES, { ...CONDITIONS, ...INDEXED }, pageFrom(all))

type Filters = { readonly [name in 'company_id' | 'vip_tier' | 'lifecycle_stage']?: string | undefined }
/** Customers, newest first. A search looks through the recent ones, and where these do not fill the page, by the index. */
export async function listCustomers(
  reader: AccountReader,
  policies: Policies,
  page: Pick<PageRequest, 'limit' | 'after'>,
  q: string | undefined,
  filters: Filters,
): Promise<PageRow | undefined> {
  const sought = searchConditions(q, policies)
  if (!sought) return undefined
  const by = (list: typeof listAll) => list(reader, policies, page, { ...sought, ...filters }, { q })
  const isNarrow = filters.vip_tier !== undefined || filters.lifecycle_stage !== undefined
  if (q === undefined || q.length < INDEXED_LETTERS || isNarrow) return by(listAll)
  const found = await by(listRecent)
  return found?.more ? found : by(listMatching)
}

export const readCustomer = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson, version: pg.integer },
  (policies) =>
    `select ${viewSql(customerDetail, policies)}::text as item, t.version from customers t where ${ALIVE} and t.id = $id`,
)

const { names, given, values, set, stored, columns } = attributeSql(customerAttributes)
/** A stored customer, with its attributes as the API writes them. */
export type StoredCustomer = Values & {
  readonly id: string
  readonly company_id: string
  /** The tags of it that hide who it is. */
  readonly restricted: readonly string[]
}
export const lockCustomer = statement(
  { account: pg.integer, id: pg.uuid },
  {
    ...columns,
    id: pg.uuid,
    version: pg.integer,
    company_id: pg.uuid,
    /** The tags of it that hide who it is. */
    restricted: pg.list(pg.text),
  },
  `
  select t.id, t.version, t.company_id,
    (select coalesce(array_agg(r.name), '{}') from restricted_tags r where r.account_id = t.account_id and r.name = any(t.tags)) as restricted,
    ${stored}
  from customers t where ${ALIVE} and t.id = $id for no key update`,
)
export const insertCustomer = statement(
  { account: pg.integer, id: pg.uuid, company: pg.uuid, branch: pg.nullable(pg.uuid), values: pg.jsonText },
  {},
  `
  insert into customers (account_id, id, company_id, branch_id, ${names}, opted_in_at)
  select $account::integer, $id::uuid, $company::uuid, $branch::uuid, ${values},
    case when v.opted_in_marketing then now() end
  from ${given}`,
)
export const updateCustomer = statement(
  { account: pg.integer, id: pg.uuid, company: pg.uuid, values: pg.jsonText },
  {},
  `
  update customers t set company_id = $company, ${set},
    opted_in_at = case when not v.opted_in_marketing then null else coalesce(t.opted_in_at, now()) end
  from ${given} where t.account_id = $account::integer and t.id = $id`,
)

const TRAVELERS = 1000
/**
 * The travellers of a customer, by name; no row if the customer does not exist. A role that may not see their identity
 * gets none: their number would reveal which travellers of a booking were already known.
 */
export const listTravelers = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { items: pg.printedJson },
  (policies) => `
    select (select ${printedArray(`string_agg(item, ',')`)} from (
        select ${viewSql(travelerItem, policies)}::text as item from travelers v where v.account_id = t.account_id and v.customer_id = t.id
          and ${personalSql(restrictedSql('t'), 'true', policies, 'false')}
        order by ${travelerNameSql(policies)}, v.id limit ${TRAVELERS}) l) as items
    from customers t where ${ALIVE} and t.id = $id`,
)

/** A customer that something alive refers to customersThatStay when the import that made it is taken back. */
export const customersThatStay: Revert['stays'] = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  { id: pg.uuid, reason: pg.text },
  `
  select key.id, r.reason from unnest($ids::uuid[]) as key(id) cross join lateral (
    select case
      when exists (select from bookings b where b.account_id = $account and b.customer_id = key.id and b.deleted_at is null)
        then 'has_bookings'
      when exists (select from leads l where l.account_id = $account and l.customer_id = key.id and l.deleted_at is null)
        or exists (select from leads l where l.account_id = $account and l.imported_customer_id = key.id and l.deleted_at is null)
        then 'has_leads'
      when exists (select from customer_invoices i where i.account_id = $account and i.customer_id = key.id)
        or exists (select from operator_invoices i where i.account_id = $account and i.customer_id = key.id and i.deleted_at is null)
        then 'has_documents'
      when exists (select from communications m where m.account_id = $account and m.customer_id = key.id)
        then 'has_messages'
    end as reason
  ) r where r.reason is not null`,
)
