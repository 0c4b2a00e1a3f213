import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apiClient } from './api-client.ts'
import { failedRows } from './failed-rows.ts'
import { openFile } from './open-file.ts'
import { progress } from './progress.ts'
import { type ImportOptions, runImport } from './run-import.ts'

type Sent = { path: string; key: string; rows: Record<string, unknown>[]; body: Record<string, unknown> }
/** What the server does with a request instead of answering it: cut the line after the write, or answer so. */
type Mishap = 'cut' | { status: number; headers?: Record<string, string>; body?: object }

let folder: string
let server: Server
let url: string
let sent: Sent[]
let mishaps: Mishap[]
let slept: number[]

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backdesk-import-'))
  sent = []
  mishaps = []
  slept = []
  server = createServer(async (request, response) => {
    const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (request.url === '/api/v1/imports/entities')
      return void answer(200, { data: [], limits: { max_rows_per_request: 3 } })
    if (request.method === 'GET')
      return void answer(200, {
        entity: {
          fields: [
            { key: 'name', type: 'string' },
            { key: 'rooms', type: 'list' },
          ],
        },
      })
    const body = await bodyOf(request)
    const rows = body.rows as Record<string, unknown>[]
    sent.push({ path: request.url ?? '', key: String(request.headers['idempotency-key']), rows, body })
    const mishap = mishaps.shift()
    if (mishap === 'cut') return void request.socket.destroy()
    if (mishap) return void answer(mishap.status, mishap.body ?? { error: 'no', code: 'no' }, mishap.headers)
    const failed = (row: Record<string, unknown>) => row.name === 'bad'
    const outcomes = rows.map((row, index) => ({
      index,
      external_id: row.external_id,
      status: failed(row) ? 'failed' : 'created',
      errors: failed(row) ? [{ field: 'name', code: 'required', message: '=cmd' }] : [],
      warnings: [{ field: 'name', code: 'odd', message: 'x' }],
    }))
    const bad = rows.filter(failed).length
    const counts = { total: rows.length, created: rows.length - bad, updated: 0, unchanged: 0, skipped: 0, failed: bad }
    answer(200, { data: { counts, ignored_fields: ['extra'], rows: outcomes } })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})
afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function send(name: string, text: string, options: Partial<ImportOptions> = {}) {
  const path = join(folder, name)
  writeFileSync(path, text)
  let now = 1_000_000
  const client = apiClient(url, 'sek_test', {
    fetch: (address, init) => fetch(address, init),
    sleep: async (ms) => {
      slept.push(ms)
      now += ms
    },
    now: () => now,
    waiting: () => {},
  })
  const failed = failedRows(join(folder, 'failed.csv'))
  const summary = await runImport(
    await openFile(path),
    client,
    { entity: 'customers', dryRun: false, body: {}, ...options },
    failed,
    progress(0, true),
  )
  failed.close()
  return summary
}
const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => JSON.stringify({ external_id: `R${at}`, name: 'x' })).join('\n')

