import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { signingKeyOf } from '../../src/features/webhooks/signature.ts'
import { keptSecret } from '../../src/platform/kept-secret.ts'
import { deriveKey, sealWith } from '../../src/platform/seal.ts'
import type { Agencies, Agency } from '../agencies.ts'
import { atEnd } from '../cleanup.ts'
import { BATCH, stayBatch } from '../data.ts'
import { post } from '../http.ts'
import { alternate, figureOf, milliseconds, ratioOf, spread } from '../measure.ts'
import type { Case } from './case.ts'

const PATH = '/api/v1/imports/hotel_stays'
const SUBSCRIPTIONS = 3
const IMPORTS_PER_ROUND = 6
const WARM_UP = 2
/** Delivered in one round: some seconds of work. */
const DELIVERIES = 3_000
/** Changes in one round, one after the other, each waited for. */
const CHANGES = 20
/** More than a receiver that hangs will be sent while it is measured. */
const BACKLOG = 200
const POLL_MS = 2

/** Answers 204 to everything, or nothing at all, and counts. */
async function startReceiver(answers: boolean): Promise<{ url: string; heard(): number }> {
  let heard = 0
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const length = /content-length: (\d+)/i.exec(text)?.[1]
      if (length === undefined || text.length < text.indexOf('\r\n\r\n') + 4 + Number(length)) return
      heard += 1
      if (answers) socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, heard: () => heard }
}

export const webhooks: Case = {
  name: 'webhooks',
  async run({ filled, rounds, customersEach }) {
    const agencies = await filled()
    const client = await agencies.asSuperuser()
    const of = { agencies, client, rounds, customersEach }
    return [await fanOut(of), await deliveries(of), await besideOneThatHangs(of)]
  },
}
type FanOutSetup = {
  readonly agencies: Agencies
  readonly client: Client
  readonly rounds: number
  readonly customersEach: number
}

async function subscribe({ agencies, client }: FanOutSetup, { account }: Agency, url: string): Promise<string> {
  const seal = sealWith(deriveKey(keptSecret(agencies.cell.dataDir), 'webhook signing keys'))
  const { rows } = await client.query<{ id: string }>(
    `insert into webhooks (account_id, url, events, entities, role, signing_key)
     values ($1, $2, '{record.created}', '{}', 'owner', $3) returning id`,
    [account, url, seal.seal(signingKeyOf('whsec_bench'))],
  )
  return rows[0]?.id as string
}
async function forget({ client }: FanOutSetup): Promise<void> {
  await client.query(
    'truncate webhook_outbox, webhook_attempts, webhook_deliveries, webhook_payloads, webhook_events, webhooks',
  )
}
const importStays = ({ agencies: { cell } }: FanOutSetup, { key }: Agency, rows: object[]) =>
  post(`${cell.url}${PATH}`, key, JSON.stringify({ rows, mode: 'sync' }))

/** Waits until all events are fanned out. */
async function fannedOut({ client }: FanOutSetup): Promise<void> {
  while ((await client.query('select from webhook_outbox limit 1')).rowCount !== 0) await sleep(POLL_MS)
}

/** Measures what subscriptions add to an import. The deliveries are leased by someone else, so none are sent. */
async function fanOut(setup: FanOutSetup) {
  const { agencies, client, customersEach } = setup
  for (const agency of agencies.all)
    for (let nth = 0; nth < SUBSCRIPTIONS; nth++) await subscribe(setup, agency, 'http://127.0.0.1/')
  await client.query(`update webhooks set leased_until = now() + interval '1 day'`)
  const side = (active: boolean) => async () => {
    let ms = 0
    for (let n = 0; n < IMPORTS_PER_ROUND; n++) {
      const agency = await agencies.ingest.take(1)
      await client.query('update webhooks set active = $1 where account_id = $2', [active, agency.account])
      const stays = stayBatch(customersEach)
      ms += await milliseconds(() => importStays(setup, agency, stays))
    }
    await fannedOut(setup) // so that the other side pays nothing for it
    return (IMPORTS_PER_ROUND * BATCH * 1000) / ms
  }
  const sides = { listened: side(true), alone: side(false) }
  await alternate(WARM_UP, sides)
  const { listened, alone } = await alternate(setup.rounds, sides)
  await forget(setup)
  return ratioOf(
    {
      name: `import of ${BATCH} hotel_stays with ${SUBSCRIPTIONS} subscriptions, against none`,
      unit: 'rows/s',
      target: { atLeast: 0.85 }, // at most 15 % longer
    },
    listened,
    alone,
  )
}

/** Time from the first to the last delivery of an import to one subscription. */
async function deliveries(setup: FanOutSetup) {
  const { agencies, client, customersEach, rounds } = setup
  const receiver = await startReceiver(true)
  const agency = await agencies.ingest.take(1)
  const id = await subscribe(setup, agency, receiver.url)
  await client.query(`update webhooks set leased_until = now() + interval '1 day' where id = $1`, [id])
  await importStays(setup, agency, stayBatch(customersEach))
  await fannedOut(setup)
  await client.query(`update webhook_deliveries set status = 'cancelled', finished_at = now()`)
  await client.query('update webhooks set leased_until = null where id = $1', [id])
  const round = async () => {
    const before = receiver.heard()
    await client.query(
      `insert into webhook_deliveries (account_id, webhook_id, event_id, role)
       select account_id, webhook_id, event_id, role from webhook_deliveries, generate_series(1, $1) as n
       where status = 'cancelled' order by n, id limit $2`,
      [Math.ceil(DELIVERIES / BATCH), DELIVERIES],
    )
    while (receiver.heard() === before) await sleep(POLL_MS)
    const first = receiver.heard()
    const ms = await milliseconds(async () => {
      while (receiver.heard() < before + DELIVERIES) await sleep(POLL_MS)
    })
    return ((before + DELIVERIES - first) * 1000) / ms
  }
  await round()
  const { rates } = await alternate(rounds, { rates: round })
  await forget(setup)
  return figureOf({ name: 'deliveries to one fast receiver', unit: '/s', target: { atLeast: 500 } }, rates)
}

/** From a change to its arrival, with and without a dead receiver of the same account, which has a lot to be sent. */
async function besideOneThatHangs(setup: FanOutSetup) {
  const { agencies, client, customersEach, rounds } = setup
  const [healthy, dead] = [await startReceiver(true), await startReceiver(false)]
  const side = (beside: boolean) => async () => {
    const agency = await agencies.ingest.take(CHANGES + 1)
    const [arrived, hung] = [healthy.heard(), dead.heard()]
    await subscribe(setup, agency, healthy.url)
    if (beside) await subscribe(setup, agency, dead.url)
    await importStays(setup, agency, stayBatch(customersEach).slice(0, BACKLOG))
    while (healthy.heard() < arrived + BACKLOG || (beside && dead.heard() === hung)) await sleep(POLL_MS)
    const times: number[] = []
    for (const stay of stayBatch(customersEach).slice(0, CHANGES)) {
      const before = healthy.heard()
      const arrival = async () => {
        await importStays(setup, agency, [stay])
        while (healthy.heard() === before) await sleep(POLL_MS)
      }
      times.push(await milliseconds(arrival))
    }
    await client.query('update webhooks set active = false')
    return spread(times).median
  }
  const sides = { beside: side(true), alone: side(false) }
  await alternate(1, sides)
  const { beside, alone } = await alternate(rounds, sides)
  await forget(setup)
  return ratioOf(
    { name: 'from a change to its delivery, beside a receiver that hangs', unit: 'ms', target: { atMost: 1.2 } },
    beside,
    alone,
  )
}
