import { byPolicies } from '../../../platform/db/by-policies.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type View, viewSql } from '../../../platform/db/view.ts'
import { editedDay, editedSegment, editedTraveler, editedTrip, itinerary, TRAVELERS } from './edited.view.ts'

const ofTrips = (view: View) =>
  byPolicies(
    { account: pg.integer, trip: pg.uuid },
    { item: pg.printedJson },
    (policies) =>
      `select ${viewSql(view, policies)}::text as item from trips t where t.account_id = $account and t.id = $trip`,
  )
export const readEditedTrip = ofTrips(editedTrip)
export const readItinerary = ofTrips(itinerary)

/** A part of a trip by its id; `alias` is what its view calls it. */
const partOf = (view: View, from: string, alias: string) =>
  byPolicies(
    { account: pg.integer, trip: pg.uuid, id: pg.uuid },
    { item: pg.printedJson },
    (policies) => `
    select ${viewSql(view, policies)}::text as item from ${from}
    where ${alias}.account_id = $account and ${alias}.trip_id = $trip and ${alias}.id = $id`,
  )
export const readEditedDay = partOf(editedDay, 'trip_days d', 'd')
export const readEditedSegment = partOf(editedSegment, 'trip_segments s', 's')
export const readEditedTraveler = partOf(editedTraveler, TRAVELERS, 'x')
