import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { fileSweep } from '../../src/features/uploads/file-sweep.job.ts'
import { type Bucket, readBucket } from '../../src/platform/files/bucket.ts'
import type { FileStore } from '../../src/platform/files/file-store.ts'
import { FILE_MAXIMUM_BYTES } from '../../src/platform/http/receive-file.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startBucket } from '../harness/bucket.ts'
import { type Answer, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { KEPT, MISNAMED, PDF, REFUSED } from '../harness/sample-files.ts'
import { SENTENCE } from '../harness/sentence.ts'
import { undeclared } from '../harness/undeclared.ts'
import { multipart, type Upload, upload, uploaded } from '../harness/upload.ts'
import { GO_ON } from '../harness/worker.ts'

type Attachment = { id: string; filename: string; url: string }
type Refused = { code: string; error: string; details?: Record<string, string[]> }
/** Its sentences are read here as well. */
function refusal({ status, body }: Answer): unknown[] {
  const { error, code, details = {} } = body as Refused
  for (const text of [error, ...Object.values(details).flat()]) expect(text).toMatch(SENTENCE)
  return [status, code]
}

/** Everything that lies in the cell's folder of files. */
const filesOf = async (folder: string): Promise<string[]> =>
  existsSync(folder)
    ? (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
    : []

async function makeCustomer(cell: TestCell, key: string): Promise<string> {
  const { body } = await cell.call('POST', '/customers', { key, body: { customer: { name: 'Ayşe Yılmaz' } } })
  return (body as { data: { id: string } }).data.id
}
const writeNote = (cell: TestCell, key: string, customer: string, ids: readonly string[]) =>
  cell.call('POST', `/customers/${customer}/notes`, { key, body: { note: { body: 'See file.', attachment_ids: ids } } })
/** Attaches the upload to a new note, and answers the attachment. */
async function attach(cell: TestCell, key: string, customer: string, { signed_id }: Upload) {
  const { body } = await writeNote(cell, key, customer, [signed_id])
  const { id, attachments } = (body as { data: { id: string; attachments: Attachment[] } }).data
  return { note: id, ...(attachments[0] as Attachment) }
}
const fetchFile = (cell: TestCell, url: string) => cell.app.inject({ method: 'GET', url: new URL(url).pathname })
const age = undeclared<{ account: number; by: string }, never>(
  'update files set expires_at = expires_at - $by::interval where account_id = $account::integer',
)
const ageFiles = (cell: TestCell, { number }: Agency, by: string) =>
  cell.deps.db.askSystem('a test lets time pass', age, { account: number, by })

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})

