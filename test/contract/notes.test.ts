import { beforeAll, describe, expect, it } from 'vitest'
import { NOTES_OF_CUSTOMER } from '../../src/features/customers/commands/save-note.ts'
import { BUILT_IN_ROLES } from '../../src/platform/access/policies.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { PDF } from '../harness/sample-files.ts'
import { undeclared } from '../harness/undeclared.ts'
import { uploaded } from '../harness/upload.ts'

type Note = {
  id: string
  body: string | null
  pinned: boolean
  author: { id: string } | null
  source: string
  attachments: { id: string; filename: string; content_type: string; byte_size: number; url: string }[]
  created_at: string
  updated_at: string
}
type NoteAnswer = { status: number; code: string; details: Record<string, string[]>; data: Note }
const NOBODY = '0198c2c6-0000-7000-8000-000000000000'

let cell: TestCell
let agency: Agency
let customer: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  customer = await makeCustomer({ name: 'Ayşe Yılmaz' })
})
async function makeCustomer(attributes: object, key = agency.key): Promise<string> {
  const { body } = await cell.call('POST', '/customers', { key, body: { customer: attributes } })
  return (body as { data: { id: string } }).data.id
}
const call = async (method: string, path: string, note?: unknown, key = agency.key): Promise<NoteAnswer> => {
  const answer = await cell.call(method, path, { key, ...(note !== undefined && { body: { note } }) })
  return { status: answer.status, ...(answer.body as object | null) } as NoteAnswer
}
const write = (note: unknown, of = customer, key = agency.key) => call('POST', `/customers/${of}/notes`, note, key)
const list = async (of = customer, key = agency.key) =>
  ((await cell.call('GET', `/customers/${of}/notes`, { key })).body as { data: Note[] }).data
const sign = async (name = 'voucher.pdf') => (await uploaded(cell, agency.key, name, PDF)).signed_id

