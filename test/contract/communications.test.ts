import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { messagesOf } from '../harness/messages.ts'
import { PDF } from '../harness/sample-files.ts'
import { tripsOf } from '../harness/trips.ts'
import { uploaded } from '../harness/upload.ts'

const NOBODY = '0198c2c6-0000-7000-8000-000000000000'
const EMAIL = 'ayse@example.com'
const PHONE = '+905321234567'

let cell: TestCell
let agency: Agency
let customer: string
let trip: string
const { write, make, read, mark, list } = messagesOf(() => cell)
const trips = tripsOf(() => cell)
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  customer = await trips.customer(agency, { email: EMAIL, phone: PHONE })
  trip = await trips.make(agency, { title: 'Roma' }, customer)
})
describe('a message', () => {
  it('is recorded, read back, listed and marked as read', async () => {
    const made = await make(agency, {
      channel: 'phone',
      customer_id: customer,
      trip_id: trip,
      subject: ' Window seats ',
      body_plain: 'Asked for window seats.',
    })
    const seat = { id: agency.owner.id, name: 'Owner', email: 'owner@agency.example' }
    const item = {
      id: made.id,
      customer_id: customer,
      trip_id: trip,
      direction: 'internal',
      channel: 'phone',
      status: 'recorded',
      subject: 'Window seats',
      preview: 'Asked for window seats.',
      content_masked: false,
      from_address: null,
      to_addresses: [],
      thread_id: made.id,
      sent_at: null,
      delivered_at: null,
      read_at: null,
      created_at: made.created_at,
      unread: false,
    }
    expect(made).toEqual({
      ...item,
      purpose: 'conversation',
      blocked_images: 0,
      body_plain: 'Asked for window seats.',
      body_html: null,
      cc_addresses: [],
      reply_to: null,
      in_reply_to: null,
      external_id: null,
      failed_at: null,
      failure_reason: null,
      metadata: null,
      author: seat,
      customer: { id: customer, name: 'Ayşe Yılmaz' },
      trip: { id: trip, title: 'Roma' },
      attachments: [],
      updated_at: made.created_at,
    })
    expect(await read(agency, made.id)).toEqual(made)
    expect((await list(agency, `trip_id=${trip}`)).data).toEqual([item])
    const first = await mark(agency, made.id)
    expect(first.data).toEqual({ ...item, read_at: expect.any(String) })
    expect((await mark(agency, made.id)).data).toEqual(first.data)
    expect([(await mark(agency, NOBODY)).status, (await mark(agency, 'x')).status]).toEqual([404, 404])
  })
  it.each([
    ['short', 'Merhaba', 'Merhaba'],
    ['of 160', 'x'.repeat(160), 'x'.repeat(160)],
    ['of 161', 'x'.repeat(161), 'x'.repeat(160)],
    ['of characters beyond the first plane', '🏖️'.repeat(100), '🏖️'.repeat(80)],
    ['of several lines', `a\n${'b'.repeat(200)}`, `a\n${'b'.repeat(158)}`],
  ])('previews a text %s by 160 characters exactly', async (_, body_plain, preview) => {
    const made = await make(agency, { channel: 'meeting', customer_id: customer, body_plain })
    expect([made.preview, [...(made.preview ?? '')].length <= 160]).toEqual([preview, true])
  })
  it('has the text of its HTML where it has none of its own', async () => {
    const made = await make(agency, {
      channel: 'other',
      customer_id: customer,
      body_html: '<p>Bir <b>iki</b></p><p>üç',
    })
    expect([made.body_plain, made.preview, made.body_html]).toEqual([
      'Bir iki\n\nüç',
      'Bir iki\n\nüç',
      '<p>Bir <b>iki</b></p><p>üç</p>',
    ])
  })
  it('shows remote images only on request', async () => {
    const body_html = '<p>Hi<img src="https://evil.example/p.gif" alt="Logo" /><img src="cid:logo" /></p>'
    const read = async (direction: string, query = '') => {
      const { id } = await make(agency, { direction, channel: 'email', customer_id: customer, body_html })
      const { body } = await cell.call('GET', `/communications/${id}${query}`, { key: agency.key })
      const { data } = body as { data: { body_html: string; blocked_images: number } }
      return [data.body_html, data.blocked_images]
    }
    const without = ['<p>Hi<img alt="Logo" /><img src="cid:logo" /></p>', 1]
    expect(await read('inbound')).toEqual(without)
    expect(await read('inbound', '?remote_images=blocked')).toEqual(without)
    expect(await read('inbound', '?remote_images=shown')).toEqual([body_html, 0])
    for (const own of ['internal', 'outbound']) expect(await read(own)).toEqual([body_html, 0])
    for (const scheme of ['https://', 'http://', '//']) {
      const written = body_html.replace('https://', scheme)
      const made = await make(agency, { direction: 'inbound', channel: 'email', body_html: written })
      expect([made.body_html, made.blocked_images]).toEqual(without)
    }
  })
  it('has no more of that text than fits, in whole characters', async () => {
    const body_html = `x${'<hr>'.repeat(2_300)}<p>${'😀'.repeat(20_000)}` // the cut is within one
    const { body_plain } = await make(agency, { channel: 'other', customer_id: customer, body_html })
    expect((body_plain as string).length).toBe(100_000)
  })
  it('holds attachments, which are fetched without a key', async () => {
    const { signed_id } = await uploaded(cell, agency.key, 'voucher.pdf', PDF)
    const note = { channel: 'email', customer_id: customer, attachment_ids: [signed_id] }
    const [attachment] = (await make(agency, note)).attachments as { url: string; filename: string }[]
    expect(attachment?.filename).toBe('voucher.pdf')
    expect((await cell.app.inject({ url: new URL(attachment?.url ?? '').pathname })).statusCode).toBe(200)
    expect((await write(agency, note)).details).toHaveProperty('attachment_ids[0]')
    const many = Array.from({ length: 21 }, () => 'x')
    expect(Object.keys((await write(agency, { ...note, attachment_ids: many })).details)).toEqual(['attachment_ids'])
  })
})

