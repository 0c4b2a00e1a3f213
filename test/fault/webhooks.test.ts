import type { Socket } from 'node:net'
import { verifyWebhook } from 'backdesk'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { deliveryQueue } from '../../src/features/webhooks/deliveries.job.ts'
import { type Network, readNetwork } from '../../src/platform/access/source-address.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import { deriveKey, sealWith } from '../../src/platform/seal.ts'
import { fanOut } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { byDepth } from '../harness/depth.ts'
import { fanOutEvents } from '../harness/fan-out.ts'
import { startMortalWorker } from '../harness/mortal-worker.ts'
import { type StallingProxy, startProxy } from '../harness/proxy.ts'
import { startReceiver } from '../harness/receiver.ts'
import { askPastWalls } from '../harness/sql.ts'
import {
  answer,
  expectFaithful,
  holding,
  OK,
  type Subscriber,
  subscribe as subscribeAt,
} from '../harness/subscriber.ts'
import { GO_ON, logTo } from '../harness/worker.ts'

type Stored = { id: string; event_id: string; status: string; attempts: number; waits: number; tried: number }

const LOCAL = '127.0.0.0/8'
const SECRET = 's'.repeat(32)
const SCHEDULE_S = [60, 600, 3_600, 21_600]
const ATTEMPTS = 5
const IN_FLIGHT = 4
/** For receivers that hang. */
const IMPATIENT = { connectMs: 1_000, readMs: 100, totalMs: 1_000 }
const WAIT = { timeout: 20_000, interval: 10 }
const allowed = [readNetwork(LOCAL) as Network]
let cell: TestCell
/** Where workers find the database. */
let proxy: StallingProxy
beforeAll(async () => {
  const signingKeys = sealWith(deriveKey(SECRET, 'webhook signing keys'))
  cell = await startCell({
    webhookRetrySchedule: SCHEDULE_S,
    deps: { count: uncounted, signingKeys, destinations: { allowed } },
  })
  const { host, port } = cell.connection
  proxy = await startProxy({ path: `${host}/.s.PGSQL.${port}` })
})

/** As a superuser, past the walls. */
const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(cell, text, values)

const subscribe = (of: Agency, respond?: string | ((socket: Socket) => void)) => subscribeAt(cell, of, respond)
let stays = 0
const stay = () => ({ external_id: `Ş${stays++}`, check_in_on: '2026-07-10', check_out_on: '2026-07-14' })
/** Number of events. */
const change = async (of: Agency, count = 1) => {
  const rows = Array.from({ length: count }, stay)
  await importRows(cell, of.key, 'hotel_stays', rows)
  await fanOutEvents(cell)
}
const stored = ({ id }: Subscriber) =>
  sql<Stored>(
    `select d.id, event_id, status, attempts, extract(epoch from next_attempt_at - now())::float8 as waits,
      (select count(*) from webhook_attempts a where a.delivery_id = d.id)::integer as tried
     from webhook_deliveries d where webhook_id = $1 order by d.id`,
    [id],
  )
const statuses = async (of: Subscriber) =>
  Object.entries(Object.groupBy(await stored(of), ({ status }) => status))
    .map(([status, all]) => `${all?.length} ${status}`)
    .join()

const queue = (destinations: object = {}) => deliveryQueue({ ...cell.deps, destinations: { allowed, ...destinations } })
/** Delivers everything due. */
async function deliverDue(destinations: object = {}): Promise<void> {
  for (let job = await queue(destinations).claim(); job; job = await queue(destinations).claim()) await job(GO_ON)
}
/** As if the delays had passed. */
const letPass = () => sql(`update webhook_deliveries set next_attempt_at = now() where status = 'pending'`)
/** The claims of a dead worker become free when their leases expire. */
const expireLeases = async () => {
  await letPass()
  await sql('update webhooks set leased_until = now() where leased_until is not null')
}