describe('an upload', () => {
  it.each(KEPT)('%s is kept, with the type that its bytes show', async (name, bytes, content_type) => {
    expect(await uploaded(cell, agency.key, name, bytes)).toEqual({
      signed_id: expect.any(String),
      filename: name,
      content_type,
      byte_size: bytes.length,
    })
  })
  it.each([...REFUSED, ...MISNAMED])('%s is refused, and leaves nothing', async (name, bytes) => {
    const before = await filesOf(cell.deps.config.dataDir)
    const answer = await upload(cell, agency.key, name, bytes)
    expect([...refusal(answer), Object.keys((answer.body as Refused).details ?? {})]).toEqual([
      422,
      'validation_failed',
      ['file'],
    ])
    expect(await filesOf(cell.deps.config.dataDir)).toEqual(before)
  })
  it('may have 1 byte to 10 MiB', async () => {
    const sent = async (length: number) => (await upload(cell, agency.key, 'a.bin', Buffer.alloc(length))).status
    expect(refusal(await upload(cell, agency.key, 'a.bin', ''))).toEqual([422, 'validation_failed'])
    expect(await sent(1)).toBe(201)
    expect(await sent(FILE_MAXIMUM_BYTES)).toBe(201)
    expect(await sent(FILE_MAXIMUM_BYTES + 1)).toBe(413)
    expect(await sent(2 * FILE_MAXIMUM_BYTES)).toBe(413)
  })
  it('keeps its name for display, without a path or invisible characters', async () => {
    const name = async (given: string) => (await uploaded(cell, agency.key, given, PDF)).filename
    expect(await name('..\\..\\secret\\voucher.pdf')).toBe('voucher.pdf')
    expect(await name('/etc/voucher.pdf')).toBe('voucher.pdf')
    expect(await name('a\u0000\u202eb.pdf')).toBe('ab.pdf')
    expect(await name('Fatura "İzmir".pdf')).toBe('Fatura "İzmir".pdf')
    expect(await name('')).toBe('file')
    expect(await name('x'.repeat(400))).toHaveLength(255)
  })
  it.each<[string, number, string, { raw?: Buffer | string; headers?: Record<string, string>; body?: unknown }]>([
    ['JSON', 415, 'unsupported_media_type', { body: { file: 'x' } }],
    ['the bare file', 415, 'unsupported_media_type', { raw: PDF, headers: { 'content-type': 'application/pdf' } }],
    ['a content encoding', 415, 'unsupported_media_type', { raw: 'x', headers: { 'content-encoding': 'gzip' } }],
    ['no body', 422, 'validation_failed', {}],
    ['no boundary', 400, 'bad_request', { raw: 'x', headers: { 'content-type': 'multipart/form-data' } }],
    ['no parts', 422, 'validation_failed', multipart([])],
    [
      'a cut body',
      400,
      'bad_request',
      { raw: '--x\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    ],
  ])('refuses %s', async (_, status, code, call) => {
    expect(refusal(await cell.call('POST', '/uploads', { key: agency.key, ...call }))).toEqual([status, code])
  })
  it('is what no other route takes', async () => {
    const call = { key: agency.key, ...multipart([{ name: 'file', filename: 'a.pdf', bytes: PDF }]) }
    expect(refusal(await cell.call('POST', '/customers', call))).toEqual([415, 'unsupported_media_type'])
  })
  it('is answered again for the same Idempotency-Key, though its boundary is another, and for no other file', async () => {
    const send = (name: string, bytes: Buffer | string) =>
      upload(cell, agency.key, name, bytes, { 'idempotency-key': 'upload' })
    const first = await send('voucher.pdf', PDF)
    const again = await send('voucher.pdf', PDF)
    expect([again.status, again.text, again.headers['idempotent-replay']]).toEqual([201, first.text, 'true'])
    expect(refusal(await send('voucher.pdf', `${PDF}x`))).toEqual([422, 'idempotency_key_reuse'])
    expect(refusal(await send('other.pdf', PDF))).toEqual([422, 'idempotency_key_reuse'])
  })
})

describe('a signed id', () => {
  let customer: string
  beforeAll(async () => {
    customer = await makeCustomer(cell, agency.key)
  })
  const use = async (...ids: string[]) => {
    const answer = await writeNote(cell, agency.key, customer, ids)
    return answer.status === 201 ? 201 : [...refusal(answer), Object.keys((answer.body as Refused).details ?? {})]
  }
  const REFUSED_ID = [422, 'validation_failed', ['attachment_ids[0]']]

  it('is good for one note', async () => {
    const { signed_id } = await uploaded(cell, agency.key, 'a.pdf', PDF)
    expect(await use(signed_id, signed_id)).toBe(201)
    expect(await use(signed_id)).toEqual(REFUSED_ID)
  })
  it('is taken once by eight who try at once', async () => {
    const { signed_id } = await uploaded(cell, agency.key, 'a.pdf', PDF)
    const answers = await Promise.all(Array.from({ length: 8 }, () => use(signed_id)))
    expect(answers.filter((answer) => answer === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer !== 201)).toEqual(Array.from({ length: 7 }, () => REFUSED_ID))
  })
  it('is not taken by a note that is refused', async () => {
    const { signed_id } = await uploaded(cell, agency.key, 'a.pdf', PDF)
    expect(await use(signed_id, 'x')).toEqual([422, 'validation_failed', ['attachment_ids[1]']])
    expect(await use(signed_id)).toBe(201)
  })
  it('of another account, altered, or of an attachment is invalid', async () => {
    const stranger = await makeAgency(cell)
    const foreign = await uploaded(cell, stranger.key, 'a.pdf', PDF)
    expect(await use(foreign.signed_id)).toEqual(REFUSED_ID)
    const own = await uploaded(cell, agency.key, 'a.pdf', PDF)
    for (const at of [0, 10, 25, own.signed_id.length - 2]) {
      const sign = own.signed_id[at] === 'A' ? 'B' : 'A'
      expect(await use(own.signed_id.slice(0, at) + sign + own.signed_id.slice(at + 1))).toEqual(REFUSED_ID)
    }
    const { id } = await attach(cell, agency.key, customer, own)
    expect(await use(id)).toEqual(REFUSED_ID)
  })
  it('is good for 24 hours', async () => {
    const own = await makeAgency(cell)
    const ofOwn = await makeCustomer(cell, own.key)
    const young = await uploaded(cell, own.key, 'a.pdf', PDF)
    await ageFiles(cell, own, '23 hours 59 minutes')
    expect((await writeNote(cell, own.key, ofOwn, [young.signed_id])).status).toBe(201)
    const old = await uploaded(cell, own.key, 'a.pdf', PDF)
    await ageFiles(cell, own, '24 hours')
    expect((await writeNote(cell, own.key, ofOwn, [old.signed_id])).status).toBe(422)
  })
})

/** What holds wherever the files lie. */
const places: readonly [string, () => Promise<{ bucket: Bucket | null; folder: string | null }>][] = [
  ['on disk', async () => ({ bucket: null, folder: null })],
  [
    'in a bucket',
    async () => {
      const { url, folder } = await startBucket()
      return { bucket: readBucket(url), folder }
    },
  ],
]
describe.each(places)('a file %s', (_, open) => {
  let cell: TestCell
  let agency: Agency
  let customer: string
  let folder: string
  beforeAll(async () => {
    const place = await open()
    cell = await startCell({ bucket: place.bucket, deps: { count: uncounted } })
    folder = place.folder ?? cell.deps.config.dataDir
    agency = await makeAgency(cell)
    customer = await makeCustomer(cell, agency.key)
  })
  const attached = async (name = 'Fatura ağustos.pdf', bytes: Buffer | string = PDF) =>
    attach(cell, agency.key, customer, await uploaded(cell, agency.key, name, bytes))

  it('is fetched by its signed address alone, and only to be saved', async () => {
    const { url } = await attached()
    const answer = await fetchFile(cell, url)
    expect([answer.statusCode, answer.rawPayload.equals(PDF)]).toEqual([200, true])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(PDF.length),
      'content-disposition': `attachment; filename="Fatura a_ustos.pdf"; filename*=UTF-8''Fatura%20a%C4%9Fustos.pdf`,
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect((await fetchFile(cell, (await attached('a.csv', 'ş;1')).url)).headers['content-type']).toBe(
      'text/plain; charset=utf-8',
    )
  })
  it('of the largest size comes back whole', async () => {
    const bytes = Buffer.alloc(FILE_MAXIMUM_BYTES, 'ten megabytes ')
    const { url } = await attached('large.txt', bytes)
    expect((await fetchFile(cell, url)).rawPayload.equals(bytes)).toBe(true)
  })
  it('is there again under each new address', async () => {
    const { url } = await attached()
    cell.clock.add(30 * 60_000)
    const { body } = await cell.call('GET', `/customers/${customer}/notes`, { key: agency.key })
    const [newest] = (body as { data: { attachments: Attachment[] }[] }).data
    expect(newest?.attachments[0]?.url).not.toBe(url)
    for (const address of [url, newest?.attachments[0]?.url as string])
      expect((await fetchFile(cell, address)).statusCode).toBe(200)
    cell.clock.set(Date.now())
  })
  it('is not found by an address that expired or was tampered with', async () => {
    const { url } = await attached()
    const at = url.lastIndexOf('/') + 1
    const tampered = [...url.slice(at)].map(
      (sign, nth) => url.slice(0, at + nth) + (sign === 'A' ? 'B' : 'A') + url.slice(at + nth + 1),
    )
    for (const address of [...tampered.slice(0, -1), url.slice(0, -4), `${url}AAAA`, `${url.slice(0, at)}x`]) {
      const answer = await fetchFile(cell, address)
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    }
    cell.clock.add(60 * 60_000 - 5_000)
    expect((await fetchFile(cell, url)).statusCode).toBe(200)
    cell.clock.add(6_000)
    expect((await fetchFile(cell, url)).statusCode).toBe(404)
    cell.clock.set(Date.now())
  })
  it('is deleted with its note, with its customer, and if its bytes are lost', async () => {
    const [one, other, lost] = [await attached(), await attached(), await attached()]
    expect((await cell.call('DELETE', `/customers/${customer}/notes/${one.note}`, { key: agency.key })).status).toBe(
      204,
    )
    expect((await fetchFile(cell, one.url)).statusCode).toBe(404)
    expect((await fetchFile(cell, other.url)).statusCode).toBe(200)
    await cell.deps.files.store.remove({ account: agency.number, id: lost.id })
    expect((await fetchFile(cell, lost.url)).statusCode).toBe(404)
    await cell.call('DELETE', `/customers/${customer}`, { key: agency.key })
    expect((await fetchFile(cell, other.url)).statusCode).toBe(404)
    customer = await makeCustomer(cell, agency.key)
  })
  it('answers other methods with 405', async () => {
    const { url } = await attached()
    const answer = await cell.app.inject({ method: 'DELETE', url: new URL(url).pathname })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  })
  it('is swept away, bytes and row, a day after nothing took it; others stay', async () => {
    const own = await makeAgency(cell)
    const ofOwn = await makeCustomer(cell, own.key)
    const before = (await filesOf(folder)).length
    const kept = await attach(cell, own.key, ofOwn, await uploaded(cell, own.key, 'kept.pdf', PDF))
    const dropped = await attach(cell, own.key, ofOwn, await uploaded(cell, own.key, 'dropped.pdf', PDF))
    await Promise.all(Array.from({ length: 105 }, () => uploaded(cell, own.key, 'orphan.pdf', PDF)))
    const bytesOf = async () => (await filesOf(folder)).length - before
    const all = await bytesOf()
    const sweep = () => fileSweep.run(cell.deps, GO_ON)
    await sweep()
    expect(await bytesOf()).toBe(all)
    await cell.call('DELETE', `/customers/${ofOwn}/notes/${dropped.note}`, { key: own.key })
    await ageFiles(cell, own, '25 hours 1 minute')
    const young = await uploaded(cell, own.key, 'young.pdf', PDF)
    await Promise.all([sweep(), sweep(), sweep()])
    expect(await bytesOf()).toBe((all / 107) * 2) // a file of a bucket may be several of its folder
    expect((await fetchFile(cell, kept.url)).statusCode).toBe(200)
    expect((await writeNote(cell, own.key, ofOwn, [young.signed_id])).status).toBe(201)
    const rows = undeclared<{ account: number }, { count: number }>(
      'select count(*)::integer as count from files where account_id = $account',
    )
    expect(await cell.deps.db.reader(own.number).one(rows, {})).toEqual({ count: 2 })
  })
})

describe('a storage that is away', () => {
  it('makes an upload and a download 503, and both work when it is back', async () => {
    const bucket = await startBucket()
    const cell = await startCell({ bucket: readBucket(bucket.url), deps: { count: uncounted } })
    const agency = await makeAgency(cell)
    const customer = await makeCustomer(cell, agency.key)
    const { url } = await attach(cell, agency.key, customer, await uploaded(cell, agency.key, 'a.pdf', PDF))
    await bucket.stop()
    const answer = await upload(cell, agency.key, 'b.pdf', PDF, { 'idempotency-key': 'away' })
    expect([...refusal(answer), answer.headers['retry-after']]).toEqual([503, 'unavailable', '2'])
    expect((await fetchFile(cell, url)).statusCode).toBe(503)
    await bucket.start()
    expect((await upload(cell, agency.key, 'b.pdf', PDF, { 'idempotency-key': 'away' })).status).toBe(201)
    expect((await fetchFile(cell, url)).rawPayload.equals(PDF)).toBe(true)
  })
  it('makes an upload 503 as well where the key or the bucket is another', async () => {
    const { url } = await startBucket()
    const { connection } = cell
    for (const wrong of [url.replace('//S3RVER:', '//another:'), url.replace('@backdesk-test', '@another')]) {
      const cell = await startCell({ bucket: readBucket(wrong), connection })
      const agency = await makeAgency(cell)
      expect(refusal(await upload(cell, agency.key, 'a.pdf', PDF))).toEqual([503, 'unavailable'])
    }
  })
  it('keeps the row of a file that cannot be removed, and removes the others', async () => {
    const cell = await startCell({ deps: { count: uncounted } })
    const agency = await makeAgency(cell)
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) await uploaded(cell, agency.key, name, PDF)
    await ageFiles(cell, agency, '26 hours')
    const { store } = cell.deps.files
    let asked = 0
    const failing: FileStore = {
      ...store,
      remove: (file) => (asked++ === 0 ? Promise.reject(new Error('away')) : store.remove(file)),
    }
    await expect(fileSweep.run({ ...cell.deps, files: { store: failing } }, GO_ON)).rejects.toThrow('away')
    expect(await filesOf(cell.deps.config.dataDir)).toHaveLength(1)
    await fileSweep.run(cell.deps, GO_ON)
    expect(await filesOf(join(cell.deps.config.dataDir, 'files'))).toHaveLength(0)
  })
})
