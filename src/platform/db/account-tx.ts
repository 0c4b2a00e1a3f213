import type { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { DatabaseError, QueryResult } from 'pg'
import type { OpenKeys } from '../account-keys.ts'
import type { Operator } from '../operator.ts'
import { isDataError, isTransactionAborted } from './failures.ts'
import { accountQuery } from './sealed-query.ts'
import {
  BEGIN,
  beginAs,
  COMMIT,
  committed,
  ignore,
  ROLLBACK,
  type Session,
  type SessionQuery,
  together,
} from './session.ts'
import type { Statement } from './statement.ts'
import { writtenTables } from './written-tables.ts'

/** Reads of one account. It takes a connection for each statement, so holding it costs nothing. */
export type AccountReader = {
  readonly account: number
  all<I, O>(statement: Statement<I, O>, input: Omit<I, 'account'>): Promise<O[]>
  one<I, O>(statement: Statement<I, O>, input: Omit<I, 'account'>): Promise<O | undefined>
  /** The same as the last word of a request: in a transaction the commit travels with it, and nothing may follow. */
  last<I, O>(statement: Statement<I, O>, input: Omit<I, 'account'>): Promise<O | undefined>
}
/** One transaction of an account: holding it is the permission to change the account's rows. */
export type AccountTx = AccountReader & {
  /** The start of the transaction, UTC with microseconds, equal to the defaults of columns. */
  readonly now: Promise<string>
  /** Sends without waiting for the result; a failure surfaces at the commit, which becomes a rollback. */
  later<I>(statement: Statement<I, unknown>, input: Omit<I, 'account'>): void
  /**
   * Runs a statement for each input behind one savepoint. An input is built while the database has the previous ones.
   * If it refuses the values, all are rolled back, the error is returned, and the transaction continues.
   */
  attempt<I>(statement: Statement<I, unknown>, inputs: Iterable<Omit<I, 'account'>>): Promise<RowsRefused | null>
  /** Runs `fn` to its end, deferred constraints included, and takes everything that it did back. */
  discard<T>(fn: () => Promise<T>): Promise<T>
  /** Wakes the workers of this process after the commit, because a queue has new rows. */
  wake(queue: string): void
  /** Runs something in this process after the commit, such as counting. */
  afterCommit(fn: () => void): void
  /** Notes that published records change, so that subscribers are notified: see `Outbox`. */
  changesRecords(): void
}
/**
 * What a transaction that changes published records leaves for subscribers. It is called when the transaction notes the
 * change, and the returned function runs before the commit.
 */
export type Outbox = (tx: AccountTx) => () => Promise<void>
/** What an account's transaction does before it commits, if one of its statements wrote one of these tables. */
export type BeforeCommit = { readonly tables: readonly string[]; run(tx: AccountTx): void | Promise<void> }
/** The result of `attempt` for values that the database refuses. */
export class RowsRefused {
  readonly constraint: string | undefined
  constructor(constraint: string | undefined) {
    this.constraint = constraint
  }
}

const SAVEPOINT = { name: 'savepoint', text: 'savepoint attempt' }
const RELEASE = { name: 'release', text: 'release savepoint attempt' }
const BACK = { name: 'back', text: 'rollback to savepoint attempt' }
const DRY = { name: 'dry', text: 'savepoint dry_run' }
const CHECK = { name: 'check', text: 'set constraints all immediate' }
const UNDRY = { name: 'undry', text: 'rollback to savepoint dry_run' }
const NOW = { name: 'now', text: `select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now` }

type TxContext = {
  readonly bell: EventEmitter
  readonly outbox: Outbox
  readonly beforeCommit: readonly BeforeCommit[]
  readonly operator: Operator
  /** Seals and opens the account's values. */
  readonly keys: OpenKeys | undefined
}
/** Runs `fn` as one transaction. What it wakes is rung at the bell after the commit. */
export async function accountTransaction<T>(
  session: Session,
  account: number,
  { bell, outbox, beforeCommit, operator, keys }: TxContext,
  fn: (tx: AccountTx) => Promise<T>,
): Promise<T> {
  const sent: Promise<QueryResult>[] = []
  const send = (query: SessionQuery): Promise<QueryResult> => {
    const result = session.query(query) as unknown as Promise<QueryResult>
    result.catch(ignore) // awaited at the commit
    sent.push(result)
    return result
  }
  let ended: Promise<QueryResult> | undefined
  const following = new Set<BeforeCommit>()
  const query = <I, O>(statement: Statement<I, O>, input: Omit<I, 'account'>): Promise<QueryResult> => {
    if (ended) throw new Error('Query on a transaction that has ended')
    together(session)
    const written = writtenTables(statement)
    for (const one of beforeCommit) if (one.tables.some((table) => written.has(table))) following.add(one)
    return session.query(
      accountQuery(statement, { ...input, account } as unknown as I, keys),
    ) as unknown as Promise<QueryResult>
  }
  const woken = new Set<string>()
  const done: (() => void)[] = []
  let fillOutbox: (() => Promise<void>) | undefined
  let now: Promise<string> | undefined
  const tx: AccountTx = {
    account,
    get now() {
      now ??= send(NOW).then(({ rows }) => rows[0].now as string)
      return now
    },
    all: async (statement, input) => (await query(statement, input)).rows,
    one: async (statement, input) => (await query(statement, input)).rows[0],
    last: async (statement, input) => {
      const result = query(statement, input)
      if (!fillOutbox && following.size === 0) ended = send(COMMIT)
      return (await result).rows[0]
    },
    later: (statement, input) => {
      const result = query(statement, input)
      result.catch(ignore)
      sent.push(result)
    },
    attempt: async (statement, inputs) => {
      const results: Promise<QueryResult>[] = []
      for (const input of inputs) {
        together(session)
        if (results.length === 0) void send(SAVEPOINT)
        const result = query(statement, input)
        result.catch(ignore) // awaited below
        results.push(result)
        await setImmediate() // the data that is sent
      }
      try {
        await Promise.all(results) // in their order: the first failure is the cause of the others
        if (results.length > 0) void send(RELEASE)
        return null
      } catch (error) {
        if (!isDataError(error)) throw error
        await session.query(BACK)
        return new RowsRefused((error as DatabaseError).constraint)
      }
    },
    discard: async (inner) => {
      void send(DRY)
      const result = await inner()
      await send(CHECK)
      await send(UNDRY)
      return result
    },
    wake: (queue) => void woken.add(queue),
    afterCommit: (fn) => void done.push(fn),
    changesRecords() {
      fillOutbox ??= outbox(tx)
    },
  }
  together(session)
  void send(BEGIN)
  void send(beginAs(account, operator)) // for this transaction only, and not awaited: it is sent with the next statement
  try {
    const result = await fn(tx)
    for (const one of following) await one.run(tx)
    await fillOutbox?.()
    ended ??= send(COMMIT)
    await Promise.all(sent)
    await committed(ended)
    for (const queue of woken) bell.emit(queue)
    for (const fn of done) fn()
    return result
  } catch (error) {
    ended ??= send(ROLLBACK)
    await ended.catch(ignore)
    throw isTransactionAborted(error) ? await firstFailure(sent, error) : error
  }
}

/** The error that broke the transaction first; later errors only say that it is broken. */
async function firstFailure(sent: readonly Promise<unknown>[], otherwise: unknown): Promise<unknown> {
  const failed = (await Promise.allSettled(sent)).filter((result) => result.status === 'rejected')
  return failed.find(({ reason }) => !isTransactionAborted(reason))?.reason ?? otherwise
}
