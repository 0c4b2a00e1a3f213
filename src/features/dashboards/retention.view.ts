import Type from 'typebox'
import { quoted } from '../../platform/db/quoted.ts'
import { instantSql, type View, type ViewField } from '../../platform/db/view.ts'
import { Day, enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { completedSql } from '../trips/reads/completed.ts'
import { IN_TALKS, LAST_START } from '../trips/reads/travels-again.ts'
import {
  buyerSql,
  CountShape,
  CustomerLinkShape,
  customerField,
  customerSql,
  knownCustomerSql,
  linkedTrip,
  ranking,
  seat,
  title,
} from './shown.ts'

const ANNIVERSARIES = 50
const REBOOKS = 50
const TOUCHES = 20
const CODES = 10
const TODAY = '$today::date'
/** “About six months”: how many days ago a trip must have ended for its customer to be listed. */
const REBOOK_DAYS = { least: 150, most: 210 }

const tripId: ViewField = { sql: 't.id', schema: Uuid }
const ofTrip: View = { customer: customerField(buyerSql('t.id')), advisor: seat('t.assigned_advisor_id') }

/** A year after the 29th of February is the 28th. */
const ANNIVERSARY = `(t.end_date + interval '1 year')::date`
const LAST = `${TODAY} + $days::integer`
/** The end date is also a condition for the index; two days can have the same anniversary. */
const upcoming = ranking({
  view: { trip_id: tripId, trip_title: title, anniversary: { sql: ANNIVERSARY, schema: Day }, ...ofTrip },
  title: 'Anniversary of a trip',
  rows: `select t.* from trips t
    where t.account_id = $account and ${completedSql(TODAY)} and ${ANNIVERSARY} between ${TODAY} and ${LAST}
      and t.end_date between (${TODAY} - interval '1 year')::date and (${LAST} + 1 - interval '1 year')::date`,
  as: 't',
  order: 't.end_date, t.id',
  limit: ANNIVERSARIES,
})

/** Trips whose customer has no next trip. Customers are checked one by one, however many trips they have. */
const overdueRebooks = ranking({
  view: {
    trip_id: tripId,
    trip_title: title,
    end_date: { sql: 't.end_date', schema: maybe(Day) },
    ...ofTrip,
  },
  title: 'Trip without a next one',
  rows: `
    with buyers as materialized (
      select b.trips, b.ends, ${LAST_START} as last_start
      from (
        select x.customer_id, array_agg(t.id) as trips, array_agg(t.end_date) as ends
        from trips t join trip_customers x on x.account_id = $account and x.trip_id = t.id and x.is_primary
        where t.account_id = $account and ${completedSql(TODAY)}
          and t.end_date between ${TODAY} - ${REBOOK_DAYS.most} and ${TODAY} - ${REBOOK_DAYS.least}
        group by x.customer_id
      ) b join customers c on c.account_id = $account and c.id = b.customer_id
      where c.deleted_at is null and not ${IN_TALKS}
    )
    select t.*
    from (
      select e.id from buyers b cross join unnest(b.trips, b.ends) as e(id, end_date)
      where b.last_start <= e.end_date
      order by e.end_date, e.id limit ${REBOOKS}
    ) longest join trips t on t.account_id = $account and t.id = longest.id`,
  as: 't',
  order: 't.end_date, t.id',
  limit: REBOOKS,
})

const TRIP_TOUCHES = ['welcome_home', 'survey', 'anniversary', 'rebook']
const BIRTHDAY = 'birthday'
/** Whether the message did not arrive by which a touch `n` was sent. */
const FAILED = `n.status = 'sent' and exists (select from communications m
  where m.account_id = $account and m.id = n.communication_id and m.status = 'failed')`
const recentTouches = ranking({
  view: {
    id: { sql: 'n.id', schema: Uuid },
    kind: { sql: 'n.kind', schema: enumOf([...TRIP_TOUCHES, BIRTHDAY]) },
    status: {
      sql: `case when ${FAILED} then 'failed' else n.status end`,
      schema: enumOf(['scheduled', 'sent', 'skipped', 'failed']),
    },
    sent_at: { sql: instantSql('n.sent_at'), schema: maybe(Instant) },
    customer: {
      schema: CustomerLinkShape,
      // The date reveals the birthday, so it is hidden with the identity.
      sql: (policies) => `case when n.kind = '${BIRTHDAY}' then ${knownCustomerSql('n.customer_id', policies)}
        else ${customerSql(buyerSql('n.trip_id'), policies)} end`,
    },
    trip: linkedTrip('n.trip_id'),
  },
  title: 'Touch',
  rows: `
    select n.* from (
      (select n.id, n.kind, n.status, n.sent_at, n.send_at as at, n.communication_id, n.trip_id, null::uuid as customer_id
        from trip_notifications n
        where n.account_id = $account and n.kind in (${quoted(TRIP_TOUCHES)}) and n.status <> 'cancelled'
          and n.created_at <= n.send_at and n.send_at <= $now::timestamptz
        order by n.send_at desc, n.id desc limit ${TOUCHES})
      union all
      (select g.id, '${BIRTHDAY}', g.status, g.sent_at, g.created_at, g.communication_id, null, g.customer_id
        from birthday_greetings g where g.account_id = $account
        order by g.created_at desc, g.id desc limit ${TOUCHES})
    ) n`,
  as: 'n',
  order: 'n.at desc, n.id desc',
  limit: TOUCHES,
})

const topReferrals = ranking({
  view: {
    id: { sql: 'r.id', schema: Uuid },
    token: { sql: 'r.token', schema: Text(200) },
    label: { sql: 'r.label', schema: maybe(Text(200)) },
    visits: { sql: 'r.visits', schema: CountShape },
    conversions: { sql: 'r.conversions', schema: CountShape },
    customer: customerField('r.customer_id'),
    trip: linkedTrip('r.trip_id'),
  },
  title: 'Referral code by its conversions',
  rows: `
    select r.*, coalesce(l.conversions, 0) as conversions
    from referral_codes r left join (
      select referral_code_id, count(*) as conversions from leads
      where account_id = $account and referral_code_id is not null and converted_at is not null
      group by referral_code_id
    ) l on l.referral_code_id = r.id
    where r.account_id = $account and r.active`,
  as: 'r',
  order: 'conversions desc, r.visits desc, r.created_at desc, r.id desc',
  limit: CODES,
})

export const retention: View = {
  window_days: { sql: '$days::integer', schema: Type.Integer({ minimum: 1, maximum: 365 }) },
  upcoming,
  overdue_rebooks: overdueRebooks,
  recent_touches: recentTouches,
  top_referrals: topReferrals,
}
