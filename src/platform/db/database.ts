import { EventEmitter } from 'node:events'
import type { Pool, QueryResult } from 'pg'
import { type AccountReader, type AccountTx, accountTransaction, type Outbox } from './account-tx.ts'
import type { Connection } from './client.ts'
import { lostARace } from './failures.ts'
import { backendOf, openPool, REPORT_OPTIONS, withSession } from './pool.ts'
import { ignore, type Query, queryOf, setAccount, together } from './session.ts'
import type { Statement } from './statement.ts'
import { type SystemTx, systemTransaction } from './system-tx.ts'
import { turns } from './turns.ts'

type Rows<I, O> = (statement: Statement<I, O>, input: Omit<I, 'account'>) => Promise<O[]>
export type Database = {
  reader(account: number): AccountReader
  /** Reads what takes its time, on connections of its own: of a replica, where there is one. */
  reports(account: number): AccountReader
  inAccount<T>(account: number, fn: (tx: AccountTx) => Promise<T>): Promise<T>
  /** One transaction of work that belongs to no account, or to all. The reason is for the reader of the code. */
  asSystem<T>(reason: string, fn: (tx: SystemTx) => Promise<T>): Promise<T>
  /** The same for a single statement, which is a transaction by itself. */
  askSystem<I, O>(reason: string, statement: Statement<I, O>, input: I): Promise<O[]>
  /** Hears `wake`; answers how to stop listening. */
  onWake(queue: string, listener: () => void): () => void
  close(): Promise<void>
}

/** Where reports are read. `runInBackground` has a backend of it, by its process id, leave the processors to others. */
export type Replica = { readonly connection: Connection; runInBackground?(pid: number): void }

export type OutboxOf = (askSystem: Database['askSystem']) => Outbox

const ATTEMPTS = 4 // the first, and three more after a lost race
/** Queues, what comes due by the clock, look-ups of keys, and what the outboxes of imports look at. */
const SYSTEM_CONNECTIONS = 5
/** One that writes, and two that can find out at once that their Idempotency-Key is taken. */
const WRITES_OF_AN_ACCOUNT = 3

/** Few, so that reports leave the database to those who write. */
const REPORT_CONNECTIONS = 3
/** One may wait for a long report; the other accounts have a connection left. */
const REPORTS_OF_AN_ACCOUNT = 2

const NOBODY_LISTENS: OutboxOf = () => () => async () => {}

/**
 * Opens the pools of a cell. `lost` hears of connections that break while nobody waits for them. The outbox may look at
 * what is committed, beside the transaction that it is asked by. `replica` is where reports are read.
 */
export function openDatabase(
  connection: Connection,
  size: number,
  lost: (error: Error) => void,
  outboxOf: OutboxOf = NOBODY_LISTENS,
  replica: Replica = { connection },
): Database {
  const app = openPool(connection, 'backdesk_app', size, lost)
  const system = openPool(connection, 'backdesk_system', SYSTEM_CONNECTIONS, lost)
  const reporting = openPool(replica.connection, 'backdesk_app', REPORT_CONNECTIONS, lost, REPORT_OPTIONS)
  const { runInBackground } = replica
  if (runInBackground) reporting.on('connect', (client) => runInBackground(backendOf(client)))
  const inTurn = turns(WRITES_OF_AN_ACCOUNT)
  const reportInTurn = turns(REPORTS_OF_AN_ACCOUNT)
  const bell = new EventEmitter()

  function readerOf(account: number, ask: Ask): AccountReader {
    const all: Rows<unknown, unknown> = async (statement, input) =>
      (await ask(account, queryOf(statement, { ...input, account }))).rows
    const one: AccountReader['one'] = async (statement, input) => (await all(statement, input))[0] as never
    return { account, all: all as AccountReader['all'], one, last: one }
  }
  // Their texts are as many as there are ways to ask, so they are not prepared.
  const askReports: Ask = (account, { text, values = [] }) =>
    reportInTurn(account, () => retrying(() => askBehindWall(reporting)(account, { text, values })))

  const askSystem: Database['askSystem'] = (_reason, statement, input) =>
    retrying(() => withSession(system, async (session) => (await session.query(queryOf(statement, input))).rows))
  const outbox = outboxOf(askSystem)

  return {
    reader: (account) => readerOf(account, askBehindWall(app)),
    reports: (account) => readerOf(account, askReports),
    inAccount: (account, fn) =>
      inTurn(account, () =>
        retrying(() => withSession(app, (session) => accountTransaction(session, account, { bell, outbox }, fn))),
      ),
    asSystem: (_reason, fn) => retrying(() => withSession(system, (session) => systemTransaction(session, fn))),
    askSystem,
    onWake(queue, listener) {
      bell.on(queue, listener)
      return () => bell.off(queue, listener)
    },
    close: async () => {
      await Promise.all([app.end(), system.end(), reporting.end()])
    },
  }
}

type Ask = (account: number, query: Query | Omit<Query, 'name'>) => Promise<QueryResult>

/** Asks behind the wall. The account stays set on the connection, so most reads are one statement. */
const askBehindWall =
  (pool: Pool): Ask =>
  (account, query) =>
    withSession(pool, async (session) => {
      together(session)
      const set = session.account === account ? null : session.query(setAccount(account, false))
      session.account = account
      set?.catch(() => delete session.account)
      const result = session.query(query)
      result.catch(ignore)
      await set
      return result
    })

/** Nothing has left the database when a race was lost, so the whole transaction may run again. */
async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!lostARace(error) || attempt === ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
    }
  }
}
