import { describe, expect, it } from 'vitest'
import { FIRING_ENTITIES, RECORD_EVENTS } from '../../src/features/webhooks/event-kinds.ts'
import { signingKeyOf } from '../../src/features/webhooks/signature.ts'
import { WEBHOOK_QUEUE } from '../../src/features/webhooks/webhook-queue.ts'
import { makeAgency } from '../harness/agency.ts'
import { ask } from '../harness/sql.ts'
import { dataOf, type Page, PUBLIC, type Refusal, type Webhook, withWebhooks } from '../harness/webhooks.ts'

const URL = 'https://8.8.8.8/hook?token=t'
/** What names mean here, whatever they mean elsewhere. */
const NAMES: Record<string, string[]> = {
  'receiver.example': ['8.8.8.8'],
  'inside.example': ['10.0.0.1'],
  'both.example': ['8.8.8.8', '127.0.0.1'],
}

const { the, call, subscribe, ping, end, keyThatLacks } = withWebhooks(NAMES)
const read = async (id: string) => dataOf<Webhook>(await call('GET', `/webhooks/${id}`))
const rowOf = async (id: string) =>
  (await ask<Record<string, unknown>>(the.cell, 'select * from webhooks where id = $1', [id]))[0] as Record<
    string,
    unknown
  >