describe('a note', () => {
  it('is written, read, changed by PATCH and PUT alike, and deleted once', async () => {
    const made = await write({ body: ' Prefers\nwindow seats. ', source: 'app', author: 'somebody' })
    expect([made.status, made.data]).toEqual([
      201,
      {
        id: expect.any(String),
        body: 'Prefers\nwindow seats.',
        pinned: false,
        author: { id: agency.owner.id, name: 'Owner', email: 'owner@agency.example' },
        source: 'api',
        attachments: [],
        created_at: expect.any(String),
        updated_at: made.data.created_at,
      },
    ])
    const path = `/customers/${customer}/notes/${made.data.id}`
    expect(await list()).toContainEqual(made.data)
    const pinned = await call('PATCH', path, { pinned: true })
    expect(pinned.data).toEqual({ ...made.data, pinned: true, updated_at: expect.any(String) })
    expect(pinned.data.updated_at > made.data.updated_at).toBe(true)
    expect((await call('PUT', path, { body: 'Aisle.' })).data).toMatchObject({ body: 'Aisle.', pinned: true })
    const before = (await call('PATCH', path, { pinned: null })).data
    expect(before.pinned).toBe(false)
    expect((await call('PATCH', path, { id: 'ignored', pinned: false })).data).toEqual(before)
    expect([(await call('DELETE', path)).status, (await call('DELETE', path)).status]).toEqual([204, 404])
    expect((await call('PATCH', path, { pinned: true })).status).toBe(404)
    expect(await list()).not.toContainEqual(expect.objectContaining({ id: made.data.id }))
  })
  it.each<[string, unknown, string[]]>([
    ['no body', { pinned: true }, ['body']],
    ['an empty body', { body: ' ' }, ['body']],
    ['a body of null', { body: null }, ['body']],
    ['a body of 10,001 characters', { body: 'x'.repeat(10_001) }, ['body']],
    ['a body that is no text', { body: 7 }, ['body']],
    ['a pin that is none', { body: 'x', pinned: 'maybe' }, ['pinned']],
    ['ids that are no list', { body: 'x', attachment_ids: 'x' }, ['attachment_ids']],
    ['ids that are no texts', { body: 'x', attachment_ids: [7] }, ['attachment_ids[0]']],
    ['an id that is none', { body: 'x', attachment_ids: ['x'] }, ['attachment_ids[0]']],
    ['too many ids', { body: 'x', attachment_ids: Array.from({ length: 21 }, () => 'x') }, ['attachment_ids']],
  ])('is refused with %s', async (_, note, at) => {
    const refused = await write(note)
    expect([refused.status, refused.code, Object.keys(refused.details)]).toEqual([422, 'validation_failed', at])
  })
  it('of 10,000 characters is stored; null, absent and value are distinguished in an update', async () => {
    const { data } = await write({ body: 'ğ'.repeat(10_000), pinned: true })
    expect(data.body).toHaveLength(10_000)
    const path = `/customers/${customer}/notes/${data.id}`
    expect((await call('PATCH', path, { body: null })).details).toHaveProperty('body')
    expect((await call('PATCH', path, {})).data).toEqual(data)
    expect((await call('PATCH', path, { attachment_ids: null })).data).toEqual(data)
  })
  it('comes pinned first, then newest first, each once', async () => {
    const of = await makeCustomer({ name: 'Order' })
    for (let nth = 0; nth < 12; nth++) await write({ body: String(nth), pinned: nth % 5 === 0 }, of)
    expect((await list(of)).map(({ body }) => Number(body))).toEqual([10, 5, 0, 11, 9, 8, 7, 6, 4, 3, 2, 1])
  })
  it('is not found through another customer, a deleted one, or another account', async () => {
    const [of, other] = [await makeCustomer({ name: 'Of' }), await makeCustomer({ name: 'Other' })]
    const { id } = (await write({ body: 'x' }, of)).data
    const stranger = await makeAgency(cell)
    const statuses = async (customer: string, key = agency.key) => [
      (await call('GET', `/customers/${customer}/notes`, undefined, key)).status,
      (await write({ body: 'x' }, customer, key)).status,
      (await call('PATCH', `/customers/${customer}/notes/${id}`, { pinned: true }, key)).status,
      (await call('DELETE', `/customers/${customer}/notes/${id}`, undefined, key)).status,
    ]
    expect(await statuses(of, stranger.key)).toEqual([404, 404, 404, 404])
    expect(await statuses(NOBODY)).toEqual([404, 404, 404, 404])
    expect((await statuses(other)).slice(2)).toEqual([404, 404])
    await call('DELETE', `/customers/${of}`)
    expect(await statuses(of)).toEqual([404, 404, 404, 404])
  })
  it('has its attachments, and gets more by a change', async () => {
    const ids = [await sign('a.pdf'), await sign('b.pdf'), await sign('c.pdf')]
    const { data } = await write({ body: 'x', attachment_ids: ids.slice(0, 2) })
    expect(data.attachments).toEqual(
      ['a.pdf', 'b.pdf'].map((filename) => ({
        id: expect.any(String),
        filename,
        content_type: 'application/pdf',
        byte_size: PDF.length,
        url: expect.stringMatching(/^http:\/\/localhost:3000\/files\/[\w-]+$/),
      })),
    )
    const path = `/customers/${customer}/notes/${data.id}`
    const more = (await call('PATCH', path, { attachment_ids: ids.slice(2) })).data
    expect(more.attachments.map(({ filename }) => filename)).toEqual(['a.pdf', 'b.pdf', 'c.pdf'])
    expect(more.updated_at > data.updated_at).toBe(true)
    const rest = await Promise.all(Array.from({ length: 18 }, () => sign()))
    expect((await call('PATCH', path, { attachment_ids: rest })).details).toHaveProperty('attachment_ids')
    expect((await call('PATCH', path, { attachment_ids: rest.slice(1) })).data.attachments).toHaveLength(20)
  })
  it('loses all attachments by null, which no other note can claim again, and none if the attribute is absent', async () => {
    const [first, second] = [await sign('a.pdf'), await sign('b.pdf')]
    const { data } = await write({ body: 'x', attachment_ids: [first] })
    const path = `/customers/${customer}/notes/${data.id}`
    const held = async (note: object) => (await call('PATCH', path, note)).data.attachments.length
    expect([await held({ pinned: true }), await held({ attachment_ids: [] })]).toEqual([1, 1])
    expect([await held({ attachment_ids: null }), await held({ attachment_ids: null })]).toEqual([0, 0])
    expect((await cell.app.inject({ url: new URL(data.attachments[0]?.url ?? '').pathname })).statusCode).toBe(404)
    expect((await call('PATCH', path, { attachment_ids: [first] })).details).toHaveProperty('attachment_ids[0]')
    expect(await held({ attachment_ids: [second] })).toBe(1)
  })
  it('is answered again for the same Idempotency-Key, and its upload is taken once', async () => {
    const body = { note: { body: 'once', attachment_ids: [await sign()] } }
    const send = () =>
      cell.call('POST', `/customers/${customer}/notes`, {
        key: agency.key,
        body,
        headers: { 'idempotency-key': 'note' },
      })
    const [first, again] = [await send(), await send()]
    expect([again.status, again.text]).toEqual([201, first.text])
    expect((await list()).filter((note) => note.body === 'once')).toHaveLength(1)
  })
  it('that was imported can be read, pinned and deleted, and no more', async () => {
    const { rows } = await importRows(cell, agency.key, 'customers', [
      { external_id: 'N1', name: 'Imported', notes: 'From the old system.' },
    ])
    const of = rows[0]?.id as string
    const [note] = (await list(of)) as [Note]
    expect(note).toMatchObject({ body: 'From the old system.', source: 'import', author: null, pinned: false })
    const path = `/customers/${of}/notes/${note.id}`
    expect((await call('PATCH', path, { pinned: true, body: note.body })).data.pinned).toBe(true)
    const refused = await call('PATCH', path, { body: 'x', attachment_ids: [await sign()] })
    expect([refused.status, Object.keys(refused.details)]).toEqual([422, ['body', 'attachment_ids']])
    expect((await call('DELETE', path)).status).toBe(204)
    expect(await list(of)).toEqual([])
  })
  it('is one of 1,000 at most', async () => {
    const of = await makeCustomer({ name: 'Many' })
    const fill = undeclared<{ account: number; of: string; count: number }, never>(`
      insert into customer_notes (account_id, customer_id, source, body)
      select $account::integer, $of::uuid, 'api', 'x' from generate_series(1, $count::integer)`)
    const count = NOTES_OF_CUSTOMER - 4
    await cell.deps.db.inAccount(agency.number, (tx) => tx.all(fill, { of, count }))
    const answers = await Promise.all(Array.from({ length: 8 }, () => write({ body: 'x' }, of)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 422, 422, 422, 422])
    expect(await list(of)).toHaveLength(NOTES_OF_CUSTOMER)
  })
})

