import type { Values } from '../../catalogue/read-cells.ts'
import { restrictedSql } from '../../imports/records/restricted.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { type PageRow, pageSql } from '../../platform/db/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import { customerAttributes } from './customer-attributes.ts'
import { customerDetail, customerItem } from './customers.view.ts'
import { travelerItem } from './travelers.view.ts'

const ALIVE = 't.account_id = $account and t.deleted_at is null'
export type CustomerFilter = 'q' | 'company_id' | 'vip_tier' | 'lifecycle_stage'
const FILTERS: Readonly<Record<CustomerFilter, string>> = {
  q: `t.search like '%' || like_text(fold($q)) || '%'`,
  company_id: 't.company_id = $company_id::uuid',
  vip_tier: 't.vip_tier = $vip_tier',
  lifecycle_stage: 't.lifecycle_stage = $lifecycle_stage',
}
/** Who is hidden by a tag is not found by who they are. */
const KNOWN = `not (${restrictedSql('t')})`
type ListInput = { account: number; limit: number; after?: readonly string[] } & Partial<Record<CustomerFilter, string>>

/** So many customers are looked through in the order of the list, before an index is asked who matches at all. */
const LOOKED_THROUGH = 5_000
const RECENT = (continues: boolean) => `(select * from customers t where ${ALIVE}
  ${continues ? 'and (t.created_at, t.id) < (($after::text[])[1]::timestamptz, ($after::text[])[2]::uuid)' : ''}
  order by t.created_at desc, t.id desc limit ${LOOKED_THROUGH}) t`
/** The index looks by three letters at least. */
export const INDEXED_LETTERS = 3
const MATCHING = `t.id in (select customers_like('%' || like_text(fold($q)) || '%'))`

/**
 * Customers, newest first. `variant` names the filters, `after` for a page that continues, and how a search is done:
 * through the `recent` ones alone, or by those that the index finds `matching`.
 */
export const listCustomers = byPolicies<ListInput, PageRow>((policies, variant) => {
  const names = variant.split(' ').filter(Boolean)
  const continues = names.includes('after')
  const condition = (name: string) =>
    name === 'q' && names.includes('matching') ? MATCHING : (FILTERS[name as CustomerFilter] ?? [])
  return pageSql(
    {
      item: viewSql(customerItem, policies),
      from: names.includes('recent') ? RECENT(continues) : 'customers t',
      where: [ALIVE, ...names.flatMap(condition), ...(names.includes('known') ? [KNOWN] : [])],
      keys: [
        { sql: 't.created_at', pg: 'timestamptz' },
        { sql: 't.id', pg: 'uuid' },
      ],
      descending: true,
    },
    continues,
  )
})

export const readCustomer = byPolicies<{ account: number; id: string }, { item: string }>(
  (policies) =>
    `select ${viewSql(customerDetail, policies)}::text as item from customers t where ${ALIVE} and t.id = $id`,
)

const columns = Object.entries(customerAttributes).map(([name, { pg }]) => ({ name, pg }))
/** The attributes as they are, locked for a change; arrays and objects as values. */
export const lockCustomer = statement<{ account: number; id: string }, Values>(`
  select t.id, t.company_id, t.opted_in_at,
    (select coalesce(array_agg(r.name), '{}') from restricted_tags r where r.account_id = t.account_id and r.name = any(t.tags)) as restricted,
    ${columns.map(({ name }) => `t.${name}`).join(', ')}
  from customers t where ${ALIVE} and t.id = $id for no key update`)
const input = `json_to_record($values::json) as v(${columns.map(({ name, pg }) => `${name} ${pg}`).join(', ')})`
export const insertCustomer = statement<
  { account: number; id: string; company: string; branch: string | null; values: string },
  never
>(`
  insert into customers (account_id, id, company_id, branch_id, ${columns.map(({ name }) => name).join(', ')}, opted_in_at)
  select $account::integer, $id::uuid, $company::uuid, $branch::uuid, ${columns.map(({ name }) => `v.${name}`).join(', ')},
    case when v.opted_in_marketing then now() end
  from ${input}`)
export const updateCustomer = statement<{ account: number; id: string; company: string; values: string }, never>(`
  update customers t set company_id = $company, ${columns.map(({ name }) => `${name} = v.${name}`).join(', ')},
    opted_in_at = case when not v.opted_in_marketing then null else coalesce(t.opted_in_at, now()) end
  from ${input} where t.account_id = $account::integer and t.id = $id`)

const TRAVELERS = 1000
/** The travellers of a customer; no row where there is no such customer. */
export const listTravelers = byPolicies<{ account: number; id: string }, { items: string | null }>(
  (policies) => `
    select (select string_agg(item, ',') from (
        select ${viewSql(travelerItem, policies)}::text as item from travelers v where v.account_id = t.account_id and v.customer_id = t.id
        order by v.name_key, v.id limit ${TRAVELERS}) l) as items
    from customers t where ${ALIVE} and t.id = $id`,
)