/** Whether it heard of each of its events. */
async function expectAllArrived(subscriber: Subscriber, count: number): Promise<void> {
  const deliveries = await stored(subscriber)
  expect(await statuses(subscriber)).toBe(`${count} succeeded`)
  const events = new Map(subscriber.requests().map(({ delivery, body }) => [delivery, JSON.parse(body).id]))
  const idOf = (uuid: string) => `evt_${uuid.replaceAll('-', '')}`
  expect(Object.fromEntries(events)).toEqual(
    Object.fromEntries(deliveries.map(({ id, event_id }) => [id, idOf(event_id)])),
  )
  expectFaithful(subscriber)
}

describe('a delivery', () => {
  it.each<[string, string | ((socket: Socket) => void), string | number, number?]>([
    ['hangs', () => {}, 'read_timeout'],
    ['resets the connection', (socket) => socket.resetAndDestroy(), 'connection'],
    ['answers no HTTP', 'nonsense\r\n\r\n', 'invalid_response'],
    ['redirects', 'redirect', 307],
    ['answers 500', answer('500 Oops'), 500],
    ['answers 500 and asks to wait, which it may not', answer('500 Oops', 'Retry-After: 100'), 500],
    ['answers 410', answer('410 Gone'), 410],
    ['answers 429 and asks for less than the delay', answer('429 Slow', 'Retry-After: 1'), 429, 1],
    ['answers 429 and asks for more than the first delay', answer('429 Slow', 'Retry-After: 100'), 429, 100],
    ['answers 503 and asks for a day', answer('503 Away', 'Retry-After: 86400'), 503, 86_400],
  ])(
    'to a receiver that %s is tried five times, later and later, and has failed then',
    async (_, given, why, asked = 0) => {
      const agency = await makeAgency(cell)
      const trap = await startReceiver({})
      const respond = given === 'redirect' ? answer('307 There', `Location: http://127.0.0.1:${trap.port}/`) : given
      const subscriber = await subscribe(agency, respond)
      await change(agency, 3)
      const begun = Date.now()
      const delays = new Set<number>()
      for (const [nth, base] of [...SCHEDULE_S, null].entries()) {
        await deliverDue(why === 'read_timeout' ? { timeouts: IMPATIENT } : {})
        expect(subscriber.heard).toHaveLength(3 * (nth + 1))
        const deliveries = await stored(subscriber)
        expect(deliveries.map(({ tried }) => tried)).toEqual([nth + 1, nth + 1, nth + 1])
        if (base === null) break
        const least = Math.min(Math.max(0.8 * base, asked), 2 * base)
        const most = Math.min(Math.max(1.2 * base, asked), 2 * base)
        const passed = (Date.now() - begun) / 1_000
        for (const { status, waits } of deliveries) {
          expect(status).toBe('pending')
          expect(waits).toBeGreaterThan(least - passed)
          expect(waits).toBeLessThanOrEqual(most)
          delays.add(waits / base)
        }
        await letPass()
      }
      if (asked === 0) expect(delays.size).toBe(3 * SCHEDULE_S.length)
      await deliverDue()
      expect([await statuses(subscriber), subscriber.heard.length, trap.heard.length]).toEqual(['3 failed', 15, 0])
      expectFaithful(subscriber)
      const kept = await sql<{ why: string | number }>(
        `select distinct coalesce(to_jsonb(status_code), to_jsonb(split_part(error, ':', 1))) as why from webhook_attempts a
       join webhook_deliveries d on d.id = a.delivery_id where webhook_id = $1`,
        [subscriber.id],
      )
      expect(kept).toEqual([{ why }])
    },
  )

  it('whose last attempt never returned has failed, and is not sent again', async () => {
    const agency = await makeAgency(cell)
    const subscriber = await subscribe(agency)
    await change(agency)
    await sql('update webhook_deliveries set attempts = $1 where webhook_id = $2', [ATTEMPTS, subscriber.id])
    await deliverDue()
    expect([await statuses(subscriber), subscriber.heard.length]).toEqual(['1 failed', 0])
  })

  it('of a stalled worker is sent by another, and the late result is ignored', async () => {
    const agency = await makeAgency(cell)
    const sockets: Socket[] = []
    const subscriber = await subscribe(agency, (socket) => void sockets.push(socket))
    await change(agency)
    const working = async () => (await queue().claim())?.(GO_ON)
    const stalled = working()
    await vi.waitFor(() => expect(sockets).toHaveLength(1), WAIT)
    expect(await queue().claim()).toBeNull() // it is leased
    await expireLeases()
    const second = working()
    await vi.waitFor(() => expect(sockets).toHaveLength(2), WAIT)
    sockets[0]?.end(answer('500 Oops'))
    await stalled
    expect(await stored(subscriber)).toMatchObject([{ status: 'pending', attempts: 2, tried: 0 }])
    sockets[1]?.end(OK)
    await second
    expect(await stored(subscriber)).toMatchObject([{ status: 'succeeded', attempts: 2, tried: 1 }])
    expectFaithful(subscriber)
  })
})

