import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import {
  Client,
  type ClientConfig,
  type DatabaseError,
  Pool,
  type PoolClient,
  type PoolConfig,
  type QueryResult,
  types,
} from 'pg'
import { databaseIsAway, followsAFailure, lostARace, refusedByDatabase } from './failures.ts'
import type { Statement } from './statement.ts'
import { turns } from './turns.ts'

/** How a server is reached; roles are chosen by the program. */
export type Connection = Pick<ClientConfig, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'>
type Rows<I, O> = (statement: Statement<I, O>, input: Omit<I, 'account'>) => Promise<O[]>

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
  /** When the transaction began, UTC with microseconds, as every default of it says. */
  readonly now: Promise<string>
  /** Sends without waiting for the answer; a failure surfaces at the commit, which it turns into a rollback. */
  later<I>(statement: Statement<I, unknown>, input: Omit<I, 'account'>): void
  /** Runs behind a savepoint: rows that the database refuses are an error returned, and the transaction goes on. */
  attempt<I, O>(statement: Statement<I, O>, input: Omit<I, 'account'>): Promise<O[] | RowsRefused>
  /** Runs `fn` to its end, deferred constraints included, and takes everything that it did back. */
  discard<T>(fn: () => Promise<T>): Promise<T>
  /** Tells the workers of this process, after the commit, that there is something in a queue. */
  wake(queue: string): void
}
/** What `attempt` answers for values that the database does not take. */
export class RowsRefused {
  readonly constraint: string | undefined
  constructor(constraint: string | undefined) {
    this.constraint = constraint
  }
}
export type SystemTx = {
  all<I, O>(statement: Statement<I, O>, input: I): Promise<O[]>
  one<I, O>(statement: Statement<I, O>, input: I): Promise<O | undefined>
}
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

const ATTEMPTS = 4 // the first, and three more after a lost race
const SYSTEM_CONNECTIONS = 3
/** One that writes, and two that can find out at once that their Idempotency-Key is taken. */
const WRITES_OF_AN_ACCOUNT = 3
/**
 * Every statement of a request finds its rows by an index. Plans are kept while tables grow from nothing, and one that
 * was made for an empty table would read all of a full one; the same is true of the checks of foreign keys.
 */
const SESSION_SETTINGS = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  'enable_seqscan=off',
  'plan_cache_mode=force_generic_plan',
  'client_connection_check_interval=500ms',
  'idle_in_transaction_session_timeout=15s',
  'statement_timeout=30s',
  'lock_timeout=10s',
]
  .map((setting) => `-c ${setting}`)
  .join(' ')
/** Dates and times stay what PostgreSQL printed: a JavaScript Date would lose the microseconds and invent a zone. */
const AS_PRINTED = new Set<number>([
  types.builtins.DATE,
  types.builtins.TIMESTAMP,
  types.builtins.TIMESTAMPTZ,
  types.builtins.INT8,
])
const parsers = {
  getTypeParser: (oid: number, format: 'text') => (AS_PRINTED.has(oid) ? String : types.getTypeParser(oid, format)),
} as unknown as NonNullable<PoolConfig['types']>

type Session = PoolClient & { account?: number }
type Named = { name: string; text: string; values?: unknown[] }
const BEGIN = { name: 'begin', text: 'begin' }
const COMMIT = { name: 'commit', text: 'commit' }
const ROLLBACK = { name: 'rollback', text: 'rollback' }
const SAVEPOINT = { name: 'savepoint', text: 'savepoint attempt' }
const RELEASE = { name: 'release', text: 'release savepoint attempt' }
const BACK = { name: 'back', text: 'rollback to savepoint attempt' }
const CHECK = { name: 'check', text: 'set constraints all immediate' }
const NOW = { name: 'now', text: `select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now` }
const setAccount = (account: number, local: boolean): Named => ({
  name: 'account',
  text: `select set_config('app.account', $1, $2)`,
  values: [String(account), local],
})
const named = <I, O>({ name, text, values }: Statement<I, O>, input: I): Named => ({
  name,
  text,
  values: values(input),
})
const ignore = () => {}

