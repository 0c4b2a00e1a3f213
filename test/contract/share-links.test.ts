import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashPassword, passwordHolds } from '../../src/features/trip-pages/share-token.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'
import { type Row, tripsOf } from '../harness/trips.ts'

type Link = Row & { url: string; token_hint: string; active: boolean; revoked_at: string | null }
type LinkAnswer = { status: number; code: string; details: Record<string, string[]>; data: Link; text: string }
const NOBODY = '01890000-0000-7000-8000-000000000000'

let cell: TestCell
let agency: Agency
let trip: string
beforeAll(async () => {
  cell = await startCell({ publicUrl: 'https://trips.example', deps: { count: uncounted } })
  agency = await makeAgency(cell)
  trip = await make(agency)
})
const { make, read } = tripsOf(() => cell)
async function mint(link: object, { of = trip, key = agency.key, headers = {} } = {}): Promise<LinkAnswer> {
  const body = { share_link: { audience: 'traveler', ...link } }
  const answer = await cell.call('POST', `/trips/${of}/share_links`, { key, body, headers })
  return { status: answer.status, text: answer.text, ...(answer.body as object) } as LinkAnswer
}
const links = (of = trip) => read<Link[]>(`${of}/share_links`, agency)
const revoke = async (id: string, { of = trip, key = agency.key } = {}) =>
  (await cell.call('DELETE', `/trips/${of}/share_links/${id}`, { key })).status

