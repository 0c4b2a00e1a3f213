import { DatabaseError } from 'pg'
import Type from 'typebox'
import { Check } from 'typebox/value'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import type { Statement } from '../../src/platform/db/statement.ts'

type Input = Readonly<Record<string, unknown>>
/** The inputs of a statement. */
export type Sent = { readonly text: string; readonly input: Input }

/**
 * A transaction without a database: `answer` returns the rows of each statement, and sent statements are recorded. It
 * is for rules decided in code between statements; statements themselves are tested on a database.
 *
 * Statements are private to the file that sends them, so `answer` recognises them by a part of their text. An ambiguous
 * part is detected: rows must have the declared columns, and inputs the declared parameters.
 */
export function fakeTx(answer: (text: string, input: Input) => readonly unknown[] = () => []) {
  const sent: Sent[] = []
  const send = ({ text, named }: Pick<Statement, 'text' | 'named'>, given: unknown): Input => {
    const input = given as Input
    const missing = named.filter((name) => name !== 'account' && !(name in input))
    if (missing.length > 0) throw new Error(`Nothing is given for ${missing.join(', ')} of: ${text}`)
    sent.push({ text, input })
    return input
  }
  const ask = async <I, O>(statement: Statement<I, O>, given: unknown): Promise<O[]> => {
    const rows = [...answer(statement.text, send(statement, given))]
    const shape = Type.Object({ ...statement.gives })
    const wrong = rows.find((row) => !Check(shape, row))
    if (wrong) throw new Error(`${JSON.stringify(wrong)} is no row of: ${statement.text}`)
    return rows as O[]
  }
  const tx: AccountTx = {
    account: 1,
    now: Promise.resolve('2026-05-01T10:00:00.000000Z'),
    all: ask,
    one: async (statement, input) => (await ask(statement, input))[0],
    last: async () => {
      throw new Error('The transaction would have ended')
    },
    later: (statement, input) => void send(statement as Statement<never, unknown>, input),
    attempt: async (statement, inputs) => {
      for (const input of inputs) await ask(statement, input)
      return null
    },
    discard: (fn) => fn(),
    wake: () => {},
    afterCommit: (fn) => fn(),
    changesRecords: () => {},
  }
  const sentTo = (table: string): Input[] => sent.filter(({ text }) => text.includes(table)).map(({ input }) => input)
  return { tx, sent, sentTo }
}

/** A database error, by its code. */
export const databaseError = (code: string): DatabaseError =>
  Object.assign(new DatabaseError('refused', 'refused'.length, 'error'), { code })
