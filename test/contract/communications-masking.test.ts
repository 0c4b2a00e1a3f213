import { beforeAll, describe, expect, it } from 'vitest'
import { BUILT_IN_ROLES, POLICIES, type Policies } from '../../src/platform/access/policies.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { type Message, messagesOf } from '../harness/messages.ts'
import { PDF } from '../harness/sample-files.ts'
import { restrictTagOf, saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'
import { tripsOf } from '../harness/trips.ts'
import { uploaded } from '../harness/upload.ts'

const SUBJECT = 'Sürpriz doğum günü'
const BODY = 'Pasaportum kasada.'
const FROM = 'gizli@example.com'
const COPY = 'kopya@example.com'
const ANSWER = 'cevap@example.com'
const NAME = 'Ayşe Yılmaz'
const NOTE = 'from the provider'
const FILE = 'passport.pdf'
const CONTENT = [SUBJECT, BODY, FILE, NOTE]
const ADDRESSES = [FROM, COPY, ANSWER]

/** Roles of an account's own, which see one thing and not the other. */
const OWN_ROLES: Readonly<Record<string, Policies>> = {
  reader: new Set(POLICIES.filter((policy) => policy !== 'view_personal_data')),
  sender: new Set(POLICIES.filter((policy) => policy !== 'view_message_content')),
}

let cell: TestCell
let agency: Agency
/** What hides them from which roles: nothing, their customer, or the customers of their trip. */
let messages: Record<'open' | 'restricted' | 'ofTrip', Message>
let customers: string[]
const { make, list, read, mark, write } = messagesOf(() => cell)
const trips = tripsOf(() => cell)
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  for (const [name, policies] of Object.entries(OWN_ROLES)) await saveRoleOf(cell, agency.number, name, [...policies])
  await restrictTagOf(cell, agency.number, 'secret')
  customers = [await trips.customer(agency), await trips.customer(agency, { tags: ['secret'] })]
  const [open, restricted] = customers as [string, string]
  const trip_id = await trips.make(agency, { title: 'Roma' }, restricted)
  messages = {
    open: await file({ customer_id: open }),
    restricted: await file({ customer_id: restricted }),
    ofTrip: await file({ trip_id, from_address: 'Ortak <ortak@example.com>' }),
  }
  await ask(cell, `update communications set metadata = jsonb_build_object('detail', $1::text)`, [NOTE])
})
async function file(of: object): Promise<Message> {
  const { signed_id } = await uploaded(cell, agency.key, FILE, PDF)
  return make(agency, {
    direction: 'inbound',
    channel: 'email',
    subject: SUBJECT,
    body_plain: BODY,
    body_html: `<p>${BODY}</p>`,
    from_address: FROM,
    reply_to: ANSWER,
    to_addresses: ['desk@agency.example'],
    cc_addresses: [COPY],
    attachment_ids: [signed_id],
    ...of,
  })
}
const roles = Object.entries({ ...BUILT_IN_ROLES, ...OWN_ROLES })
const KINDS = ['open', 'restricted', 'ofTrip'] as const

