import { createHmac, hash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bucketStore } from './bucket-store.ts'
import { contentOf } from './file-store.ts'

const SECRET = 'a/b+c'
const FILE = { account: 20_000_001, id: '0198c2c6-0000-7000-8000-0000000000ab' }
const PATH = '/files/cell/20000001/ab/0198c2c6-0000-7000-8000-0000000000ab'

/** The signature that AWS Signature Version 4 asks for, by its own description. */
function signatureOf({ method, url, headers }: IncomingMessage): string {
  const [, date = '', scope = '', signed = ''] =
    /Credential=KEY\/(\d{8})\/([^,]+), SignedHeaders=([^,]+),/.exec(headers.authorization ?? '') ?? []
  const lines = signed.split(';').map((name) => `${name}:${headers[name]}\n`)
  const request = [method, url, '', lines.join(''), signed, headers['x-amz-content-sha256']].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], `${date}/${scope}`, hash('sha256', request)].join('\n')
  const mac = (key: string | Buffer, part: string) => createHmac('sha256', key).update(part).digest()
  const key = scope.split('/').reduce(mac, mac(`AWS4${SECRET}`, date))
  return mac(key, text).toString('hex')
}

describe('a store in a bucket', () => {
  const asked: { method: string; url: string; bytes: Buffer; signed: boolean; hashed: boolean }[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const bytes = await buffer(request)
    asked.push({
      method: request.method ?? '',
      url: request.url ?? '',
      bytes,
      signed: request.headers.authorization?.endsWith(`Signature=${signatureOf(request)}`) ?? false,
      hashed: request.headers['x-amz-content-sha256'] === hash('sha256', bytes),
    })
    response.writeHead(status).end(request.method === 'GET' ? 'bytes' : undefined)
  })
  let store: ReturnType<typeof bucketStore>
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    store = bucketStore({ key: 'KEY', secret: SECRET, region: 'eu-1', url: `http://127.0.0.1:${port}/files/cell` })
  })
  afterAll(() => void server.close())

  it('signs every request, and the bytes with it', async () => {
    await store.put(FILE, contentOf(Buffer.from('bytes')))
    const read = await store.read(FILE)
    expect(read && (await buffer(read)).toString()).toBe('bytes')
    await store.remove(FILE)
    expect(asked.map(({ bytes, ...rest }) => ({ ...rest, length: bytes.length }))).toEqual(
      ['PUT', 'GET', 'DELETE'].map((method) => ({
        method,
        url: PATH,
        signed: true,
        hashed: true,
        length: method === 'PUT' ? 5 : 0,
      })),
    )
  })
  it('retries three times if the storage fails, and then throws', async () => {
    asked.length = 0
    status = 503
    await expect(store.put(FILE, contentOf(Buffer.from('bytes')))).rejects.toThrow(
      'The file storage failed a PUT request',
    )
    expect(asked.map(({ bytes }) => bytes.toString())).toEqual(['bytes', 'bytes', 'bytes'])
  })
  it('finds nothing where there is nothing, and takes that for a wrong bucket when it writes or removes', async () => {
    status = 404
    expect(await store.read(FILE)).toBeNull()
    await expect(store.put(FILE, contentOf(Buffer.from('bytes')))).rejects.toThrow('storage')
    await expect(store.remove(FILE)).rejects.toThrow('storage')
  })
})
