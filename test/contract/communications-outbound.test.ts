import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { messagesOf } from '../harness/messages.ts'
import { tripsOf } from '../harness/trips.ts'
import { undeclared } from '../harness/undeclared.ts'

const NOBODY = '0198c2c6-0000-7000-8000-000000000000'
const EMAIL = 'ayse@example.com'
const PHONE = '+905321234567'

let cell: TestCell
let agency: Agency
let customer: string
let trip: string
const { write, make, read, list } = messagesOf(() => cell)
const trips = tripsOf(() => cell)
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  customer = await trips.customer(agency, { email: EMAIL, phone: PHONE })
  trip = await trips.make(agency, { title: 'Roma' }, customer)
})
const sendsOf = undeclared<{ account: number }, { id: string }>(
  'select communication_id as id from message_sends where account_id = $account',
)
/** The messages in progress. */
const sends = async () =>
  new Set((await cell.deps.db.inAccount(agency.number, (tx) => tx.all(sendsOf, {}))).map(({ id }) => id))

describe('an outbound message', () => {
  it.each([
    ['email', { body_plain: 'Hi' }, [EMAIL]],
    ['sms', { body_plain: 'Hi' }, [PHONE]],
    ['whatsapp', { body_plain: 'Hi' }, [PHONE]],
    [
      'email',
      { body_html: '<p>Hi</p>', to_addresses: ['"Su, Ali" <ali@example.com>'] },
      ['"Su, Ali" <ali@example.com>'],
    ],
    ['sms', { body_plain: 'Hi', to_addresses: ['0532 123 45 68', '+905321234568'] }, ['+905321234568']],
    ['sms', { body_plain: 'Hi', to_addresses: ['01512 3456789'], company: 'other' }, ['+4915123456789']],
  ])('by %s with %j is queued to %j', async (channel, { company, ...given }: Record<string, unknown>, to) => {
    const company_id = company ? agency.otherCompany : undefined
    const made = await make(agency, { direction: 'outbound', channel, customer_id: customer, company_id, ...given })
    expect([made.status, made.to_addresses, made.body_plain, (await sends()).has(made.id)]).toEqual([
      'queued',
      to,
      'Hi',
      true,
    ])
  })
  it.each(['phone', 'meeting', 'web_chat', 'other'])('by %s is recorded, and not sent', async (channel) => {
    const made = await make(agency, { direction: 'outbound', channel, trip_id: trip, body_plain: 'Hi' })
    expect([made.status, made.to_addresses, (await sends()).has(made.id)]).toEqual(['recorded', [], false])
  })
  const out = { direction: 'outbound', channel: 'email', body_plain: 'Hi' }
  const text = { ...out, channel: 'sms', to_addresses: [PHONE] }
  const addresses = (count: number) => Array.from({ length: count }, (_, nth) => `a${nth}@example.com`)
  it.each<[string, object, string[]]>([
    ['nobody it is about', { ...out, to_addresses: [EMAIL] }, ['customer_id']],
    ['an unknown customer', { ...out, customer_id: NOBODY }, ['customer_id']],
    ['an unknown trip', { ...out, trip_id: NOBODY }, ['trip_id']],
    ['a reply to what is not there', { ...out, in_reply_to: NOBODY }, ['in_reply_to']],
    ['an unknown thread', { ...out, thread_id: NOBODY }, ['thread_id']],
    ['no body', { ...out, customer_id: 'C', body_plain: ' ' }, ['body_plain']],
    [
      'HTML of which nothing is left',
      { ...out, customer_id: 'C', body_plain: null, body_html: '<script>1</script>' },
      ['body_plain'],
    ],
    ['no address', { ...out, trip_id: 'T' }, ['to_addresses']],
    ['an address that is none', { ...out, customer_id: 'C', to_addresses: [EMAIL, 'ayse'] }, ['to_addresses[1]']],
    [
      'two addresses in one',
      { ...out, customer_id: 'C', to_addresses: [`${EMAIL}, b@example.com`] },
      ['to_addresses[0]'],
    ],
    ['a name without its brackets', { ...out, customer_id: 'C', to_addresses: [`Ayşe ${EMAIL}`] }, ['to_addresses[0]']],
    ['1,000 addresses', { ...out, customer_id: 'C', to_addresses: addresses(1_000) }, ['to_addresses']],
    [
      '51 recipients',
      { ...out, customer_id: 'C', to_addresses: addresses(26), cc_addresses: addresses(25) },
      ['cc_addresses'],
    ],
    ['a header in its subject', { ...out, customer_id: 'C', subject: 'Hi\r\nBcc: x@example.com' }, ['subject']],
    [
      'a header in an address',
      { ...out, customer_id: 'C', to_addresses: [`${EMAIL}\nBcc: x@example.com`] },
      ['to_addresses[0]'],
    ],
    [
      'a header in its sender',
      { ...out, customer_id: 'C', from_address: `a@b.com\rX: y`, reply_to: 'a@b.com\u2028X: y' },
      ['from_address', 'reply_to'],
    ],
    [
      'a header in the other names',
      { ...out, customer_id: 'C', in_reply_to: '<a@b>\nX: y', external_id: 'a\nX: y' },
      ['in_reply_to', 'external_id'],
    ],
    ['a subject of 301 characters', { ...out, customer_id: 'C', subject: 'x'.repeat(301) }, ['subject']],
    ['a body of 100,001 characters', { ...out, customer_id: 'C', body_plain: 'x'.repeat(100_001) }, ['body_plain']],
    ['an unknown channel', { ...out, customer_id: 'C', channel: 'fax' }, ['channel']],
    ['HTML by SMS', { ...text, customer_id: 'C', body_html: '<p>Hi' }, ['body_html']],
    ['1,601 characters by SMS', { ...text, customer_id: 'C', body_plain: 'x'.repeat(1_601) }, ['body_plain']],
    ['copies by SMS', { ...text, customer_id: 'C', cc_addresses: [PHONE] }, ['cc_addresses']],
    ['files by SMS', { ...text, customer_id: 'C', attachment_ids: ['x'] }, ['attachment_ids[0]', 'attachment_ids']],
    ['two numbers by SMS', { ...text, customer_id: 'C', to_addresses: [PHONE, '+905321234568'] }, ['to_addresses']],
    ['a number that is none', { ...text, customer_id: 'C', to_addresses: ['123'] }, ['to_addresses[0]']],
  ])('is refused with %s', async (_, given, at) => {
    const named = { ...('customer_id' in given && given.customer_id === 'C' && { customer_id: customer }) }
    const of = 'trip_id' in given && given.trip_id === 'T' ? { trip_id: trip } : named
    const before = (await sends()).size
    const refused = await write(agency, { ...given, ...of })
    expect([refused.status, refused.code, Object.keys(refused.details)]).toEqual([422, 'validation_failed', at])
    expect((await sends()).size).toBe(before)
  })
  it('above 5 MB is too large, and one that is not an object is refused', async () => {
    expect((await write(agency, { ...out, body_plain: 'x'.repeat(5_000_000) })).status).toBe(413)
    for (const none of ['x', 7, [], null]) expect((await write(agency, none)).status).toBe(422)
  })
  it('cannot refer to records of another account', async () => {
    const other = await makeAgency(cell)
    const theirs = await trips.customer(other, { email: 'them@example.com' })
    const { id, thread_id } = await make(other, { channel: 'phone', customer_id: theirs })
    for (const [name, value] of Object.entries({
      customer_id: theirs,
      trip_id: await trips.make(other, {}, theirs),
      in_reply_to: id,
      thread_id,
    })) {
      const refused = await write(agency, { ...out, customer_id: customer, [name]: value })
      expect([refused.status, Object.keys(refused.details)]).toEqual([422, [name]])
    }
    expect((await write(agency, { ...out, company_id: other.company.id, customer_id: customer })).code).toBe(
      'unknown_company',
    )
    expect((await list(other, `customer_id=${customer}`)).data).toEqual([])
  })
  it('names no customer who is deleted or merged away, and messages follow into the survivor', async () => {
    const [loser, into] = [await trips.customer(agency, { email: 'l@example.com' }), await trips.customer(agency)]
    const { id } = await make(agency, { channel: 'phone', customer_id: loser })
    await cell.call('POST', `/customers/${loser}/merge`, { key: agency.key, body: { into_id: into } })
    expect((await write(agency, { ...out, customer_id: loser })).details).toHaveProperty('customer_id')
    expect((await read(agency, id)).customer_id).toBe(into)
    await cell.call('DELETE', `/customers/${into}`, { key: agency.key })
    expect((await write(agency, { ...out, customer_id: into })).details).toHaveProperty('customer_id')
    expect(await read(agency, id)).toMatchObject({ customer_id: into, customer: null })
  })
})

