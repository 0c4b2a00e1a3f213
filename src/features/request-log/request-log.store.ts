import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { viewSql } from '../../platform/db/view.ts'
import { requestDetail, requestItem, usageItem } from './request-log.view.ts'

const OWN = 'r.account_id = $account'

/** Requests, newest first. Days are those of the account. */
export const listRequests = listing(
  {
    zone: pg.text,
    key_id: pg.uuid,
    method: pg.text,
    status: pg.integer,
    request_id: pg.text,
    batch_id: pg.uuid,
    from: pg.date,
    to: pg.date,
  },
  {
    key_id: 'r.key_id = $key_id::uuid',
    method: 'r.method = $method',
    status: 'r.status = $status::integer',
    failed: 'r.status >= 400',
    request_id: 'r.request_id = $request_id',
    batch_id: 'r.batch_id = $batch_id::uuid',
    from: 'r.at >= ($from::date::timestamp at time zone $zone)',
    to: 'r.at < (($to::date + 1)::timestamp at time zone $zone)',
  },
  ({ policies, where, continues }) =>
    pageSql(
      {
        item: viewSql(requestItem, policies),
        from: 'request_log r',
        where: [OWN, ...where],
        keys: [{ sql: 'r.id', pg: 'uuid' }],
        descending: true,
      },
      continues,
    ),
)
export const readRequest = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson },
  (policies) =>
    `select ${viewSql(requestDetail, policies)}::text as item from request_log r where ${OWN} and r.id = $id`,
)

/** Counts of requests, the last day first. Days are UTC. */
export const listUsage = listing(
  { key_id: pg.uuid, from: pg.date, to: pg.date },
  { key_id: 'r.key_id = $key_id::uuid', from: 'r.day >= $from::date', to: 'r.day <= $to::date' },
  ({ policies, where, continues }) =>
    pageSql(
      {
        item: viewSql(usageItem, policies),
        from: 'request_usage r',
        where: [OWN, ...where],
        keys: [
          { sql: 'r.day', pg: 'date' },
          { sql: 'r.key_id', pg: 'uuid' },
          { sql: 'r.method', pg: 'text' },
          { sql: 'r.route', pg: 'text' },
        ],
        descending: true,
      },
      continues,
    ),
)
