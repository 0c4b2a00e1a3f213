import { EventEmitter } from 'node:events'
import type { QueryResult } from 'pg'
import type { AccountKeys } from '../account-keys.ts'
import { BACKGROUND, type Operator } from '../operator.ts'
import { type AccountReader, type AccountTx, accountTransaction, type BeforeCommit, type Outbox } from './account-tx.ts'
import type { Connection } from './client.ts'
import { isSerializationFailure } from './failures.ts'
import { backendOf, openPool, REPORT_OPTIONS, SESSION_OPTIONS, type WatchedPool, withSession } from './pool.ts'
import { accountQuery } from './sealed-query.ts'
import { ignore, queryOf, type Session, type SessionQuery, setAccount, together } from './session.ts'
import type { Statement } from './statement.ts'
import { type SystemTx, systemTransaction } from './system-tx.ts'
import { turns } from './turns.ts'

type Rows<I, O> = (statement: Statement<I, O>, input: Omit<I, 'account'>) => Promise<O[]>
export type Database = {
  reader(account: number): AccountReader
  /** Loads the keys of an account, for what is signed or opened before anything is read for it; null if they are at hand. */
  loadKeys(account: number): Promise<void> | null
  /** Opens the sealed values of a text that was read with `askSystem`, once the account's keys are loaded. */
  opened(account: number, text: string): string
  /** Slow reads, on separate connections: to a replica, if there is one. */
  reports(account: number): AccountReader
  /** One transaction of an account. Its rows in the audit log name the operator, by default the program itself. */
  inAccount<T>(account: number, fn: (tx: AccountTx) => Promise<T>, operator?: Operator): Promise<T>
  /** The same database with another default operator for account transactions. */
  as(operator: Operator): Database
  /** One transaction of work that belongs to no account, or to all. The reason is for the reader of the code. */
  asSystem<T>(reason: string, fn: (tx: SystemTx) => Promise<T>): Promise<T>
  /** The same for a single statement, which is a transaction by itself. */
  askSystem<I, O>(reason: string, statement: Statement<I, O>, input: I): Promise<O[]>
  /** For monitoring: on separate connections, so that it is answered when all others are taken, or fails soon. */
  watch<I, O>(statement: Statement<I, O>, input: I): Promise<O[]>
  /** How the connections of this process are used. */
  load(): Load
  /** How long the first of the requests that wait for a connection has waited, in milliseconds. */
  longestWaitMs(): number
  /** How long a request that came now would wait for one. */
  expectedWaitMs(): number
  /**
   * The same for background work: its system work leaves one of these connections to requests, and waits where it
   * delays none of them. Its transactions may not call the system at the same time.
   */
  behindRequests(): Database
  /** Wakes the workers of this process, because a queue has new rows. */
  wake(queue: string): void
  /** Listens to `wake`; returns a function that stops listening. */
  onWake(queue: string, listener: () => void): () => void
  close(): Promise<void>
}

export type PoolLoad = { readonly inUse: number; readonly idle: number; readonly waiting: number }
export type Load = {
  readonly pools: Readonly<Record<'requests' | 'system' | 'reports', PoolLoad>>
  /** Writes that wait for the turn of their account. */
  readonly writesWaiting: number
}

/** Where reports are read. `runInBackground` has a backend of it, by its process id, leave the processors to others. */
export type Replica = { readonly connection: Connection; runInBackground?(pid: number): void }

/** The outbox may read committed data, and work on it, next to the transaction that called it. */
export type OutboxOf = (system: Pick<Database, 'askSystem' | 'asSystem'>) => Outbox

const ATTEMPTS = 4 // the first, and three more after a lost race
/** Queues, scheduled jobs, look-ups of keys, and reads of the outboxes of imports. */
const SYSTEM_CONNECTIONS = 5
/** The others are for requests, which look up keys and tokens. */
const SYSTEM_CONNECTIONS_OF_WORK = SYSTEM_CONNECTIONS - 1
/** One that writes, and two that can find out at once that their Idempotency-Key is taken. */
const WRITES_OF_AN_ACCOUNT = 3

/** Few, so that reports leave the database to those who write. */
const REPORT_CONNECTIONS = 3
/** One may run a long report; the other accounts have a connection left. */
const REPORTS_OF_AN_ACCOUNT = 2

/** One checks the database, while the other counts the queues. */
const WATCH_CONNECTIONS = 2
const WATCH_TIMEOUT_MS = 1_000
const WATCH_OPTIONS = `${SESSION_OPTIONS} -c statement_timeout=${WATCH_TIMEOUT_MS}ms`
const WATCH_TIMEOUTS = { connectionTimeoutMillis: WATCH_TIMEOUT_MS, query_timeout: WATCH_TIMEOUT_MS }

/** Work of all accounts waits in one line. */
const ALL = 0

/** The work that follows from writes in an account's transaction. */
export type FollowUps = { readonly outboxOf: OutboxOf; readonly beforeCommit: readonly BeforeCommit[] }
const NOTHING_FOLLOWS: FollowUps = { outboxOf: () => () => async () => {}, beforeCommit: [] }

/**
 * Opens the connection pools of a cell. `lost` is called for idle connections that break. `replica` is used for
 * reports.
 */