describe('the content of a note', () => {
  const restrict = undeclared<{ account: number }, never>(
    `insert into restricted_tags (account_id, name) values ($account, 'secret')`,
  )
  it.each(Object.entries(BUILT_IN_ROLES))('is seen by %s as far as its customer is', async (role, policies) => {
    const own = await makeAgency(cell)
    await cell.deps.db.inAccount(own.number, (tx) => tx.all(restrict, {}))
    const { key } = await own.makeKey({ role })
    for (const [tags, needs] of [
      [['open'], ['view_personal_data']],
      [
        ['open', 'secret'],
        ['view_personal_data', 'view_restricted_customers'],
      ],
    ] as const) {
      const of = await makeCustomer({ name: 'Somebody', tags }, own.key)
      const { signed_id } = await uploaded(cell, own.key, 'passport.pdf', PDF)
      await write({ body: 'A secret.', attachment_ids: [signed_id], pinned: true }, of, own.key)
      const [note] = (await list(of, key)) as [Note]
      const sees = needs.every((policy) => policies.has(policy))
      expect([note.body, note.attachments.map(({ filename }) => filename)]).toEqual(
        sees ? ['A secret.', ['passport.pdf']] : [null, []],
      )
      expect([note.pinned, note.source, note.author?.id]).toEqual([true, 'api', own.owner.id])
      const path = `/customers/${of}/notes/${note.id}`
      const manages = policies.has('manage_customers')
      for (const body of ['A secret.', 'Another.'])
        expect((await call('PATCH', path, { body }, key)).status).toBe(!manages ? 403 : sees ? 200 : 422)
      const pinned = await call('PATCH', path, { body: sees ? 'Another.' : null, pinned: false }, key)
      if (manages) expect([pinned.status, pinned.data.body]).toEqual([200, sees ? 'Another.' : null])
      const [{ body } = note] = await list(of, own.key)
      expect(body).toBe(sees && manages ? 'Another.' : 'A secret.')
    }
  })
})