describe('a share link', () => {
  it('is minted with an address that is shown once, and kept as a hash', async () => {
    const own = await make(agency)
    const { status, data } = await mint(
      { label: 'For Ayşe', password: 'gizli söz', show_prices: true, expires_at: '2126-05-01T10:00' },
      { of: own },
    )
    expect(status).toBe(201)
    const { url, ...link } = data
    expect(link).toEqual({
      id: link.id,
      trip_id: own,
      label: 'For Ayşe',
      audience: 'traveler',
      supplier_id: null,
      token_hint: url.slice(-4),
      show_prices: true,
      show_travelers: true,
      password_protected: true,
      active: true,
      expires_at: '2126-05-01T07:00:00.000000Z',
      revoked_at: null,
      view_count: 0,
      last_viewed_at: null,
      created_by: { id: agency.owner.id, name: 'Owner', email: 'owner@agency.example' },
      created_at: link.created_at,
    })
    expect(url).toMatch(/^https:\/\/trips\.example\/s\/[\w-]{32}$/) // 192 bits
    expect(await links(own)).toEqual([link])
    const token = url.slice(-32)
    const [stored] = await ask<Record<string, unknown>>(cell, 'select * from share_links where id = $1', [link.id])
    expect(stored?.token_hash).toEqual(createHash('sha256').update(token).digest())
    const { token_hash: _, ...rest } = stored ?? {}
    expect(JSON.stringify(rest)).not.toMatch(new RegExp(`${token}|gizli`))
    expect(await passwordHolds('gizli söz', String(stored?.password_hash))).toBe(true)
    expect(await passwordHolds('gizli soz', String(stored?.password_hash))).toBe(false)
  })
  it('shows travellers to travellers by default, and prices to no audience', async () => {
    const { rows } = await importRows(cell, agency.key, 'suppliers', [{ external_id: 'S', name: 'Hotel' }])
    const supplier_id = rows[0]?.id
    for (const [link, show_travelers] of [
      [{ audience: 'traveler' }, true],
      [{ audience: 'companion' }, true],
      [{ audience: 'companion', show_travelers: false }, false],
      [{ audience: 'supplier', supplier_id }, false],
      [{ audience: 'supplier', supplier_id, show_travelers: true }, true],
    ] as const)
      expect((await mint(link)).data).toMatchObject({ ...link, show_travelers, show_prices: false })
  })
  it.each([
    ['audience', { audience: 'public' }],
    ['audience', { audience: null }],
    ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
    ['expires_at', { expires_at: 'tomorrow' }],
    ['password', { password: 'seven77' }],
    ['password', { password: '😀😀😀😀' }],
    ['password', { password: '' }],
    ['password', { password: '    ' }],
    ['password', { password: 'x'.repeat(201) }],
    ['label', { label: 'x'.repeat(201) }],
    ['show_prices', { show_prices: 'perhaps' }],
    ['supplier_id', { audience: 'supplier' }],
    ['supplier_id', { audience: 'supplier', supplier_id: NOBODY }],
    ['supplier_id', { audience: 'companion', supplier_id: NOBODY }],
  ])('is refused for its %s: %j', async (attribute, link) => {
    const before = (await links()).length
    const { status, code, details } = await mint(link)
    expect([status, code, Object.keys(details)]).toEqual([422, 'validation_failed', [attribute]])
    expect((await links()).length).toBe(before)
  })
  it('shows nothing that the role of its maker does not see', async () => {
    const { key: marketing } = await agency.makeKey({ role: 'marketing' })
    expect(await mint({ show_prices: true }, { key: marketing })).toMatchObject({
      status: 422,
      details: { show_prices: ['Your role does not see money.'] },
    })
    expect((await mint({}, { key: marketing })).status).toBe(201)
    const policies = ['view_trips', 'share_trips', 'view_money']
    await saveRoleOf(cell, agency.number, 'sharer', policies)
    const { key } = await agency.makeKey({ role: 'sharer' })
    expect((await mint({ show_travelers: true }, { key })).details).toEqual({
      show_travelers: ['Your role does not see personal data.'],
    })
    expect((await mint({ show_prices: true }, { key })).data).toMatchObject({
      show_prices: true,
      show_travelers: false,
    })
  })
  it('is refused for a supplier of another account, and a trip that is not there', async () => {
    const other = await makeAgency(cell)
    const { rows } = await importRows(cell, other.key, 'suppliers', [{ external_id: 'S', name: 'Theirs' }])
    expect((await mint({ audience: 'supplier', supplier_id: rows[0]?.id })).status).toBe(422)
    for (const given of [{ of: NOBODY }, { of: 'x' }, { key: other.key }])
      expect((await mint({}, given)).status).toBe(404)
    expect((await cell.call('GET', `/trips/${NOBODY}/share_links`, { key: agency.key })).status).toBe(404)
  })
  it('is minted once for an Idempotency-Key, whose replay has the same address', async () => {
    const own = await make(agency)
    const headers = { 'idempotency-key': 'mint' }
    const [one, two] = [await mint({}, { of: own, headers }), await mint({}, { of: own, headers })]
    expect(two.text).toBe(one.text)
    expect(await links(own)).toHaveLength(1)
  })
  it('is revoked once, and stays in the list; an expired one too', async () => {
    const own = await make(agency)
    const [one, two] = [(await mint({}, { of: own })).data, (await mint({}, { of: own })).data]
    expect(await revoke(one.id, { of: trip })).toBe(404)
    expect(await revoke(one.id, { of: own, key: (await makeAgency(cell)).key })).toBe(404)
    expect([await revoke(one.id, { of: own }), await revoke(one.id, { of: own })]).toEqual([204, 404])
    await ask(cell, `update share_links set expires_at = now() - interval '1 second' where id = $1`, [two.id])
    expect((await links(own)).map(({ id, active, revoked_at }) => [id, active, revoked_at !== null])).toEqual([
      [two.id, false, false],
      [one.id, false, true],
    ])
    expect(await revoke(two.id, { of: own })).toBe(204)
  })
  it('is one of a hundred that are not revoked, at most', async () => {
    const own = await make(agency)
    const { data } = await mint({}, { of: own })
    await ask(
      cell,
      `insert into share_links (account_id, trip_id, audience, token_hash, token_hint, show_prices, show_travelers)
       select account_id, id, 'traveler', sha256(nth::text::bytea), 'x', false, false from trips, generate_series(1, 99) nth where id = $1`,
      [own],
    )
    expect(await mint({}, { of: own })).toMatchObject({ status: 422, details: { base: [expect.any(String)] } })
    await revoke(data.id, { of: own })
    expect((await mint({}, { of: own })).status).toBe(201)
  })
  it('leaves in the audit log who made it and who revoked it, and no secret', async () => {
    const own = await make(agency)
    const { id, key } = await agency.makeKey()
    const { data } = await mint({ password: 'geheimnis', label: 'For Ada' }, { of: own, key })
    await revoke(data.id, { of: own, key })
    const rows = await ask<Row>(
      cell,
      `select action, actor, subject_type, details from audit_log where subject_id = $1 order by action`,
      [data.id],
    )
    expect(rows).toMatchObject([
      { action: 'share_link.created', details: { trip: own, audience: 'traveler', password_protected: true } },
      { action: 'share_link.revoked', details: { trip: own } },
    ])
    for (const { actor, subject_type } of rows) expect([actor, subject_type]).toEqual([`API key ${id}`, 'share_link'])
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`geheim|scrypt|${data.url.slice(-32)}`))
  })
})

describe('a password', () => {
  it('holds however its letters are composed, and is kept with a salt of its own', async () => {
    const kept = await hashPassword('Çiçek  9')
    expect(kept).toMatch(/^scrypt\$16384\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(await hashPassword('Çiçek  9')).not.toBe(kept)
    for (const [typed, holds] of [
      ['Çiçek  9'.normalize('NFD'), true],
      [' Çiçek  9\t', true],
      ['Çiçek 9', false],
      ['çiçek  9', false],
      ['', false],
    ] as const)
      expect([typed, await passwordHolds(typed, kept)]).toEqual([typed, holds])
  })
})
