import { notMovedSql } from '../db/not-moved.ts'
import * as pg from '../db/pg-types.ts'
import { type Statement, statement } from '../db/statement.ts'

/**
 * Rows claimed by a lease. The convention, for every table:
 * - `leased_by` is a new id for each claim. Statements of the work name it, so that a worker whose lease expired
 *   changes nothing any more.
 * - `next_attempt_at` is when a row is due. A claim moves it to the end of the lease, so the rows of a killed process
 *   become due again. Rows that are not due themselves, but have due rows in another table, have `leased_until`
 *   instead: null, or the end of the lease.
 * - `attempts` counts claims, before the work: a row that kills its process is not retried forever.
 */
type LeasedTable<T extends pg.Columns, G extends pg.Columns> = {
  readonly table: string
  /** The columns that identify its rows within an account, as in SQL; empty if an account is claimed as a whole. */
  readonly key: readonly string[]
  /** SQL of waiting rows, over a row `q`. The conditions for due, free and an active account are added. */
  readonly waiting: string
  /** SQL of `q` if claimable rows are not just those of the table: for example one per account. */
  readonly from?: string
  /** CTEs that `from` names. */
  readonly with?: string
  /** The claim order; `random()` if each account has one row, so that none waits behind another's thousands. */
  readonly order?: string
  /** Rows that one claim takes; one by default. `$most` takes it as a parameter. */
  readonly most?: number | '$most'
  /** Weaker where something that only refers to the row must not wait. */
  readonly lock?: 'no key update'
  readonly ends?: Ends
  /** Without `leased_by`: claims are distinguished by the end of the lease, or by a lock of the work. */
  readonly unnamed?: true
  readonly countsAttempts?: true
  /** Each claim of a row has a longer lease than the one before: the wait after a failure, too. */
  readonly growing?: true
  /** What else the claim sets. */
  readonly sets?: string
  /** Parameters besides `lease` and `ms`. */
  readonly takes?: T
  /**
   * The columns that the work receives besides the account, and their SQL over `q`, and `old`, the row before the
   * claim.
   */
  readonly gives: G
  readonly columns: Readonly<Record<keyof G & string, string>>
  /** CTEs of what the same statement does with the rows `claimed`. */
  readonly also?: string
}

export type LeasedRows<T extends pg.Columns, G extends pg.Columns> = {
  readonly claim: Statement<pg.InputOf<T> & { lease: string; ms: number }, pg.RowOf<G> & { account: number }>
  /** SQL of due rows, for the metrics. */
  readonly due: string
}
type Ends = 'next_attempt_at' | 'leased_until'

const freeSql = (ends: Ends, q: string): string =>
  ends === 'leased_until'
    ? `(${q}.leased_until is null or ${q}.leased_until <= now())`
    : `${q}.next_attempt_at <= now()`

/** The statement that claims rows of a table, and the SQL of its due rows. */
export function leasedRows<const T extends pg.Columns = Record<never, never>, const G extends pg.Columns = pg.Columns>(
  rows: LeasedTable<T, G>,
): LeasedRows<T, G> {
  const { table, key, ends = 'next_attempt_at', order = `q.${ends}`, most = 1, lock = 'update' } = rows
  const due = `${rows.waiting} and ${freeSql(ends, 'q')} and ${notMovedSql('q.account_id')}`
  const keys = ['account_id', ...key]
  const sets = [
    ...(rows.unnamed ? [] : ['leased_by = $lease']),
    `${ends} = now() + ${rows.growing ? '(q.attempts + 1) * ' : ''}$ms::float8 * interval '1 millisecond'`,
    ...(rows.countsAttempts ? ['attempts = q.attempts + 1'] : []),
    ...(rows.sets ? [rows.sets] : []),
  ]
  const columns = Object.entries<string>(rows.columns).map(([name, sql]) => `, ${sql} as "${name}"`)
  const claim = statement(
    { ...(rows.unnamed ? {} : { lease: pg.uuid }), ms: pg.float, ...rows.takes },
    { account: pg.integer, ...rows.gives },
    `
    with ${rows.with ? `${rows.with},` : ''}
    due as (
      select ${keys.map((column) => `q.${column}`).join(', ')} from ${rows.from ?? `${table} q`}
      where ${due} order by ${order} limit ${most} for ${lock} of q skip locked
    ),
    claimed as (
      update ${table} q set ${sets.join(', ')} from due where ${keys.map((column) => `q.${column} = due.${column}`).join(' and ')}
      returning q.account_id as account${columns.join('')}
    )
    ${rows.also ? `, ${rows.also}` : ''}
    select ${['account', ...Object.keys(rows.columns)].map((name) => `"${name}"`).join(', ')} from claimed`,
  )
  return {
    claim: claim as never,
    due: `select q.${ends} as due_at from ${table} q where ${due}`,
  }
}

type Released<K extends string> = Statement<{ account: number; lease: string } & Readonly<Record<K, string>>>

/** Releases a row before its lease ends; work that was not started does not count as an attempt. */
export function releaseOf<const K extends string = never>({
  table,
  key,
  ends = 'next_attempt_at',
  countsAttempts,
}: {
  readonly table: string
  readonly key: readonly K[]
  readonly ends?: Ends
  readonly countsAttempts?: true
}): Released<K> {
  const takes = { account: pg.integer, lease: pg.uuid, ...Object.fromEntries(key.map((column) => [column, pg.uuid])) }
  return statement(
    takes,
    {},
    `
    update ${table} set leased_by = null, ${ends} = ${ends === 'leased_until' ? 'null' : 'now()'}
      ${countsAttempts ? ', attempts = attempts - 1' : ''}
    where account_id = $account and leased_by = $lease ${key.map((column) => `and ${column} = $${column}`).join(' ')}`,
  ) as Released<K>
}
