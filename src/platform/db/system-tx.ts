import { BEGIN, COMMIT, committed, ignore, queryOf, ROLLBACK, type Session } from './session.ts'
import type { Statement } from './statement.ts'

/** One transaction of work that belongs to no account, or to all. */
export type SystemTx = {
  all<I, O>(statement: Statement<I, O>, input: I): Promise<O[]>
  one<I, O>(statement: Statement<I, O>, input: I): Promise<O | undefined>
}

export async function systemTransaction<T>(session: Session, fn: (tx: SystemTx) => Promise<T>): Promise<T> {
  session.query(BEGIN).catch(ignore) // an error surfaces again at the commit
  try {
    const all: SystemTx['all'] = async (statement, input) => (await session.query(queryOf(statement, input))).rows
    const result = await fn({ all, one: async (statement, input) => (await all(statement, input))[0] })
    await committed(session.query(COMMIT))
    return result
  } catch (error) {
    await session.query(ROLLBACK).catch(ignore)
    throw error
  }
}
