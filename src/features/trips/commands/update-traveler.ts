import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { refuseUnknownCustomer } from './refuse-unknown.ts'
import { requireTrip } from './require-trip.ts'

/** What changes of a traveller; absent attributes stay. A null customer removes the link. */
export type TravelerChange = {
  readonly customer?: string | null | undefined
  readonly name?: string | null | undefined
  readonly lead?: boolean | undefined
}

const find = statement(
  { account: pg.integer, trip: pg.uuid, id: pg.uuid, customer: pg.nullable(pg.uuid) },
  {
    customer: pg.nullable(pg.uuid),
    traveler: pg.nullable(pg.uuid),
    name: pg.nullable(pg.text),
    lead: pg.boolean,
    /** Whether another traveller of the trip is the new customer. */
    taken: pg.boolean,
  },
  `
  select customer_id as customer, traveler_id as traveler, name, is_lead as lead, exists (
    select from trip_travelers o where o.account_id = x.account_id and o.trip_id = x.trip_id and o.id <> x.id
      and o.customer_id = $customer::uuid) as taken
  from trip_travelers x where account_id = $account and trip_id = $trip and id = $id`,
)
/** One of the travellers is the lead. */
const update = statement(
  {
    account: pg.integer,
    trip: pg.uuid,
    id: pg.uuid,
    customer: pg.nullable(pg.uuid),
    name: pg.nullable(pg.text),
    lead: pg.boolean,
  },
  {},
  `
  with changed as (update trips set updated_at = now() where account_id = $account::integer and id = $trip)
  update trip_travelers x set is_lead = case when id = $id then $lead::boolean else is_lead and not $lead end,
    customer_id = case when id = $id then $customer::uuid else customer_id end,
    name = case when id = $id then $name::text else name end
  where account_id = $account and trip_id = $trip and (id = $id or is_lead and $lead)`,
)
/** The next one leads, and the others close the gap. */
const remove = statement(
  { account: pg.integer, trip: pg.uuid, id: pg.uuid },
  {},
  `
  with changed as (update trips set updated_at = now() where account_id = $account::integer and id = $trip),
  gone as (delete from trip_travelers where account_id = $account and id = $id returning is_lead),
  others as materialized (
    select id, row_number() over (order by position, id) as nth from trip_travelers
    where account_id = $account and trip_id = $trip and id <> $id
  )
  update trip_travelers x set position = o.nth, is_lead = x.is_lead or o.nth = 1 and g.is_lead
  from others o, gone g where x.account_id = $account and x.id = o.id and (x.position <> o.nth or o.nth = 1 and g.is_lead)`,
)

/** Changes who a traveller of a trip is, and whether they lead. */
export async function changeTraveler(tx: AccountTx, trip: string, id: string, change: TravelerChange): Promise<void> {
  takeChangeNumber(tx) // a customer that is being merged is found as what it becomes, or not
  await requireTrip(tx, trip)
  const stored = await tx.one(find, { trip, id, customer: change.customer ?? null })
  if (!stored) throw new RecordNotFound('trip_part', `The trip has no traveller ${id}.`)
  const customer = change.customer === undefined ? stored.customer : change.customer
  const name = change.name === undefined ? stored.name : change.name?.trim() || null
  const lead = change.lead ?? stored.lead
  if (!customer && !stored.traveler && !name)
    throw new UserError(
      'invalid_value',
      'The traveller is missing. Send a customer, a traveller of a directory, or a name.',
    )
  if (customer !== stored.customer) {
    await refuseUnknownCustomer(tx, 'customer_id', customer)
    if (stored.taken) throw new UserError('already_exists', 'This traveller is already on the trip.')
  }
  if (customer === stored.customer && name === stored.name && lead === stored.lead) return
  tx.later(update, { trip, id, customer, name, lead })
}

/** Takes a traveller off a trip. If it was the lead, the next one leads. */
export async function removeTraveler(tx: AccountTx, trip: string, id: string): Promise<void> {
  await requireTrip(tx, trip)
  if (!(await tx.one(find, { trip, id, customer: null })))
    throw new RecordNotFound('trip_part', `The trip has no traveller ${id}.`)
  tx.later(remove, { trip, id })
}
