import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { BUILT_IN_ROLES } from '../../src/platform/access/policies.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import { entities, mayKnow, queuesOf } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { ask } from '../harness/sql.ts'
import { undeclared } from '../harness/undeclared.ts'
import { logTo } from '../harness/worker.ts'

type Event = {
  readonly id: number
  readonly event: string
  readonly data: { kind?: string; id?: string | null; version?: number | null }
}
type Client = {
  readonly events: Event[]
  readonly ended: Promise<void>
  readonly response: IncomingMessage
  lastId(): number | undefined
  cut(): void
  until(isDone: (events: readonly Event[]) => boolean): Promise<readonly Event[]>
}

/** Two processes of one cell: each has its own connections, and only the first works on queues. */
let cells: [TestCell, TestCell]
let addresses: string[]
let agency: Agency
let owner: string
beforeAll(async () => {
  const first = await startCell({ deps: { count: uncounted } })
  const second = await startCell({ deps: { count: uncounted }, connection: first.connection })
  cells = [first, second]
  addresses = []
  for (const { app } of cells) addresses.push(await listening(app))
  agency = await makeAgency(first)
  owner = await signInAs(first, agency.number, agency.owner.id)
  startNumbering(first)
})
const listening = async (app: TestCell['app']): Promise<string> => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}
function startNumbering({ deps }: TestCell): () => Promise<void> {
  const queue = queuesOf(deps).find(({ name }) => name === 'stream events')
  if (!queue) throw new Error('There is no such queue')
  return startWorkers({ db: deps.db, log: logTo([]) }, queue)
}

async function connect(process: number, session: string, lastId?: number): Promise<Client> {
  const request = get(`${addresses[process]}/app/v1/stream`, {
    headers: { cookie: `backdesk=${session}`, ...(lastId !== undefined && { 'last-event-id': String(lastId) }) },
    agent: false,
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) {
    response.resume()
    throw new Error(String(response.statusCode))
  }
  const events: Event[] = []
  let changed = Promise.withResolvers<void>()
  let [text, last] = ['', lastId]
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]))
      last = Number(fields.get('id'))
      if (fields.has('data'))
        events.push({ id: last, event: fields.get('event') ?? '', data: JSON.parse(fields.get('data') ?? '') })
    }
    changed.resolve()
    changed = Promise.withResolvers()
  })
  response.on('error', () => {})
  const ended = new Promise<void>((resolve) => response.once('close', resolve)).then(() => changed.resolve())
  onTestFinished(() => void request.destroy())
  const client: Client = {
    events,
    ended,
    response,
    lastId: () => last,
    cut: () => request.destroy(),
    async until(isDone) {
      while (!isDone(events)) {
        if (response.destroyed) throw new Error(`The stream ended after ${JSON.stringify(events)}`)
        await changed.promise
      }
      return events
    },
  }
  await client.until((all) => all.length > 0)
  return client
}
/** About half a second, on a machine that is busy with other tests. */
const SOON_MS = 5_000
/** Whether a stream opens. */
const statusOf = (process: number, session: string) =>
  connect(process, session).then(
    () => '200',
    ({ message }: Error) => message,
  )
const changes = (client: Client) => client.events.filter(({ event }) => event === 'changed')
const rename = (id: string, name: string) =>
  cells[0].call('PATCH', `/customers/${id}`, { key: agency.key, body: { customer: { name } } })
async function makeCustomer(name = 'Ayşe'): Promise<string> {
  const { body } = await cells[0].call('POST', '/customers', { key: agency.key, body: { customer: { name } } })
  return (body as { data: { id: string } }).data.id
}
const stored = () =>
  ask<{ seq: number; kind: string; id: string | null; version: number | null }>(
    cells[0],
    `select seq::integer as seq, kind, record_id as id, version from stream_events where account_id = $1 order by seq`,
    [agency.number],
  )
async function sessionOf(role: string, of = agency): Promise<string> {
  const seat = { name: role, email: `${role}-${Math.random()}@agency.example`, role, branchId: null }
  const id = await cells[0].deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, of.number, seat))
  return signInAs(cells[0], of.number, id)
}
/** Events of any kind, without the writers that make them. */
const note = (kind: string, ids: readonly string[], account = agency.number, seat: string | null = null) =>
  ask(cells[0], 'insert into stream_pending (account_id, kind, ids, seat_id) values ($1, $2, $3, $4)', [
    account,
    kind,
    ids,
    seat,
  ])
const insertTask = undeclared<{ account: number; subject: string }, object>(
  'insert into tasks (account_id, subject) values ($account, $subject)',
)
const A_RECORD = '00000000-0000-7000-8000-000000000001'

