import { byPolicies } from '../../platform/db/by-policies.ts'
import * as pg from '../../platform/db/pg-types.ts'
import type { RowFrom } from '../../platform/db/statement.ts'
import { personalSql, restrictedSql } from '../customers/reads/restricted.ts'

/** What a template is previewed with; names are null where the role may not see them. */
export type PreviewRecord = RowFrom<ReturnType<typeof readPreviewRecord>>

const NAMED = `coalesce(t.trip_customer, b.customer_id)`
/**
 * The customer and the trip of a preview. A booking stands for its customer and the trip that it is filed in, a trip for
 * its first customer. Names of customers are masked as in all readings.
 */
export const readPreviewRecord = byPolicies(
  {
    account: pg.integer,
    seat: pg.nullable(pg.uuid),
    customer: pg.nullable(pg.uuid),
    trip: pg.nullable(pg.uuid),
    booking: pg.nullable(pg.uuid),
  },
  {
    customer: pg.nullable(pg.uuid),
    trip: pg.nullable(pg.uuid),
    booking: pg.nullable(pg.uuid),
    calledName: pg.nullable(pg.text),
    name: pg.nullable(pg.text),
    seatName: pg.nullable(pg.text),
    agency: pg.text,
    accent: pg.nullable(pg.text),
    title: pg.nullable(pg.text),
    reference: pg.nullable(pg.text),
    start: pg.nullable(pg.text),
    end: pg.nullable(pg.text),
    destinations: pg.nullable(pg.list(pg.text)),
    advisor: pg.nullable(pg.text),
    advisorEmail: pg.nullable(pg.text),
  },
  (policies) => {
    const named = (sql: string) => personalSql(restrictedSql('c'), sql, policies)
    return `
  select c.id as customer, t.id as trip, b.id as booking,
    ${named(`case c.customer_type when 'individual' then coalesce(c.first_name, c.name) else c.name end`)} as "calledName",
    ${named('c.name')} as name, s.name as "seatName", a.name as agency, a.accent_color as accent, t.title,
    t.reference_number as reference, t.start_date::text as start, coalesce(t.end_date, t.start_date)::text as "end",
    t.destinations, v.name as advisor, v.email as "advisorEmail"
  from accounts a
    left join seats s on s.account_id = a.account_id and s.id = $seat::uuid
    left join lateral (
      select b.id, b.customer_id, f.trip_id from bookings b
        left join trip_bookings f on f.account_id = b.account_id and f.booking_id = b.id
      where b.account_id = a.account_id and b.id = $booking::uuid and b.deleted_at is null limit 1) b on true
    left join lateral (
      select t.*, x.customer_id as trip_customer from trips t
        left join trip_customers x on x.account_id = t.account_id and x.trip_id = t.id and x.is_primary
      where t.account_id = a.account_id and t.id = coalesce($trip::uuid, b.trip_id)) t on true
    left join customers c on c.account_id = a.account_id and c.id = coalesce($customer::uuid, ${NAMED}) and c.deleted_at is null
    left join seats v on v.account_id = t.account_id and v.id = t.assigned_advisor_id and v.active
  where a.account_id = $account`
  },
)
