import type { Database } from '../../platform/db/database.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import type { RequestStore } from '../../platform/http/request-log.ts'

const write = statement(
  { logged: pg.jsonText, counted: pg.jsonText },
  {},
  `
  with counts as (
    insert into request_usage as u (account_id, day, key_id, method, route, requests, failed, refused, row_count)
    select account, day, key, method, route, requests, failed, refused, rows
    from json_to_recordset($counted::json) as c(account integer, day date, key uuid, method text, route text, requests bigint,
      failed bigint, refused bigint, rows bigint)
    order by account, day, key, method, route -- so that processes do not deadlock
    on conflict (account_id, day, key_id, method, route) do update set requests = u.requests + excluded.requests,
      failed = u.failed + excluded.failed, refused = u.refused + excluded.refused, row_count = u.row_count + excluded.row_count
  ), hours as (
    insert into request_hours as h (account_id, key_id, hour, requests)
    select account, key, date_trunc('hour', now()), sum(requests)
    from json_to_recordset($counted::json) as c(account integer, key uuid, requests bigint) group by 1, 2
    order by account, key
    on conflict (account_id, key_id, hour) do update set requests = h.requests + excluded.requests
  )
  insert into request_log (account_id, at, key_id, method, route, path, status, duration_ms, address, request_id, batch_id,
    row_count, body)
  select account, to_timestamp(at_ms / 1000), key, method, route, path, status, ms, address, request, batch, rows, body::jsonb
  from json_to_recordset($logged::json) as r(account integer, at_ms float8, key uuid, method text, route text, path text,
    status integer, ms float8, address text, request text, batch uuid, rows integer, body text)`,
)

/** Writes the requests of all accounts that a process answered. */
export const requestStore =
  (db: Database): RequestStore =>
  (logged, counted) =>
    db.askSystem('requests of all accounts', write, {
      logged: JSON.stringify(logged),
      counted: JSON.stringify(counted),
    })

const KEPT = '30 days'
const USAGE_KEPT = '400 days'
export const purgeRequests = statement({}, {}, `delete from request_log where at < now() - interval '${KEPT}'`)
const HOURS_KEPT = '2 days'
export const purgeHours = statement({}, {}, `delete from request_hours where hour < now() - interval '${HOURS_KEPT}'`)
export const purgeUsage = statement({}, {}, `delete from request_usage where day < now() - interval '${USAGE_KEPT}'`)
