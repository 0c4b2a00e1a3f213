import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { type ListQuery, listing } from '../../platform/db/listing.ts'
import { type PageRow, pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { viewSql } from '../../platform/db/view.ts'
import type { PageRequest } from '../../platform/http/route.ts'
import { SEARCHED } from '../../records/search.ts'
import { dayDetail, dayItem } from './days.view.ts'
import { LISTED_STATUS, NEEDS_OTHER_ATTENTION, TRIP_SCOPES } from './reads/trip-scopes.ts'
import { segmentSql } from './segments.view.ts'
import { tripItem } from './trips.view.ts'

const page = ({ policies, where, continues }: ListQuery): string =>
  pageSql(
    {
      item: viewSql(tripItem, policies),
      from: 'trips t',
      where: ['t.account_id = $account', ...where],
      keys: [
        { sql: 't.starts', pg: 'date' },
        { sql: 't.id', pg: 'uuid' },
      ],
      descending: false,
    },
    continues,
  )
const list = listing(
  { q: pg.text, status: pg.text, assigned_to_id: pg.uuid },
  {
    ...TRIP_SCOPES,
    needs_other_attention: NEEDS_OTHER_ATTENTION,
    few: SEARCHED,
    many: `t.id in (select trips_like('%' || like_text(fold($q)) || '%'))`,
    status: `${LISTED_STATUS} = $status`,
    assigned_to_id: 't.assigned_advisor_id = $assigned_to_id::uuid',
  },
  page,
)
/** The index looks by three letters at least. */
const INDEXED_LETTERS = 3

type Filters = {
  readonly q?: string | undefined
  readonly status?: string | undefined
  readonly assigned_to_id?: string | undefined
  readonly scope?: keyof typeof TRIP_SCOPES | undefined
}
/** Trips, the earliest start first, those without one last. */
export function listTrips(
  reader: AccountReader,
  policies: Policies,
  asked: Pick<PageRequest, 'limit' | 'after'>,
  { q: given, status, assigned_to_id, scope }: Filters,
): Promise<PageRow | undefined> {
  const q = given?.trim() || undefined
  const sought = q && { [q.length < INDEXED_LETTERS ? 'few' : 'many']: true }
  const isImpersonal = scope === 'needs_attention' && !policies.has('view_personal_data')
  const scoped = scope && { [isImpersonal ? 'needs_other_attention' : scope]: true }
  return list(reader, policies, asked, { ...sought, ...scoped, status, assigned_to_id }, { q })
}
/** The days of a trip as an array; no row if the trip does not exist. */
export const readDays = byPolicies(
  { account: pg.integer, trip: pg.uuid },
  { items: pg.printedJson },
  (policies) => `
  select coalesce((select json_agg(${viewSql(dayItem, policies)} order by d.position, d.day_number)
    from trip_days d where d.account_id = t.account_id and d.trip_id = t.id), '[]')::text as items
  from trips t where t.account_id = $account and t.id = $trip`,
)
export const readDay = byPolicies(
  { account: pg.integer, trip: pg.uuid, day: pg.integer },
  { item: pg.printedJson },
  (policies) => `
  select ${viewSql(dayDetail, policies)}::text as item
  from trip_days d where d.account_id = $account and d.trip_id = $trip and d.day_number = $day`,
)
/** Every day of a trip, whole. */
export const readWholeDays = byPolicies(
  { account: pg.integer, trip: pg.uuid },
  { item: pg.printedJson },
  (policies) => `
  select ${viewSql(dayDetail, policies)}::text as item
  from trip_days d where d.account_id = $account and d.trip_id = $trip order by d.position, d.day_number`,
)
export const readSegment = byPolicies(
  { account: pg.integer, trip: pg.uuid, id: pg.uuid },
  { item: pg.printedJson },
  (policies) => `
  select ${segmentSql(policies)}::text as item
  from trip_segments s where s.account_id = $account and s.trip_id = $trip and s.id = $id`,
)
