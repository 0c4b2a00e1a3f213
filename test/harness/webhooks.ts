import { beforeAll, expect } from 'vitest'
import { POLICIES } from '../../src/platform/access/policies.ts'
import { type Agency, makeAgency } from './agency.ts'
import { startCell, type TestCell, uncounted } from './cell.ts'
import { saveRoleOf } from './settings.ts'
import { ask } from './sql.ts'

export type Webhook = {
  id: string
  url: string
  events: string[]
  entities: string[]
  active: boolean
  created_at: string
}
export type Made = Omit<Webhook, 'active'> & { signing_secret: string }
export type Delivery = {
  id: string
  event_id: string
  event: string
  status: string
  attempts: { number: number; response_excerpt: string | null }[]
  next_attempt_at: string | null
  payload: { id: string; event: string; occurred_at: string; data: object } | null
}
export type Page<T> = { data: T[]; page: { next_cursor: string | null } }
export type Refusal = { code: string; details: Record<string, string[]> }

export const PUBLIC = 'https://receiver.example/'
export const dataOf = <T>({ body }: { body: never }) => (body as { data: T }).data

/**
 * For a test file: a cell in which host names resolve as in `names`, and two agencies (`the.cell`, `the.agency` and
 * `the.other`, once the tests run), with helpers for subscriptions, and for deliveries without a worker.
 */
export function withWebhooks(names: Readonly<Record<string, string[]>> = { 'receiver.example': ['8.8.8.8'] }) {
  const the = {} as { cell: TestCell; agency: Agency; other: Agency }
  beforeAll(async () => {
    const destinations = { allowed: [], resolve: async (name: string) => names[name] ?? [] }
    the.cell = await startCell({ deps: { count: uncounted, destinations } })
    the.agency = await makeAgency(the.cell)
    the.other = await makeAgency(the.cell)
  })
  const call = (method: string, path: string, body?: object, key = the.agency.key) =>
    the.cell.call(method, path, { key, ...(body && { body }) })
  return {
    the,
    call,
    async subscribe(given: object = {}, key = the.agency.key): Promise<Made> {
      const answer = await call('POST', '/webhooks', { url: PUBLIC, ...given }, key)
      expect(answer.status).toBe(201)
      return answer.body
    },
    ping: async (id: string, key = the.agency.key) =>
      dataOf<Delivery>(await call('POST', `/webhooks/${id}/test`, {}, key)),
    list: async (id: string, query = '') =>
      (await call('GET', `/webhooks/${id}/deliveries?${query}`)).body as Page<Delivery>,
    /** Ends a delivery as the worker does, at some time. */
    end: (id: string, status: string, at = 'now') =>
      ask(the.cell, 'update webhook_deliveries set status = $2, finished_at = $3::timestamptz where id = $1', [
        id,
        status,
        at,
      ]),
    attempt: (id: string) =>
      ask(
        the.cell,
        `insert into webhook_attempts (account_id, delivery_id, number, at, status_code, duration_ms, response_excerpt)
         values ($1, $2, 1, now(), 500, 12, 'sorry')`,
        [the.agency.number, id],
      ),
    /** A key of a role that has every policy but this. */
    async keyThatLacks(lacking: string): Promise<string> {
      const policies = POLICIES.filter((policy) => policy !== lacking)
      await saveRoleOf(the.cell, the.agency.number, `no_${lacking}`, policies)
      return (await the.agency.makeKey({ role: `no_${lacking}` })).key
    },
  }
}
