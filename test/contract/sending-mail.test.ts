import PostalMime, { type Email } from 'postal-mime'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { mailSeats } from '../../src/features/communications/commands/queue-messages.ts'
import { readUnsubscribe } from '../../src/features/communications/unsubscribe.ts'
import { contentOf } from '../../src/platform/files/file-store.ts'
import type { MailTransport } from '../../src/platform/mail/mail.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { CELL_MAIL, keptOf, letPass, mailTo, messageIdOf, queueMessage, sendDue } from '../harness/sending.ts'
import { type Received, type Smtp, startSmtp } from '../harness/smtp.ts'
import { ask } from '../harness/sql.ts'
import { tripsOf } from '../harness/trips.ts'

const ATTEMPTS = 5
let smtp: Smtp
let cell: TestCell
let agency: Agency
let customer: string
beforeAll(async () => {
  smtp = await startSmtp()
  cell = await startCell({ mailFrom: CELL_MAIL, deps: { count: uncounted, mail: mailTo(smtp) } })
  agency = await makeAgency(cell)
  const rows = [{ external_id: 'C', name: 'Ayşe', email: 'ayse@example.com' }]
  const { rows: [outcome] = [] } = await importRows(cell, agency.key, 'customers', rows)
  customer = outcome?.id as string
})
const read = (mail: Received | undefined): Promise<Email> => PostalMime.parse(mail?.raw ?? '')
const queue = (given: Parameters<typeof queueMessage>[2] = {}) => queueMessage(cell, agency, given)
const header = ({ headers }: Email, name: string) => headers.find(({ key }) => key === name)?.value
/** The mails that came since. */
async function sent(deps: Deps = cell.deps): Promise<Email[]> {
  const before = smtp.received.length
  await sendDue(deps)
  return Promise.all(smtp.received.slice(before).map(read))
}
const sql = <T>(text: string, values: unknown[] = []) => ask<T>(cell, text, values)

