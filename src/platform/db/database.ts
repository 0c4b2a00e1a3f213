import { EventEmitter } from 'node:events'
import { type AccountReader, type AccountTx, accountTransaction, type Outbox } from './account-tx.ts'
import type { Connection } from './client.ts'
import { lostARace } from './failures.ts'
import { openPool, withSession } from './pool.ts'
import { ignore, queryOf, setAccount, together } from './session.ts'
import type { Statement } from './statement.ts'
import { type SystemTx, systemTransaction } from './system-tx.ts'
import { turns } from './turns.ts'

type Rows<I, O> = (statement: Statement<I, O>, input: Omit<I, 'account'>) => Promise<O[]>
export type Database = {
  reader(account: number): AccountReader
  inAccount<T>(account: number, fn: (tx: AccountTx) => Promise<T>): Promise<T>
  /** One transaction of work that belongs to no account, or to all. The reason is for the reader of the code. */
  asSystem<T>(reason: string, fn: (tx: SystemTx) => Promise<T>): Promise<T>
  /** The same for a single statement, which is a transaction by itself. */
  askSystem<I, O>(reason: string, statement: Statement<I, O>, input: I): Promise<O[]>
  /** Hears `wake`; answers how to stop listening. */
  onWake(queue: string, listener: () => void): () => void
  close(): Promise<void>
}

export type OutboxOf = (askSystem: Database['askSystem']) => Outbox

const ATTEMPTS = 4 // the first, and three more after a lost race
/** Queues, what comes due by the clock, look-ups of keys, and what the outboxes of imports look at. */
const SYSTEM_CONNECTIONS = 5
/** One that writes, and two that can find out at once that their Idempotency-Key is taken. */
const WRITES_OF_AN_ACCOUNT = 3

const NOBODY_LISTENS: OutboxOf = () => () => async () => {}

/**
 * Opens the pools of a cell. `lost` hears of connections that break while nobody waits for them. The outbox may look at
 * what is committed, beside the transaction that it is asked by.
 */
export function openDatabase(
  connection: Connection,
  size: number,
  lost: (error: Error) => void,
  outboxOf: OutboxOf = NOBODY_LISTENS,
): Database {
  const app = openPool(connection, 'backdesk_app', size, lost)
  const system = openPool(connection, 'backdesk_system', SYSTEM_CONNECTIONS, lost)
  const inTurn = turns(WRITES_OF_AN_ACCOUNT)
  const bell = new EventEmitter()

  function reader(account: number): AccountReader {
    const all: Rows<unknown, unknown> = (statement, input) =>
      withSession(app, async (session) => {
        together(session)
        // The account stays set on the connection, so most reads are one statement.
        const set = session.account === account ? null : session.query(setAccount(account, false))
        session.account = account
        set?.catch(() => delete session.account)
        const result = session.query(queryOf(statement, { ...input, account }))
        result.catch(ignore)
        await set
        return (await result).rows
      })
    const one: AccountReader['one'] = async (statement, input) => (await all(statement, input))[0] as never
    return { account, all: all as AccountReader['all'], one, last: one }
  }

  const askSystem: Database['askSystem'] = (_reason, statement, input) =>
    retrying(() => withSession(system, async (session) => (await session.query(queryOf(statement, input))).rows))
  const outbox = outboxOf(askSystem)

  return {
    reader,
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
      await Promise.all([app.end(), system.end()])
    },
  }
}

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