describe('a stream', () => {
  it('tells of changes in either process, with kind, id and version alone', async () => {
    const clients = [await connect(0, owner), await connect(1, owner)]
    const id = await makeCustomer()
    await rename(id, 'Ayşe Yılmaz')
    for (const client of clients) {
      await client.until(() => changes(client).some(({ data }) => data.id === id && data.version === 2))
      for (const { data } of changes(client)) expect(Object.keys(data)).toEqual(['kind', 'id', 'version'])
      expect(JSON.stringify(client.events)).not.toContain('Ayşe')
      expect(client.events[0]?.event).toBe('ready')
    }
  })

  it('delivers every event once and in order, wherever its connection is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            records: fc.integer({ min: 1, max: 4 }),
            cutAfter: fc.integer({ min: 0, max: 6 }),
            process: fc.nat(1),
          }),
          {
            minLength: 2,
            maxLength: 6,
          },
        ),
        async (steps) => {
          let client = await connect(0, owner)
          const begun = client.lastId() ?? 0
          const received: Event[] = []
          for (const { records, cutAfter, process } of steps) {
            for (let n = 0; n < records; n++) await makeCustomer(`Customer ${n}`)
            const last = (client.lastId() ?? 0) + cutAfter
            if (cutAfter > 0)
              await Promise.race([client.until(() => (client.lastId() ?? 0) >= Math.min(last, begun + 1)), sleep(50)])
            client.cut()
            received.push(...changes(client))
            client = await connect(process, owner, client.lastId())
            expect(client.events[0]?.event).toBe('ready')
          }
          const id = await makeCustomer('The last one')
          await client.until(() => changes(client).some(({ data }) => data.id === id))
          received.push(...changes(client))
          client.cut()
          const expected = (await stored()).filter(({ seq }) => seq > begun)
          expect(received.map(({ id: seq, data }) => ({ seq, ...data }))).toEqual(expected)
        },
      ),
      { numRuns: 8 },
    )
  }, 60_000)

  it('gives no event to what is rolled back, and numbers a long transaction when it commits', async () => {
    const client = await connect(1, owner)
    const { db } = cells[0].deps
    const [first, second, third] = await Promise.all([makeCustomer('1'), makeCustomer('2'), makeCustomer('3')])
    await client.until(() => [first, second, third].every((id) => changes(client).some(({ data }) => data.id === id)))
    const before = changes(client).length
    await db
      .inAccount(agency.number, async (tx) => {
        await tx.all(insertTask, { subject: 'Rolled back' })
        throw new Error('taken back')
      })
      .catch(() => {})
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const long = db.inAccount(agency.number, async (tx) => {
      await tx.all(insertTask, { subject: 'Long' })
      begun.resolve()
      await gate.promise
    })
    await begun.promise
    await rename(first, 'Renamed meanwhile')
    await client.until(() => changes(client).length > before)
    expect(
      changes(client)
        .slice(before)
        .map(({ data }) => data.id),
    ).toEqual([first])
    gate.resolve()
    await long
    await client.until(() => changes(client).length > before + 1)
    const [, task] = changes(client).slice(before)
    expect(task?.data.kind).toBe('tasks')
    expect(changes(client).length).toBe(before + 2)
    const ids = changes(client).map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  })

  it('resets a client whose last event is not stored any more, or never was', async () => {
    const client = await connect(0, owner)
    const id = await makeCustomer()
    await client.until(() => changes(client).some(({ data }) => data.id === id))
    const last = client.lastId() ?? 0
    expect((await connect(1, owner, last + 1_000)).events).toMatchObject([{ event: 'reset', id: last }])
    await ask(cells[0], 'delete from stream_events where account_id = $1 and seq <= $2', [agency.number, last - 1])
    expect((await connect(1, owner, last - 2)).events).toMatchObject([{ event: 'reset', id: last }])
    expect((await connect(1, owner, last - 1)).events[0]).toMatchObject({ event: 'ready', id: last - 1 })
  })

  it('says once that many records of a kind have changed', async () => {
    const client = await connect(0, owner)
    const rows = Array.from({ length: 120 }, (_, n) => ({ external_id: `many-${n}`, name: `Customer ${n}` }))
    await importRows(cells[0], agency.key, 'customers', rows)
    await client.until(() => changes(client).some(({ data }) => data.kind === 'customers' && data.id === null))
    expect(changes(client).filter(({ data }) => data.kind === 'customers')).toHaveLength(1)
  })

  it.each(Object.entries(BUILT_IN_ROLES))('tells %s only of kinds that the role may list', async (role, policies) => {
    const client = await connect(1, await sessionOf(role))
    const kinds = [
      ...entities.map(({ entity }) => entity.key),
      'trips',
      'tasks',
      'communications',
      'imports',
      'ticket_imports',
      'deliveries',
    ]
    for (const kind of [...kinds, 'of a newer version']) await note(kind, [A_RECORD])
    await note('customers', ['00000000-0000-7000-8000-000000000002'])
    await client.until(() => changes(client).some(({ data }) => data.id?.endsWith('2')))
    const told = new Set(changes(client).map(({ data }) => data.kind))
    expect([...told].toSorted()).toEqual(kinds.filter((kind) => mayKnow(policies, kind)).toSorted())
    for (const [kind, policy] of [
      ['trips', 'view_trips'],
      ['imports', 'import_records'],
      ['deliveries', 'manage_webhooks'],
    ] as const)
      expect(told.has(kind)).toBe(policies.has(policy))
    client.cut()
  })

  it('tells a seat of its own notifications, and of no other account', async () => {
    const other = await makeAgency(cells[0])
    const [mine, colleague, stranger] = [
      await connect(0, owner),
      await connect(0, await sessionOf('owner')),
      await connect(1, await signInAs(cells[0], other.number, other.owner.id)),
    ]
    await note('notifications', [A_RECORD], agency.number, agency.owner.id)
    const id = await makeCustomer()
    for (const client of [mine, colleague]) await client.until(() => changes(client).some(({ data }) => data.id === id))
    const kinds = (client: Client) => changes(client).map(({ data }) => data.kind)
    expect([kinds(mine), kinds(colleague)]).toEqual([['notifications', 'customers'], ['customers']])
    await note('tasks', [A_RECORD], other.number)
    await stranger.until(() => changes(stranger).length > 0)
    expect(kinds(stranger)).toEqual(['tasks'])
  })
})

