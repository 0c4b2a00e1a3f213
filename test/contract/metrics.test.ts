import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { WEBHOOK_QUEUE } from '../../src/features/webhooks/webhook-queue.ts'
import { IMPORT_QUEUE } from '../../src/imports/batches/keep-batch.ts'
import { buildOperations } from '../../src/operations.ts'
import { instruments } from '../../src/platform/metrics/instruments.ts'
import { queuesOf } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { atEnd } from '../harness/at-end.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { askPastWalls } from '../harness/sql.ts'
import { PUBLIC } from '../harness/webhooks.ts'
import { GO_ON } from '../harness/worker.ts'

const SAMPLE = /^([a-z_]+)(\{([a-z]+="(\\.|[^"\\])*",?)+\})? (-?\d\S*|\+Inf)$/
const ID = /[\da-f]{8}-[\da-f]{4}|\d{8}|sek_/

let cell: TestCell
let agency: Agency
let operations: FastifyInstance
beforeAll(async () => {
  const destinations = { allowed: [], resolve: async () => ['8.8.8.8'] }
  cell = await startCell({ deps: { count: uncounted, destinations } })
  agency = await makeAgency(cell)
  operations = buildOperations(cell.deps, GO_ON)
  atEnd(async () => void (await operations.close()))
})
const scrape = async (): Promise<Map<string, number>> => {
  const { body } = await operations.inject('/metrics')
  const samples = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  expect(samples.filter((line) => !SAMPLE.test(line))).toEqual([])
  return new Map(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}
/** How much each number grew during an action. */
async function grown(fn: () => Promise<unknown>): Promise<(sample: string) => number> {
  const before = await scrape()
  await fn()
  const after = await scrape()
  return (sample) => (after.get(sample) ?? 0) - (before.get(sample) ?? 0)
}
const row = (external_id: string, name: string | null = 'Ada') => ({ external_id, name })

describe('metrics', () => {
  it('are not served by the API, but where they were asked for, in Prometheus’ format', async () => {
    expect((await cell.app.inject('/metrics')).statusCode).toBe(404)
    const { statusCode, headers } = await operations.inject('/metrics')
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect((await operations.inject('/ready')).statusCode).toBe(200)
  })
  it('count requests by route template, and have key ids only in the metrics of keys', async () => {
    const by = await grown(async () => {
      for (const id of [crypto.randomUUID(), crypto.randomUUID(), agency.number])
        await cell.call('GET', `/customers/${id}`, { key: agency.key })
      await cell.call('GET', `/nowhere/${agency.number}`)
      await cell.app.inject({ url: '/api/v1/customers/%zz' })
    })
    const read = 'method="GET",route="/api/v1/customers/:id"'
    expect(by(`backdesk_http_requests_total{${read},status="404"}`)).toBe(3)
    expect(by(`backdesk_http_request_seconds_count{${read}}`)).toBe(3)
    expect(by(`backdesk_http_request_seconds_bucket{${read},le="+Inf"}`)).toBe(3)
    expect(by('backdesk_http_requests_total{method="GET",route="none",status="404"}')).toBe(1)
    expect(by('backdesk_refusals_total{code="not_found"}')).toBe(4)
    expect(by('backdesk_refusals_total{code="bad_request"}')).toBe(1)
    const samples = await scrape()
    expect(samples.get('backdesk_http_requests_in_flight')).toBe(0)
    const named = [...samples.keys()].filter((sample) => ID.test(sample))
    expect(named.filter((sample) => !sample.startsWith('backdesk_key_'))).toEqual([])
  })
  it('count rows and batches that are committed: no dry run, and no replay', async () => {
    const call = { headers: { 'idempotency-key': crypto.randomUUID() } }
    const rows = [row('M-1'), row('M-2'), row('M-3', null)]
    const by = await grown(async () => {
      await importRows(cell, agency.key, 'customers', rows, {}, true)
      await importRows(cell, agency.key, 'customers', rows, {}, false, call)
      await importRows(cell, agency.key, 'customers', rows, {}, false, call)
    })
    const rowsOf = (outcome: string) => by(`backdesk_import_rows_total{entity="customers",outcome="${outcome}"}`)
    expect([rowsOf('created'), rowsOf('failed'), rowsOf('unchanged')]).toEqual([2, 1, 0])
    const batch = 'entity="customers",mode="sync",status="completed_with_errors"'
    expect(by(`backdesk_import_batches_total{${batch}}`)).toBe(1)
  })
  it('show what waits in each queue, and that it is gone once it was done', async () => {
    const waiting = 'backdesk_queue_due{queue="imports"}'
    const body = { rows: [row('Q-1')], mode: 'async' }
    await cell.call('POST', '/imports/customers', { key: agency.key, body })
    expect((await scrape()).get(waiting)).toBe(1)
    expect((await scrape()).get('backdesk_queue_oldest_due_seconds{queue="imports"}')).toBeGreaterThan(0)
    const queues = queuesOf(cell.deps)
    const job = await queues.find(({ name }) => name === 'imports')?.claim()
    const by = await grown(async () => job?.(GO_ON))
    expect(by('backdesk_import_rows_total{entity="customers",outcome="created"}')).toBe(1)
    const samples = await scrape()
    expect(samples.get(waiting)).toBe(0)
    for (const { name } of queues) expect(samples.has(`backdesk_queue_due{queue="${name}"}`)).toBe(true)
  })
  it('do not count work that is not processed: of inactive webhooks, or of moved accounts', async () => {
    const post = (path: string, body: object) => cell.call('POST', path, { key: agency.key, body })
    const webhook = (await post('/webhooks', { url: PUBLIC })).body as { id: string }
    await post(`/webhooks/${webhook.id}/test`, {})
    await post('/imports/customers', { rows: [row('Q-2')], mode: 'async' })
    const waiting = async (queue: string) => (await scrape()).get(`backdesk_queue_due{queue="${queue}"}`)
    expect([await waiting(WEBHOOK_QUEUE), await waiting(IMPORT_QUEUE)]).toEqual([1, 1])
    await askPastWalls(cell, 'update webhooks set active = false')
    expect(await waiting(WEBHOOK_QUEUE)).toBe(0)
    await askPastWalls(cell, `insert into moved_accounts (number) values (${agency.number})`)
    const queues = queuesOf(cell.deps)
    expect(await Promise.all(queues.map(({ claim }) => claim()))).toEqual(queues.map(() => null))
    for (const { name } of queues) expect([name, await waiting(name)]).toEqual([name, 0])
    await askPastWalls(cell, 'delete from moved_accounts')
  })
  it('are described in the handbook, each with its kind and labels, and no others', () => {
    const handbook = readFileSync(join(import.meta.dirname, '../../docs/OPERATIONS.md'), 'utf8')
    const rows = [...handbook.matchAll(/^\| `([a-z_]+)` \| (counter|gauge|histogram) \| (.*?) \|/gm)]
    const described = rows.map(([, name, kind, labels = '']) => [name, kind, labels.replaceAll('`', '')])
    const there = instruments().map(({ name, kind, labels }) => [name, kind, labels.join(', ')])
    expect(described.toSorted()).toEqual(there.toSorted())
  })
})
