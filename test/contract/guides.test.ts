import { hash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { GUIDES } from '../../src/reference/guides.ts'
import { startCell, type TestCell } from '../harness/cell.ts'

/** Pages for operators and developers. */
const NOT_SERVED = ['ARCHITECTURE', 'GLOSSARY', 'OPERATIONS', 'backup', 'recipes']

let cell: TestCell
beforeAll(async () => {
  cell = await startCell()
})
const get = (url: string, headers = {}) => cell.app.inject({ url, headers })
const linksOf = (body: string) => [...body.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href)

describe('the guides', () => {
  it('are all pages of docs except those for operators and developers', () => {
    const pages = readdirSync(join(import.meta.dirname, '../../docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => name.slice(0, -'.md'.length))
    expect([...GUIDES.map(({ name }) => name), ...NOT_SERVED].toSorted()).toEqual(pages.toSorted())
  })
  it.each(GUIDES)(
    '$name is a page whose links all lead somewhere, with the words of its file',
    async ({ name, title }) => {
      const { statusCode, headers, body } = await get(`/docs/guides/${name}`)
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(body).toContain(`<title>${title} · Backdesk</title>`)
      expect(body).toMatch(/<h1 id="[\w-]+">/)
      expect(body).not.toMatch(/\]\(|^\|/m) // no Markdown is left
      for (const link of linksOf(body)) {
        const { origin, pathname, hash: anchor } = new URL(link, 'http://cell/')
        if (origin !== 'http://cell') continue
        const target = pathname === '/' ? body : (await get(pathname)).body
        expect([link, pathname === '/' ? 200 : (await get(pathname)).statusCode]).toEqual([link, 200])
        if (anchor) expect([link, target.includes(`id="${anchor.slice(1)}"`)]).toEqual([link, true])
      }
    },
  )
  it('are linked from the reference, and lead back to it', async () => {
    const { body } = await get('/docs')
    expect(linksOf(body)).toEqual(['/docs', ...GUIDES.map(({ name }) => `/docs/guides/${name}`)])
  })
})

describe('the script of the reference', () => {
  it('is named after its content, kept for ever, and compressed', async () => {
    const [, address = ''] = /<script src="([^"]+)"/.exec((await get('/docs')).body) ?? []
    const plain = await get(address)
    const packed = await get(address, { 'accept-encoding': 'br' })
    expect(address).toContain(hash('sha256', plain.rawPayload).slice(0, 16))
    for (const { headers } of [plain, packed])
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
        vary: 'accept-encoding',
      })
    expect(packed.headers['content-encoding']).toBe('br')
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
    expect(brotliDecompressSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect((await get('/docs/reference-0000000000000000.js')).statusCode).toBe(404)
  })
})
