import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { updateAccountOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'
import { multipart, type Upload } from '../harness/upload.ts'

/** 24 × 16 and 1 × 1 pixels. */
const PNG = pngOf(24, 16)
const DOT = pngOf(1, 1)

let cell: TestCell
let agency: Agency
let owner: string
let admin: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  owner = await signInAs(cell, agency.number, agency.owner.id)
  admin = await signInAs(cell, agency.number, await seatOf('admin'))
})
const seatOf = (role: string) =>
  cell.deps.db.asSystem('a test makes a seat', (tx) =>
    insertSeat(tx, agency.number, {
      name: role,
      email: `${role}-${crypto.randomUUID()}@agency.example`,
      role,
      branchId: null,
    }),
  )
type Shown = { version: number; logo: { id: string | null; url: string } | null; [name: string]: unknown }
async function app(method: string, path: string, body?: object, session = owner) {
  const answer = await cell.call(method, `/app/v1${path}`, { session, ...(body && { body }) })
  const { code, details, data } = (answer.body ?? {}) as { code?: string; details?: object; data?: Shown }
  return { status: answer.status, code, details, data: data as Shown }
}
const read = async () => (await app('GET', '/agency')).data
const change = async (body: object) => app('PATCH', '/agency', { version: (await read()).version, ...body })
async function upload(filename: string, bytes: Buffer): Promise<string> {
  const body = multipart([{ name: 'file', filename, bytes }])
  const answer = await cell.call('POST', '/app/v1/uploads', { session: owner, raw: body.raw, headers: body.headers })
  return (answer.body as { data: Upload }).data.signed_id
}
const fetched = (url: string) => cell.app.inject({ url: new URL(url).pathname })

describe('the agency', () => {
  it('is read with plan and usage, and changed by who read it last', async () => {
    expect(await read()).toMatchObject({
      name: 'Test Seyahat',
      number: agency.number,
      legal_name: null,
      owner: { id: agency.owner.id },
      plan: { slug: 'enterprise', name: 'Enterprise', status: 'active', requests_per_minute: 3000 },
      usage: { active_people: 3, active_api_keys: 1, messages_today: 0, messages_a_day: 1000 },
      version: 1,
    })
    const changed = await change({
      name: 'Mavi Yelken',
      legal_name: 'Mavi Yelken Turizm A.Ş.',
      contact_email: 'info@agency.example',
      contact_phone: '0532 123 45 67',
      emergency_phone: '+90 532 765 43 21',
      website: 'https://agency.example/tr',
      accent_color: '#F40',
      locale: 'tr-TR',
      time_zone: 'Europe/Athens',
      key_life_days: 90,
    })
    expect(changed).toMatchObject({
      status: 200,
      data: {
        contact_phone: '+905321234567',
        emergency_phone: '+905327654321',
        accent_color: '#ff4400',
        time_zone: 'Europe/Athens',
        key_life_days: 90,
        version: 2,
      },
    })
    expect(await app('PATCH', '/agency', { version: 1, name: 'X' })).toMatchObject({
      status: 409,
      code: 'stale',
      data: { version: 2 },
    })
    const back = await change({ key_life_days: null, accent_color: null, legal_name: null, name: 'Test Seyahat' })
    expect(back.data).toMatchObject({ key_life_days: null, accent_color: null, legal_name: null })
    const [row] = await ask<{ details: object }>(
      cell,
      `select details from audit_log where account_id = $1 and action = 'account.updated' order by id desc limit 1`,
      [agency.number],
    )
    expect(row?.details).toEqual({
      before: {
        name: 'Mavi Yelken',
        legal_name: 'Mavi Yelken Turizm A.Ş.',
        key_life_days: 90,
        accent_color: '#ff4400',
      },
      after: { name: 'Test Seyahat', legal_name: null, key_life_days: null, accent_color: null },
    })
  })
  it('is refused with every reason', async () => {
    const bad = {
      name: ' ',
      contact_email: 'x',
      contact_phone: '12',
      website: 'javascript:alert(1)',
      locale: 'turkish',
      time_zone: 'Mars/Olympus',
    }
    const { status, details } = await change(bad)
    expect([status, Object.keys(details ?? {}).toSorted()]).toEqual([422, Object.keys(bad).toSorted()])
    expect((await change({ accent_color: 'blue' })).details).toHaveProperty('accent_color')
  })
})

