import { describe, expect, it, vi } from 'vitest'
import { eventsOutbox } from '../../src/features/webhooks/commands/publish-events.ts'
import { fanOutQueue } from '../../src/features/webhooks/fan-out.job.ts'
import { signingKeyOf } from '../../src/features/webhooks/signature.ts'
import { FAN_OUT_QUEUE } from '../../src/features/webhooks/webhook-queue.ts'
import { BUILT_IN_ROLES, POLICIES } from '../../src/platform/access/policies.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import type { SystemTx } from '../../src/platform/db/system-tx.ts'
import { fanOut } from '../../src/registry.ts'
import { importRows } from '../harness/agency.ts'
import { startCell } from '../harness/cell.ts'
import { fanOutEvents } from '../harness/fan-out.ts'
import { withRecords } from '../harness/records.ts'
import { saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'
import { GO_ON, logTo } from '../harness/worker.ts'

const { the, newAgency, make, amend, sendAll, read, next } = withRecords()
const URL = 'https://8.8.8.8/'

type Sent = { event: string; data: { external_id: string; version: number } & Record<string, unknown> }
/** A subscription created by the API, and its expected deliveries, in order. */
async function subscribe(more: object = {}, key = the.agency.key) {
  const { status, body } = await the.cell.call('POST', '/webhooks', { key, body: { url: URL, ...more } })
  expect(status).toBe(201)
  const { id } = body as { id: string }
  return { id, sent: async () => (await bodiesOf(id)).map((text) => JSON.parse(text) as Sent) }
}
const bodiesOf = async (webhook: string) =>
  (
    await ask<{ payload: string }>(
      the.cell,
      `select p.payload from webhook_deliveries d join webhook_payloads p using (account_id, event_id, role)
       where d.webhook_id = $1 order by d.next_attempt_at`,
      [webhook],
    )
  ).map(({ payload }) => payload)
const summaryOf = (sent: readonly Sent[]) =>
  sent.map(({ event, data }) => `${event} ${data.external_id} ${data.version}`)
const waiting = () => ask(the.cell, 'select from webhook_outbox')
const stay = (more: object = {}) => ({
  external_id: next('F'),
  check_in_on: '2026-07-10',
  check_out_on: '2026-07-14',
  currency: 'EUR',
  customer_external_id: 'C',
  ...more,
})
const call = async (method: string, path: string, body?: object) =>
  expect((await the.cell.call(method, path, { key: the.agency.key, ...(body && { body }) })).status).toBeLessThan(300)

describe('the fan-out of a change', () => {
  it('follows the commit, and has for each role exactly the bytes of the feed', async () => {
    const { cell, agency } = the
    const narrow = POLICIES.filter((policy) => policy !== 'view_costs')
    await saveRoleOf(cell, agency.number, 'narrow', narrow)
    const roles = [...Object.keys(BUILT_IN_ROLES), 'narrow']
    const keys = await Promise.all(roles.map(async (role) => (await agency.makeKey({ role })).key))
    const seal = cell.deps.signingKeys.seal(signingKeyOf('whsec_test'))
    const ids: string[] = []
    for (const role of roles) {
      const [made] = await ask<{ id: string }>(
        cell,
        `insert into webhooks (account_id, url, events, entities, role, signing_key)
         values ($1, $2, '{record.created}', '{}', $3, $4) returning id`,
        [agency.number, URL, role, seal],
      )
      ids.push(made?.id as string)
    }
    const row = stay({
      travelers: [{ first_name: 'Ayşe', passport_number: 'U1' }],
      sell_lines: [{ kind: 'room_rate', amount: '100.00', label: 'Söz "1"' }],
      cost_lines: [{ kind: 'room_rate', amount: '80.00' }],
    })
    await make('hotel_stays', row)
    expect([await waiting(), await bodiesOf(ids[0] as string)]).toEqual([[{}], []])
    await fanOutEvents(cell)
    expect(await waiting()).toEqual([])
    for (const [at, key] of keys.entries()) {
      const shown = await cell.call('GET', `/imports/hotel_stays/records/${row.external_id}`, { key })
      const [stored = ''] = await bodiesOf(ids[at] as string)
      const body = cell.opened(agency.number, stored)
      expect([roles[at], body.replace(/^\{.*?"data":/, '{"data":')]).toEqual([roles[at], shown.text])
    }
    await ask(cell, 'update webhooks set active = false where id = any($1)', [ids])
  })

  it('that dies at any step leaves everything to the next one: nothing is lost, and nothing is there twice', async () => {
    const row = await make('hotel_stays', stay())
    const subscriptions = [await subscribe(), await subscribe({ events: ['record.updated'] })]
    await sendAll('hotel_stays', [stay(), { external_id: row.external_id, notes: 'x' }, stay()])
    const { db } = the.cell.deps
    const dying = (steps: number) =>
      db.asSystem('a test', (tx) => {
        let left = steps
        const all: SystemTx['all'] = async (statement, input) => {
          if (left-- === 0) throw new Error('killed')
          return tx.all(statement, input)
        }
        return fanOut.step(
          { all, one: async (statement, input) => (await all(statement, input))[0] },
          the.agency.number,
        )
      })
    let steps = 0
    for (; ; steps++) {
      const died = await dying(steps).catch((error: Error) => error.message)
      if (died !== 'killed') break
      expect(
        await ask(the.cell, 'select from webhook_deliveries where webhook_id = $1', [subscriptions[0]?.id]),
      ).toEqual([])
    }
    expect(steps).toBeGreaterThan(8)
    await fanOutEvents(the.cell)
    const sent = await Promise.all(subscriptions.map(async (each) => summaryOf(await each.sent())))
    expect(sent.map(({ length }) => length)).toEqual([3, 1])
    expect(sent[1]).toEqual([`record.updated ${row.external_id} 2`])
  })

  it('of a change of many records takes them some at a time, and ends with all of them', async () => {
    const subscription = await subscribe()
    const departure = await make('tour_departures', { external_id: next('TD'), title: 'Tour', max_capacity: 9 })
    const [found] = await ask<{ changed: string; id: string }>(
      the.cell,
      'select changed, id from tour_departures where external_id = $1',
      [departure.external_id],
    )
    const PARTS = 9
    await ask(
      the.cell,
      `insert into webhook_outbox (account_id, changed, entity, event, part, event_ids, record_ids)
       select $1, $2, 'tour_departures', 'record.created', part, array[uuidv7()], array[$3::uuid] from generate_series(1, ${PARTS}) as part`,
      [the.agency.number, found?.changed, found?.id],
    )
    const steps = () => the.cell.deps.db.asSystem('a test', (tx) => fanOut.step(tx, the.agency.number))
    const sent: number[] = []
    while (await steps()) sent.push((await subscription.sent()).length)
    expect(sent).toEqual([4, 8, PARTS + 1])
  })

  it('is done once by workers that come at the same time, and for every account', async () => {
    const other = await newAgency()
    const subscriptions = [await subscribe(), await subscribe(), await subscribe({}, other.key)]
    const rows = [stay(), stay()]
    await sendAll('hotel_stays', rows, {})
    await importRows(the.cell, other.key, 'hotel_stays', rows)
    const queue = () => fanOutQueue(the.cell.deps, fanOut, { leaseMs: 0 })
    const jobs = await Promise.all([1, 2, 3, 4, 5, 6].map(() => queue().claim()))
    await Promise.all(jobs.map((job) => job?.(GO_ON)))
    await fanOutEvents(the.cell)
    for (const each of subscriptions)
      expect(summaryOf(await each.sent()).sort()).toEqual(
        rows.map(({ external_id }) => `record.created ${external_id} 1`),
      )
  })

  it('is done by the next change of the account if no worker was faster: events have the state of their time, in order', async () => {
    const subscription = await subscribe()
    const row = await make('hotel_stays', stay({ notes: 'one' }))
    const first = await read('hotel_stays', row)
    await amend('hotel_stays', { external_id: row.external_id, notes: 'two' })
    const second = await read('hotel_stays', row)
    await sendAll('customers', [{ external_id: 'C', name: 'Fatma' }])
    await amend('hotel_stays', { external_id: row.external_id, notes: 'three', status: 'cancelled' })
    await fanOutEvents(the.cell)
    const sent = await subscription.sent()
    expect(summaryOf(sent)).toEqual(
      [1, 2, 3].map((v) => `record.${v === 1 ? 'created' : 'updated'} ${row.external_id} ${v}`),
    )
    expect(sent.map(({ data }) => data)).toEqual([first, second, await read('hotel_stays', row)])
    expect([first.customer?.name, (sent[2]?.data.customer as typeof first.customer)?.name]).toEqual(['Ayşe', 'Fatma'])
    await sendAll('customers', [{ external_id: 'C', name: 'Ayşe' }])
  })

  describe('of an earlier change', () => {
    const PATIENCE_MS = 100
    /** A cell whose changes do the fan-out by this step. */
    async function startWith(step: typeof fanOut.step) {
      const failures: object[] = []
      const outboxOf = eventsOutbox({ ...fanOut, step }, logTo(failures), { patienceMs: PATIENCE_MS })
      const db = openDatabase(the.cell.connection, 4, () => {}, { outboxOf, beforeCommit: [] })
      const cell = await startCell({ connection: the.cell.connection, deps: { count: the.cell.deps.count, db } })
      return { cell, failures, close: () => db.close() }
    }
    const created = (rows: readonly { external_id: string }[]) =>
      rows.map(({ external_id }) => `record.created ${external_id} 1`)

    it('that fails keeps its events, lets changes commit, and is logged', async () => {
      const error = new Error('cannot be read')
      const { cell, failures, close } = await startWith(() => Promise.reject(error))
      const subscription = await subscribe()
      const rows = [stay(), stay(), stay()]
      for (const row of rows) await importRows(cell, the.agency.key, 'hotel_stays', [row])
      expect(await waiting()).toHaveLength(3)
      const failure = { err: error, queue: FAN_OUT_QUEUE, account: the.agency.number }
      expect(failures).toEqual([failure, failure])
      await fanOutEvents(the.cell)
      expect(summaryOf(await subscription.sent())).toEqual(created(rows))
      await close()
    })

    it('that does not end lets changes of every account commit, holds one turn for each account, and resumes later', async () => {
      const gate = Promise.withResolvers<void>()
      const asked: number[] = []
      const { cell, failures, close } = await startWith(async (tx, account) => {
        asked.push(account)
        await gate.promise
        return fanOut.step(tx, account)
      })
      const agencies = [the.agency, await newAgency(), await newAgency()]
      const subscriptions = await Promise.all(agencies.map(({ key }) => subscribe({}, key)))
      const rows = [stay(), stay(), stay()]
      for (const row of rows) for (const { key } of agencies) await importRows(cell, key, 'hotel_stays', [row])
      expect(asked).toEqual([0, 1].map((at) => agencies[at]?.number)) // the third must wait for its turn
      gate.resolve()
      await vi.waitFor(async () => expect(await waiting()).toEqual([]))
      await close()
      for (const each of subscriptions) expect(summaryOf(await each.sent())).toEqual(created(rows))
      expect(failures).toEqual([])
    })

    it('whose events are locked by another connection gives up its turn, and lets the change commit', async () => {
      const { cell, failures, close } = await startWith(fanOut.step)
      const subscription = await subscribe()
      const rows = [stay(), stay()]
      await importRows(cell, the.agency.key, 'hotel_stays', [rows[0] as object])
      await the.cell.deps.db.asSystem('a test', async (tx) => {
        await fanOut.step(tx, the.agency.number)
        await importRows(cell, the.agency.key, 'hotel_stays', [rows[1] as object])
        await vi.waitFor(() => expect(failures).toMatchObject([{ err: { code: '55P03' } }]))
      })
      await fanOutEvents(the.cell)
      expect(summaryOf(await subscription.sent())).toEqual(created(rows))
      await close()
    })

    it('shows in the metrics with the age of the change while a worker holds it, so that one that keeps failing raises an alert', async () => {
      await subscribe()
      await make('hotel_stays', stay())
      await ask(the.cell, `update webhook_outbox set occurred_at = now() - interval '6 minutes'`)
      const queue = fanOutQueue(the.cell.deps, fanOut)
      await queue.claim()
      const late = `select due_at < now() - interval '5 minutes' as late from (${queue.due}) due`
      expect(await ask(the.cell, late)).toEqual([{ late: true }])
      await ask(the.cell, 'update webhook_outbox set next_attempt_at = now()')
      await fanOutEvents(the.cell)
    })
  })
})

describe('a subscription', () => {
  it('receives changes after its creation, and not a change that waits for its fan-out', async () => {
    const before = await subscribe()
    const row = await make('hotel_stays', stay())
    const after = await subscribe()
    await amend('hotel_stays', { external_id: row.external_id, notes: 'x' })
    await fanOutEvents(the.cell)
    expect([summaryOf(await before.sent()).length, summaryOf(await after.sent())]).toEqual([
      2,
      [`record.updated ${row.external_id} 2`],
    ])
  })
  it('that is changed receives earlier changes by its previous state, and is woken only for later ones', async () => {
    const subscription = await subscribe({ entities: ['hotel_stays'] })
    await make('hotel_stays', stay())
    await call('PATCH', `/webhooks/${subscription.id}`, { entities: ['tickets'] })
    await make('hotel_stays', stay())
    await call('PATCH', `/webhooks/${subscription.id}`, { entities: [], active: false })
    await make('hotel_stays', stay())
    await call('PATCH', `/webhooks/${subscription.id}`, { active: true })
    await fanOutEvents(the.cell)
    expect(await subscription.sent()).toHaveLength(1)
  })
  it('that is deleted or deactivated before the fan-out receives nothing, and others still do', async () => {
    const [deleted, off, stays] = [await subscribe(), await subscribe(), await subscribe()]
    await make('hotel_stays', stay())
    await call('DELETE', `/webhooks/${deleted.id}`)
    await ask(the.cell, 'update webhooks set active = false where id = $1', [off.id]) // as one that failed for long
    await fanOutEvents(the.cell)
    expect([await deleted.sent(), await off.sent(), (await stays.sent()).length]).toEqual([[], [], 1])
  })
  it('that is deleted in the middle of the fan-out has nothing on its way', async () => {
    const subscription = await subscribe()
    await make('hotel_stays', stay())
    let deleting: Promise<void> | undefined
    await the.cell.deps.db.asSystem('a test', async (tx) => {
      await fanOut.step(tx, the.agency.number)
      deleting = call('DELETE', `/webhooks/${subscription.id}`)
      const blocked = `select from pg_locks where not granted and locktype = 'transactionid'`
      await vi.waitFor(async () => expect(await ask(the.cell, blocked)).not.toEqual([]))
    })
    await deleting
    const kept = await ask(the.cell, 'select status from webhook_deliveries where webhook_id = $1', [subscription.id])
    expect(kept).toEqual([{ status: 'cancelled' }])
  })
  it('without subscriptions stores nothing to fan out', async () => {
    await ask(the.cell, 'update webhooks set active = false')
    await make('hotel_stays', stay())
    expect(await waiting()).toEqual([])
  })
})