describe('the import command', () => {
  it.each([
    ['a JSON array', 'rows.json', '[{"external_id":"A","name":"Ä"},\n {"external_id":"B","rooms":[{"name":"x"}]}]'],
    [
      'an object with rows',
      'rows.json',
      '{"rows":[{"external_id":"A","name":"Ä"},{"external_id":"B","rooms":[{"name":"x"}]}]}',
    ],
    ['JSON Lines', 'rows.jsonl', '{"external_id":"A","name":"Ä"}\r\n\r\n{"external_id":"B","rooms":[{"name":"x"}]}\n'],
    [
      'CSV with semicolons, a byte order mark and empty cells',
      'rows.csv',
      '\ufeffexternal_id;name;rooms\r\nA;Ä;\r\nB;;"[{""name"":""x""}]"\r\n',
    ],
    ['CSV with commas', 'rows.csv', 'external_id,name,rooms\nA,Ä,\nB,,"[{""name"":""x""}]"'],
  ])('reads %s', async (_, name, text) => {
    expect((await send(name, text)).counts).toMatchObject({ total: 2, created: 2 })
    expect(sent.flatMap(({ rows }) => rows)).toEqual([
      { external_id: 'A', name: 'Ä' },
      { external_id: 'B', rooms: [{ name: 'x' }] },
    ])
  })
  it('sends batches of the catalogue’s size, each with a key of its own, and its options in each', async () => {
    const summary = await send('rows.jsonl', lines(8), { dryRun: true, body: { decimal_separator: ',' } })
    expect(sent.map(({ path, rows }) => [path, rows.length])).toEqual(
      [3, 3, 2].map((count) => ['/api/v1/imports/customers/validate', count]),
    )
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3)
    expect(sent.every(({ body }) => body.mode === 'sync' && body.decimal_separator === ',')).toBe(true)
    expect(summary).toMatchObject({ batches: 3, counts: { total: 8 }, warnings: { odd: 8 }, ignored_fields: ['extra'] })
  })
  it('repeats a batch whose answer was lost, or that met a passing failure, with the same key', async () => {
    mishaps = [
      'cut',
      { status: 503, headers: { 'retry-after': '2' } },
      { status: 409, body: { error: 'running', code: 'idempotency_conflict' }, headers: { 'retry-after': '1' } },
    ]
    expect((await send('rows.jsonl', lines(1))).counts.created).toBe(1)
    expect(sent).toHaveLength(4)
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
    expect(slept.length).toBe(3)
    expect(slept[1]).toBeGreaterThanOrEqual(2000)
  })
  it('waits as long as a 429 says, and until the minute ends when the budget is spent', async () => {
    mishaps = [{ status: 429, headers: { 'retry-after': '17' } }]
    await send('rows.jsonl', lines(1))
    expect(slept).toEqual([17_000])
  })
  it('does so by the server’s clock, where the answers say that nothing is left', async () => {
    const anHourAhead = Date.now() + 3_600_000
    const headers = {
      date: new Date(anHourAhead).toUTCString(),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.floor(anHourAhead / 1000) + 20),
    }
    mishaps = [{ status: 503, headers: { ...headers, 'retry-after': '1' } }]
    await send('rows.jsonl', lines(1))
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(18_000)
    expect(Math.max(...slept)).toBeLessThan(25_000)
  })
  it('takes a row that no request can hold as a failed one, and a file without rows as an error', async () => {
    const huge = JSON.stringify({ external_id: 'H', name: 'ü'.repeat(5 * 1024 * 1024) })
    expect((await send('rows.jsonl', `${lines(1)}\n${huge}`)).counts).toMatchObject({ total: 2, created: 1, failed: 1 })
    await expect(send('rows.json', '[]')).rejects.toThrow('has no rows')
    await expect(
      send('rows.json', '[{"external_id":"A"},{"external_id":"B"},{"external_id":"C"},{"external_id":"D"},{]'),
    ).rejects.toThrow(/after 3 rows/)
  })
  it('stops at any other refusal, saying how far it came', async () => {
    mishaps = [{ status: 422, body: { error: 'No such branch.', code: 'unknown_branch' } }]
    await expect(send('rows.jsonl', lines(2))).rejects.toThrow(/No such branch\.[\s\S]*line 1, after 0 rows/)
  })
  it('writes failed rows with line and reason, harmless to a spreadsheet', async () => {
    const summary = await send('rows.csv', 'external_id,name\nA,x\n"=B",bad\nC,x\nD\n')
    expect(summary).toMatchObject({
      counts: { total: 4, created: 2, failed: 2 },
      errors: { required: 1, unreadable_row: 1 },
    })
    const [header, ...rows] = readFileSync(join(folder, 'failed.csv'), 'utf8').trim().split('\n')
    expect(header).toBe('line,external_id,field,code,message,row')
    expect(rows.sort()).toEqual([
      `3,'=B,name,required,'=cmd,"{""external_id"":""=B"",""name"":""bad""}"`,
      expect.stringContaining('5,,,unreadable_row,'),
    ])
  })
})