describe('an answer', () => {
  it('takes thread, customer, trip, address and subject from what it answers, by id or Message-ID', async () => {
    const inbound = { direction: 'inbound', channel: 'email', customer_id: customer, trip_id: trip, subject: 'Uçuş' }
    const asked = await make(agency, { ...inbound, from_address: 'Eş <es@example.com>', external_id: '<q@x.example>' })
    const answer = { direction: 'outbound', channel: 'email', body_plain: 'Evet.' }
    for (const in_reply_to of [asked.id, '<q@x.example>', 'q@x.example']) {
      const made = await make(agency, { ...answer, in_reply_to })
      expect(made).toMatchObject({
        thread_id: asked.thread_id,
        customer_id: customer,
        trip_id: trip,
        subject: 'Re: Uçuş',
        to_addresses: ['Eş <es@example.com>'],
        in_reply_to: in_reply_to === asked.id ? asked.id : '<q@x.example>',
      })
      const again = await make(agency, { ...answer, in_reply_to: made.id, body_plain: 'Ve?' })
      expect([again.subject, again.to_addresses]).toEqual(['Re: Uçuş', ['Eş <es@example.com>']])
    }
    const elsewhere = await make(agency, { ...answer, channel: 'sms', in_reply_to: asked.id })
    expect([elsewhere.to_addresses, elsewhere.subject, elsewhere.thread_id]).toEqual([[PHONE], null, asked.thread_id])
    for (const [channel, from_address] of [
      ['sms', 'BANKA'],
      ['email', null],
    ]) {
      const { id } = await make(agency, { ...inbound, channel, from_address })
      const made = await make(agency, { ...answer, channel, in_reply_to: id })
      expect(made.to_addresses).toEqual([channel === 'sms' ? PHONE : EMAIL]) // the customer's own
    }
    const preferred = await make(agency, { ...inbound, from_address: 'a@example.com', reply_to: 'b@example.com' })
    expect((await make(agency, { ...answer, in_reply_to: preferred.id })).to_addresses).toEqual(['b@example.com'])
    const conversation = (await list(agency, `thread_id=${asked.thread_id}`)).data
    expect(conversation.map(({ direction }) => direction)).toEqual([...Array(7).fill('outbound'), 'inbound'])
    const both = { ...answer, in_reply_to: asked.id }
    expect((await make(agency, { ...both, thread_id: asked.thread_id })).thread_id).toBe(asked.thread_id)
    const refused = await write(agency, { ...both, thread_id: preferred.thread_id })
    expect([refused.status, Object.keys(refused.details)]).toEqual([422, ['thread_id']])
    const continued = await make(agency, { ...answer, thread_id: asked.thread_id })
    expect(continued).toMatchObject({ thread_id: asked.thread_id, customer_id: customer, in_reply_to: null })
  })
})
