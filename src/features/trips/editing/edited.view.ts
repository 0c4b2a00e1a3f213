import Type from 'typebox'
import type { Policies } from '../../../platform/access/policies.ts'
import { type View, viewSchema, viewSql } from '../../../platform/db/view.ts'
import { maybe, Text, Uuid } from '../../../platform/http/shapes.ts'
import { dayDetail } from '../days.view.ts'
import { tripTravelerNameSql } from '../reads/traveler-name.ts'
import { DAYS_MAXIMUM } from '../reads/trip-span.ts'
import { COSTS_NEED, costs, segment } from '../segments.view.ts'
import { tripDetail } from '../trips.view.ts'

const LISTED = 10_000
const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Counts its changes.' })
const Position = Type.Integer({ minimum: 1, maximum: 1_000_000 })

/** A segment `s` for those who edit it. What a role does not see of it is null. */
export const editedSegment: View = {
  ...segment,
  ...Object.fromEntries(Object.entries(costs).map(([name, field]) => [name, { ...field, needs: COSTS_NEED }])),
  internal_notes: { sql: 's.internal_notes', schema: maybe(Text(10_000)) },
  booking_id: { sql: 's.booking_id', schema: maybe(Uuid) },
  version: { sql: 's.version', schema: Version },
}
export const EditedSegment = viewSchema(editedSegment, 'Segment to edit')

/** A day `d` for those who edit it. */
export const editedDay: View = {
  ...dayDetail,
  segments: {
    sql: (policies) => `(select coalesce(json_agg(${viewSql(editedSegment, policies)} order by s.position, s.id), '[]')
      from trip_segments s where s.account_id = d.account_id and s.trip_day_id = d.id)`,
    schema: Type.Array(EditedSegment, { maxItems: LISTED }),
  },
  version: { sql: 'd.version', schema: Version },
}
export const EditedDay = viewSchema(editedDay, 'Day to edit')

/** A traveller `x` of a trip, with the customer `c` and the entry `d` of a traveller directory. */
export const editedTraveler: View = {
  id: { sql: 'x.id', schema: Uuid },
  customer_id: { sql: 'c.id', schema: maybe(Uuid) },
  traveler_id: { sql: 'x.traveler_id', schema: maybe(Uuid) },
  name: { sql: tripTravelerNameSql, schema: maybe(Text(200)) },
  is_lead: { sql: 'x.is_lead', schema: Type.Boolean() },
  position: { sql: 'x.position', schema: Position },
  version: { sql: 'x.version', schema: Version },
}
export const EditedTraveler = viewSchema(editedTraveler, 'Traveller to edit')
export const TRAVELERS = `trip_travelers x
  left join customers c on c.account_id = x.account_id and c.id = x.customer_id and c.deleted_at is null
  left join travelers d on d.account_id = x.account_id and d.id = x.traveler_id`

/** A trip `t` for those who edit it, without its days. */
export const editedTrip: View = {
  ...tripDetail,
  travelers: {
    sql: (
      policies: Policies,
    ) => `(select coalesce(json_agg(${viewSql(editedTraveler, policies)} order by x.position, x.id), '[]')
      from ${TRAVELERS} where x.account_id = t.account_id and x.trip_id = t.id)`,
    schema: Type.Array(EditedTraveler, { maxItems: LISTED }),
  },
  version: { sql: 't.version', schema: Version },
}
export const EditedTrip = viewSchema(editedTrip, 'Trip to edit')

/** A trip with its days, and what happens on them. */
export const itinerary: View = {
  ...editedTrip,
  days: {
    sql: (
      policies,
    ) => `(select coalesce(json_agg(${viewSql(editedDay, policies)} order by d.position, d.day_number), '[]')
      from trip_days d where d.account_id = t.account_id and d.trip_id = t.id)`,
    schema: Type.Array(EditedDay, { maxItems: DAYS_MAXIMUM }),
  },
}
export const ItineraryShape = viewSchema(itinerary, 'Itinerary')
