import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { unsubscribeUrl } from '../../src/features/communications/unsubscribe.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { ask } from '../harness/sql.ts'
import { tripsOf } from '../harness/trips.ts'

const FORM = 'application/x-www-form-urlencoded'
const ONE_CLICK = 'List-Unsubscribe=One-Click'
const MULTIPART = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ publicUrl: 'https://desk.example' })
  agency = await makeAgency(cell)
})
const { customer } = tripsOf(() => cell)
const keen = (more: object = {}) =>
  customer(agency, {
    name: 'Ayşe Yılmaz',
    email: `${crypto.randomUUID()}@example.com`,
    opted_in_marketing: true,
    ...more,
  })
const pathOf = (id: string, of = agency) => new URL(unsubscribeUrl(cell.deps, of.number, id)).pathname
const open = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  cell.app.inject({ method, url, headers })
const send = (url: string, payload: string | Buffer | undefined = ONE_CLICK, type = FORM) =>
  cell.app.inject({ method: 'POST', url, ...(payload !== undefined && { payload, headers: { 'content-type': type } }) })
const consent = async (id: string) =>
  (
    await ask<{ opted_in_marketing: boolean; opted_in_at: Date | null; version: number }>(
      cell,
      'select opted_in_marketing, opted_in_at, version from customers where id = $1',
      [id],
    )
  )[0]
const audited = (id: string) =>
  ask(
    cell,
    `select action, actor, source, details from audit_log where subject_type = 'customer' and subject_id = $1`,
    [id],
  )

describe('unsubscribing', () => {
  it('asks on a page that changes and reveals nothing, and is done by its button, once', async () => {
    const id = await keen({ locale: 'tr' })
    const path = pathOf(id)
    for (const method of ['GET', 'HEAD', 'GET'] as const) expect((await open(path, {}, method)).statusCode).toBe(200)
    expect(await consent(id)).toMatchObject({ opted_in_marketing: true, version: 1 })
    const { body, headers } = await open(path)
    expect(body).toContain('<html lang="tr">')
    expect(body).toContain('Test Seyahat tarafından gönderilen')
    expect(body).toMatch(/<form method="post"><button class="button">Abonelikten çık<\/button><\/form>/)
    expect(body).not.toMatch(/<script|Yılmaz|@example/)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*form-action 'self'/),
    })
    for (let time = 0; time < 3; time++) {
      const done = await send(path, '')
      expect([done.statusCode, done.body.includes('Abonelikten çıktınız')]).toEqual([200, true])
      expect(done.body).not.toMatch(/Yılmaz|@example/)
    }
    expect(await consent(id)).toEqual({ opted_in_marketing: false, opted_in_at: null, version: 2 })
    expect(await audited(id)).toEqual([
      { action: 'customer.unsubscribed', actor: 'customer', source: 'unsubscribe link', details: {} },
    ])
  })
  it.each<[string, string | Buffer | undefined, string]>([
    ['the one click of RFC 8058', ONE_CLICK, FORM],
    ['the same as a multipart form', MULTIPART, 'multipart/form-data; boundary=x'],
    ['anything else that comes', Buffer.from([0xff, 0]), 'application/octet-stream'],
    ['JSON that is none', '{', 'application/json'],
    ['an empty body', '', FORM],
  ])('is done by %s, without another question', async (_, payload, type) => {
    const id = await keen()
    const { statusCode, headers } = await send(pathOf(id), payload, type)
    expect([statusCode, headers.location, (await consent(id))?.opted_in_marketing]).toEqual([200, undefined, false])
  })
  it('is heard by webhooks, and can be taken back by the agency', async () => {
    const id = await keen()
    const [before] = await ask<{ changed: string }>(cell, 'select changed from customers where id = $1', [id])
    await send(pathOf(id))
    const [after] = await ask<{ changed: string }>(cell, 'select changed from customers where id = $1', [id])
    expect(Number(after?.changed)).toBeGreaterThan(Number(before?.changed))
    const body = { customer: { opted_in_marketing: true } }
    expect((await cell.call('PATCH', `/customers/${id}`, { key: agency.key, body })).status).toBe(200)
    expect(await consent(id)).toMatchObject({ opted_in_marketing: true })
  })
  it('by a mail to a customer who was merged into another is the other’s', async () => {
    const [loser, survivor] = [await keen(), await keen()]
    const body = { into_id: survivor }
    const merged = await cell.call('POST', `/customers/${loser}/merge`, { key: agency.key, body })
    if (merged.status !== 200) throw new Error(merged.text)
    expect((await send(pathOf(loser))).statusCode).toBe(200)
    expect(await consent(survivor)).toMatchObject({ opted_in_marketing: false })
  })
  it('of a customer who is gone does no harm', async () => {
    const id = await keen()
    await cell.call('DELETE', `/customers/${id}`, { key: agency.key })
    expect((await send(pathOf(id))).statusCode).toBeLessThan(500)
  })
  it('is the same 404 for every invalid address, in the visitor’s language', async () => {
    const other = await makeAgency(cell)
    const id = await keen()
    const good = pathOf(id)
    const turkish = { 'accept-language': 'tr-TR,tr;q=0.9' }
    const [none, mixed] = [await open('/u/x'), pathOf(id, other)]
    expect([none.statusCode, none.body]).toEqual([404, expect.stringContaining('This link does not work')])
    const wrong = fc.oneof(
      fc.constantFrom(
        mixed,
        '/u/',
        '/u/a/b',
        `${good}A`,
        `${good}/x`,
        '/u/%00',
        '/u/%F0%9F%98%80',
        `/u/${'A'.repeat(1500)}`,
      ),
      fc
        .tuple(fc.nat(good.length - 5), fc.constantFrom('A', 'b', '7', '-'))
        .map(([at, sign]) => `${good.slice(0, 3 + at)}${sign === good[3 + at] ? '_' : sign}${good.slice(4 + at)}`),
    )
    await fc.assert(
      fc.asyncProperty(wrong, async (path) => {
        const { statusCode, body } = await open(path)
        expect([statusCode, body]).toEqual([404, none.body])
        if (!/^\/u\/.*\//.test(path) && path !== '/u/') expect((await send(path)).statusCode).toBe(404)
      }),
      { numRuns: 60 },
    )
    expect((await open('/u/x', turkish)).body).toContain('Bu bağlantı çalışmıyor')
    expect(await consent(id)).toMatchObject({ opted_in_marketing: true })
  })
  it('has no other methods, and reads no large body', async () => {
    const path = pathOf(await keen())
    const { statusCode, headers } = await cell.app.inject({ method: 'DELETE', url: path })
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    expect((await send(path, 'x'.repeat(10_000))).statusCode).toBe(413)
  })
})
