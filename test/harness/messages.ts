import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { undeclared } from './undeclared.ts'

export type Message = Record<string, unknown> & {
  id: string
  thread_id: string
  subject: string | null
  preview: string | null
  content_masked: boolean
  unread: boolean
  created_at: string
}
export type MessageAnswer = {
  status: number
  code: string
  error: string
  details: Record<string, string[]>
  data: Message
}
export type Listed = {
  data: Message[]
  page: { next_cursor: string | null; has_more: boolean }
  unread_count: number
}

const allowed = undeclared<{ account: number; messages: number }, never>(
  'update accounts set daily_messages = $messages where account_id = $account::integer',
)

/** Helpers for messages, in a cell that exists once the tests run. */
export const messagesOf = (cell: () => TestCell) => {
  const call = async (method: string, path: string, { key }: { key: string }, communication?: unknown) => {
    const answer = await cell().call(method, `/communications${path}`, {
      key,
      ...(communication !== undefined && { body: { communication } }),
    })
    return { status: answer.status, ...(answer.body as object | null) } as MessageAnswer
  }
  const write = (of: { key: string }, communication: unknown) => call('POST', '', of, communication)
  return {
    write,
    /** Writes a message; anything but 201 fails the test. */
    make: async (of: { key: string }, communication: object): Promise<Message> => {
      const answer = await write(of, communication)
      if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer)}`)
      return answer.data
    },
    read: async (of: { key: string }, id: string) => (await call('GET', `/${id}`, of)).data,
    mark: (of: { key: string }, id: string) => call('POST', `/${id}/mark_read`, of),
    list: async (of: { key: string }, query = '') =>
      (await cell().call('GET', `/communications?${query}`, of)).body as Listed,
    allow: ({ number }: Agency, messages: number) =>
      cell().deps.db.askSystem('a test changes the limit', allowed, { account: number, messages }),
  }
}