describe('an e-mail', () => {
  it('arrives unchanged, from the agency', async () => {
    const given = {
      subject: 'İyi yolculuklar — Çeşme’den Ürgüp’e, ışıl ışıl bir tatil için son hazırlıklar',
      plain: 'Merhaba Ayşe,\n.\nGörüşürüz',
      html: '<p>Merhaba <b>Ayşe</b></p>',
      to: ['"Yılmaz, Ayşe" <ayse@example.com>', 'ali@example.com'],
      cc: ['Veli <veli@example.com>'],
      replyTo: 'Işıl Çağlar <isil@agency.example>',
    }
    const id = await queue(given)
    const [mail] = await sent()
    expect(mail).toMatchObject({
      messageId: messageIdOf(id),
      subject: given.subject,
      from: { name: 'Test Seyahat', address: CELL_MAIL.address },
      to: [
        { name: 'Yılmaz, Ayşe', address: 'ayse@example.com' },
        { name: '', address: 'ali@example.com' },
      ],
      cc: [{ name: 'Veli', address: 'veli@example.com' }],
      replyTo: [{ name: 'Işıl Çağlar', address: 'isil@agency.example' }],
      text: `${given.plain}\n`,
      html: `${given.html}\n`,
    })
    expect(smtp.received.at(-1)).toMatchObject({
      from: CELL_MAIL.address,
      to: ['ayse@example.com', 'ali@example.com', 'veli@example.com'],
      secure: true,
    })
    expect([header(mail as Email, 'auto-submitted'), header(mail as Email, 'list-unsubscribe')]).toEqual([
      undefined,
      undefined,
    ])
    const [kept] = await keptOf(cell, id)
    expect(kept).toMatchObject({ status: 'sent', failure_reason: null, external_id: messageIdOf(id), attempts: null })
  })

  it('that has HTML alone has its words as well', async () => {
    await queue({ plain: null, html: '<p>One</p><p>Two</p>' })
    expect((await sent())[0]?.text).toMatch(/^One\s+Two\s*$/)
  })

  it.each([
    ['of a domain of the account is from there', 'Işıl <isil@Agency.Example>', null, 'isil@agency.example', undefined],
    ['of any other domain is answered there', 'isil@other.example', null, CELL_MAIL.address, 'isil@other.example'],
    ['of a domain like it is answered there', 'a@notagency.example', null, CELL_MAIL.address, 'a@notagency.example'],
    [
      'and with another address for answers is answered there',
      'a@b.example',
      'c@d.example',
      CELL_MAIL.address,
      'c@d.example',
    ],
  ])('whose sender is %s', async (_, from, replyTo, shown, answered) => {
    await sql(`update accounts set mail_domains = '{agency.example}' where account_id = $1`, [agency.number])
    await queue({ from, replyTo })
    const [mail] = await sent()
    expect([mail?.from?.address?.toLowerCase(), mail?.replyTo?.[0]?.address]).toEqual([shown, answered])
    expect(smtp.received.at(-1)?.from).toBe(CELL_MAIL.address)
  })

  it('has the account’s reply address, unless it has its own', async () => {
    await sql(`update accounts set answer_address = 'info@agency.example' where account_id = $1`, [agency.number])
    await queue()
    await queue({ replyTo: 'c@d.example' })
    await queue({ from: 'isil@other.example' })
    const answered = (await sent()).map(({ replyTo }) => replyTo?.[0]?.address)
    expect(answered.sort()).toEqual(['c@d.example', 'info@agency.example', 'isil@other.example'])
    await sql('update accounts set answer_address = null where account_id = $1', [agency.number])
  })

  it('carries its attachments, byte by byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 31) % 256))
    const id = await queue()
    const [file] = await sql<{ id: string }>(
      `insert into files (account_id, filename, content_type, byte_size, expires_at) values ($1, 'Uçuş planı.pdf', 'application/pdf', $2, null) returning id`,
      [agency.number, bytes.length],
    )
    await sql('insert into communication_attachments (account_id, communication_id, file_id) values ($1, $2, $3)', [
      agency.number,
      id,
      file?.id,
    ])
    const gone = await sent()
    expect([gone, (await keptOf(cell, id))[0]?.status]).toEqual([[], 'sending']) // its bytes are not there
    await cell.deps.files.store.put({ account: agency.number, id: file?.id as string }, contentOf(bytes))
    await letPass(cell)
    const [{ attachments: [attachment] = [] } = {} as Email] = await sent()
    expect(attachment).toMatchObject({ filename: 'Uçuş planı.pdf', mimeType: 'application/pdf' })
    expect(Buffer.from(attachment?.content as ArrayBuffer).equals(bytes)).toBe(true)
  })

  it('names what it answers, and the thread before it, which a long one cuts', async () => {
    const first = await queue()
    const more: string[] = []
    for (let nth = 0; nth < 24; nth++) more.push(await queue({ thread: first, inReplyTo: nth === 23 ? first : null }))
    const mails = new Map((await sent()).map((mail) => [mail.messageId, mail]))
    const threadOf = (id: string | undefined) => {
      const mail = mails.get(messageIdOf(id ?? ''))
      return [mail?.inReplyTo, mail?.references?.split(/\s+/)]
    }
    const [second, third] = more
    const name = messageIdOf(first)
    expect([threadOf(first), threadOf(second)]).toEqual([
      [undefined, undefined],
      [name, [name]],
    ])
    expect(threadOf(third)).toEqual([messageIdOf(second as string), [first, second as string].map(messageIdOf)])
    expect(threadOf(more.at(-1))).toEqual([name, [...more.slice(3, 23).map(messageIdOf), name]])
  })
  it('that answers a mail of somebody else names that', async () => {
    await queue({ inReplyTo: '<abc@example.com>' })
    const [mail] = await sent()
    expect([mail?.inReplyTo, mail?.references]).toEqual(['<abc@example.com>', '<abc@example.com>'])
  })

  it('of marketing has a one-click unsubscribe link, and goes only to customers with current consent', async () => {
    await sql('update customers set opted_in_marketing = true where id = $1', [customer])
    await queue({ purpose: 'marketing', customer })
    const [mail] = await sent()
    const url = /^<(http.*\/u\/(.*))>$/.exec(header(mail as Email, 'list-unsubscribe') ?? '')?.[2] ?? ''
    expect(await readUnsubscribe(cell.deps.unsubscribing, url, async () => [])).toEqual({
      account: agency.number,
      customer,
    })
    expect(header(mail as Email, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(header(mail as Email, 'auto-submitted')).toBe('auto-generated')
    const late = await queue({ purpose: 'marketing', customer })
    const nobodys = await queue({ purpose: 'marketing' })
    await sql('update customers set opted_in_marketing = false where id = $1', [customer])
    expect(await sent()).toEqual([])
    const failed = { status: 'failed', failure_reason: 'unsubscribed', attempts: null }
    expect(await keptOf(cell, late, nobodys)).toMatchObject([failed, failed])
  })
  it('of marketing sent by the API has one as well, and needs a customer', async () => {
    const post = (message: object) =>
      cell.call('POST', '/communications', {
        key: agency.key,
        body: { communication: { direction: 'outbound', channel: 'email', body_plain: 'Spring offers', ...message } },
      })
    const to_addresses = ['reader@example.com']
    await sql('update customers set opted_in_marketing = true where id = $1', [customer])
    expect((await post({ purpose: 'marketing', customer_id: customer, to_addresses })).status).toBe(201)
    expect((await post({ customer_id: customer, to_addresses })).status).toBe(201)
    const headers = (await sent()).map((mail) => header(mail, 'list-unsubscribe') ?? null)
    expect(headers.toSorted()).toEqual([expect.stringMatching(/^<http.*\/u\//), null])
    const trip = await tripsOf(() => cell).make(agency)
    const nobodys = await post({ purpose: 'marketing', trip_id: trip, to_addresses })
    const received = await post({ purpose: 'service', direction: 'inbound', from_address: 'a@b.example' })
    for (const { status, body } of [nobodys, received])
      expect([status, Object.keys((body as { details: object }).details)]).toEqual([422, ['purpose']])
    await sql('update customers set opted_in_marketing = false where id = $1', [customer])
  })
  it('of a closed account is not sent', async () => {
    const closed = await makeAgency(cell)
    const id = await queueMessage(cell, closed)
    await cell.deps.db.inAccount(closed.number, async (tx) =>
      mailSeats(tx, [{ to: 'a@b.example', subject: 'Task', plain: 'due', html: null }]),
    )
    await sql(`update accounts set status = 'closed' where account_id = $1`, [closed.number])
    expect([await sent(), (await keptOf(cell, id))[0]?.status]).toEqual([[], 'failed'])
  })
  it('to a seat is from the agency, and is kept nowhere', async () => {
    await cell.deps.db.inAccount(agency.number, async (tx) =>
      mailSeats(tx, [
        { to: 'seat@agency.example', subject: 'Görev', plain: 'Bugün', html: null },
        { to: 'refused-seat@agency.example', subject: 'Görev', plain: 'Bugün', html: null },
      ]),
    )
    const mails = await sent()
    expect(mails).toMatchObject([
      { subject: 'Görev', from: { name: 'Test Seyahat' }, to: [{ address: 'seat@agency.example' }] },
    ])
    expect(header(mails[0] as Email, 'auto-submitted')).toBe('auto-generated')
    expect(await sql('select from message_sends')).toEqual([])
  })
})

const FAILURES: readonly [string, string, string, number][] = [
  ['refuses the recipient', 'refused-a@example.com', 'invalid_recipient', 1],
  ['calls the mail spam', 'spam-a@example.com', 'provider_rejected', 1],
  ['asks to come later', 'later-a@example.com', 'provider_rejected', ATTEMPTS],
  ['has no room', 'busy-a@example.com', 'provider_rejected', ATTEMPTS],
  ['hangs up on the recipient', 'cut-rcpt-a@example.com', 'timeout', ATTEMPTS],
  ['hangs up in mid-mail', 'cut-data-a@example.com', 'timeout', ATTEMPTS],
  ['hangs up after the mail', 'cut-end-a@example.com', 'timeout', ATTEMPTS],
  ['says nothing', 'hangs-a@example.com', 'timeout', ATTEMPTS],
]

describe('a server', () => {
  let ids: string[]
  let received: Received[]
  const seen = new Map<string, (number | null)[]>()
  beforeAll(async () => {
    const before = smtp.received.length
    ids = await Promise.all(FAILURES.map(([, to]) => queue({ to: [to], author: agency.advisor })))
    for (const _ of ['first', 'last']) {
      await sendDue(cell.deps)
      for (const { id, attempts } of await keptOf(cell, ...ids)) seen.set(id, [...(seen.get(id) ?? []), attempts])
      await sql('update message_sends set attempts = $1, next_attempt_at = now()', [ATTEMPTS - 1])
    }
    received = smtp.received.slice(before)
  })
  it.each(FAILURES.map((failure, at) => [at, ...failure] as const))(
    '(%i) that %s',
    async (at, _, to, reason, attempts) => {
      const id = ids[at] as string
      expect(seen.get(id)).toEqual([attempts === 1 ? null : 1, null]) // after the first attempt, and after the last
      expect(await keptOf(cell, id)).toMatchObject([{ status: 'failed', failure_reason: reason, attempts: null }])
      const notified = await sql('select kind, seat_id, priority from notifications where subject_id = $1', [id])
      expect(notified).toEqual([{ kind: 'message_failed', seat_id: agency.advisor, priority: 'high' }])
      // Whatever it has taken, it has taken under one name.
      const taken = received.filter((mail) => mail.to.includes(to))
      expect(taken).toHaveLength(/^(cut-end|busy)/.test(to) ? 2 : to.startsWith('spam') ? 1 : 0)
      for (const mail of taken) expect((await read(mail)).messageId).toBe(messageIdOf(id))
    },
  )
  it('that refuses a mail of a deleted seat causes a notification of the owner', async () => {
    const gone = await makeAgency(cell)
    const id = await queueMessage(cell, gone, { to: ['refused-d@example.com'], author: gone.advisor })
    await sql('update seats set active = false where id = $1', [gone.advisor])
    await sendDue(cell.deps)
    expect(await sql('select seat_id from notifications where subject_id = $1', [id])).toEqual([
      { seat_id: gone.owner.id },
    ])
  })
  it('waits longer and longer for the next attempt', async () => {
    const id = await queue({ to: ['later-b@example.com'] })
    const waits: number[] = []
    for (let made = 1; made < ATTEMPTS; made++) {
      await sendDue(cell.deps)
      const [row] = await sql<{ wait: number }>(
        'select round(extract(epoch from next_attempt_at - attempted_at) / 60)::integer as wait from message_sends where communication_id = $1',
        [id],
      )
      waits.push(row?.wait ?? 0)
      await letPass(cell)
    }
    expect(waits).toEqual([1, 5, 30, 120])
    await sendDue(cell.deps)
  })
  it('that takes a mail for some has taken it, and who was refused is kept', async () => {
    const id = await queue({ to: ['refused-c@example.com', 'c@example.com'], cc: ['later-c@example.com'] })
    expect(await sent()).toHaveLength(1)
    const [kept] = await keptOf(cell, id)
    expect(kept).toMatchObject({
      status: 'sent',
      metadata: { refused: [{ address: 'refused-c@example.com' }, { address: 'later-c@example.com' }] },
    })
  })

  const through = (mail: MailTransport | null): Deps => ({ ...cell.deps, mail })
  const login = (password: string) => ({ user: 'backdesk', password })
  it.each([
    ['with the right password', true, 'right', 'sent', null],
    ['with a wrong one', true, 'wrong', 'failed', 'not_configured'],
    ['that knows no logins', false, 'right', 'failed', 'not_configured'],
  ])('is logged in to, over TLS, %s', async (_, knowsLogins, password, status, reason) => {
    const guarded = await startSmtp({
      ...(!knowsLogins && { disabledCommands: ['AUTH'] }),
      onAuth: (auth, { secure }, callback) =>
        secure && auth.password === 'right' ? callback(null, { user: 1 }) : callback(new Error('Invalid login')),
    })
    const id = await queue()
    await sendDue(
      through(mailTo({ ...guarded, address: { ...guarded.address, requireTls: true, login: login(password) } })),
    )
    expect(await keptOf(cell, id)).toMatchObject([{ status, failure_reason: reason }])
  })
  it('without STARTTLS receives nothing if TLS is required, and the mail otherwise', async () => {
    const bare = await startSmtp({ disabledCommands: ['STARTTLS'] })
    const id = await queue()
    await sendDue(through(mailTo({ ...bare, address: { ...bare.address, requireTls: true } })))
    expect([(await keptOf(cell, id))[0]?.attempts, bare.received]).toEqual([1, []])
    await letPass(cell)
    await sendDue(through(mailTo(bare)))
    expect(bare.received).toMatchObject([{ secure: false }])
  })
  it('is not there, or is not configured', async () => {
    const id = await queue()
    await sendDue(through(mailTo({ ...smtp, address: { ...smtp.address, port: 1 } })))
    expect(await keptOf(cell, id)).toMatchObject([{ status: 'sending', attempts: 1 }])
    await letPass(cell)
    await sendDue(through(null))
    expect(await keptOf(cell, id)).toMatchObject([{ status: 'failed', failure_reason: 'not_configured' }])
  })
})
