import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

/** Rows that one transaction seals. */
export const ROWS_AT_ONCE = 200
/** Longer than a process keeps the keys of an account: from then on, every process seals what it writes. */
const ALL_SEAL_AFTER = '1 minute'

const UNSEALED = `~ '"(passport_number|national_id)": ?"(?!~sealed~)'`
const PRINTED_UNSEALED = `~ '"passport": ?\\{("[a-z_]+": ?(null|"[^"]*"), ?)*"number": ?"(?!~sealed~)'`
/** Tables that held identity numbers before they were sealed: their columns, and which rows have a clear one. */
const SOURCES = {
  travelers: {
    columns: { national_id: 'text', passport_number: 'text' },
    clear: `(t.passport_number not like '~sealed~%' or t.national_id not like '~sealed~%')`,
  },
  bookings: { columns: { travelers: 'jsonb' }, clear: `t.travelers::text ${UNSEALED}` },
  tickets: { columns: { passengers: 'jsonb' }, clear: `t.passengers::text ${UNSEALED}` },
  visa_cases: { columns: { applicants: 'jsonb' }, clear: `t.applicants::text ${UNSEALED}` },
  ticket_captures: { columns: { document: 'jsonb' }, clear: `t.document::text ${PRINTED_UNSEALED}` },
} as const satisfies Record<string, { columns: Readonly<Record<string, string>>; clear: string }>

const FIRST = '00000000-0000-0000-0000-000000000000'

/** Accounts with clear values of a table, once every process seals. */
const accountsLeft = (source: string) =>
  statement(
    {},
    { account: pg.integer },
    `
    select a.account_id as account from accounts a
    where exists (select from cell_keys where seals_from + interval '${ALL_SEAL_AFTER}' <= now())
      and not exists (select from sealing_progress p
        where p.account_id = a.account_id and p.source = '${source}' and p.done_at is not null)
    order by a.account_id`,
  )

/**
 * The next rows in the order of their ids, and which of them have clear values. They are read opened and written
 * sealed, like all values of these names.
 */
const nextRows = (source: string, columns: readonly string[], clear: string) =>
  statement(
    { account: pg.integer },
    { last: pg.nullable(pg.uuid), clear: pg.nullable(pg.json<readonly object[]>()), rows: pg.integer },
    `
    with next as (
      select t.* from ${source} t where t.account_id = $account
        and t.id > coalesce((select after from sealing_progress p where p.account_id = $account and p.source = '${source}'), '${FIRST}')
      order by t.id limit ${ROWS_AT_ONCE} for update
    )
    select (select id from next order by id desc limit 1) as last, count(*)::integer as rows,
      json_agg(json_build_object('id', t.id, ${columns.map((name) => `'${name}', t.${name}`).join(', ')})) filter (where ${clear}) as clear
    from next t`,
  )
const sealRows = (source: string, columns: Readonly<Record<string, string>>) =>
  statement(
    { account: pg.integer, rows: pg.jsonText },
    {},
    `
    update ${source} t set ${Object.keys(columns)
      .map((name) => `${name} = r.${name}`)
      .join(', ')}
    from json_to_recordset($rows::json) as r(id uuid, ${Object.entries(columns)
      .map(([name, type]) => `${name} ${type}`)
      .join(', ')})
    where t.account_id = $account::integer and t.id = r.id`,
  )

/** The statements of each table. */
export const SEALINGS = Object.entries(SOURCES).map(([source, { columns, clear }]) => ({
  source,
  accountsLeft: accountsLeft(source),
  nextRows: nextRows(source, Object.keys(columns), clear),
  sealRows: sealRows(source, columns),
}))

/** No trigger notices that a record changes: what it says stays the same. */
export const asItIs = statement({}, { set: pg.nothing }, `select set_config('app.as_it_is', 'on', true)::void as set`)

export const noteSealed = statement(
  { account: pg.integer, source: pg.text, after: pg.nullable(pg.uuid), done: pg.boolean },
  {},
  `
  insert into sealing_progress (account_id, source, after, done_at)
  values ($account, $source, $after, case when $done::boolean then now() end)
  on conflict (account_id, source) do update set after = coalesce(excluded.after, sealing_progress.after), done_at = excluded.done_at`,
)