describe('a subscription', () => {
  it('with only a URL receives everything, returns its secret once, and is read without it', async () => {
    const made = await subscribe()
    expect(Object.keys(made)).toEqual(['id', 'url', 'events', 'entities', 'signing_secret', 'created_at'])
    expect(made.signing_secret).toMatch(/^whsec_[0-9A-Za-z]{43}$/)
    const { signing_secret, ...rest } = made
    const shown = { ...rest, url: PUBLIC, events: [...RECORD_EVENTS], entities: [], active: true }
    expect(await read(made.id)).toEqual(shown)
    const { body, text } = await call('GET', '/webhooks?limit=1')
    expect((body as Page<Webhook>).data).toEqual([shown])
    expect(text).not.toContain('whsec_')
  })
  it.each([[{ events: [], entities: [] }], [{ events: null, entities: null }]])(
    'with %j receives everything',
    async (given) => {
      expect(await subscribe(given)).toMatchObject({ events: RECORD_EVENTS, entities: [] })
    },
  )
  it('has what it asks for, each once', async () => {
    const given = { events: ['record.deleted', 'record.created', 'record.deleted'], entities: ['events', 'tickets'] }
    expect(await subscribe(given)).toMatchObject({
      events: ['record.created', 'record.deleted'],
      entities: ['tickets', 'events'],
    })
    expect((await subscribe({ entities: FIRING_ENTITIES })).entities).toEqual(FIRING_ENTITIES)
  })
  it('keeps of the secret its sealed key alone, and the role of the key that made it', async () => {
    const { key } = await the.agency.makeKey({ role: 'admin' })
    const { id, signing_secret } = await subscribe({}, key)
    const { signing_key, role } = await rowOf(id)
    expect([role, (await rowOf((await subscribe()).id)).role]).toEqual(['admin', 'owner'])
    const sealed = signing_key as Buffer
    expect(sealed.toString('latin1')).not.toContain(signingKeyOf(signing_secret))
    expect(the.cell.deps.signingKeys.open(sealed)).toBe(signingKeyOf(signing_secret))
    const [kept] = await ask<{ text: string }>(the.cell, 'select w::text as text from webhooks w where id = $1', [id])
    expect(kept?.text).not.toContain(signing_secret)
  })
  it.each([
    ['url', {}],
    ['url', { url: null }],
    ['url', { url: 7 }],
    ['url', { url: 'receiver.example' }],
    ['url', { url: 'ftp://receiver.example/' }],
    ['url', { url: 'https://user@receiver.example/' }],
    ['url', { url: 'https://receiver.example/#a' }],
    ['url', { url: `https://receiver.example/${'x'.repeat(2048)}` }],
    ['url', { url: 'http://127.0.0.1/' }],
    ['url', { url: 'http://[::ffff:127.0.0.1]/' }],
    ['url', { url: 'http://169.254.169.254/latest/meta-data' }],
    ['url', { url: 'https://inside.example/' }],
    ['url', { url: 'https://both.example/' }],
    ['url', { url: 'https://unknown.example/' }],
    ['events', { url: PUBLIC, events: 'record.created' }],
    ['events', { url: PUBLIC, events: ['record.moved'] }],
    ['events', { url: PUBLIC, events: ['ping'] }],
    ['events', { url: PUBLIC, events: Array.from({ length: 101 }, () => 'record.created') }],
    ['entities', { url: PUBLIC, entities: [null] }],
    ['entities', { url: PUBLIC, entities: { tickets: true } }],
    ['entities', { url: PUBLIC, entities: Array.from({ length: 100 }, () => 'x'.repeat(1000)) }],
  ] as [string, object][])('is refused for its %s: %j', async (attribute, body) => {
    const answer = await call('POST', '/webhooks', body)
    const { code, details } = answer.body as Refusal
    expect([answer.status, code, Object.keys(details)]).toEqual([422, 'validation_failed', [attribute]])
    expect(answer.text).not.toContain('10.0.0.1')
  })
  it.each(['customers', 'leads', 'suppliers', 'operator_invoices', 'supplier_bills', 'hotels'])(
    'to %s is refused, naming them',
    async (entity) => {
      const answer = await call('POST', '/webhooks', { url: PUBLIC, entities: ['tickets', entity] })
      expect([answer.status, (answer.body as Refusal).details.entities?.join()]).toEqual([
        422,
        expect.stringContaining(`for ${entity}.`),
      ])
    },
  )
  it('is one of 50 at most, also of many who subscribe at once', async () => {
    const { key, number } = await makeAgency(the.cell)
    for (let made = 0; made < 48; made++) await subscribe({}, key)
    const answers = await Promise.all(Array.from({ length: 6 }, () => call('POST', '/webhooks', { url: PUBLIC }, key)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422, 422])
    const refused = answers.find(({ status }) => status === 422)?.body as unknown as Refusal
    expect([refused.code, Object.keys(refused.details)]).toEqual(['validation_failed', ['base']])
    const [{ id } = { id: '' }] = await ask<Webhook>(the.cell, 'select id from webhooks where account_id = $1', [
      number,
    ])
    expect((await call('DELETE', `/webhooks/${id}`, undefined, key)).status).toBe(204)
    await subscribe({}, key)
  })
  it('is listed by pages, newest first, each once', async () => {
    const { key } = await makeAgency(the.cell)
    const made: string[] = []
    for (let count = 0; count < 5; count++) made.unshift((await subscribe({}, key)).id)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await call('GET', `/webhooks?limit=2${cursor && `&cursor=${cursor}`}`, undefined, key)
      const { data, page } = answer.body as Page<Webhook>
      seen.push(...data.map(({ id }) => id))
      cursor = page.next_cursor
    }
    expect(seen).toEqual(made)
  })
  it('is made once by a call that is repeated, which shows the secret again', async () => {
    const { key } = await makeAgency(the.cell)
    const send = () =>
      the.cell.call('POST', '/webhooks', { key, body: { url: PUBLIC }, headers: { 'idempotency-key': 'once' } })
    const [first, again] = [await send(), await send()]
    expect([again.text, again.headers['idempotent-replay']]).toEqual([first.text, 'true'])
    expect(((await call('GET', '/webhooks', undefined, key)).body as Page<Webhook>).data).toHaveLength(1)
  })
})

