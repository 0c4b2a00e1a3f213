import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type Network, readNetwork } from '../../../src/platform/access/source-address.ts'
import { deriveKey, sealWith } from '../../../src/platform/seal.ts'
import { type Agency, importRows, makeAgency } from '../../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../../harness/cell.ts'
import { startMortalWorker } from '../../harness/mortal-worker.ts'
import { residentMb } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { ask } from '../../harness/sql.ts'
import { timeUntil } from '../../harness/storm.ts'
import { answer, expectFaithful, OK, subscribe } from '../../harness/subscriber.ts'

const SECRET = 's'.repeat(32)
const LOCAL = '127.0.0.0/8'
const EVENTS = 8
const MEGABYTE = 1024 * 1024
/** Relative to the worker's memory before the test. */
const GROWTH_MB = 60
/** An answer has 15 s, and an attempt 26 s; some more on a busy machine. */
const READ_MS = 15_000
const SLACK_MS = 2_000

type Bad = readonly [name: string, respond: string | ((socket: Socket) => void), why: string, url?: string]
const drip = (socket: Socket) => {
  socket.write('HTTP/1.1 200 OK\r\n')
  const timer = setInterval(() => socket.write('x: y\r\n'), 200)
  socket.on('close', () => clearInterval(timer))
}
const tenMegabytes = (socket: Socket) => {
  socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${10 * MEGABYTE}\r\n\r\n`)
  socket.end(Buffer.alloc(10 * MEGABYTE, 'x'))
}
const BAD: readonly Bad[] = [
  ['hangs', () => {}, 'read_timeout'],
  ['drips', drip, 'read_timeout'],
  ['resets', (socket) => socket.resetAndDestroy(), 'connection'],
  ['redirects', answer('307 There', 'Location: http://127.0.0.1:1/'), '307'],
  ['answers 10 MB', tenMegabytes, '200'],
  ['says nothing to TLS', OK, 'connect_timeout', 'https://127.0.0.1:PORT/'],
  ['shows a certificate of nobody', OK, 'tls', 'https://127.0.0.1:SECURE/'],
  ['has no address', OK, 'dns', 'http://nobody.invalid/'],
  ['is not there', OK, 'connection', 'http://127.0.0.1:1024/'],
]

async function startBad(cell: TestCell, [, respond, , url]: Bad): Promise<{ agency: Agency; id: string }> {
  const agency = await makeAgency(cell)
  const { id, port } = await subscribe(cell, agency, respond)
  const secure = await startReceiver({ secure: true })
  const leads = url?.replace('PORT', String(port)).replace('SECURE', String(secure.port))
  if (leads) await ask(cell, 'update webhooks set url = $1 where id = $2', [leads, id])
  return { agency, id }
}
const stays = Array.from({ length: EVENTS }, (_, at) => ({
  external_id: `R${at}`,
  check_in_on: '2026-07-10',
  check_out_on: '2026-07-14',
}))

describe.skipIf(process.platform !== 'linux')('receivers', () => {
  it('that misbehave are handled separately, each in time, and affect neither memory nor the healthy one', async () => {
    const trap = await startReceiver({})
    const cell = await startCell({
      deps: {
        count: uncounted,
        signingKeys: sealWith(deriveKey(SECRET, 'webhook signing keys')),
        destinations: { allowed: [readNetwork(LOCAL) as Network] },
      },
    })
    const bad = await Promise.all(BAD.map((one) => startBad(cell, one)))
    const agency = await makeAgency(cell)
    const healthy = await subscribe(cell, agency)
    const { child, kill } = await startMortalWorker(cell, {
      SECRET,
      WEBHOOK_ALLOW_CIDRS: LOCAL,
      WEBHOOK_RETRY_SCHEDULE: '3600,3600,3600,3600',
    })
    const before = residentMb(child.pid)
    for (const { agency } of bad) await importRows(cell, agency.key, 'hotel_stays', stays)
    await importRows(cell, agency.key, 'hotel_stays', stays)

    const soon = await timeUntil(async () => healthy.heard.length === EVENTS)
    const tried = () =>
      ask<{ id: string; why: string; count: number; longest: number; most: number }>(
        cell,
        `select webhook_id as id, coalesce(status_code::text, split_part(error, ':', 1)) as why, count(*)::integer,
          max(duration_ms)::integer as longest, max(length(response_excerpt))::integer as most
         from webhook_attempts a join webhook_deliveries d on d.account_id = a.account_id and d.id = a.delivery_id
         where webhook_id <> $1 group by 1, 2`,
        [healthy.id],
      )
    const all = EVENTS * BAD.length
    await timeUntil(async () => (await tried()).reduce((sum, { count }) => sum + count, 0) === all, 120_000)
    const found = await tried()
    const grown = Math.round(residentMb(child.pid) - before)
    console.log({ healthyMs: Math.round(soon), grownMb: grown }, found)
    const whyOf = (wanted: string) => found.filter(({ id }) => id === wanted).map(({ why, count }) => `${why} ${count}`)
    expect(bad.map(({ id }, at) => [BAD[at]?.[0], whyOf(id)])).toEqual(
      BAD.map(([name, , why]) => [name, [`${why} ${EVENTS}`]]),
    )
    expect(found.filter(({ longest, most }) => longest > READ_MS + SLACK_MS || most > 2048)).toEqual([])
    expect([soon < READ_MS, grown < GROWTH_MB, trap.heard.length]).toEqual([true, true, 0])
    expectFaithful(healthy)
    await kill()
  })
})
