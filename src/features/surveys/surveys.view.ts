import Type from 'typebox'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { instantSql, seatSql, type View, viewSql } from '../../platform/db/view.ts'
import { enumOf, Instant, Money, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { Seat } from '../accounts/reads/seats.ts'
import { namesRestrictedSql, personal, personalSql, restrictedSql } from '../customers/reads/restricted.ts'

const TRIP = `(select json_build_object('id', t.id, 'reference_number', t.reference_number, 'title', t.title)
  from trips t where t.account_id = v.account_id and t.id = v.trip_id)`
const Trip = Type.Object({ id: Uuid, reference_number: Text(40), title: Text(200) })

/** A survey `v`. */
export const surveyView: View = {
  id: { sql: 'v.id', schema: Uuid },
  trip: { sql: TRIP, schema: Trip },
  customer: {
    sql: (
      policies,
    ) => `(select json_build_object('id', c.id, 'name', ${personalSql(restrictedSql('c'), 'c.name', policies)})
      from customers c where c.account_id = v.account_id and c.id = v.customer_id and c.deleted_at is null)`,
    schema: maybe(Type.Object({ id: Uuid, name: maybe(Text(200)) })),
  },
  advisor: { sql: seatSql('v.advisor_id', 'v.account_id'), schema: maybe(Seat) },
  invited_at: { sql: instantSql('v.invited_at'), schema: Instant },
  started_at: { sql: instantSql('v.started_at'), schema: maybe(Instant) },
  completed_at: { sql: instantSql('v.completed_at'), schema: maybe(Instant) },
  nps: { sql: 'v.nps', schema: maybe(Type.Integer({ minimum: 0, maximum: 10 })) },
  comment: personal(namesRestrictedSql('v', 'v.customer_id'), 'v.comment', maybe(Text(10_000))),
  follow_up_task_id: { sql: 'v.follow_up_task_id', schema: maybe(Uuid) },
  reminder_status: { sql: 'v.reminder_status', schema: enumOf(['scheduled', 'sent', 'skipped']) },
}

/** Surveys, the newest invitation first. */
export const listSurveys = listing(
  { trip_id: pg.uuid, customer_id: pg.uuid },
  {
    trip_id: 'v.trip_id = $trip_id::uuid',
    customer_id: 'v.customer_id = $customer_id::uuid',
    completed: 'v.completed_at is not null',
    open: 'v.completed_at is null',
  },
  ({ policies, where, continues }) =>
    pageSql(
      {
        item: viewSql(surveyView, policies),
        from: 'surveys v',
        where: ['v.account_id = $account', ...where],
        keys: [
          { sql: 'v.invited_at', pg: 'timestamptz' },
          { sql: 'v.id', pg: 'uuid' },
        ],
        descending: true,
      },
      continues,
    ),
)

/** A gesture `g`. */
export const gestureView: View = {
  id: { sql: 'g.id', schema: Uuid },
  survey_id: { sql: 'g.survey_id', schema: Uuid },
  trip: {
    sql: `(select ${TRIP} from surveys v where v.account_id = g.account_id and v.id = g.survey_id)`,
    schema: Trip,
  },
  description: { sql: 'g.description', schema: Text(1000) },
  amount: { sql: 'money_text(g.amount, g.currency)', schema: maybe(Money), needs: ['view_money'] },
  currency: { sql: 'g.currency', schema: maybe(Text(3)), needs: ['view_money'] },
  recorded_by: { sql: seatSql('g.recorded_by_id', 'g.account_id'), schema: maybe(Seat) },
  created_at: { sql: instantSql('g.created_at'), schema: Instant },
}
/** Gestures, newest first. */
export const listGesturesOf = listing(
  { survey_id: pg.uuid },
  { survey_id: 'g.survey_id = $survey_id::uuid' },
  ({ policies, where, continues }) =>
    pageSql(
      {
        item: viewSql(gestureView, policies),
        from: 'gestures g',
        where: ['g.account_id = $account', ...where],
        keys: [
          { sql: 'g.created_at', pg: 'timestamptz' },
          { sql: 'g.id', pg: 'uuid' },
        ],
        descending: true,
      },
      continues,
    ),
)
export const readGesture = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson },
  (policies) =>
    `select ${viewSql(gestureView, policies)}::text as item from gestures g where g.account_id = $account and g.id = $id`,
)