describe('the logo', () => {
  it('is an upload, served as uploads are, on the pages too, and swept away when it is replaced', async () => {
    const { data } = await change({ logo: await upload('logo.png', PNG) })
    const answer = await fetched(data.logo?.url ?? '')
    expect([answer.statusCode, answer.headers['content-type'], answer.rawPayload.equals(PNG)]).toEqual([
      200,
      'image/png',
      true,
    ])
    const [row] = await ask<{ logo: string }>(cell, 'select logo from accounts where account_id = $1', [agency.number])
    expect(row?.logo).toBe(`data:image/png;base64,${PNG.toString('base64')}`)
    const next = await change({ logo: await upload('logo.png', pngOf(32, 32)) })
    expect(next.data.logo?.id).not.toBe(data.logo?.id)
    expect((await fetched(data.logo?.url ?? '')).statusCode).toBe(404)
    await updateAccountOf(cell, agency.number, { logo: PNG })
    expect((await read()).logo).toMatchObject({ id: null, url: row?.logo })
    expect((await change({ logo: null })).data.logo).toBeNull()
  })
  it('of a company is its own', async () => {
    const made = await app('POST', '/companies', {
      name: 'L',
      tax_country: 'TR',
      currency: 'TRY',
      logo: await upload('l.png', PNG),
    })
    expect(made.status).toBe(201)
    expect((await fetched(made.data.logo?.url ?? '')).statusCode).toBe(200)
    const path = `/companies/${String(made.data.id)}`
    expect((await app('PATCH', path, { version: 1, logo: null })).data.logo).toBeNull()
    expect((await app('GET', path)).data.logo).toBeNull()
  })
  it('is refused if it is not a picture, too small or large, damaged, or not an upload of this account', async () => {
    const refused = async (signedId: string) => {
      const { status, details } = await change({ logo: signedId })
      return [status, Object.keys(details ?? {})]
    }
    const other = await makeAgency(cell)
    const theirs = await signInAs(cell, other.number, other.owner.id)
    const body = multipart([{ name: 'file', filename: 'l.png', bytes: PNG }])
    const answer = await cell.call('POST', '/app/v1/uploads', { session: theirs, raw: body.raw, headers: body.headers })
    const bad = [
      await upload('logo.pdf', Buffer.from('%PDF-1.4\n%%EOF')),
      await upload('dot.png', DOT),
      await upload('wide.png', pngOf(2_001, 16)),
      await upload('big.png', Buffer.concat([PNG, Buffer.alloc(65_536)])),
      await upload('cut.png', PNG.subarray(0, 20)),
      (answer.body as { data: Upload }).data.signed_id,
      'nonsense',
    ]
    for (const signedId of bad) expect(await refused(signedId)).toEqual([422, ['logo']])
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const drawing = multipart([{ name: 'file', filename: 'logo.svg', bytes: svg }])
    const sent = await cell.call('POST', '/app/v1/uploads', {
      session: owner,
      raw: drawing.raw,
      headers: drawing.headers,
    })
    if (sent.status === 201)
      expect(await refused((sent.body as { data: Upload }).data.signed_id)).toEqual([422, ['logo']])
    else expect(sent.status).toBe(422)
    expect((await read()).logo).toBeNull()
  })
})

describe('sign-in rules', () => {
  it('demand a second factor from everybody, also in running sessions', async () => {
    const other = await makeAgency(cell)
    const session = await signInAs(cell, other.number, other.owner.id)
    const rules = (version: number, isRequired: boolean) =>
      app('PUT', '/agency/sign_in_rules', { version, second_factor_required: isRequired }, session)
    const { version } = (await app('GET', '/agency', undefined, session)).data
    expect((await rules(version, true)).data).toMatchObject({ sign_in_rules: { second_factor_required: true } })
    cell.clock.add(1_000) // for as long a session is cached
    expect((await app('GET', '/agency', undefined, session)).code).toBe('second_factor_required')
    expect((await app('GET', '/agency')).status).toBe(200)
  })
  it('are refused to editors of an older version', async () => {
    const { version } = await read()
    await change({ website: 'https://seyahat.example' })
    expect(await app('PUT', '/agency/sign_in_rules', { version, second_factor_required: false })).toMatchObject({
      code: 'stale',
      data: { version: version + 1 },
    })
  })
})

describe('the owner that keys act as', () => {
  it('is chosen among owners by who holds all policies of an owner', async () => {
    const [second, viewer] = [await seatOf('owner'), await seatOf('viewer')]
    expect((await app('PUT', '/agency/owner', { seat_id: second }, admin)).code).toBe('forbidden')
    expect((await app('PUT', '/agency/owner', { seat_id: viewer })).details).toHaveProperty('seat_id')
    expect((await app('PUT', '/agency/owner', { seat_id: crypto.randomUUID() })).status).toBe(404)
    expect((await app('PUT', '/agency/owner', { seat_id: second })).status).toBe(200)
    expect((await read()).owner).toMatchObject({ id: second })
  })
})

/** The beginning of a PNG of this size, as far as it is looked at. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([header, size, Buffer.from('0806000000', 'hex'), Buffer.alloc(16)])
}
