/** SQL over a customer `c`: when the last of its trips starts that is not called off. */
export const LAST_START = `(
  select max(l.start_date) from trip_customers o join trips l on l.account_id = o.account_id and l.id = o.trip_id
  where o.account_id = c.account_id and o.customer_id = c.id and l.status <> 'cancelled')`
/** SQL over a trip `t` and its customer `c`: whether the customer has a trip after it that is not called off. */
export const TRAVELS_AGAIN = `${LAST_START} > t.end_date`

const open = (customer: string) => `exists (
  select from leads l where l.account_id = c.account_id and ${customer} = c.id and l.deleted_at is null and l.stage not in ('won', 'lost'))`
/** SQL over a customer `c`: whether the agency talks with it about something, in a lead that is open. */
export const IN_TALKS = `(${open('l.customer_id')} or ${open('l.customer_id is null and l.imported_customer_id')})`