describe('a subscription', () => {
  const patch = (of: Agency, { id }: Subscriber, body: object) =>
    cell.call('PATCH', `/webhooks/${id}`, { key: of.key, body })
  /** A worker in the middle of deliveries. */
  async function inMidPost(stopping = GO_ON, count = 10) {
    const agency = await makeAgency(cell)
    const gate = holding()
    const subscriber = await subscribe(agency, gate.respond)
    await change(agency, count)
    const working = (await queue().claim())?.(stopping)
    await vi.waitFor(() => expect(gate.held).toHaveLength(Math.min(count, IN_FLIGHT)), WAIT)
    return { agency, subscriber, gate, working }
  }

  it('that is deleted receives nothing more, and its pending deliveries are cancelled', async () => {
    const { agency, subscriber, gate, working } = await inMidPost()
    expect((await cell.call('DELETE', `/webhooks/${subscriber.id}`, { key: agency.key })).status).toBe(204)
    gate.release()
    await working
    await change(agency)
    await letPass()
    await deliverDue()
    expect([await statuses(subscriber), subscriber.heard.length]).toEqual(['10 cancelled', IN_FLIGHT])
  })
  it('receives due deliveries while later events are fanned out', async () => {
    const agency = await makeAgency(cell)
    const subscriber = await subscribe(agency)
    await change(agency)
    await importRows(cell, agency.key, 'hotel_stays', [stay()])
    await cell.deps.db.asSystem('a test', async (tx) => {
      expect(await fanOut.step(tx, agency.number)).toBe(true)
      await deliverDue()
      expect(await statuses(subscriber)).toBe('1 succeeded')
    })
    await deliverDue()
    await expectAllArrived(subscriber, 2)
  })
  it('that is switched off is sent nothing more, and the rest when it is on again', async () => {
    const { agency, subscriber, gate, working } = await inMidPost()
    await patch(agency, subscriber, { active: false })
    gate.release()
    await working
    await change(agency)
    await deliverDue()
    expect([await statuses(subscriber), subscriber.heard.length]).toEqual(['4 succeeded,6 pending', IN_FLIGHT])
    await patch(agency, subscriber, { active: true })
    await deliverDue()
    await expectAllArrived(subscriber, 10)
  })
  it('is let go by a worker that is stopped, once what it has sent is answered', async () => {
    const stopping = new AbortController()
    const { subscriber, gate, working } = await inMidPost(stopping.signal)
    stopping.abort()
    gate.release()
    await working
    expect([await statuses(subscriber), subscriber.heard.length]).toEqual(['4 succeeded,6 pending', IN_FLIGHT])
    await deliverDue()
    await expectAllArrived(subscriber, 10)
    expect(subscriber.requests().every(({ attempt }) => attempt === 1)).toBe(true)
  })
  it('is let go by a worker that is stopped within seconds, though its receiver hangs', async () => {
    const stopping = new AbortController()
    const { subscriber, gate, working } = await inMidPost(stopping.signal)
    stopping.abort()
    await working
    gate.release()
    await letPass()
    await deliverDue()
    await expectAllArrived(subscriber, 10)
  })
  it('is sent what comes about while something else hangs', async () => {
    const { agency, subscriber, gate, working } = await inMidPost(GO_ON, 1)
    await change(agency)
    await vi.waitFor(() => expect(gate.held).toHaveLength(2), WAIT)
    gate.release()
    await working
    await expectAllArrived(subscriber, 2)
  })
  it('whose URL changes is sent the rest at the new one', async () => {
    const { agency, subscriber, gate, working } = await inMidPost()
    const moved = await startReceiver({ onRequest: (socket) => void socket.end(OK) })
    await patch(agency, subscriber, { url: `http://127.0.0.1:${moved.port}/` })
    gate.release()
    await working
    expect([subscriber.heard.length, moved.heard.length]).toEqual([IN_FLIGHT, 6])
  })
  it('whose secret is rotated signs with both from then on, the former last, and for a day', async () => {
    const { agency, subscriber, gate, working } = await inMidPost()
    const { body } = await cell.call('POST', `/webhooks/${subscriber.id}/rotate_secret`, { key: agency.key })
    const { signing_secret } = (body as { data: { signing_secret: string } }).data
    gate.release()
    await working
    await sql(`update webhooks set former_until = now() where id = $1`, [subscriber.id])
    await change(agency)
    await deliverDue()
    const signed = subscriber.requests().map(({ body, signature }) => {
      const pairs = signature.split(',').slice(1)
      const only = (nth: number) => `${signature.split(',')[0]},${pairs[nth]}`
      return pairs.map((_, nth) =>
        [subscriber.secret, signing_secret].findIndex((secret) => verifyWebhook(body, only(nth), secret)),
      )
    })
    expect(signed.map(String)).toEqual([...Array(4).fill('0'), ...Array(6).fill('1,0'), '1'])
  })

  it.each([
    ['is switched off', 'after five days of failures and ten deliveries', '5 days', 9, answer('500 Oops'), false],
    ['stays', 'when it has failed for less', '4 days 23 hours 59 minutes', 20, answer('500 Oops'), true],
    ['stays', 'when less has failed', '30 days', 8, answer('500 Oops'), true],
    ['stays', 'when one arrives, and begins anew', '30 days', 20, OK, true],
  ])('%s %s', async (_, __, since, failed, respond, active) => {
    const agency = await makeAgency(cell)
    const subscriber = await subscribe(agency, respond)
    await change(agency)
    const state = [since, failed, subscriber.id]
    await sql('update webhooks set failing_since = now() - $1::interval, failed = $2 where id = $3', state)
    await sql('update webhook_deliveries set attempts = $1 where webhook_id = $2', [ATTEMPTS - 1, subscriber.id])
    await deliverDue()
    const [now] = await sql('select active, failed, failing_since is null as fine from webhooks where id = $1', [
      subscriber.id,
    ])
    const fine = respond === OK
    expect(now).toEqual({ active, failed: fine ? 0 : failed + 1, fine })
    const notified = await sql(
      `select kind, seat_id, subject_id from notifications where account_id = $1 and kind like 'webhook%'`,
      [agency.number],
    )
    const audited = await sql(`select action from audit_log where account_id = $1 and action = 'webhook.disabled'`, [
      agency.number,
    ])
    const notification = { kind: 'webhook_disabled', seat_id: agency.owner.id, subject_id: subscriber.id }
    expect([notified, audited]).toEqual(active ? [[], []] : [[notification], [{ action: 'webhook.disabled' }]])
    expect(subscriber.heard).toHaveLength(1)
  })
})

