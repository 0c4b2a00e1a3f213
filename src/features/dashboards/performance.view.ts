import Type from 'typebox'
import { instantSql, type View, type ViewField, viewSchema, viewSql } from '../../platform/db/view.ts'
import { Instant, Money, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { namesRestrictedSql, personal } from '../customers/reads/restricted.ts'
import { CountShape, customerField, ownTrip, ranking, seat } from './shown.ts'

const SEATS = 10_000
const SUPPLIERS = 10
/** Fewer ratings are not meaningful. */
const RATINGS_MINIMUM = 3
const DETRACTORS = 20
const COMMENT_LENGTH = 10_000

const Rating = Type.Number({ minimum: 1, maximum: 5 })
const count = (column: string): ViewField => ({ sql: column, schema: CountShape })
/** SQL of a quotient, without trailing zeros; null for a division by zero. */
const quotient = (dividend: string, divisor: string, digits: number): string =>
  `trim_scale(round(${dividend}::numeric / nullif(${divisor}, 0), ${digits}))`

/** Results of the invitations, over their sums `f`. */
const answers: View = {
  completed: count('f.completed'),
  response_rate: {
    sql: quotient('f.completed', 'f.invited', 4),
    schema: maybe(Type.Number({ minimum: 0, maximum: 1, description: 'Completed ÷ invited.' })),
  },
  nps: {
    sql: quotient('100 * f.balance', 'f.completed', 2),
    schema: maybe(
      Type.Number({
        minimum: -100,
        maximum: 100,
        description: 'Net promoter score: the percentage of answers 9 and 10 minus the percentage of answers 0 to 6.',
      }),
    ),
  },
  avg_segment_rating: { sql: quotient('f.stars', 'f.ratings', 2), schema: maybe(Rating) },
}

const perAdvisor = ranking({
  view: { advisor: seat('f.advisor_id'), invited: count('f.invited'), ...answers },
  title: 'Performance of an advisor',
  rows: `select f.*, (select coalesce(s.name, s.email) from seats s where s.account_id = $account and s.id = f.advisor_id) as name
    from by_advisor f`,
  as: 'f',
  order: 'f.invited desc, name, f.advisor_id',
  limit: SEATS,
})

const topSuppliers = ranking({
  view: {
    supplier: {
      sql: `json_build_object('id', p.id, 'name', p.name)`,
      schema: Type.Object({ id: Uuid, name: Text(200) }),
    },
    ratings: count('p.ratings'),
    avg_rating: { sql: quotient('p.stars', 'p.ratings', 2), schema: Rating },
  },
  title: 'Supplier by its ratings',
  rows: `select p.id, p.name, r.ratings, r.stars
    from (select supplier_id, sum(ratings) as ratings, sum(stars) as stars from rated group by supplier_id) r
      join suppliers p on p.account_id = $account and p.id = r.supplier_id
    where r.ratings >= ${RATINGS_MINIMUM}`,
  as: 'p',
  order: 'stars / ratings desc, ratings desc, name, id',
  limit: SUPPLIERS,
})

const detractors = ranking({
  view: {
    survey_id: { sql: 'v.id', schema: Uuid },
    trip: ownTrip('v.trip_id'),
    customer: customerField('v.customer_id'),
    advisor: seat('v.advisor_id'),
    nps: { sql: 'v.nps', schema: Type.Integer({ minimum: 0, maximum: 6 }) },
    comment: personal(namesRestrictedSql('v', 'v.customer_id'), 'v.comment', maybe(Text(COMMENT_LENGTH))),
    completed_at: { sql: instantSql('v.completed_at'), schema: Instant },
    follow_up_task_id: { sql: 'v.follow_up_task_id', schema: maybe(Uuid) },
  },
  title: 'Detractor',
  rows: `select v.*
    from (select id from asked where nps <= 6 order by completed_at desc, id desc limit ${DETRACTORS}) newest
      join surveys v on v.account_id = $account and v.id = newest.id`,
  as: 'v',
  order: 'v.completed_at desc, v.id desc',
  limit: DETRACTORS,
})

const gestures: View = {
  count: count('g.count'),
  total_amount: {
    sql: 'case when g.currency is not null then money_text(g.total, g.currency) end',
    schema: maybe(Money),
    needs: ['view_money'],
  },
  currency: { sql: 'g.currency', schema: maybe(Text(3)), needs: ['view_money'] },
}
const complimentary: ViewField = {
  sql: (policies) => `(select ${viewSql(gestures, policies)} from (
    select count(*) as count, sum(g.amount) as total,
      case when count(distinct g.currency) = 1 then min(g.currency) end as currency
    from asked a join gestures g on g.account_id = $account and g.survey_id = a.id) g)`,
  schema: viewSchema(gestures, 'Gestures'),
}

/** The performance of the surveys `asked`, over their sums `f`; `by_advisor` and `rated` are what the lists are made of. */
export const performance: View = {
  window_days: { sql: '$days::integer', schema: Type.Integer({ minimum: 1, maximum: 365 }) },
  advisor: seat('$advisor::uuid'),
  invited: count('f.invited'),
  started: count('f.started'),
  ...answers,
  per_advisor: perAdvisor,
  top_suppliers: topSuppliers,
  detractors,
  complimentary,
}