describe('an inbound message', () => {
  const inbound = { direction: 'inbound', channel: 'email', body_plain: 'Hi' }
  const notifications = async () =>
    (
      (await cell.call('GET', '/notifications?kind=message_received&limit=100', agency)).body as {
        data: { subject_id: string; title: string }[]
      }
    ).data
  it('is filed with the customer who has its address, where there is one alone', async () => {
    const from = async (more: object) => (await make(agency, { ...inbound, ...more })).customer_id
    expect(await from({ from_address: `Ayşe <${EMAIL.toUpperCase()}>` })).toBe(customer)
    for (const channel of ['sms', 'whatsapp', 'phone'])
      expect(await from({ channel, from_address: '0532 123 45 67' })).toBe(customer)
    expect(await from({ channel: 'whatsapp', from_address: `whatsapp:${PHONE}` })).toBe(customer)
    expect(await from({ from_address: 'nobody@example.com' })).toBeNull()
    expect(await from({ channel: 'sms', from_address: 'BANKA' })).toBeNull()
    expect(await from({})).toBeNull()
    const twins = [
      await trips.customer(agency, { email: 't@example.com' }),
      await trips.customer(agency, { email: 't@example.com' }),
    ]
    expect(await from({ from_address: 't@example.com' })).toBeNull()
    await cell.call('DELETE', `/customers/${twins[0]}`, { key: agency.key })
    expect(await from({ from_address: 't@example.com' })).toBe(twins[1])
  })
  it('with a Message-ID that is there already is answered, and filed no more', async () => {
    const { signed_id } = await uploaded(cell, agency.key, 'a.pdf', PDF)
    const first = await make(agency, { ...inbound, external_id: '<once@x.example>' })
    const before = (await notifications()).length
    const again = await write(agency, { ...inbound, external_id: '<once@x.example>', attachment_ids: [signed_id] })
    expect([again.status, again.data]).toEqual([200, first])
    expect((await notifications()).length).toBe(before)
    expect((await write(agency, { ...inbound, external_id: 'once@x.example' })).data).toEqual(first)
    const bare = await make(agency, { ...inbound, external_id: 'bare@x.example' })
    expect((await make(agency, { ...inbound, in_reply_to: 'bare@x.example' })).thread_id).toBe(bare.thread_id)
    const unnamed = { ...inbound, external_id: 'SM1' }
    expect((await make(agency, unnamed)).id).not.toBe((await make(agency, unnamed)).id)
  })
  it('notifies the advisor of its trip, or the last author, or the owner, without names', async () => {
    const { id } = await make(agency, { ...inbound, from_address: EMAIL, subject: 'Gizli' })
    expect((await notifications()).filter(({ subject_id }) => subject_id === id)).toMatchObject([
      {
        title: 'E-mail received',
        subject_type: 'Communication',
        subject_label: 'E-mail',
        body: null,
        priority: 'normal',
      },
    ])
    const theirs = await trips.make(agency, { assigned_advisor_id: agency.advisor }, customer)
    const ofTrip = await make(agency, { ...inbound, trip_id: theirs })
    expect((await notifications()).map(({ subject_id }) => subject_id)).not.toContain(ofTrip.id)
    const attention = async () => (await trips.list('scope=needs_attention', agency)).data.map((row) => row.id)
    expect(await attention()).toContain(theirs)
    await mark(agency, ofTrip.id)
    expect(await attention()).not.toContain(theirs)
  })
})

