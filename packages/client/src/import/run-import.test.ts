import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apiClient } from './api-client.ts'
import { detectFormat } from './detect-format.ts'
import { examineFile } from './examine-file.ts'
import { failedRows } from './failed-rows.ts'
import { openFile, type TextFile } from './open-file.ts'
import { progress } from './progress.ts'
import { type ImportOptions, runImport } from './run-import.ts'
import { summaryText } from './summary-text.ts'
import type { TargetField } from './target.ts'

type Sent = { path: string; key: string; rows: Record<string, unknown>[]; body: Record<string, unknown> }
/** What the server does with a request instead of answering: cut the line after the write, or send this. */
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
    if (request.method === 'GET') return void answer(200, {})
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
afterEach(async () => {
  await Promise.all(files.splice(0).map((file) => file.close()))
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const field = (key: string, type: string, items: TargetField[] = []): TargetField => ({
  key,
  type,
  required: key === 'name',
  items,
})
const FIELDS = [
  field('external_id', 'string'),
  field('name', 'string'),
  field('phone', 'phone'),
  field('currency', 'currency'),
  field('total_amount', 'money'),
  field('rooms', 'list', [field('name', 'string'), field('nightly_rate', 'money')]),
]
const target = { entity: 'customers', fields: FIELDS, maxRows: 3 }

function newClient(at = url) {
  let now = 1_000_000
  return apiClient({ url: at, from: '--url' }, 'sek_test', {
    fetch: (address, init) => fetch(address, init),
    sleep: async (ms) => {
      slept.push(ms)
      now += ms
    },
    now: () => now,
    waiting: () => {},
  })
}
const files: TextFile[] = []
async function opened(path: string): Promise<TextFile> {
  const file = await openFile(path)
  files.push(file)
  return file
}
/** Imports a file as the command does: reads a CSV whole, then sends it. */
async function send(name: string, text: string, options: Partial<ImportOptions> = {}) {
  const path = join(folder, name)
  writeFileSync(path, text)
  const file = await opened(path)
  const isCsv = detectFormat(path, file.head).kind === 'csv'
  const reading = { target, ignored: [], ...options }
  const examined = isCsv ? await examineFile(await opened(path), reading, null) : null
  const body = examined?.separator ? { decimal_separator: examined.separator } : {}
  const failed = failedRows(failedPath(name), file.hasMark)
  const summary = await runImport(file, newClient(), { dryRun: false, body, ...reading }, failed, progress(0, true))
  failed.close()
  return summary
}
const failedPath = (name: string) => join(folder, `failed-${name}`)
const failedText = (name: string) => readFileSync(failedPath(name), 'utf8')
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
  it('waits for the Retry-After of a 429, and for the next window when the budget is spent', async () => {
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
  it('stops at any other refusal with its details, and asks for another run only where that helps', async () => {
    const refused = { error: 'The request body is invalid.', code: 'validation_failed', details: { mode: ['is odd'] } }
    mishaps = [{ status: 422, body: refused }]
    const message = await messageOf(send('rows.jsonl', lines(2)))
    expect(message).toBe('The cell refused the request: The request body is invalid.\n  mode: is odd')
    mishaps = Array.from({ length: 9 }, () => ({ status: 503 }))
    expect(await messageOf(send('rows.jsonl', lines(2)))).toMatch(/after 0 rows\. Run the same command again: /)
  })
  it('gives up within two seconds if nothing answers at first, and names the source of the address', async () => {
    server.close()
    const message = await messageOf(newClient().get('/imports/entities'))
    expect(message).toMatch(/^No response from http:\S+ \(from --url\): .*ECONNREFUSED.*--url or BACKDESK_URL\.$/)
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(2_000)
  })
  it('names the fields of failed rows, the most frequent reason first', async () => {
    const summary = await send('rows.csv', 'external_id,name\nA,x\nB,bad\nC,bad\nD\n')
    expect(summary).toMatchObject({
      counts: { total: 4, created: 1, failed: 3 },
      errors: { required: 2, unreadable_row: 1 },
      reasons: [
        { field: 'name', code: 'required', rows: 2 },
        { field: '', code: 'unreadable_row', rows: 1 },
      ],
    })
    expect(summaryText(summary, 'f')).toContain('name (required): 2 rows. =cmd')
  })
})

const messageOf = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: Error) => error.message,
  )

describe('the columns of a CSV', () => {
  const refusal = (text: string, options: Partial<ImportOptions> = {}) => messageOf(send('rows.csv', text, options))

  it('are refused where one looks like a price and is not read, by its name or by its cells', async () => {
    const prices = [
      'Price',
      'Net Fare',
      'salePrice',
      'Satış Fiyatı',
      'Verkaufspreis',
      'Prezzo (€)',
      'KDV Tutarı',
      'Total',
    ]
    for (const name of prices) expect(await refusal(`external_id,${name}\nA,100\n`)).toMatch(`"${name}", which looks`)
    expect(await refusal('external_id;Zimmer\nA;€ 1.200,50\n')).toMatch(
      /"Zimmer".*imported from total_amount, rooms\..*--ignore "Zimmer"/,
    )
    expect(sent).toEqual([])
  })
  it('are ignored as before where they are something else, or where the user leaves them out', async () => {
    const others = ['Tax number', 'VAT No', 'segment', 'Total nights', 'net_type', 'Vergi dairesi']
    for (const name of others) expect(await refusal(`external_id,${name}\nA,100\n`)).toBe('no error')
    expect(await refusal('external_id,Price\nA,100\n', { ignored: ['price'] })).toBe('no error')
    expect(sent.at(-1)?.rows).toEqual([{ external_id: 'A' }])
  })
  it('must include external_id, and no field twice', async () => {
    expect(await refusal('name\nx\n')).toBe('Line 1: the header has no column external_id, which is required.')
    expect(await refusal('external_id,name,Name\nA,x,y\n')).toMatch(/both name and Name for the field name/)
  })
  it('that new records need and the file lacks are named', async () => {
    writeFileSync(join(folder, 'rows.csv'), 'external_id\nA\n')
    const examined = await examineFile(await opened(join(folder, 'rows.csv')), { target, ignored: [] }, null)
    expect(examined.missing).toEqual(['name'])
  })
})

