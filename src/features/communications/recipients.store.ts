import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'

/** A recipient, the trip concerned, the sender and the language. */
export type Recipient = RowFrom<typeof readRecipients>

const TODAY = `(select date_trunc('day', now(), a.time_zone) from accounts a where a.account_id = $account)`
const TOUCHED = `exists (select from communications x where x.account_id = a.account_id and x.customer_id = c.id
  and x.created_at >= ${TODAY} and x.purpose = 'marketing')`

/** A customer or a seat. A restricted tag does not hide the customer from itself. */
export const readRecipients = statement(
  { account: pg.integer, asked: pg.jsonText },
  {
    /** The place among those that were asked for. */
    nth: pg.integer,
    customer: pg.nullable(pg.uuid),
    trip: pg.nullable(pg.uuid),
    /** Null if the recipient no longer exists, or has no address. */
    address: pg.nullable(pg.text),
    /** The recipient's name for the greeting. */
    calledName: pg.nullable(pg.text),
    name: pg.nullable(pg.text),
    optedIn: pg.boolean,
    /** Whether something that advertises went to the customer on this day of the account. */
    touchedToday: pg.boolean,
    /** A language tag. */
    locale: pg.text,
    agency: pg.text,
    accent: pg.nullable(pg.text),
    company: pg.uuid,
    title: pg.nullable(pg.text),
    reference: pg.nullable(pg.text),
    start: pg.nullable(pg.text),
    end: pg.nullable(pg.text),
    destinations: pg.nullable(pg.list(pg.text)),
    advisor: pg.nullable(pg.text),
    advisorEmail: pg.nullable(pg.text),
  },
  `
  select m.nth, c.id as customer, t.id as trip, coalesce(s.email, c.email) as address,
    coalesce(s.name, case c.customer_type when 'individual' then coalesce(c.first_name, c.name) else c.name end) as "calledName",
    coalesce(s.name, c.name) as name, coalesce(c.opted_in_marketing, false) as "optedIn",
    m.advertises and ${TOUCHED} as "touchedToday",
    coalesce(s.locale, c.locale, t.settings ->> 'language', a.locale) as locale, a.name as agency, a.accent_color as accent,
    coalesce(t.company_id, c.company_id, d.id) as company, t.title, t.reference_number as reference,
    t.start_date::text as start, coalesce(t.end_date, t.start_date)::text as "end", t.destinations,
    v.name as advisor, v.email as "advisorEmail"
  from json_to_recordset($asked::json) as m(nth integer, customer uuid, seat uuid, trip uuid, advertises boolean)
    join accounts a on a.account_id = $account::integer
    join companies d on d.account_id = a.account_id and d.is_default
    left join customers c on c.account_id = a.account_id and c.id = m.customer and c.deleted_at is null
    left join seats s on s.account_id = a.account_id and s.id = m.seat and s.active
    left join trips t on t.account_id = a.account_id and t.id = m.trip
    left join seats v on v.account_id = a.account_id and v.id = t.assigned_advisor_id and v.active
  order by m.nth`,
)
