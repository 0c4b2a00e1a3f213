import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { codingFor } from '../../src/platform/http/compress.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'

const MINIMUM_BYTES = 1024
const OPENERS = { br: brotliDecompressSync, gzip: gunzipSync }

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  const rows = Array.from({ length: 60 }, (_, at) => ({ external_id: `C${at}`, name: `Ayşe Yılmaz ${at}` }))
  await importRows(cell, agency.key, 'customers', rows)
})
async function get(url: string, accept?: string, method: 'GET' | 'HEAD' = 'GET') {
  const answer = await cell.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${agency.key}`, ...(accept !== undefined && { 'accept-encoding': accept }) },
  })
  const coding = answer.headers['content-encoding'] as keyof typeof OPENERS | undefined
  const text = coding && method === 'GET' ? OPENERS[coding](answer.rawPayload).toString() : answer.body
  return { ...answer, headers: answer.headers, coding, text, bytes: answer.rawPayload.length }
}
const URLS = [
  '/api/v1/customers?limit=50',
  '/api/v1/imports/entities',
  '/api/v1/imports/customers/records?limit=50',
  '/api/v1/imports/entities/tickets/template.csv',
  '/openapi.json',
  '/docs',
  '/docs/guides/webhooks',
]

describe('an answer', () => {
  it.each(URLS)('of %s is sent as its client accepts it, and is the same text', async (url) => {
    const plain = await get(url)
    expect(plain.coding).toBeUndefined()
    for (const [accept, coding] of [
      ['br, gzip', 'br'],
      ['gzip, deflate, br;q=0.1', 'gzip'],
      ['gzip', 'gzip'],
      ['*', 'br'],
      ['identity', undefined],
      ['br;q=0, gzip;q=0', undefined],
      ['deflate, zstd', undefined],
    ] as const) {
      const answer = await get(url, accept)
      const packs = plain.bytes >= MINIMUM_BYTES
      expect([accept, answer.coding]).toEqual([accept, packs ? coding : undefined])
      expect(answer.text).toBe(plain.text)
      expect(Number(answer.headers['content-length'])).toBe(answer.bytes)
      expect(answer.headers.vary).toBe(packs ? 'accept-encoding' : undefined)
      if (answer.coding) expect(answer.bytes).toBeLessThan(plain.bytes)
    }
  })
  it('to HEAD has the headers of the one to GET', async () => {
    for (const accept of ['br', 'identity']) {
      const [head, whole] = await Promise.all([get(URLS[0] ?? '', accept, 'HEAD'), get(URLS[0] ?? '', accept)])
      expect(head.bytes).toBe(0)
      for (const name of ['content-length', 'content-encoding', 'content-type', 'vary'])
        expect([name, head.headers[name]]).toEqual([name, whole.headers[name]])
    }
  })
  it('that is small, and one that is packed already, is sent as it is', async () => {
    for (const url of ['/api/v1/customers?limit=1', '/api/v1/health', '/api/v1/reports/sales_by_customer.xlsx'])
      expect([url, (await get(url, 'br, gzip')).coding]).toEqual([url, undefined])
  })
  it('replayed for an Idempotency-Key has a coding that the client accepts', async () => {
    const rows = Array.from({ length: 50 }, (_, at) => ({ external_id: `R${at}`, name: 'Ada' }))
    const send = (accept: string) =>
      cell.app.inject({
        method: 'POST',
        url: '/api/v1/imports/customers',
        headers: { authorization: `Bearer ${agency.key}`, 'idempotency-key': 'packed', 'accept-encoding': accept },
        payload: { rows },
      })
    const first = await send('br')
    const again = await send('gzip')
    expect([first.headers['content-encoding'], again.headers['content-encoding']]).toEqual(['br', 'gzip'])
    expect(again.headers['idempotent-replay']).toBe('true')
    expect(gunzipSync(again.rawPayload).equals(brotliDecompressSync(first.rawPayload))).toBe(true)
    expect((await send('identity')).body).toBe(gunzipSync(again.rawPayload).toString())
  })
})

describe('the coding of an answer', () => {
  const weight = fc.constantFrom('', ';q=0', ';q=0.000', ';q=0.5', '; Q=1', ';q=1.0', ';q=x')
  const part = fc.tuple(fc.constantFrom('br', 'gzip', 'GZIP', 'identity', 'deflate', '*', ''), weight)
  it('is one that the client accepts, for every header', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const coding = codingFor(parts.map(([name, q]) => name + q).join(', '))
        if (coding === null) return
        const named = parts.filter(([name]) => name.toLowerCase() === coding)
        const matching = named.length > 0 ? named : parts.filter(([name]) => name === '*')
        expect(matching.some(([, q]) => !/q=(0(\.0+)?|x)$/i.test(q))).toBe(true)
      }),
    )
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => void expect([null, 'br', 'gzip']).toContain(codingFor(text)),
      ),
    )
  })
})