describe('the decimal separator of a CSV', () => {
  const separatorOf = async (...amounts: string[]): Promise<unknown> => {
    const text = `external_id;total_amount\n${amounts.map((amount, at) => `R${at};${amount}\n`).join('')}`
    const error = await messageOf(send('rows.csv', text))
    return error === 'no error' ? (sent.at(-1)?.body.decimal_separator ?? null) : error
  }
  it.each([
    [',', ['1.234', '12,50']],
    [',', ['1.234.567', '1.234']],
    ['.', ['1,234', '1,234.56']],
    ['.', ['0.125', '1.234']],
    [null, ['100', '2500']],
    ['.', [...Array<string>(9).fill('12.50'), '12,50']],
  ])('is %s for %j: one answer for the whole column', async (expected, amounts) => {
    expect(await separatorOf(...amounts)).toBe(expected)
  })
  it('is asked for where no amount of a column shows it, or where two disagree', async () => {
    expect(await separatorOf('100', '1.234')).toMatch(
      /^total_amount 1\.234 \(line 3\) is ambiguous: it can mean 1234 or 1\.234\. Set --decimal-separator/,
    )
    expect(await separatorOf('12,50', '12.50')).toMatch(/12,50 \(line 2\) has a decimal comma, but .*12\.50 \(line 3\)/)
    expect(sent).toEqual([])
  })
  it('knows currencies with three decimals, and the amounts of lists', async () => {
    await send('rows.csv', 'external_id;currency;total_amount\nA;KWD;25.968\n')
    expect(sent.at(-1)?.body.decimal_separator).toBe('.')
    await send('rows.csv', 'external_id;rooms\nA;"[{""nightly_rate"":""68,50""}]"\n')
    expect(sent.at(-1)?.body.decimal_separator).toBe(',')
  })
})

describe('the file of failed rows', () => {
  it('has the columns and cells of the file, with line and errors in front, and is imported as it is once it is corrected', async () => {
    const text = "External ID;NAME;phone;extra\nA;x;+90 532;\n=B;bad;+90 533;-1\nC\n'=D;bad;;\n"
    await send('rows.csv', `\ufeff${text}`)
    expect(failedText('rows.csv')).toBe(
      [
        '\ufeffimport_line;import_errors;External ID;NAME;phone;extra',
        '4;Line 4 has 1 cells, but the header has 4.;C',
        "3;name: =cmd;'=B;bad;'+90 533;'-1",
        "5;name: =cmd;''=D;bad;;",
        '',
      ].join('\n'),
    )
    sent = []
    const corrected = failedText('rows.csv').replaceAll('bad', 'good').replace(';C\n', ';C;good;;\n')
    expect((await send('again.csv', corrected)).counts).toMatchObject({ total: 3, created: 3 })
    expect(sent.flatMap(({ rows }) => rows)).toEqual([
      { external_id: 'C', name: 'good' },
      { external_id: '=B', name: 'good', phone: '+90 533', extra: '-1' },
      { external_id: "'=D", name: 'good' },
    ])
  })
  it('fails in the same way where nothing is corrected', async () => {
    const text = 'external_id,name\nA,bad\nB\n'
    const counts = (await send('rows.csv', text)).counts
    expect((await send('again.csv', failedText('rows.csv'))).counts).toEqual(counts)
    const cells = (name: string) =>
      failedText(name)
        .split('\n')
        .map((line) => line.replace(/^\d+,|Line \d+ has \d+ cells|header has \d+/g, ''))
    expect(cells('again.csv')).toEqual(cells('rows.csv'))
  })
  it('is JSON Lines for JSON', async () => {
    await send('rows.jsonl', '{"external_id":"A","name":"bad","n":1}\nno JSON\n[1]\n')
    const [text, list, row, end] = failedText('rows.jsonl').split('\n')
    expect([text, list, end]).toEqual(['no JSON', '[1]', ''])
    expect(JSON.parse(row ?? '')).toEqual({
      import_line: 1,
      import_errors: [{ field: 'name', code: 'required', message: '=cmd' }],
      external_id: 'A',
      name: 'bad',
      n: 1,
    })
    sent = []
    await send('again.jsonl', `${row?.replace('"bad"', '"good"')}\n`)
    expect(sent.flatMap(({ rows }) => rows)).toEqual([{ external_id: 'A', name: 'good', n: 1 }])
  })
})
