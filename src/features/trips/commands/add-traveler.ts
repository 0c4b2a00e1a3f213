import { randomUUIDv7 } from 'node:crypto'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { UserError } from '../../../platform/user-error.ts'
import { refuseUnknownCustomer, refuseUnknownTraveler } from './refuse-unknown.ts'
import { requireTrip } from './require-trip.ts'

/** A customer, a person of a traveller directory, or a name: at least one of them. */
export type Goes = {
  readonly customer: string | null
  readonly traveler: string | null
  readonly name: string | null
  readonly lead: boolean
}

const find = statement(
  { account: pg.integer, trip: pg.uuid, customer: pg.nullable(pg.uuid), traveler: pg.nullable(pg.uuid) },
  { id: pg.uuid },
  `
  select id from trip_travelers where account_id = $account and trip_id = $trip
    and (customer_id = $customer::uuid or traveler_id = $traveler::uuid)`,
)
/** One of the travellers is the lead. */
const insert = statement(
  {
    account: pg.integer,
    trip: pg.uuid,
    customer: pg.nullable(pg.uuid),
    traveler: pg.nullable(pg.uuid),
    name: pg.nullable(pg.text),
    lead: pg.boolean,
    id: pg.uuid,
  },
  {},
  `
  with led as (
    update trip_travelers set is_lead = false where account_id = $account::integer and trip_id = $trip and is_lead and $lead::boolean
  ), changed as (
    update trips set updated_at = now() where account_id = $account and id = $trip
  )
  insert into trip_travelers (account_id, id, trip_id, customer_id, traveler_id, name, is_lead, position)
  select $account, $id::uuid, $trip::uuid, $customer::uuid, $traveler::uuid, $name::text, $lead,
    (select coalesce(max(position), 0) + 1 from trip_travelers where account_id = $account and trip_id = $trip)`,
)

/** Adds a traveller to a trip. Returns the traveller's id. */
export async function addTraveler(tx: AccountTx, trip: string, who: Goes): Promise<string> {
  if (!who.customer && !who.traveler && !who.name?.trim())
    throw new UserError(
      'invalid_value',
      'The traveller is missing. Send a customer, a traveller of a directory, or a name.',
    )
  takeChangeNumber(tx) // a customer that is being merged is found as what it becomes, or not
  await requireTrip(tx, trip)
  await refuseUnknownCustomer(tx, 'customer_id', who.customer)
  await refuseUnknownTraveler(tx, 'traveler_id', who.traveler)
  if (await tx.one(find, { trip, customer: who.customer, traveler: who.traveler }))
    throw new UserError('already_exists', 'This traveller is already on the trip.')
  const id = randomUUIDv7()
  tx.later(insert, { trip, ...who, name: who.name?.trim() || null, id })
  return id
}