describe('workers', () => {
  /** Two at once, each with connections of its own. */
  function startTwo(times = {}) {
    const failures: object[] = []
    /** Reports the end of a job by throwing. */
    const broken = vi.fn((error: unknown): never => {
      throw error
    })
    const log = logTo(failures)
    const stops = [1, 2].map(() => {
      const db = openDatabase({ ...cell.connection, host: '127.0.0.1', port: proxy.port }, 4, () => {})
      const queue = deliveryQueue({ ...cell.deps, db, destinations: { allowed } }, times)
      const claim = async () => {
        const job = await queue.claim()
        return job && ((stopping: AbortSignal) => job(stopping).catch(broken))
      }
      const stop = startWorkers({ db, log }, { ...queue, claim })
      return () => stop().finally(() => db.close())
    })
    const stop = () => Promise.all(stops.splice(0).map((each) => each()))
    onTestFinished(async () => void (await stop()))
    return { failures, broken, stop }
  }

  it('of which two work at once send everything once, four at a time, and past a receiver that hangs', async () => {
    const [agency, other] = [await makeAgency(cell), await makeAgency(cell)]
    const gate = holding()
    const hangs = await subscribe(agency, gate.respond)
    const healthy = [await subscribe(agency), await subscribe(other), await subscribe(other)]
    await Promise.all([change(agency, 40), change(other, 40)])
    const { failures, stop } = startTwo()
    for (const { heard } of healthy) await vi.waitFor(() => expect(heard).toHaveLength(40), WAIT)
    await change(agency) // after the dead one has all that it can hold
    await vi.waitFor(() => expect(healthy[0]?.heard).toHaveLength(41), WAIT)
    expect([gate.held.length, gate.most()]).toEqual([IN_FLIGHT, IN_FLIGHT])
    gate.release()
    await vi.waitFor(() => expect(hangs.heard).toHaveLength(41), WAIT)
    await stop()
    for (const [nth, count] of [41, 40, 40].entries()) await expectAllArrived(healthy[nth] as Subscriber, count)
    await expectAllArrived(hangs, 41)
    expect([hangs, ...healthy].flatMap(({ requests }) => requests()).every(({ attempt }) => attempt === 1)).toBe(true)
    expect(failures).toEqual([])
  })

  const KILLS = byDepth(1, 4) // each costs a delivery at most one attempt, and the last one must be left
  it('that are killed again and again in mid-POST lose no event, and say the same each time', async () => {
    const agencies = [await makeAgency(cell), await makeAgency(cell)]
    const held: Socket[] = []
    let answers = 0 // before it holds
    const respond = (socket: Socket) => (answers-- > 0 ? void socket.end(OK) : void held.push(socket))
    const subscribers = await Promise.all(agencies.map((of) => subscribe(of, respond)))
    for (const agency of agencies) await change(agency, 50)
    for (let kill = 0; kill < KILLS; kill++) {
      answers = Math.round(Math.random() * 12)
      const worker = await startMortalWorker(cell, { SECRET, WEBHOOK_ALLOW_CIDRS: LOCAL })
      await vi.waitFor(() => expect(held.length).toBeGreaterThan(2), WAIT)
      await worker.kill()
      held.splice(0)
      await expireLeases()
    }
    answers = Number.POSITIVE_INFINITY
    await deliverDue()
    for (const each of subscribers) await expectAllArrived(each, 50)
    expect(subscribers.flatMap(({ heard }) => heard).length).toBeGreaterThan(100 + 2 * KILLS)
  })

  it('whose database fails in mid-POST deliver when it is back', async () => {
    const agency = await makeAgency(cell)
    const gate = holding()
    const subscriber = await subscribe(agency, gate.respond)
    await change(agency, 20)
    const { broken, stop } = startTwo({ leaseMs: 1_500, attemptLeaseMs: 1_500 })
    await vi.waitFor(() => expect(gate.held).toHaveLength(IN_FLIGHT), WAIT)
    proxy.hangUp(true)
    gate.release() // the result cannot be recorded
    await vi.waitFor(() => expect(broken).toHaveBeenCalled(), WAIT)
    proxy.hangUp(false)
    await vi.waitFor(async () => expect(await statuses(subscriber)).toBe('20 succeeded'), WAIT)
    await stop()
    await expectAllArrived(subscriber, 20)
    expect(subscriber.requests().filter(({ attempt }) => attempt > 1).length).toBeGreaterThanOrEqual(IN_FLIGHT)
  })
})