describe('the list', () => {
  it('has all filters, counts unread messages of the account, and searches subject and body', async () => {
    const own = await makeAgency(cell)
    const of = await trips.customer(own, { email: 'own@example.com' })
    const journey = await trips.make(own, {}, of)
    const kept = [
      await make(own, { direction: 'inbound', channel: 'email', customer_id: of, subject: 'İstanbul gezisi' }),
      await make(own, { direction: 'inbound', channel: 'sms', body_plain: 'ISPARTA 100% ve _' }),
      await make(own, { direction: 'outbound', channel: 'email', customer_id: of, body_plain: 'Isparta tamam' }),
      await make(own, { channel: 'phone', trip_id: journey, body_plain: 'Çeşme' }),
    ]
    const found = async (query: string) => {
      const { data, unread_count } = await list(own, query)
      expect([query, unread_count]).toEqual([query, 2])
      return data.map(({ id }) => kept.findIndex((message) => message.id === id))
    }
    expect(await found('')).toEqual([3, 2, 1, 0])
    for (const [query, wanted] of Object.entries({
      [`customer_id=${of}`]: [2, 0],
      [`trip_id=${journey}`]: [3],
      [`thread_id=${kept[1]?.thread_id}`]: [1],
      'channel=email': [2, 0],
      'direction=inbound': [1, 0],
      'scope=unread': [1, 0],
      'scope=unread&channel=sms': [1],
      'q=ISTANBUL': [0],
      'q=%20isparta%20': [2, 1],
      'q=isparta&direction=inbound': [1],
      [`q=isparta&customer_id=${of}`]: [2],
      'q=cesme': [3],
      'q=0%25': [1],
      'q=%25': [1],
      'q=_': [1],
      'q=nowhere': [],
    }))
      expect([query, await found(query)]).toEqual([query, wanted])
    for (const query of ['channel=fax', 'direction=x', 'scope=all', 'customer_id=x', 'thread_id=7'])
      expect((await cell.call('GET', `/communications?${query}`, own)).status).toBe(422)
    await mark(own, kept[0]?.id as string)
    expect((await list(own, 'scope=unread')).unread_count).toBe(1)
  })
  it('is walked by keyset, each message once, searched or not', async () => {
    const own = await makeAgency(cell)
    const made: string[] = []
    for (let nth = 0; nth < 13; nth++)
      made.unshift((await make(own, { direction: 'inbound', channel: 'other', body_plain: `Mektup ${nth}` })).id)
    for (const query of ['', '&q=mektup', '&q=me']) {
      const seen: string[] = []
      for (let cursor = ''; ; ) {
        const { data, page } = await list(own, `limit=5${query}${cursor}`)
        seen.push(...data.map(({ id }) => id))
        if (page.next_cursor === null) break
        cursor = `&cursor=${page.next_cursor}`
        if (seen.length === 5) await make(own, { direction: 'inbound', channel: 'other', body_plain: 'Mektup, new' })
      }
      expect(seen.filter((id) => made.includes(id))).toEqual(made)
    }
  })
})

describe('a task', () => {
  it('can be about a message, which it shows by its subject', async () => {
    const { id } = await make(agency, { channel: 'phone', customer_id: customer, subject: 'Geri ara' })
    const task = { subject: 'Call', taskable_type: 'Communication', taskable_id: id }
    const labels: unknown[] = []
    for (const role of ['owner', 'accountant']) {
      const { key } = await agency.makeKey({ role })
      labels.push((await cell.call('POST', '/tasks', { key, body: { task } })).body)
    }
    expect(labels).toMatchObject([{ data: { taskable_label: 'Geri ara' } }, { data: { taskable_label: null } }])
  })
})