describe('the session of a stream', () => {
  const endsWithin = async (client: Client, ms: number) => {
    const begun = performance.now()
    await client.ended
    expect(performance.now() - begun).toBeLessThan(ms)
  }
  it('ends it soon after it is revoked, in every process', async () => {
    const session = await sessionOf('advisor')
    const clients = [await connect(0, session), await connect(1, session)]
    expect((await cells[0].call('DELETE', '/app/v1/session', { session })).status).toBe(204)
    await Promise.all(clients.map((client) => endsWithin(client, SOON_MS)))
    await expect.poll(() => statusOf(1, session), { timeout: SOON_MS }).toBe('401') // known for up to 0.9 s more
  })
  it.each([
    ['its seat is deactivated', 'update seats set active = false where account_id = $1 and id = $2'],
    ['its seat gets another role', `update seats set role = 'viewer' where account_id = $1 and id = $2`],
    [
      'nobody has used it for 12 hours',
      `update sessions set last_used_at = now() - interval '13 hours' where account_id = $1 and seat_id = $2`,
    ],
    ['it is older than 14 days', 'update sessions set expires_at = now() where account_id = $1 and seat_id = $2'],
  ])('ends it when %s', async (_, sql) => {
    const seat = { name: 'A', email: `a-${Math.random()}@agency.example`, role: 'advisor', branchId: null }
    const id = await cells[0].deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
    const client = await connect(1, await signInAs(cells[0], agency.number, id))
    await ask(cells[0], sql, [agency.number, id])
    await endsWithin(client, SOON_MS)
  })
  it('is not kept alive by it', async () => {
    const session = await sessionOf('advisor')
    await cells[1].deps.sessions.flush()
    const uses = () =>
      ask<{ at: string }>(cells[0], 'select max(last_used_at)::text as at from sessions where account_id = $1', [
        agency.number,
      ])
    const before = await uses()
    const client = await connect(1, session)
    await makeCustomer()
    await client.until(() => changes(client).length > 0)
    await cells[1].deps.sessions.flush()
    expect(await uses()).toEqual(before)
  })
  it('may have ten, and another when one is closed', async () => {
    const session = await sessionOf('advisor')
    const clients = []
    for (let n = 0; n < 10; n++) clients.push(await connect(0, session))
    expect(await statusOf(0, session)).toBe('429')
    clients[0]?.cut()
    await expect.poll(() => statusOf(0, session), { timeout: 5_000 }).toBe('200')
  })
})

describe('a process', () => {
  it('cuts a client that does not read, which then resumes without a gap, and serves the others', async () => {
    const connections = () =>
      new Promise<number>((resolve) => void cells[0].app.server.getConnections((_, count) => resolve(count)))
    const [slow, quick] = [await connect(0, await sessionOf('owner')), await connect(0, owner)]
    const begun = slow.lastId() ?? 0
    slow.response.pause()
    const before = await connections()
    await ask(cells[0], MANY_EVENTS, [agency.number, MANY])
    await quick.until(() => changes(quick).length >= MANY)
    await expect.poll(connections, { timeout: 10_000 }).toBeLessThan(before)
    slow.response.resume()
    await slow.ended
    const again = await connect(1, owner, slow.lastId())
    await again.until(() => (again.lastId() ?? 0) >= begun + MANY)
    const seqs = [...changes(slow), ...changes(again)].map(({ id }) => id)
    expect(slow.lastId()).toBeLessThan(begun + MANY)
    expect(seqs).toEqual(Array.from({ length: MANY }, (_, n) => begun + 1 + n))
  }, 60_000)

  it('ends its streams when it stops, and refuses new ones', async () => {
    const cell = await startCell({ deps: { count: uncounted }, connection: cells[0].connection })
    addresses.push(await listening(cell.app))
    const client = await connect(addresses.length - 1, owner)
    await cell.close()
    await client.ended
    expect(client.response.complete).toBe(true)
  })
})

/** More than the buffers of the system hold. */
const MANY = 100_000
const MANY_EVENTS = `
  with head as (update stream_heads set last_seq = last_seq + $2::integer where account_id = $1 returning last_seq - $2::integer as seq)
  insert into stream_events (account_id, seq, kind, record_id, version)
  select $1, seq + n, 'customers', uuidv7(), n from head, generate_series(1, $2::integer) n`
