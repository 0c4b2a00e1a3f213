import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql, type SortKey } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { quoted } from '../../platform/db/quoted.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import type { PageRequest } from '../../platform/http/route.ts'
import { namesRestrictedSql, restrictedSql } from '../customers/reads/restricted.ts'
import { bookingItem } from './bookings.view.ts'

const ID: SortKey = { sql: 't.id', pg: 'uuid' }
/** The orders, as the indexes have them. Ids are made in the order of time. Bookings without a day of travel come last. */
const ORDERS = {
  travels_on: [{ sql: `coalesce(t.travels_on, '-infinity'::date)`, pg: 'date' }, ID],
  transaction_date: [{ sql: 't.transaction_date', pg: 'date' }, ID],
  created_at: [ID],
} as const satisfies Readonly<Record<string, readonly [SortKey, ...SortKey[]]>>
type Order = keyof typeof ORDERS
export const BOOKING_SORTS = [
  'travels_on',
  '-travels_on',
  'transaction_date',
  '-transaction_date',
  'created_at',
  '-created_at',
] as const
export type BookingSort = (typeof BOOKING_SORTS)[number]

const OWN = 'account_id = $account'
/** The index of external ids begins with the vertical, and goes through the few source systems. */
const byExternalId = (verticals: readonly string[]) => `
  select b.id from bookings b where b.${OWN} and b.entity in (${quoted(verticals)}) and b.external_id in ($q, upper($q))`
const BY_PNR = `select o.id from tickets o where o.${OWN} and o.pnr = upper($q)`
const BY_TICKET = `select n.booking_id from ticket_numbers n where n.${OWN} and n.number = $number`
const BY_NAME = `
  select b.id from bookings b where b.${OWN} and b.customer_id in (select customers_like('%' || like_text(fold($q)) || '%'))`
/** Bookings of customers whose names are many: they are found on the way, in the order of the list. */
const byCommonName = (keys: string, known: boolean) => `(t.id in (${keys}) or exists (
  select from customers c where c.account_id = t.account_id and c.id = t.customer_id and c.deleted_at is null
    and c.search like '%' || like_text(fold($q)) || '%' ${known ? `and not (${restrictedSql('c')})` : ''}))`
/** Whether a text is in the names of more customers than it is worth to look up the bookings of. */
const isCommon = statement(
  { account: pg.integer, q: pg.text },
  { common: pg.boolean },
  `select $account::integer is not null and count(*) > 500 as common from (
    select customers_like('%' || like_text(fold($q)) || '%') limit 501) found`,
)
/** Those of customers whom no restricted tag hides. */
const ofKnown = (sought: string) => `
  select k.id from (${sought}) s(id) join bookings k on k.${OWN} and k.id = s.id
  where not ${namesRestrictedSql('k', 'k.customer_id')}`

const TAKES = {
  verticals: pg.list(pg.text),
  statuses: pg.list(pg.text),
  customer_id: pg.uuid,
  supplier_id: pg.uuid,
  advisor_id: pg.uuid,
  branch_id: pg.uuid,
  travels_from: pg.date,
  travels_to: pg.date,
  transaction_from: pg.date,
  transaction_to: pg.date,
  option_before: pg.date,
  invoiced: pg.boolean,
  q: pg.text,
  number: pg.text,
}

const conditionsOf = (verticals: readonly string[]) => {
  /** The bookings that a key finds, and those that the role may find by a person. */
  const keys = [byExternalId(verticals), BY_PNR]
  const found = (...persons: readonly string[]) => `t.id in (${[...keys, ...persons].join(' union all ')})`
  return {
    verticals: 't.entity = any($verticals::text[])',
    statuses: 't.status = any($statuses::text[])',
    customer_id: 't.customer_id = $customer_id::uuid',
    supplier_id: 't.supplier_id = $supplier_id::uuid',
    advisor_id: 't.assigned_to_id = $advisor_id::uuid',
    branch_id: 't.branch_id = $branch_id::uuid',
    travels_from: 't.travels_on >= $travels_from::date',
    travels_to: 't.travels_on <= $travels_to::date',
    transaction_from: 't.transaction_date >= $transaction_from::date',
    transaction_to: 't.transaction_date <= $transaction_to::date',
    option_before: `(t.status = 'option' and t.option_date < $option_before::date)`,
    is_invoiced: 't.invoiced',
    not_invoiced: 'not t.invoiced',
    by_key: found(),
    by_number: found(BY_TICKET),
    by_name: found(BY_NAME),
    by_known_number: found(ofKnown(BY_TICKET)),
    by_known_name: found(ofKnown(BY_NAME)),
    by_common_name: byCommonName(keys.join(' union all '), false),
    by_known_common_name: byCommonName(keys.join(' union all '), true),
  }
}

const NUMBER = /^\d{13}$/
/** Names are sought by three letters at least. */
const INDEXED_LETTERS = 3

/** The condition of a search. Names and ticket numbers are personal data. */
async function searchOf(reader: AccountReader, q: string, policies: Policies) {
  const number = q.replace(/[\s-]/g, '')
  const isNumber = NUMBER.test(number)
  if (!policies.has('view_personal_data') || (!isNumber && q.length < INDEXED_LETTERS)) return { by_key: true }
  const known = policies.has('view_restricted_customers') ? 'by' : 'by_known'
  if (isNumber) return { [`${known}_number`]: true, number }
  const found = await reader.one(isCommon, { q })
  return { [`${known}_${found?.common ? 'common_name' : 'name'}`]: true, number }
}

export type BookingFilters = {
  readonly [name in Exclude<keyof typeof TAKES, 'verticals' | 'statuses' | 'invoiced' | 'number'>]?: string | undefined
} & {
  readonly verticals?: readonly string[] | undefined
  readonly statuses?: readonly string[] | undefined
  readonly invoiced?: boolean | undefined
}

/** Bookings of all verticals. */
export function bookingsList(verticals: readonly string[]) {
  const view = bookingItem(verticals)
  const { invoiced: _, ...takes } = TAKES
  const listOf = (order: Order, descending: boolean) =>
    listing(
      takes,
      conditionsOf(verticals),
      ({ policies, where, continues }) =>
        pageSql(
          {
            item: viewSql(view, policies),
            from: 'bookings t',
            where: ['t.account_id = $account', 't.deleted_at is null', ...where],
            keys: ORDERS[order],
            descending,
          },
          continues,
        ),
      {},
      { isPlannedEachTime: true },
    )
  const lists = new Map(
    (Object.keys(ORDERS) as Order[]).flatMap((order) => [
      [order as BookingSort, listOf(order, false)],
      [`-${order}` as BookingSort, listOf(order, true)],
    ]),
  )
  return async (
    reader: AccountReader,
    policies: Policies,
    page: Pick<PageRequest, 'limit' | 'after'>,
    { q, invoiced, ...given }: BookingFilters,
    sort: BookingSort,
  ) => {
    const { number, ...sought } = q === undefined ? {} : await searchOf(reader, q, policies)
    const filters = { ...given, ...sought, is_invoiced: invoiced === true, not_invoiced: invoiced === false }
    return lists.get(sort)?.(reader, policies, page, filters, { q, number })
  }
}
