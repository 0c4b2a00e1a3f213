import { DatabaseError } from 'pg'
import Type from 'typebox'
import { Check } from 'typebox/value'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import type { Statement } from '../../src/platform/db/statement.ts'

type Input = Readonly<Record<string, unknown>>
/** What a statement was sent with. */
export type Sent = { readonly text: string; readonly input: Input }

/**
 * A transaction over no database: `answer` gives the rows of whatever is asked, and what is sent is kept. It is for rules
 * that are decided in code, between statements; what statements do is for tests that have a database.
 *
 * Statements are private to the file that sends them, so `answer` tells them apart by a part of their text. A part that
 * comes to fit another statement is noticed: rows have to be of the columns that the statement declares, and inputs have
 * to hold the parameters that it names.
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

/** What a database says that refuses, by its code. */
export const databaseError = (code: string): DatabaseError =>
  Object.assign(new DatabaseError('refused', 'refused'.length, 'error'), { code })