/** One write to the socket for all that this turn of the event loop sends: writes cost more than anything else here. */
function together(session: Session): void {
  const { stream } = (session as unknown as { connection: { stream: Socket } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Opens the pools of a cell. `lost` hears of connections that break while nobody waits for them. */
export function openDatabase(connection: Connection, size: number, lost: (error: Error) => void): Database {
  const pool = (role: string, max: number) =>
    new Pool({
      ...connection,
      ...(connection.host?.startsWith('/') && { ssl: false }), // whatever PGSSLMODE says, a socket has none
      max,
      pipeline: true,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: 5_000,
      types: parsers,
      application_name: 'backdesk',
      options: `${SESSION_SETTINGS} -c role=${role}`,
    } as PoolConfig)
      .on('error', lost)
      .on('connect', (client) => client.on('error', lost)) // the pool itself listens only while a connection is idle
  const app = pool('backdesk_app', size)
  const system = pool('backdesk_system', SYSTEM_CONNECTIONS)
  const inTurn = turns(WRITES_OF_AN_ACCOUNT)
  const bell = new EventEmitter()

  async function withSession<T>(from: Pool, fn: (session: Session) => Promise<T>): Promise<T> {
    const session = (await from.connect()) as Session
    let broken = false
    try {
      return await fn(session)
    } catch (error) {
      broken = databaseIsAway(error) // its socket may close only a turn later
      throw error
    } finally {
      session.release(broken)
    }
  }

  function reader(account: number): AccountReader {
    const all: Rows<unknown, unknown> = (statement, input) =>
      withSession(app, async (session) => {
        together(session)
        // The account stays set on the connection, so most reads are one statement.
        const set = session.account === account ? null : session.query(setAccount(account, false))
        session.account = account
        set?.catch(() => delete session.account)
        const result = session.query(named(statement, { ...input, account }))
        result.catch(ignore)
        await set
        return (await result).rows
      })
    const one: AccountReader['one'] = async (statement, input) => (await all(statement, input))[0] as never
    return { account, all: all as AccountReader['all'], one, last: one }
  }

  const inAccount: Database['inAccount'] = (account, fn) =>
    inTurn(account, () => retrying(() => withSession(app, (session) => accountTransaction(session, account, bell, fn))))

  return {
    reader,
    inAccount,
    asSystem: (_reason, fn) =>
      retrying(() =>
        withSession(system, async (session) => {
          session.query(BEGIN).catch(ignore) // what is wrong with it is wrong with the commit
          try {
            const all: SystemTx['all'] = async (statement, input) => (await session.query(named(statement, input))).rows
            const result = await fn({ all, one: async (statement, input) => (await all(statement, input))[0] })
            await commit(session.query(COMMIT))
            return result
          } catch (error) {
            await session.query(ROLLBACK).catch(ignore)
            throw error
          }
        }),
      ),
    askSystem: (_reason, statement, input) =>
      retrying(() => withSession(system, async (session) => (await session.query(named(statement, input))).rows)),
    onWake(queue, listener) {
      bell.on(queue, listener)
      return () => bell.off(queue, listener)
    },
    close: async () => {
      await Promise.all([app.end(), system.end()])
    },
  }
}

async function accountTransaction<T>(
  session: Session,
  account: number,
  bell: EventEmitter,
  fn: (tx: AccountTx) => Promise<T>,
): Promise<T> {
  const sent: Promise<QueryResult>[] = []
  const send = (query: Named): Promise<QueryResult> => {
    const result = session.query(query) as unknown as Promise<QueryResult>
    result.catch(ignore) // awaited at the commit
    sent.push(result)
    return result
  }
  let ended: Promise<QueryResult> | undefined
  const query = <I, O>(statement: Statement<I, O>, input: Omit<I, 'account'>): Promise<QueryResult> => {
    if (ended) throw new Error('A query on a transaction that has ended')
    together(session)
    return session.query(named(statement, { ...input, account } as unknown as I)) as unknown as Promise<QueryResult>
  }
  const woken = new Set<string>()
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
      ended = send(COMMIT)
      return (await result).rows[0]
    },
    later: (statement, input) => {
      const result = query(statement, input)
      result.catch(ignore)
      sent.push(result)
    },
    attempt: async (statement, input) => {
      together(session)
      void send(SAVEPOINT)
      try {
        const { rows } = await query(statement, input)
        void send(RELEASE)
        return rows
      } catch (error) {
        if (!refusedByDatabase(error)) throw error
        await session.query(BACK)
        return new RowsRefused((error as DatabaseError).constraint)
      }
    },
    discard: async (inner) => {
      const outer = { name: 'dry', text: 'savepoint dry_run' }
      void send(outer)
      const result = await inner()
      await send(CHECK)
      await send({ name: 'undry', text: 'rollback to savepoint dry_run' })
      return result
    },
    wake: (queue) => void woken.add(queue),
  }
  together(session)
  void send(BEGIN)
  void send(setAccount(account, true)) // for the transaction alone, and not awaited: it travels with what follows
  try {
    const result = await fn(tx)
    ended ??= send(COMMIT)
    await Promise.all(sent)
    await commit(ended)
    for (const queue of woken) bell.emit(queue)
    return result
  } catch (error) {
    ended ??= send(ROLLBACK)
    await ended.catch(ignore)
    throw followsAFailure(error) ? await firstFailure(sent, error) : error
  }
}

/** What broke the transaction first, where the error at hand only says that something did. */
async function firstFailure(sent: readonly Promise<unknown>[], otherwise: unknown): Promise<unknown> {
  const failed = (await Promise.allSettled(sent)).filter((result) => result.status === 'rejected')
  return failed.find(({ reason }) => !followsAFailure(reason))?.reason ?? otherwise
}

/** A commit of a transaction that has failed answers ROLLBACK, and no error. */
async function commit(sent: Promise<QueryResult>): Promise<void> {
  if ((await sent).command !== 'COMMIT') throw new Error('The transaction was rolled back')
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

/** A single connection outside any account, for migrations and tests. */
export async function withClient<T>(connection: Connection, fn: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ ...connection, application_name: 'backdesk' })
  client.on('error', ignore)
  await client.connect()
  try {
    return await fn(client)
  } finally {
    await client.end()
  }
}
