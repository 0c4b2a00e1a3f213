import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { instantSql } from '../../platform/db/view.ts'
import { leasedRows, releaseOf } from '../../platform/jobs/leased-rows.ts'
import type { EntryValues } from './chain-mac.ts'

/** SQL of what a link covers: every column of an entry `e`. */
const VALUES = `json_build_array(e.account_id::text, e.id::text, e.actor, e.action, e.subject_type, e.subject_id, e.details::text,
  e.source, ${instantSql('e.created_at')}, e.key_id::text, e.seat_id::text)`
const OF_LINK = 'e.account_id = l.account_id and e.id = l.entry_id'

const CHAIN = { table: 'audit_chains', key: [], ends: 'leased_until' } as const
/** The accounts with entries to chain. */
export const leasedChains = leasedRows({
  ...CHAIN,
  waiting: 'true',
  from: 'audit_chains q join (select distinct account_id from audit_pending) p using (account_id)',
  order: 'random()',
  gives: {},
  columns: {},
})
export const CHAINS_DUE = `select p.queued_at as due_at from audit_pending p where ${notMovedSql('p.account_id')}`

export const releaseChain = releaseOf(CHAIN)

export const lockChain = statement(
  { account: pg.integer, lease: pg.uuid },
  { last_seq: pg.bigint, head: pg.bytes },
  'select last_seq, head from audit_chains where account_id = $account and leased_by = $lease for update',
)
export const readPending = statement(
  { account: pg.integer, most: pg.integer },
  { id: pg.uuid, values: pg.json<EntryValues>() },
  `
  select e.id, ${VALUES} as values from audit_pending p join audit_log e on e.account_id = p.account_id and e.id = p.entry_id
  where p.account_id = $account order by p.entry_id limit $most`,
)
/** Appends links, in the order given, whose first number is `first`. */
export const appendLinks = statement(
  { account: pg.integer, first: pg.bigint, ids: pg.list(pg.uuid), macs: pg.list(pg.bytes), head: pg.bytes },
  {},
  `
  with linked as (
    insert into audit_links (account_id, seq, entry_id, mac)
    select $account::integer, $first::bigint + nth - 1, id, mac from unnest($ids::uuid[], $macs::bytea[]) with ordinality as u(id, mac, nth)
  ),
  chained as (
    delete from audit_pending where account_id = $account::integer and entry_id = any($ids::uuid[])
  )
  update audit_chains set last_seq = $first::bigint + cardinality($ids::uuid[]) - 1, head = $head where account_id = $account::integer`,
)

export const readChain = statement(
  { account: pg.integer },
  { last_seq: pg.bigint, head: pg.bytes, waiting: pg.filled(pg.integer) },
  `
  select last_seq, head, (select count(*)::integer from audit_pending p where p.account_id = $account) as waiting
  from audit_chains where account_id = $account`,
)
export const readCheckpoints = statement(
  { account: pg.integer },
  { seq: pg.bigint, mac: pg.bytes, signature: pg.bytes },
  'select seq, mac, signature from audit_checkpoints where account_id = $account order by seq',
)
export type StoredLink = RowFrom<typeof readLinks>
/** Links after a number, each with the entry as it is stored now; null where there is none. */
export const readLinks = statement(
  { account: pg.integer, after: pg.bigint, most: pg.integer },
  { seq: pg.bigint, entry: pg.uuid, mac: pg.bytes, values: pg.nullable(pg.json<EntryValues>()) },
  `
  select l.seq, l.entry_id as entry, l.mac, case when e.id is not null then ${VALUES} end as values
  from audit_links l left join audit_log e on ${OF_LINK}
  where l.account_id = $account and l.seq > $after::bigint order by l.seq limit $most`,
)
/** Entries that were added past the queue, and queued ones that are gone. */
export const findStrays = statement(
  { account: pg.integer },
  { added: pg.nullable(pg.uuid), lost: pg.nullable(pg.uuid) },
  `
  select (
    select e.id from audit_log e where e.account_id = $account
      and not exists (select from audit_links l where l.account_id = $account and l.entry_id = e.id)
      and not exists (select from audit_pending p where p.account_id = $account and p.entry_id = e.id)
    order by e.id limit 1
  ) as added, (
    select p.entry_id from audit_pending p where p.account_id = $account
      and not exists (select from audit_log e where e.account_id = $account and e.id = p.entry_id)
    order by p.entry_id limit 1
  ) as lost`,
)

/** The last link before which every entry is older than a day. */
export const findLinkBefore = statement(
  { account: pg.integer, before: pg.date },
  { seq: pg.bigint, mac: pg.bytes },
  `
  select l.seq, l.mac from audit_links l
  where l.account_id = $account and l.seq < coalesce((
      select min(k.seq) from audit_links k join audit_log e on e.account_id = k.account_id and e.id = k.entry_id
      where k.account_id = $account and e.created_at >= ($before::date::timestamp at time zone 'UTC')
    ), 'infinity'::float8)
  order by l.seq desc limit 1`,
)
export const dropEntries = statement(
  { account: pg.integer, through: pg.bigint, head: pg.bytes, signature: pg.bytes },
  { dropped: pg.filled(pg.bigint) },
  'select drop_audit_entries($account, $through, $head, $signature) as dropped',
)

export const listHeads = statement(
  {},
  { account: pg.integer, seq: pg.bigint, head: pg.filled(pg.text) },
  `select account_id as account, last_seq as seq, encode(head, 'hex') as head from audit_chains where last_seq > 0 order by account_id`,
)
export const listChainedAccounts = statement(
  {},
  { account: pg.integer },
  'select account_id as account from audit_chains order by account_id',
)
