import { describe, expect, it } from 'vitest'
import { redeliver } from '../../src/features/webhooks/commands/redeliver.ts'
import { deliveryPurge } from '../../src/features/webhooks/delivery-purge.job.ts'
import { WEBHOOK_QUEUE } from '../../src/features/webhooks/webhook-queue.ts'
import { ask } from '../harness/sql.ts'
import { type Delivery, dataOf, type Refusal, withWebhooks } from '../harness/webhooks.ts'
import { GO_ON } from '../harness/worker.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'
const { the, call, subscribe, ping, list, end, attempt, keyThatLacks } = withWebhooks()
const payloadsOf = async (event: string) =>
  (
    await ask<{ payload: string }>(
      the.cell,
      `select p.payload from webhook_deliveries d join webhook_payloads p using (account_id, event_id, role) where event_id = $1 order by d.created_at`,
      [event.slice('evt_'.length)],
    )
  ).map(({ payload }) => payload)

describe('a delivery', () => {
  it('of a test is a ping, stored as the very body that is sent', async () => {
    const { id } = await subscribe()
    let woken = 0
    const deafen = the.cell.deps.db.onWake(WEBHOOK_QUEUE, () => woken++)
    const answer = await call('POST', `/webhooks/${id}/test`)
    deafen()
    const made = dataOf<Delivery>(answer)
    expect([answer.status, answer.headers.location, woken]).toEqual([
      202,
      `/api/v1/webhooks/${id}/deliveries/${made.id}`,
      1,
    ])
    expect(made).toMatchObject({ event: 'ping', entity: null, external_id: null, status: 'pending', attempts: [] })
    expect(made.event_id).toMatch(/^evt_[0-9a-f]{32}$/)
    const { payload } = made
    expect(payload).toEqual({
      id: made.event_id,
      event: 'ping',
      occurred_at: payload?.occurred_at,
      data: { webhook_id: id },
    })
    expect(await payloadsOf(made.event_id)).toEqual([JSON.stringify(payload)])
    expect(dataOf<Delivery>(await call('GET', `/webhooks/${id}/deliveries/${made.id}`))).toEqual(made)
  })
  it('is listed with its attempts and without its payload, by status and event, in pages', async () => {
    const { id } = await subscribe()
    const made: Delivery[] = []
    for (let count = 0; count < 4; count++) made.unshift(await ping(id))
    const [newest, , , oldest] = made as [Delivery, Delivery, Delivery, Delivery]
    await attempt(oldest.id)
    await end(oldest.id, 'failed')
    const { data } = await list(id)
    expect(data.map((delivery) => delivery.id)).toEqual(made.map((delivery) => delivery.id))
    expect(data[0]).not.toHaveProperty('payload')
    expect(data[3]).toMatchObject({ status: 'failed', next_attempt_at: null })
    expect(data[3]?.attempts).toEqual([
      {
        number: 1,
        at: expect.any(String),
        status_code: 500,
        error: null,
        duration_ms: 12,
        response_excerpt: 'sorry',
      },
    ])
    const ids = async (query: string) => (await list(id, query)).data.map((delivery) => delivery.id)
    expect(await ids('status=failed')).toEqual([oldest.id])
    expect(await ids('status=pending&event=ping&limit=1')).toEqual([newest.id])
    expect(await ids('event=record.created')).toEqual([])
    const { page } = await list(id, 'limit=3')
    expect(await ids(`limit=3&cursor=${page.next_cursor}`)).toEqual([oldest.id])
    for (const wrong of ['status=lost', 'event=record.moved', 'limit=0'])
      expect((await call('GET', `/webhooks/${id}/deliveries?${wrong}`)).status).toBe(422)
    const { id: elsewhere } = await subscribe()
    const foreign = await call('GET', `/webhooks/${elsewhere}/deliveries?limit=3&cursor=${page.next_cursor}`)
    expect([foreign.status, (foreign.body as Refusal).code]).toEqual([400, 'invalid_cursor'])
  })
  it.each(['view_money', 'view_costs', 'view_personal_data', 'view_restricted_customers'])(
    'hides payload and answers from a role that lacks %s and did not subscribe',
    async (policy) => {
      const key = await keyThatLacks(policy)
      const seen = async (subscriber: string, reader: string) => {
        const { id } = await subscribe({}, subscriber)
        const made = await ping(id, subscriber)
        await attempt(made.id)
        const answer = await call('GET', `/webhooks/${id}/deliveries/${made.id}`, undefined, reader)
        const { payload, attempts } = dataOf<Delivery>(answer)
        return [payload !== null, attempts[0]?.response_excerpt]
      }
      expect(await seen(the.agency.key, key)).toEqual([false, null])
      expect(await seen(key, key)).toEqual([true, 'sorry'])
      expect(await seen(key, the.agency.key)).toEqual([true, 'sorry'])
    },
  )
  it('is not shown as pending once it has ended, whatever its next attempt was', async () => {
    const { id } = await subscribe()
    const made = await ping(id)
    expect(made.next_attempt_at).not.toBeNull()
    await end(made.id, 'succeeded')
    expect((await list(id)).data[0]?.next_attempt_at).toBeNull()
  })
})

