import { setTimeout as sleep } from 'node:timers/promises'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import type { Chance } from './chance.ts'
import { askPastWalls } from './sql.ts'

/** An import as its client knows it: its request, and every response. */
export type Sent = {
  readonly agency: Agency
  readonly name: string
  readonly rows: readonly { readonly external_id: string }[]
  readonly answers: { readonly status: number; readonly text: string }[]
  /** Unknown is a request without a response, or with a 503: it was done completely, or not at all. */
  verdict: 'accepted' | 'refused' | 'unknown'
}
export type Clients = {
  /** Sent so far. */
  readonly history: readonly Sent[]
  /** Sends nothing new; retried requests are sent until they are answered. */
  stop(): Promise<readonly Sent[]>
}
type Body = { readonly mode: 'sync' | 'async'; readonly rows: Sent['rows']; readonly company_id?: string }

const SYNC_ROWS = 25
/** Two chunks. */
const ASYNC_ROWS = 120
const THINKING_MS = 60
const RETRY_MS = 150
/** A request that is stalled is answered before. */
const PATIENCE_MS = 90_000
const NO_COMPANY = '0198c2c6-0000-7000-8000-000000000000'
/** Of a hundred imports: those sent once, those that must be refused, those sent again after a response. */
const [LIGHTLY, BADLY, AGAIN] = [15, 10, 30]

/** Processes that share a server count in it; no limit is reached here. */
export const countNothing = (cell: TestCell): Promise<unknown> =>
  askPastWalls(
    cell,
    `create or replace function forget() returns trigger language plpgsql as 'begin new.requests := 1; return new; end';
     create trigger forget before update on rate_windows for each row execute function forget()`,
  )

/** Clients of some agencies, each of which sends one import after the other and records the responses. */
export function startClients(
  url: () => string,
  agencies: readonly Agency[],
  any: Chance,
  pauseMs = THINKING_MS,
): Clients {
  const history: Sent[] = []
  let stopped = false

  async function importOne(agency: Agency, mode: Body['mode']): Promise<void> {
    const name = `H${history.length}`
    const count = 1 + any(mode === 'sync' ? SYNC_ROWS : ASYNC_ROWS)
    const rows = Array.from({ length: count }, (_, at) => ({
      external_id: `${name}-${at}`,
      check_in_on: '2026-07-10',
      check_out_on: '2026-07-14',
    }))
    const kind = any(100)
    const body = kind < BADLY ? { mode, rows, company_id: NO_COMPANY } : { mode, rows }
    const sent: Sent = { agency, name, rows, answers: [], verdict: 'unknown' }
    history.push(sent)
    const isSentOnce = kind >= BADLY && kind < BADLY + LIGHTLY
    while (!(await send(url(), sent, body)) && !isSentOnce) await sleep(RETRY_MS)
    if (sent.verdict === 'accepted' && any(100) < AGAIN) await send(url(), sent, body)
  }
  async function run(agency: Agency, mode: Body['mode']): Promise<void> {
    for (; !stopped; await sleep(any(pauseMs))) await importOne(agency, mode)
  }

  const running = agencies.flatMap((agency) => [run(agency, 'sync'), run(agency, 'async')])
  return {
    history,
    async stop() {
      stopped = true
      await Promise.all(running)
      return history
    },
  }
}

/** Whether it is known now what became of an import. Only a 2xx is an acceptance; 409 and 429 ask to come again. */
async function send(url: string, sent: Sent, body: Body): Promise<boolean> {
  const answer = await post(`${url}/api/v1/imports/hotel_stays`, sent, body).catch(() => null)
  if (answer === null) return false
  sent.answers.push(answer)
  const { status } = answer
  if (status === 200 || status === 202) sent.verdict = 'accepted'
  else if (status < 500 && status !== 409 && status !== 429) sent.verdict = 'refused'
  return sent.verdict !== 'unknown'
}

async function post(url: string, { agency, name }: Sent, body: Body): Promise<Sent['answers'][number]> {
  const headers = {
    authorization: `Bearer ${agency.key}`,
    'content-type': 'application/json',
    'idempotency-key': `${agency.number}-${name}`,
  }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
  const text = await response.text()
  if (response.status === 503) expectUnavailable(response.headers.get('retry-after'), text)
  return { status: response.status, text }
}

function expectUnavailable(retryAfter: string | null, text: string): void {
  const { error, code } = JSON.parse(text) as { error?: unknown; code?: unknown }
  if (typeof error === 'string' && code === 'unavailable' && Number(retryAfter) >= 1) return
  throw new TypeError(`This is no way to say 503: ${retryAfter} ${text}`)
}