describe('changing a subscription', () => {
  it.each(['PATCH', 'PUT'])('by %s: absent stays, a value replaces, null and nothing mean all', async (method) => {
    const { id } = await subscribe({ events: ['record.created'], entities: ['tickets'] })
    const path = `/webhooks/${id}`
    const change = async (given: object) => dataOf<Webhook>(await call(method, path, given))
    const before = await read(id)
    expect(await change({})).toEqual(before)
    expect(await change({ url: URL, active: false })).toEqual({ ...before, url: URL, active: false })
    expect(await change({ events: ['record.deleted'], entities: ['cruises'] })).toMatchObject({
      events: ['record.deleted'],
      entities: ['cruises'],
    })
    expect(await change({ events: [], entities: null })).toMatchObject({ events: RECORD_EVENTS, entities: [] })
  })
  it.each([
    ['url', { url: null }],
    ['url', { url: 'https://inside.example/' }],
    ['active', { active: null }],
    ['active', { active: 'maybe' }],
    ['events', { events: ['x'] }],
    ['entities', { entities: ['customers'] }],
  ])('is refused for its %s: %j, and changes nothing', async (attribute, given) => {
    const { id } = await subscribe()
    const before = await read(id)
    const answer = await call('PATCH', `/webhooks/${id}`, given)
    expect([answer.status, Object.keys((answer.body as Refusal).details)]).toEqual([422, [attribute]])
    expect(await read(id)).toEqual(before)
  })
  it('keeps a URL whose name means nothing any more, as long as it is not another', async () => {
    NAMES['moved.example'] = ['8.8.8.8']
    const url = 'https://moved.example/'
    const { id } = await subscribe({ url })
    delete NAMES['moved.example']
    expect((await call('PATCH', `/webhooks/${id}`, { url, active: false })).status).toBe(200)
  })
  it('to active forgets its failures, and wakes who delivers', async () => {
    const { id } = await subscribe()
    await ask(the.cell, 'update webhooks set active = false, failing_since = now(), failed = 12 where id = $1', [id])
    await call('PATCH', `/webhooks/${id}`, { events: ['record.created'] })
    expect(await rowOf(id)).toMatchObject({ active: false, failed: 12 })
    let woken = 0
    const deafen = the.cell.deps.db.onWake(WEBHOOK_QUEUE, () => woken++)
    expect(dataOf<Webhook>(await call('PATCH', `/webhooks/${id}`, { active: true })).active).toBe(true)
    deafen()
    expect([woken, await rowOf(id)]).toEqual([1, expect.objectContaining({ failing_since: null, failed: 0 })])
  })
  it('does not let a role that sees less lead it elsewhere', async () => {
    const { id } = await subscribe()
    const key = await keyThatLacks('view_money')
    const refused = await call('PATCH', `/webhooks/${id}`, { url: URL }, key)
    expect([refused.status, (refused.body as Refusal).code]).toEqual([403, 'forbidden'])
    expect((await call('PATCH', `/webhooks/${id}`, { url: PUBLIC, events: ['record.created'] }, key)).status).toBe(200)
    const own = await subscribe({}, key)
    expect((await call('PATCH', `/webhooks/${own.id}`, { url: URL }, key)).status).toBe(200)
    expect((await call('PATCH', `/webhooks/${own.id}`, { url: PUBLIC })).status).toBe(200)
  })
  it('of the secret answers another, and keeps the former key for 24 hours', async () => {
    const { id, signing_secret } = await subscribe()
    const answer = await call('POST', `/webhooks/${id}/rotate_secret`)
    const rotated = dataOf<{ signing_secret: string; former_secret_until: string }>(answer)
    expect([answer.status, rotated.signing_secret]).toEqual([201, expect.stringMatching(/^whsec_[0-9A-Za-z]{43}$/)])
    const row = await rowOf(id)
    const keys = [row.signing_key, row.former_key].map((sealed) => the.cell.deps.signingKeys.open(sealed as Buffer))
    expect(keys).toEqual([signingKeyOf(rotated.signing_secret), signingKeyOf(signing_secret)])
    expect(Date.parse(rotated.former_secret_until)).toBe((row.former_until as Date).getTime())
    const hours = ((row.former_until as Date).getTime() - (row.updated_at as Date).getTime()) / 3_600_000
    expect(hours).toBe(24)
  })
})