describe('delivering again', () => {
  const again = (webhook: string, delivery: string) =>
    call('POST', `/webhooks/${webhook}/deliveries/${delivery}/redeliver`)

  it.each(['failed', 'succeeded'])('what %s is a new delivery of the same event and bytes', async (status) => {
    const { id } = await subscribe()
    const first = await ping(id)
    await attempt(first.id)
    await end(first.id, status)
    const answer = await again(id, first.id)
    const second = dataOf<Delivery>(answer)
    expect(answer.status).toBe(202)
    expect(second).toMatchObject({ event_id: first.event_id, status: 'pending', attempts: [], payload: first.payload })
    expect(second.id).not.toBe(first.id)
    const [before, after] = await payloadsOf(first.event_id)
    expect(after).toBe(before)
  })
  it('answers 409 while the event is pending, also to two who ask at once', async () => {
    const { id } = await subscribe()
    const made = await ping(id)
    const refused = await again(id, made.id)
    expect([refused.status, (refused.body as Refusal).code]).toEqual([409, 'conflict'])
    await end(made.id, 'failed')
    const answers = await Promise.all([again(id, made.id), again(id, made.id), again(id, made.id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
  })
  it('answers 404 for a delivery of another subscription', async () => {
    const [one, two] = [await subscribe(), await subscribe()]
    const made = await ping(one.id)
    await end(made.id, 'failed')
    expect((await again(two.id, made.id)).status).toBe(404)
    expect((await again(one.id, NOBODY)).status).toBe(404)
  })
  it('to an inactive subscription answers 409, as a test does: nothing would be sent', async () => {
    const { id } = await subscribe()
    const made = await ping(id)
    await end(made.id, 'failed')
    await call('PATCH', `/webhooks/${id}`, { active: false })
    const statuses = [
      (await again(id, made.id)).status,
      (await call('POST', `/webhooks/${id}/test`)).status,
      (await call('POST', `/webhooks/${id}/redeliver`, { since: '2026-01-01T00:00:00Z' })).status,
    ]
    expect(statuses).toEqual([409, 409, 409])
  })
  it('sends what failed in between: each event once, and none that arrived since or is on its way', async () => {
    const { id } = await subscribe()
    const at = (minute: number) => `2026-05-01T10:0${minute}:00Z`
    const failed = async (minute: number) => {
      const made = await ping(id)
      await end(made.id, 'failed', at(minute))
      return made
    }
    const [, inside, twice, arrived, pending, earlier] = [
      await failed(0),
      await failed(1),
      await failed(2),
      await failed(2),
      await failed(2),
      await failed(3),
      await failed(4),
    ] as Delivery[]
    for (const [made, status, minute] of [
      [twice, 'failed', 3],
      [arrived, 'succeeded', 3],
      [earlier, 'succeeded', 2],
    ] as [Delivery, string, number][])
      await end(dataOf<Delivery>(await again(id, made.id)).id, status, at(minute))
    await again(id, (pending as Delivery).id)
    const answer = await call('POST', `/webhooks/${id}/redeliver`, { since: at(1), until: at(4) })
    expect([answer.status, dataOf(answer)]).toEqual([202, { redelivered: 3 }])
    const expected = [inside, twice, earlier, pending].map((made) => made?.event_id)
    const waiting = (await list(id, 'status=pending')).data.map((delivery) => delivery.event_id)
    expect(waiting.sort()).toEqual(expected.sort())
    const repeated = await call('POST', `/webhooks/${id}/redeliver`, { since: at(1), until: at(4) })
    expect(dataOf(repeated)).toEqual({ redelivered: 0 })
    const sinceThen = await call('POST', `/webhooks/${id}/redeliver`, { since: '2026-05-01T13:04' }) // Istanbul
    expect(dataOf(sinceThen)).toEqual({ redelivered: 1 })
  })
  it.each([
    ['since', {}],
    ['since', { since: null }],
    ['since', { since: 'yesterday' }],
    ['until', { since: '2026-05-01T10:00:00Z', until: 7 }],
    ['until', { since: '2026-05-01T10:00:00Z', until: '2026-05-01T10:00:00Z' }],
    ['until', { since: '2026-05-01T10:00:00Z', until: '2026-05-01T12:59:00+03:00' }],
  ] as [string, object][])('is refused for its %s: %j', async (attribute, span) => {
    const { id } = await subscribe()
    const answer = await call('POST', `/webhooks/${id}/redeliver`, span)
    expect([answer.status, Object.keys((answer.body as Refusal).details)]).toEqual([422, [attribute]])
  })
})

describe('deliveries', () => {
  const age = (table: string, column: string, ids: string[], interval: string) =>
    ask(the.cell, `update ${table} set ${column} = now() - interval '${interval}' where id = any($1)`, [ids])
  const eventOf = ({ event_id }: Delivery) => event_id.slice('evt_'.length)

  it('are deleted after 30 days with their events; a recent delivery keeps its event', async () => {
    const { id } = await subscribe()
    const [old, young, kept] = [await ping(id), await ping(id), await ping(id)]
    await attempt(old.id)
    await age('webhook_deliveries', 'created_at', [old.id], '30 days 1 minute')
    await age('webhook_deliveries', 'created_at', [young.id], '29 days 23 hours')
    await age('webhook_events', 'occurred_at', [old, young].map(eventOf), '31 days')
    await deliveryPurge.run(the.cell.deps, GO_ON)
    expect((await list(id)).data.map((delivery) => delivery.id)).toEqual([kept.id, young.id])
    const events = await ask<{ id: string }>(the.cell, 'select id from webhook_events where id = any($1)', [
      [old, young, kept].map(eventOf),
    ])
    expect(events).toHaveLength(2)
    expect(await ask(the.cell, 'select from webhook_attempts where delivery_id = $1', [old.id])).toEqual([])
  })
  it('are forgotten with their events by the purge of a former version, which deletes events alone', async () => {
    const { id } = await subscribe()
    const [old, other, kept] = [await ping(id), await ping(id), await ping(id)]
    await attempt(old.id)
    await ask(the.cell, 'delete from webhook_events where id = any($1)', [[old, other].map(eventOf)])
    const left = (table: string, column: string) =>
      ask<{ id: string }>(the.cell, `select ${column} as id from ${table} where ${column} = any($1)`, [
        [old, other, kept].map((delivery) => delivery.id),
      ])
    expect(await left('webhook_deliveries', 'id')).toEqual([{ id: kept.id }])
    expect(await left('webhook_attempts', 'delivery_id')).toEqual([])
  })
  it('stay with their event when one of them is sent again during the purge', async () => {
    const { id } = await subscribe()
    const old = await ping(id)
    await end(old.id, 'failed')
    await age('webhook_deliveries', 'created_at', [old.id], '31 days')
    await age('webhook_events', 'occurred_at', [eventOf(old)], '31 days')
    const copy = await the.cell.deps.db.inAccount(the.agency.number, async (tx) => {
      const copy = await redeliver(tx, id, old.id)
      await tx.now // it has been done by then
      await deliveryPurge.run(the.cell.deps, GO_ON)
      return copy
    })
    expect((await list(id)).data.map((delivery) => delivery.id)).toEqual([copy, old.id])
  })
})
