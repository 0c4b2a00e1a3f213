import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeAgency } from '../../harness/agency.ts'
import { atEnd } from '../../harness/at-end.ts'
import { type Balancer, startBalancer } from '../../harness/balancer.ts'
import { startCell, uncounted } from '../../harness/cell.ts'
import { environmentOf } from '../../harness/command-line.ts'
import { end, freePort, type Served, serve, temporaryFolder } from '../../harness/process.ts'
import { ask, askPastWalls } from '../../harness/sql.ts'

/** Longer than a balancer takes to see that a process is not ready, and than a client lets a connection lie. */
const STOP_GRACE_S = 1
const ACCOUNTS = 2
const ROWS = 5
const THINKING_MS = 50
/** The processes count in the database; no limit is reached here. */
const NO_RATES = `
  create function forget() returns trigger language plpgsql as 'begin new.requests := 1; return new; end';
  create trigger forget before update on rate_windows for each row execute function forget()`

type Client = {
  stop(): Promise<void>
  readonly answered: number
  readonly failed: unknown[]
  readonly connections: number
}

it('two processes are restarted in turn under load, no request fails, and nothing is done twice', {
  timeout: 90_000,
}, async () => {
  const cell = await startCell({ deps: { count: uncounted } })
  await askPastWalls(cell, NO_RATES)
  const ports = [await freePort(), await freePort()]
  const start = (port: number): Promise<Served> =>
    serve(temporaryFolder(), {
      ...environmentOf(cell),
      PORT: String(port),
      HOST: '127.0.0.1',
      STOP_GRACE_S: String(STOP_GRACE_S),
    })
  const processes = await Promise.all(ports.map(start))
  atEnd(async () => void (await Promise.all(processes.map(({ child }) => end(child, 'SIGTERM')))))
  const balancer = await startBalancer(ports)
  await balancer.until(2)

  const agencies = await Promise.all(Array.from({ length: ACCOUNTS }, () => makeAgency(cell)))
  const imports = agencies.map(({ key }, account) =>
    startClient(balancer, key, 'POST', '/imports/customers', (nth) => ({
      mode: 'sync',
      rows: Array.from({ length: ROWS }, (_, at) => ({ external_id: `${account}-${nth}-${at}`, name: 'Ada' })),
    })),
  )
  const reads = agencies.map(({ key }) => startClient(balancer, key, 'GET', '/customers?limit=5'))
  for (const [at, port] of ports.entries()) {
    expect(await end((processes[at] as Served).child, 'SIGTERM')).toBe(0)
    processes[at] = await start(port)
    await balancer.until(2)
  }
  const clients = [...imports, ...reads]
  await Promise.all(clients.map(({ stop }) => stop()))

  expect(clients.flatMap(({ failed }) => failed)).toEqual([])
  for (const { answered, connections } of clients) {
    expect(connections).toBeGreaterThan(1) // they were sent away
    expect(answered).toBeGreaterThan(2 * connections) // and were not all the time
  }
  const accepted = imports.reduce((sum, { answered }) => sum + answered, 0)
  const [done] = await ask<object>(
    cell,
    `select count(*)::integer as rows, max(version) as version,
      (select count(*)::integer from import_batches) as batches from customers where external_id is not null`,
  )
  expect(done).toEqual({ rows: accepted * ROWS, version: 1, batches: accepted })
})

/** Sends one request after the other over a connection that it keeps as long as possible, without retries. */
function startClient(
  { url }: Balancer,
  key: string,
  method: 'GET' | 'POST',
  path: string,
  bodyOf?: (nth: number) => object,
): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const failed: unknown[] = []
  const sockets = new Set<unknown>()
  let answered = 0
  let stopped = false
  const send = (nth: number) =>
    new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const sent = request(`${url}/api/v1${path}`, { method, agent, headers }, (answer) => {
        json(answer).then(() => resolve(answer.statusCode ?? 0), reject)
      })
      sent.on('socket', (socket) => sockets.add(socket)).on('error', reject)
      sent.end(bodyOf && JSON.stringify(bodyOf(nth)))
    })
  const running = (async () => {
    for (let nth = 0; !stopped; nth++, await sleep(THINKING_MS)) {
      const status = await send(nth).catch((error: unknown) => error)
      if (status === 200) answered++
      else failed.push(status)
    }
    agent.destroy()
  })()
  return {
    stop: () => {
      stopped = true
      return running
    },
    failed,
    get answered() {
      return answered
    },
    get connections() {
      return sockets.size
    },
  }
}
