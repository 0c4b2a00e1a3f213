import { statement } from '../../platform/db/statement.ts'

/** Who is told something, of which trip; and by whom, in what language. */
export type Recipient = {
  /** The place among those that were asked for. */
  readonly nth: number
  readonly customer: string | null
  readonly trip: string | null
  /** Null where there is nobody any more, or no address. */
  readonly address: string | null
  /** As somebody is spoken to. */
  readonly calledName: string | null
  readonly name: string | null
  readonly optedIn: boolean
  /** Whether something that advertises went to the customer on this day of the account. */
  readonly touchedToday: boolean
  /** A language tag. */
  readonly locale: string
  readonly agency: string
  readonly accent: string | null
  readonly company: string
  readonly title: string | null
  readonly reference: string | null
  readonly start: string | null
  readonly end: string | null
  readonly destinations: readonly string[] | null
  readonly advisor: string | null
  readonly advisorEmail: string | null
}

const TODAY = `(select date_trunc('day', now(), a.time_zone) from accounts a where a.account_id = $account)`
const TOUCHED = `exists (select from communications x where x.account_id = a.account_id and x.customer_id = c.id
  and x.created_at >= ${TODAY} and x.purpose = 'marketing')`

/** A customer, or a seat. What a restricted tag hides from roles is no secret to the customer itself. */
export const readRecipients = statement<{ account: number; asked: string }, Recipient>(`
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
  order by m.nth`)
