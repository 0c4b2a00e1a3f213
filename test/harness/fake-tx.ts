import { DatabaseError } from 'pg'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import type { Statement } from '../../src/platform/db/statement.ts'

type Input = Readonly<Record<string, unknown>>
/** What a statement was sent with. */
export type Sent = { readonly text: string; readonly input: Input }

/**
 * A transaction over no database: `answer` gives the rows of whatever is asked, and what is sent is kept. It is for rules
 * that are decided in code, between statements; what statements do is for tests that have a database.
 */
export function fakeTx(answer: (text: string, input: Input) => readonly unknown[] = () => []) {
  const sent: Sent[] = []
  const ask = async <I, O>({ text }: Statement<I, O>, given: unknown): Promise<O[]> => {
    const input = given as Input
    sent.push({ text, input })
    return [...answer(text, input)] as O[]
  }
  const tx: AccountTx = {
    account: 1,
    now: Promise.resolve('2026-05-01T10:00:00.000000Z'),
    all: ask,
    one: async (statement, input) => (await ask(statement, input))[0],
    last: async () => {
      throw new Error('The transaction would have ended')
    },
    later: ({ text }, input) => void sent.push({ text, input: input as Input }),
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
