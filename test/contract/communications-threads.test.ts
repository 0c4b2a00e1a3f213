import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Inbound, keepInbound } from '../../src/features/communications/commands/keep-inbound.ts'
import { ALL_POLICIES } from '../../src/platform/access/policies.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { messagesOf } from '../harness/messages.ts'
import { ask } from '../harness/sql.ts'

let cell: TestCell
let agency: Agency
const { list, make } = messagesOf(() => cell)
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})

const MAIL: Inbound = {
  channel: 'email',
  company: null,
  customer: null,
  trip: null,
  subject: null,
  plain: 'Hi',
  html: null,
  from: 'somebody@example.com',
  replyTo: null,
  to: [],
  cc: [],
  thread: null,
  inReplyTo: null,
  references: [],
  messageId: null,
  externalId: null,
  sentAt: null,
  metadata: null,
  author: null,
  files: [],
}
const keep = (mail: Partial<Inbound>, { number } = agency) =>
  cell.deps.db.inAccount(number, (tx) => keepInbound(tx, { ...MAIL, ...mail }, ALL_POLICIES))
let runs = 0
/** The time in a UUID version 7. */
const millisecondOf = (id: string): string => id.slice(0, 13)

/** A mail of a thread: the mail that it answers, and how many earlier ones it references. */
type Mail = { readonly name: string; readonly parent: number | null; readonly named: number }
/** Conversations as trees, and an order in which their mails arrive. */
const conversations = fc
  .array(fc.record({ parent: fc.option(fc.nat(99), { freq: 3 }), named: fc.nat(4) }), { minLength: 2, maxLength: 9 })
  .map((mails) =>
    mails.map(
      ({ parent, named }, nth): Mail => ({
        name: `m${nth}`,
        parent: nth === 0 || parent === null ? null : parent % nth,
        named,
      }),
    ),
  )
  .chain((mails) => fc.tuple(fc.constant(mails), fc.shuffledSubarray(mails, { minLength: mails.length })))

/** The mails above one, the nearest first. */
const above = (mails: readonly Mail[], { parent }: Mail): Mail[] => {
  const one = parent === null ? undefined : mails[parent]
  return one ? [one, ...above(mails, one)] : []
}
const rootOf = (mails: readonly Mail[], mail: Mail): string => above(mails, mail).at(-1)?.name ?? mail.name

describe('a conversation', () => {
  it('is one thread, whatever the order in which its mails come, many at once and some twice', () =>
    fc.assert(
      fc.asyncProperty(conversations, fc.boolean(), async ([mails, arriving], atOnce) => {
        runs += 1
        const idOf = ({ name }: Mail) => `<${name}.${runs}@example.com>`
        const inboundOf = (mail: Mail): Partial<Inbound> => {
          const named = above(mails, mail)
            .slice(0, mail.named + 1)
            .map(idOf)
          return { messageId: idOf(mail), inReplyTo: named[0] ?? null, references: named.toReversed() }
        }
        const kept = new Map<string, string>()
        const file = async (mail: Mail) => void kept.set(mail.name, (await keep(inboundOf(mail))).id)
        if (atOnce) await Promise.all(arriving.map(file))
        else for (const mail of arriving) await file(mail)
        const [again = mails[0] as Mail] = arriving
        expect(await keep(inboundOf(again))).toEqual({ id: kept.get(again.name), isNew: false })

        const ids = [...kept.values()]
        const rows = await ask<{ id: string; thread_id: string }>(
          cell,
          'select id, thread_id from communications where id = any($1)',
          [ids],
        )
        const threadOf = (mail: Mail) => rows.find(({ id }) => id === kept.get(mail.name))?.thread_id as string
        const together = (key: (mail: Mail) => string) =>
          [...Map.groupBy(mails, key).values()].map((some) => some.map(({ name }) => name).toSorted()).toSorted()
        expect(together(threadOf)).toEqual(together((mail) => rootOf(mails, mail)))
        for (const [thread, some] of Map.groupBy(mails, threadOf)) {
          const own = some.map(({ name }) => kept.get(name) as string)
          expect(own).toContain(thread)
          expect(millisecondOf(thread)).toBe(own.map(millisecondOf).toSorted()[0]) // the first; ids of one millisecond have no order
        }
      }),
      { numRuns: 15 },
    ))
  it('lends customer and trip to what answers it, by the nearest that is known', async () => {
    const { body } = await cell.call('POST', '/customers', { key: agency.key, body: { customer: { name: 'Ayşe' } } })
    const customer = (body as { data: { id: string } }).data.id
    await keep({ messageId: '<far@x.example>' })
    await keep({ messageId: '<near@x.example>', customer, inReplyTo: '<far@x.example>' })
    const { id } = await keep({ references: ['<far@x.example>', '<near@x.example>', '<unknown@x.example>'] })
    const [answer] = (await list(agency, `customer_id=${customer}&limit=1`)).data
    expect(answer?.id).toBe(id)
  })
  it('is found and continued by the name that it had before it was tied to an older one', async () => {
    const older = await keep({ messageId: '<older@x.example>' })
    const newer = await keep({ messageId: '<newer@x.example>' })
    const tie = await keep({ references: ['<older@x.example>', '<newer@x.example>'] })
    const answer = { direction: 'inbound', channel: 'email', thread_id: newer.id, in_reply_to: newer.id }
    const { id, thread_id } = await make(agency, answer)
    expect(thread_id).toBe(older.id)
    for (const name of [older.id, newer.id])
      expect((await list(agency, `thread_id=${name}`)).data.map((message) => message.id)).toEqual([
        ...[id, tie.id, newer.id, older.id],
      ])
  })
  it('is an account’s own', async () => {
    const other = await makeAgency(cell)
    const first = await keep({ messageId: '<both@x.example>' })
    const second = await keep({ messageId: '<both@x.example>' }, other)
    expect([second.isNew, second.id === first.id]).toEqual([true, false])
    const { data } = await list(other)
    expect(data.map(({ id, thread_id }) => [id, thread_id])).toEqual([[second.id, second.id]])
  })
  it('takes any text that mail can hold, within bounds', async () => {
    const long = `<${'x'.repeat(5_000)}@x.example>`
    const ids = Array.from({ length: 300 }, (_, nth) => `<r${nth}@x.example>`)
    const { id } = await keep({
      messageId: long,
      inReplyTo: 'no Message-ID',
      references: [...ids, '', 'x', long, '<\ud800@x>'],
      subject: `\0${'ş'.repeat(5_000)}`,
      plain: `a\0\ud83c${'x'.repeat(600_000)}`,
      html: '<b>'.repeat(60_000),
      to: Array.from({ length: 300 }, () => 'a@example.com'),
      externalId: long,
    })
    const { data } = await list(agency, 'limit=1')
    expect([data[0]?.id, data[0]?.subject?.length, data[0]?.to_addresses]).toEqual([
      id,
      1_000,
      Array(100).fill('a@example.com'),
    ])
  })
})