export function openDatabase(
  connection: Connection,
  size: number,
  lost: (error: Error) => void,
  { outboxOf, beforeCommit }: FollowUps = NOTHING_FOLLOWS,
  replica: Replica = { connection },
  keys: AccountKeys | null = null,
): Database {
  const app = openPool(connection, 'backdesk_app', size, lost)
  const system = openPool(connection, 'backdesk_system', SYSTEM_CONNECTIONS, lost)
  const reporting = openPool(replica.connection, 'backdesk_app', REPORT_CONNECTIONS, lost, REPORT_OPTIONS)
  const watching = openPool(connection, 'backdesk_system', WATCH_CONNECTIONS, lost, WATCH_OPTIONS, WATCH_TIMEOUTS)
  const { runInBackground } = replica
  if (runInBackground) reporting.on('connect', (client) => runInBackground(backendOf(client)))
  const inTurn = turns(WRITES_OF_AN_ACCOUNT)
  const reportInTurn = turns(REPORTS_OF_AN_ACCOUNT)
  const workInTurn = turns(SYSTEM_CONNECTIONS_OF_WORK)
  const bell = new EventEmitter()

  function readerOf(account: number, ask: Ask): AccountReader {
    const all: Rows<unknown, unknown> = async (statement, input) => {
      await loadKeys(account)
      return (await ask(account, accountQuery(statement, { ...input, account }, keys?.atHand(account)))).rows
    }
    const one: AccountReader['one'] = async (statement, input) => (await all(statement, input))[0] as never
    return { account, all: all as AccountReader['all'], one, last: one }
  }
  // Their texts are as many as there are ways to ask, so they are not prepared.
  const askReports: Ask = (account, query) =>
    reportInTurn.take(account, () => retrying(() => askBehindWall(reporting)(account, { ...query, name: undefined })))

  const askSystem: Database['askSystem'] = (_reason, statement, input) =>
    retrying(() => withSession(system, async (session) => (await session.query(queryOf(statement, input))).rows))
  const asSystem: Database['asSystem'] = (_reason, fn) =>
    retrying(() => withSession(system, (session) => systemTransaction(session, fn)))
  const outbox = outboxOf({ askSystem, asSystem })
  const loadKeys: Database['loadKeys'] = (account) => keys?.load(account, askSystem) ?? null

  const shared: Omit<Database, 'inAccount' | 'as' | 'asSystem' | 'askSystem' | 'behindRequests'> = {
    loadKeys,
    opened: (account, text) => keys?.atHand(account)?.values.openIn(text) ?? text,
    reader: (account) => readerOf(account, askBehindWall(app)),
    reports: (account) => readerOf(account, askReports),
    watch: async (statement, input) => {
      const session = (await watching.connect()) as Session
      try {
        const { rows } = await session.query(queryOf(statement, input))
        session.release()
        return rows
      } catch (error) {
        session.release(true) // its state is unknown
        throw error
      }
    },
    load: () => ({
      pools: { requests: loadOf(app), system: loadOf(system), reports: loadOf(reporting) },
      writesWaiting: inTurn.waiting(),
    }),
    longestWaitMs: () => Math.max(app.waits.longestMs(), system.waits.longestMs()),
    expectedWaitMs: () => Math.max(app.waits.expectedMs(), system.waits.expectedMs()),
    wake: (queue) => void bell.emit(queue),
    onWake(queue, listener) {
      bell.on(queue, listener)
      return () => bell.off(queue, listener)
    },
    close: async () => {
      await Promise.all([app.end(), system.end(), reporting.end(), watching.end()])
    },
  }
  function databaseOf(operator: Operator, isBehind: boolean): Database {
    const waiting = <T>(work: () => Promise<T>): Promise<T> => (isBehind ? workInTurn.take(ALL, work) : work())
    return {
      ...shared,
      inAccount: (account, fn, by = operator) =>
        inTurn.take(account, async () => {
          await loadKeys(account)
          const context = { bell, outbox, beforeCommit, operator: by, keys: keys?.atHand(account) }
          return retrying(() => withSession(app, (session) => accountTransaction(session, account, context, fn)))
        }),
      as: (another) => databaseOf(another, isBehind),
      asSystem: (reason, fn) => waiting(() => asSystem(reason, fn)),
      askSystem: (reason, statement, input) => waiting(() => askSystem(reason, statement, input)),
      behindRequests: () => databaseOf(operator, true),
    }
  }
  return databaseOf(BACKGROUND, false)
}

const loadOf = ({ totalCount, idleCount, waitingCount }: WatchedPool): PoolLoad => ({
  inUse: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
})

type Ask = (
  account: number,
  query: SessionQuery | (Omit<SessionQuery, 'name'> & { name: undefined }),
) => Promise<QueryResult>

/** Asks behind the wall. The account stays set on the connection, so most reads are one statement. */
const askBehindWall =
  (pool: WatchedPool): Ask =>
  (account, query) =>
    withSession(pool, async (session) => {
      together(session)
      const set = session.account === account ? null : session.query(setAccount(account))
      session.account = account
      set?.catch(() => delete session.account)
      const result = session.query(query)
      result.catch(ignore)
      await set
      return result
    })

/** Nothing was sent when a serialization conflict occurs, so the whole transaction may run again. */
async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!isSerializationFailure(error) || attempt === ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
    }
  }
}