describe('the content and the addresses of a message', () => {
  it.each(roles)('is shown to %s as far as its policies go', async (role, policies) => {
    const key = await agency.makeKey({ role })
    const knows = policies.has('view_restricted_customers')
    for (const kind of KINDS) {
      const { id } = messages[kind]
      const isHidden = kind !== 'open' && !knows
      const reads = policies.has('view_message_content') && !isHidden
      const isKnown = policies.has('view_personal_data') && !isHidden
      const { body_html, attachments, metadata, customer, trip, ...detail } = await read(key, id)
      expect([kind, detail.content_masked]).toEqual([kind, !reads])
      expect([detail.subject, detail.preview, detail.body_plain]).toEqual(
        reads ? [SUBJECT, BODY, BODY] : [null, null, null],
      )
      expect(body_html).toBe(reads ? `<p>${BODY}</p>` : null)
      expect(metadata).toEqual(reads && isKnown ? { detail: NOTE } : null) // servers name addresses
      expect((attachments as { filename: string }[]).map(({ filename }) => filename)).toEqual(reads ? [FILE] : [])
      expect([detail.reply_to, detail.to_addresses, detail.cc_addresses]).toEqual(
        isKnown ? [ANSWER, ['desk@agency.example'], [COPY]] : [null, [], []],
      )
      expect(detail.from_address === null).toBe(!isKnown)
      if (kind !== 'ofTrip') expect((customer as { name: string }).name).toBe(isKnown ? NAME : null)
      if (kind === 'ofTrip') expect(trip).toEqual(policies.has('view_trips') ? expect.anything() : null)
      const [listed] = (await list(key, `thread_id=${detail.thread_id}`)).data
      const marked = (await mark(key, id)).data
      for (const item of [listed, marked])
        expect(Object.keys(item ?? {}).map((name) => item?.[name] ?? null)).toEqual(
          Object.keys(item ?? {}).map((name) =>
            name === 'unread' || name === 'read_at' ? item?.[name] : detail[name],
          ),
        )
    }
  })
  it.each(roles)('is found by %s no further than it is shown, and counted alike', async (role, policies) => {
    const key = await agency.makeKey({ role })
    const all = await list(key)
    for (const q of ['sürpriz', 'kasada', 'ka']) {
      const found = await list(key, `q=${encodeURIComponent(q)}`)
      const wanted = !policies.has('view_message_content')
        ? []
        : policies.has('view_restricted_customers')
          ? KINDS
          : ['open']
      const ids = wanted.map((kind) => messages[kind as 'open'].id)
      expect([q, found.data.map(({ id }) => id).toSorted()]).toEqual([q, ids.toSorted()])
      expect(found.unread_count).toBe(all.unread_count)
      for (const [narrow] of customers.entries())
        expect((await list(key, `q=${q}&customer_id=${customers[narrow]}`)).data.map(({ id }) => id)).toEqual(
          ids.filter((id) => id === messages[narrow === 0 ? 'open' : 'restricted'].id),
        )
    }
    for (const nowhere of ['gizli', 'desk', NOTE]) expect((await list(key, `q=${nowhere}`)).data).toEqual([])
  })
  it.each(roles)('is not revealed to %s by an error or a reply', async (role, policies) => {
    const key = await agency.makeKey({ role })
    const hidden = [
      ...(policies.has('view_message_content') ? [] : CONTENT),
      ...(policies.has('view_personal_data') ? [] : [...ADDRESSES, NAME]),
    ]
    const given = { channel: 'email', in_reply_to: messages.open.id }
    const answers = [
      await write(key, { ...given, direction: 'outbound', channel: 'sms', body_plain: 'x' }),
      await write(key, { ...given, direction: 'outbound', body_plain: 'x' }),
      await write(key, { ...given, direction: 'internal', trip_id: messages.open.id }),
      await write(key, { ...given, direction: 'inbound', customer_id: messages.open.id }),
      await write(key, { ...given, direction: 'internal' }),
    ]
    for (const about of [messages.restricted, messages.ofTrip])
      for (const to of [{}, { to_addresses: ['a@example.com'] }]) {
        const given = { direction: 'outbound', channel: 'email', body_plain: 'x', in_reply_to: about.id }
        const answer = await write(key, { ...given, customer_id: customers[0], ...to })
        for (const secret of [...CONTENT, ...ADDRESSES]) expect(JSON.stringify(answer)).not.toContain(secret)
      }
    const may = policies.has('send_messages')
    expect(answers.map(({ status }) => status)).toEqual([may ? 422 : 403, may ? 201 : 403, 422, 422, 201])
    for (const answer of answers) for (const secret of hidden) expect(JSON.stringify(answer)).not.toContain(secret)
  })
  it.each(roles)('is sent by %s only with the policy for it, on every channel', async (role, policies) => {
    const key = await agency.makeKey({ role })
    for (const channel of ['email', 'phone'])
      for (const direction of ['outbound', ' OUTBOUND ']) {
        const given = {
          direction,
          channel,
          customer_id: customers[0],
          body_plain: 'x',
          to_addresses: ['a@example.com'],
        }
        const { status, code, error } = await write(key, given)
        if (policies.has('send_messages')) expect(status).toBe(201)
        else expect([status, code, error]).toEqual([403, 'forbidden', expect.stringContaining('send_messages')])
      }
  })
})
