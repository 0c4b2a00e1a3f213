import { identityTable, ofEntity } from '../../catalogue/columns.ts'
import type { Entity } from '../../catalogue/entity.ts'
import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { leasedRows, releaseOf } from '../../platform/jobs/leased-rows.ts'

const HEAD = { table: 'stream_heads', key: [], ends: 'leased_until' } as const
/** The accounts with events to number. */
export const leasedHeads = leasedRows({
  ...HEAD,
  waiting: 'true',
  from: 'stream_heads q join (select distinct account_id from stream_pending) p using (account_id)',
  order: 'random()',
  gives: {},
  columns: {},
})
export const HEADS_DUE = `select p.noted_at as due_at from stream_pending p where ${notMovedSql('p.account_id')}`
export const releaseHead = releaseOf(HEAD)
export const makeHeads = statement(
  {},
  {},
  `
  insert into stream_heads (account_id) select distinct p.account_id from stream_pending p
  where ${notMovedSql('p.account_id')} and not exists (select from stream_heads h where h.account_id = p.account_id)
  on conflict do nothing`,
)
export const lockHead = statement(
  { account: pg.integer, lease: pg.uuid },
  { last_seq: pg.bigint },
  'select last_seq from stream_heads where account_id = $account and leased_by = $lease for update',
)

/** More records of a kind than that in one change are one event without an id. */
const MANY = 50
const changesOf = (entity: Entity) => `
  select '${entity.key}' as kind, t.id, t.version from ${identityTable(entity)} t
  where t.account_id = $account and ${ofEntity(entity)} and t.changed = p.changed`
/**
 * Gives numbers to changes, in the order in which they began. A published record that has changed again since then is
 * told of with that change. Returns how many rows were taken.
 */
export const numberEvents = (entities: readonly Entity[]) =>
  statement(
    { account: pg.integer, most: pg.integer },
    { taken: pg.filled(pg.integer) },
    `
  with taken as (
    delete from stream_pending p where p.account_id = $account::integer
      and p.id in (select n.id from stream_pending n where n.account_id = $account order by n.id limit $most)
    returning p.id::text as id, p.kind, p.ids, p.seat_id, p.changed
  ),
  found as (
    select p.id as pending, p.kind, r.id as record_id, null::integer as version, p.seat_id
    from taken p cross join lateral unnest(p.ids) as r(id) where cardinality(p.ids) <= ${MANY}
    union all
    select p.id, p.kind, null, null, p.seat_id from taken p where cardinality(p.ids) > ${MANY}
    union all
    select c.pending, c.kind, case when c.records <= ${MANY} then c.id end, case when c.records <= ${MANY} then c.version end, null
    from (
      select p.id as pending, r.kind, r.id, r.version, count(*) over (partition by p.id, r.kind) as records
      from taken p cross join lateral (${entities.map(changesOf).join(' union all ')}) r where p.changed is not null
    ) c
  ),
  events as (
    select kind, record_id, seat_id, max(version) as version,
      row_number() over (order by min(pending), kind, record_id, seat_id) as nth
    from found group by kind, record_id, seat_id
  ),
  made as (
    insert into stream_events (account_id, seq, kind, record_id, version, seat_id)
    select h.account_id, h.last_seq + e.nth, e.kind, e.record_id, e.version, e.seat_id
    from stream_heads h, events e where h.account_id = $account
  ),
  counted as (
    update stream_heads h set last_seq = h.last_seq + (select count(*) from events) where h.account_id = $account
  )
  select count(*)::integer as taken from taken`,
  )

const seq = pg.filled(pg.float)
export const readEnds = statement(
  { account: pg.integer },
  { last: seq, oldest: seq },
  `
  select last::float8 as last, coalesce((select min(e.seq) from stream_events e where e.account_id = $account), last + 1)::float8 as oldest
  from (select coalesce((select h.last_seq from stream_heads h where h.account_id = $account), 0) as last) h`,
)
export const readHeads = statement(
  { accounts: pg.list(pg.integer) },
  { account: pg.integer, last: seq },
  'select account_id as account, last_seq::float8 as last from stream_heads where account_id = any($accounts::integer[])',
)
export const readEvents = statement(
  { account: pg.integer, after: pg.float, limit: pg.integer },
  {
    seq,
    kind: pg.text,
    record_id: pg.nullable(pg.uuid),
    version: pg.nullable(pg.integer),
    seat_id: pg.nullable(pg.uuid),
  },
  `
  select e.seq::float8 as seq, e.kind, e.record_id, e.version, e.seat_id from stream_events e
  where e.account_id = $account and e.seq > $after::float8::bigint order by e.seq limit $limit`,
)
/** Events are kept for a day. */
export const purgeEvents = statement({}, {}, `delete from stream_events where made_at < now() - interval '24 hours'`)
