import { expect, it, vi } from 'vitest'
import { type Network, readNetwork } from '../../../src/platform/access/source-address.ts'
import { withClient } from '../../../src/platform/db/client.ts'
import { deriveKey, sealWith } from '../../../src/platform/seal.ts'
import { type Agency, importRows, makeAgency } from '../../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../../harness/cell.ts'
import { startMortalWorker } from '../../harness/mortal-worker.ts'
import { end } from '../../harness/process.ts'
import { CELL_MAIL, keptOf, mailTo, messageIdOf, queueMessage } from '../../harness/sending.ts'
import { startSmtp } from '../../harness/smtp.ts'
import { ask } from '../../harness/sql.ts'
import { timeUntil } from '../../harness/storm.ts'
import { expectFaithful, holding, subscribe } from '../../harness/subscriber.ts'

const SECRET = 's'.repeat(32)
const LOCAL = '127.0.0.0/8'
const ROWS = 150
const WAIT = { timeout: 60_000, interval: 20 }
/** A worker asks every second, and has some other work. */
const AFTER_LEASE_MS = 2_000

type Held = Record<'batch' | 'mail' | 'event', number>
/** Milliseconds until the leases of a dead worker expire; negative afterwards. */
async function leasesOf(cell: TestCell): Promise<Held> {
  const left = (time: string) => `(extract(epoch from ${time} - now()) * 1000)::float8`
  const [held] = await ask<Held>(
    cell,
    `select (select ${left('next_attempt_at')} from import_batches where leased_by is not null) as batch,
      (select ${left('next_attempt_at')} from message_sends) as mail,
      (select ${left('greatest(w.leased_until, d.next_attempt_at)')} from webhooks w
       join webhook_deliveries d on d.account_id = w.account_id and d.webhook_id = w.id) as event`,
  )
  return held as Held
}

it('what a worker held when it was killed is done by another when its lease is over: rows once, mails and events under their ids', async () => {
  const smtp = await startSmtp()
  const cell = await startCell({
    mailFrom: CELL_MAIL,
    deps: {
      count: uncounted,
      mail: mailTo(smtp),
      signingKeys: sealWith(deriveKey(SECRET, 'webhook signing keys')),
      destinations: { allowed: [readNetwork(LOCAL) as Network] },
    },
  })
  const agency = await makeAgency(cell)
  const importing = await makeAgency(cell)
  const gate = holding()
  const subscriber = await subscribe(cell, agency, gate.respond)
  const environment = {
    SECRET,
    WEBHOOK_ALLOW_CIDRS: LOCAL,
    SMTP_URL: `smtp://127.0.0.1:${smtp.address.port}`,
    MAIL_FROM: CELL_MAIL.address,
    PUBLIC_URL: 'https://backdesk.example',
    NODE_TLS_REJECT_UNAUTHORIZED: '0', // the server's certificate is for another name
  }
  const worker = await startMortalWorker(cell, environment)
  await importRows(cell, importing.key, 'hotel_stays', [STAY]) // its counter is there from then on
  const mail = await withClient(
    { ...cell.connection, user: 'postgres' },
    async (client) => {
      await client.query('set idle_in_transaction_session_timeout = 0')
      await client.query('begin')
      await client.query('select from change_counters where account_id = $1 for update', [importing.number])
      await enqueue(cell, importing) // and its first chunk waits for the counter
      await importRows(cell, agency.key, 'hotel_stays', [STAY])
      const mail = await queueMessage(cell, agency, { to: ['holds-a@example.com'] })
      await vi.waitFor(() => expect([gate.held.length, smtp.received.length]).toEqual([1, 1]), WAIT)
      await vi.waitFor(async () => expect((await leasesOf(cell)).batch).toBeGreaterThan(0), WAIT)
      await worker.kill()
      await client.query('rollback')
      return mail
    },
    'a test',
  )
  gate.release()
  const held = await leasesOf(cell)
  const begun = performance.now()
  expect(Object.values(held).every((ms) => ms > 30_000)).toBe(true)
  const next = await startMortalWorker(cell, environment)

  const done = {
    batch: async () =>
      (await ask(cell, `select from import_batches where entity = 'customers' and status = 'completed'`)).length === 1,
    mail: async () => smtp.received.length === 2,
    event: async () => subscriber.heard.length === 2,
  }
  const late = await Promise.all(
    (['batch', 'mail', 'event'] as const).map(async (what) => {
      await timeUntil(done[what], 90_000)
      return { what, ms: Math.round(performance.now() - begun - held[what]) }
    }),
  )
  console.log('after the leases:', late)
  expect(late.filter(({ ms }) => ms < -AFTER_LEASE_MS || ms > AFTER_LEASE_MS)).toEqual([])

  smtp.release()
  await vi.waitFor(async () => expect(await keptOf(cell, mail)).toMatchObject([{ status: 'sent' }]), WAIT)
  expect(smtp.received.every(({ raw }) => raw.includes(`Message-ID: ${messageIdOf(mail)}`))).toBe(true)
  await vi.waitFor(async () => expect(await deliveries(cell)).toEqual([{ status: 'succeeded', attempts: 2 }]), WAIT)
  expectFaithful(subscriber)
  expect(new Set(subscriber.requests().map(({ delivery }) => delivery)).size).toBe(1)
  expect(await ask(cell, 'select count(*)::integer, max(version) as version from customers')).toEqual([
    { count: ROWS, version: 1 },
  ])
  expect(await end(next.child, 'SIGTERM')).toBe(0)
})

const STAY = { external_id: 'W1', check_in_on: '2026-07-10', check_out_on: '2026-07-14' }

async function enqueue(cell: TestCell, { key }: Agency): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, at) => ({ external_id: `P${at}`, name: `Person ${at}` }))
  expect((await cell.call('POST', '/imports/customers', { key, body: { mode: 'async', rows } })).status).toBe(202)
}

const deliveries = (cell: TestCell) => ask(cell, 'select status, attempts from webhook_deliveries')