describe('deleting a subscription', () => {
  it('cancels its pending deliveries, and leaves nothing behind', async () => {
    const { id } = await subscribe()
    const [pending, done] = [await ping(id), await ping(id)]
    await end(done.id, 'succeeded')
    expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(204)
    const kept = await ask<{ id: string; status: string; ended: boolean }>(
      the.cell,
      'select id, status, finished_at is not null as ended from webhook_deliveries where webhook_id = $1 order by id',
      [id],
    )
    expect(kept).toEqual([
      { id: pending.id, status: 'cancelled', ended: true },
      { id: done.id, status: 'succeeded', ended: true },
    ])
    expect(await rowOf(id)).toMatchObject({ signing_key: Buffer.alloc(0), former_key: null })
    const delivery = `/webhooks/${id}/deliveries/${done.id}`
    for (const [method, path, body] of [
      ['DELETE', `/webhooks/${id}`],
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`, { active: true }],
      ['POST', `/webhooks/${id}/test`],
      ['POST', `/webhooks/${id}/rotate_secret`],
      ['POST', `/webhooks/${id}/redeliver`, { since: '2026-01-01T00:00:00Z' }],
      ['GET', `/webhooks/${id}/deliveries`],
      ['GET', delivery],
      ['POST', `${delivery}/redeliver`],
    ] as const)
      expect([method, path, (await call(method, path, body)).status]).toEqual([method, path, 404])
  })
  it('races with a test: nothing stays on its way', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await subscribe()
      await Promise.all([call('DELETE', `/webhooks/${id}`), call('POST', `/webhooks/${id}/test`)])
      const left = await ask(the.cell, `select from webhook_deliveries where webhook_id = $1 and status = 'pending'`, [
        id,
      ])
      expect(left).toEqual([])
    }
  })
})

describe('webhooks', () => {
  it('of another account are not found', async () => {
    const { id } = await subscribe()
    const made = await ping(id)
    await end(made.id, 'failed')
    const delivery = `/webhooks/${id}/deliveries/${made.id}`
    for (const [method, path, body] of [
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`, { active: false }],
      ['PUT', `/webhooks/${id}`, { url: PUBLIC }],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/test`],
      ['POST', `/webhooks/${id}/rotate_secret`],
      ['POST', `/webhooks/${id}/redeliver`, { since: '2026-01-01T00:00:00Z' }],
      ['GET', `/webhooks/${id}/deliveries`],
      ['GET', delivery],
      ['POST', `${delivery}/redeliver`],
    ] as const)
      expect([method, path, (await call(method, path, body, the.other.key)).status]).toEqual([method, path, 404])
    expect(((await call('GET', '/webhooks', undefined, the.other.key)).body as Page<Webhook>).data).toEqual([])
    expect((await read(id)).active).toBe(true)
  })
  it('leave a row in the audit log for each change, without a secret or the path of a URL', async () => {
    const { key, id: keyId } = await the.agency.makeKey({})
    const { id, signing_secret } = await subscribe({ url: URL }, key)
    await call('PATCH', `/webhooks/${id}`, {}, key)
    await call('PATCH', `/webhooks/${id}`, { active: false }, key)
    await call('POST', `/webhooks/${id}/rotate_secret`, undefined, key)
    await call('DELETE', `/webhooks/${id}`, undefined, key)
    const rows = await ask<{ action: string; actor: string; source: string; details: object }>(
      the.cell,
      'select action, actor, source, details from audit_log where subject_id = $1 order by created_at',
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.changed',
      'webhook.secret_rotated',
      'webhook.deleted',
    ])
    for (const { actor, source } of rows) expect([actor, source]).toEqual([`API key ${keyId}`, '127.0.0.1'])
    const text = JSON.stringify(rows)
    expect(text).toContain('8.8.8.8')
    for (const hidden of ['token', 'hook?', signing_secret, 'whsec_']) expect(text).not.toContain(hidden)
  })
})
