import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Fetched, fetchMailbox } from '../../src/features/communications/commands/fetch-mailbox.ts'
import { type MailReader, openReader } from '../../src/features/communications/mail/mail-reader.ts'
import { type ImapBox, readImapBox } from '../../src/platform/net/imap-box.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { atEnd } from '../harness/at-end.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { LOCAL_CERTIFICATE } from '../harness/certificate.ts'
import { environmentOf, runHere } from '../harness/command-line.ts'
import { IMAP_TIMEOUT_MS, type ImapServer, startImapServer } from '../harness/imap-server.ts'
import { messagesOf } from '../harness/messages.ts'
import { freePort, temporaryFolder } from '../harness/process.ts'
import { CELL_MAIL, keptOf, mailTo, messageIdOf, queueMessage, sendDue } from '../harness/sending.ts'
import { type Smtp, startSmtp } from '../harness/smtp.ts'

const FIXTURES = join(import.meta.dirname, 'fixtures')
const fixture = (name: string, sent = '') =>
  readFileSync(join(FIXTURES, `${name}.eml`), 'latin1').replaceAll(WRITTEN, sent || WRITTEN)
/** The messages that the fixtures answer and report. */
const WRITTEN = '<0199e0c4-1111-7000-8000-000000000001@agency.example>'
const MIB = 1024 * 1024

let imap: ImapServer | null
let smtp: Smtp
let reader: MailReader
let cell: TestCell
beforeAll(async () => {
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, LOCAL_CERTIFICATE.cert])
  atEnd(async () => setDefaultCACertificates(trusted))
  imap = await startImapServer()
  smtp = await startSmtp()
  reader = openReader()
  atEnd(reader.close)
  cell = await startCell({ mailFrom: CELL_MAIL, deps: { count: uncounted, mail: mailTo(smtp) } })
}, IMAP_TIMEOUT_MS)
const { list, read } = messagesOf(() => cell)

/** A test with an agency and its own mailbox; without a server it is skipped with a message. */
type Scene = { server: ImapServer; agency: Agency; user: string }
let users = 0
function scene(name: string, test: (scene: Scene) => Promise<void>): void {
  it(name, async ({ skip }) => {
    if (imap === null)
      return skip('Mailboxes are read from Dovecot 2.3, which is not here: apt-get install dovecot-imapd')
    users += 1
    await test({ server: imap, agency: await makeAgency(cell), user: `info${users}@agency.example` })
  })
}
function fetch(
  { server, agency, user }: Scene,
  more: { limit?: number; box?: Partial<ImapBox> } = {},
): Promise<Fetched> {
  const box = { ...(readImapBox(server.url(user)) as ImapBox), ...more.box }
  const { db, files, log } = cell.deps
  const ownAddress = CELL_MAIL.address
  return fetchMailbox({ db, files, log, account: agency.number, ownAddress, reader, box, limit: more.limit ?? 500 })
}
const letter = (nth: number, more = '') =>
  `From: Ayşe <ayse@example.com>\r\nTo: info@agency.example\r\nSubject: ${nth}\r\nMessage-ID: <${nth}@example.com>\r\n${more}\r\nHello ${nth}\r\n`
const letters = (count: number) => Array.from({ length: count }, (_, nth) => letter(nth + 1))
const subjects = async (agency: Agency) =>
  (await list(agency, 'limit=100')).data.map(({ subject }) => subject).toReversed()

/** A way to a port of this machine that can be cut. */
async function cuttable(to: number): Promise<{ port: number; cut(): Promise<void> }> {
  const ends: Socket[] = []
  const server = createServer((one) => {
    const other = connect(to, 'localhost')
    ends.push(one, other)
    for (const end of [one, other]) end.on('error', () => {})
    one.pipe(other).pipe(one)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  atEnd(async () => void server.close())
  const cut = async () => {
    for (const end of ends) end.destroy()
    await sleep(20) // it is noticed
  }
  return { port: (server.address() as AddressInfo).port, cut }
}

describe('a fetch', () => {
  scene('files a mail with its customer, in the thread that it answers, with its files', async (it) => {
    const { server, agency, user } = it
    const customers = [{ external_id: 'C', name: 'Şükrü', email: 'Sukru.Caglar@gmail.example' }]
    const { rows } = await importRows(cell, agency.key, 'customers', customers)
    const sent = await queueMessage(cell, agency, { customer: rows[0]?.id as string })
    await sendDue(cell.deps)
    server.deliver(
      user,
      [fixture('gmail'), fixture('outlook-reply', messageIdOf(sent))].map((mail) => Buffer.from(mail, 'latin1')),
    )
    expect(await fetch(it)).toMatchObject({ read: 2, filed: 2, left: 0, mailbox: `${user}@localhost/INBOX` })
    const { data } = await list(agency, 'direction=inbound')
    const [reply, offer] = await Promise.all(data.map(({ id }) => read(agency, id)))
    expect(offer).toMatchObject({
      customer: { id: rows[0]?.id },
      channel: 'email',
      subject: 'Balayı için teklif 💍',
      from_address: 'Şükrü Çağlar <sukru.caglar@gmail.example>',
      attachments: [{ filename: 'kimlik şık.pdf', content_type: 'application/pdf', byte_size: 69 }],
      sent_at: '2026-11-15T18:40:05.000000Z',
      metadata: null,
      unread: true,
    })
    expect(reply).toMatchObject({
      customer: { id: rows[0]?.id },
      thread_id: sent,
      cc_addresses: ['İlker Yıldız <ilker@musteri.example>'],
    })
    expect(reply?.body_html).not.toContain('<style')
    const notified = (await cell.call('GET', '/notifications?kind=message_received', agency)).body as {
      data: unknown[]
    }
    expect(notified.data).toHaveLength(2)
  })

  scene('leaves out what would run, and says so; and tells nobody of what a machine wrote', async (it) => {
    it.server.deliver(
      it.user,
      ['winmail', 'apple-mail', 'out-of-office', 'broken'].map((name) => Buffer.from(fixture(name), 'latin1')),
    )
    expect(await fetch(it)).toMatchObject({ read: 4, filed: 4, failed: 0 })
    const { data } = await list(it.agency)
    const [, away, picture, winmail] = await Promise.all(data.map(({ id }) => read(it.agency, id)))
    const leftOut = [{ filename: 'liste.xlsm.exe', reason: 'program' }]
    expect(winmail).toMatchObject({
      metadata: { attachments_left_out: leftOut },
      attachments: [{ filename: 'winmail.dat' }],
    })
    expect(picture).toMatchObject({ attachments: [{ filename: 'passport.png.jpg', content_type: 'image/jpeg' }] })
    expect(away).toMatchObject({ metadata: { auto_submitted: true } })
    const notified = (await cell.call('GET', '/notifications?kind=message_received', it.agency)).body as {
      data: unknown[]
    }
    expect(notified.data).toHaveLength(3)
  })

  scene('changes nothing in the box, and files nothing twice, not even where all is numbered anew', async (it) => {
    const { server, agency, user } = it
    server.deliver(user, [...letters(3), letter(2), Buffer.from(fixture('raw-windows-1254'), 'latin1')])
    expect(await fetch(it, { limit: 2 })).toMatchObject({ read: 2, filed: 2, left: 3 })
    expect(await fetch(it)).toMatchObject({ read: 3, filed: 2, known: 1, left: 0 })
    const lies = server.look(user)
    expect(lies.filter((name) => /:2,.+$/.test(name))).toEqual([])
    expect(await fetch(it)).toMatchObject({ read: 0 })
    server.renumber(user)
    expect(await fetch(it)).toMatchObject({ read: 5, filed: 0, known: 5 })
    expect(server.look(user)).toEqual(lies)
    expect(await subjects(agency)).toEqual(['1', '2', '3', 'Uçuş değişikliği: İstanbul - Iğdır'])
  })

  scene('and another at the same time file everything once, in its order', async (it) => {
    it.server.deliver(it.user, letters(12))
    const fetched = await Promise.all([fetch(it), fetch(it), fetch(it)])
    expect(fetched.reduce((sum, { filed }) => sum + filed, 0)).toBe(12)
    expect(await subjects(it.agency)).toEqual(letters(12).map((_, nth) => String(nth + 1)))
  })

  scene('goes on where one has stopped', async (it) => {
    const { db, files, log } = cell.deps
    it.server.deliver(it.user, [letter(1), Buffer.from(fixture('gmail'), 'latin1'), letter(3)])
    const away = { ...files, store: { ...files.store, put: () => Promise.reject(new Error('away')) } }
    const box = readImapBox(it.server.url(it.user)) as ImapBox
    const whole = { db, log, reader, box, account: it.agency.number, ownAddress: CELL_MAIL.address, limit: 9 }
    await expect(fetchMailbox({ ...whole, files: away })).rejects.toThrow('away')
    expect(await subjects(it.agency)).toEqual(['1'])
    expect(await fetch(it)).toMatchObject({ read: 2, filed: 2 })
  })

  scene('loses no mail where its connection is lost, and says so', async (it) => {
    it.server.deliver(it.user, letters(3))
    const box = readImapBox(it.server.url(it.user)) as ImapBox
    const line = await cuttable(box.port)
    const cutting: MailReader = {
      ...reader,
      read: async (...mail) => {
        await line.cut()
        return reader.read(...mail)
      },
    }
    const { db, files, log } = cell.deps
    const what = { db, files, log, reader: cutting, account: it.agency.number, ownAddress: CELL_MAIL.address, limit: 9 }
    await expect(fetchMailbox({ ...what, box: { ...box, port: line.port } })).rejects.toThrow('Could not connect')
    expect(await subjects(it.agency)).toEqual(['1'])
    expect(await fetch(it)).toMatchObject({ read: 2, filed: 2 })
  })

  scene('files the beginning of what is too large', async (it) => {
    const head = 'Content-Type: multipart/mixed; boundary=b\r\n'
    const large = letter(1, head).replace('Hello', '--b\r\n\r\nHello')
    it.server.deliver(it.user, [
      `${large}--b\r\nContent-Type: application/pdf\r\n\r\n${'x'.repeat(26 * MIB)}\r\n--b--`,
      letter(2),
    ])
    expect(await fetch(it)).toMatchObject({ read: 2, filed: 2 })
    const [, beginning] = (await list(it.agency)).data
    expect(await read(it.agency, beginning?.id as string)).toMatchObject({
      body_plain: 'Hello 1',
      metadata: { beginning_only: 'too_large' },
      attachments: [],
    })
  })

  scene('files nothing that was written here, but what the agency’s site sends for somebody', async (it) => {
    const { server, agency, user } = it
    const sent = await queueMessage(cell, agency)
    await sendDue(cell.deps)
    const form = fixture('web-form').replaceAll('no-reply@agency.example', CELL_MAIL.address)
    const copy = letter(1).replace('ayse@example.com', CELL_MAIL.address)
    server.deliver(user, [smtp.received.at(-1)?.raw ?? '', copy, Buffer.from(form, 'latin1')])
    expect(sent).not.toBe('')
    expect(await fetch(it)).toMatchObject({ read: 3, own: 2, filed: 1 })
    const [filed] = (await list(agency, 'direction=inbound')).data
    expect(filed).toMatchObject({ from_address: '"Deniz, Kara" <deniz.kara@ziyaretci.example>' })
  })
})

describe('a delivery report', () => {
  for (const name of ['bounce-postfix', 'bounce-exchange', 'bounce-gmail']) {
    scene(`like ${name} fails the message that it is about`, async (it) => {
      const [sent, other] = [await queueMessage(cell, it.agency), await queueMessage(cell, it.agency)] as const
      await sendDue(cell.deps)
      it.server.deliver(it.user, [fixture('delayed-postfix', messageIdOf(other)), fixture(name, messageIdOf(sent))])
      expect(await fetch(it)).toMatchObject({ read: 2, reports: 2, filed: 0 })
      expect(await keptOf(cell, sent, other)).toMatchObject([
        {
          status: 'failed',
          failure_reason: 'bounced',
          metadata: { delivery_status: [expect.stringMatching(/^5\.1\./)] },
        },
        { status: 'sent', failure_reason: null },
      ])
      expect((await list(it.agency, 'direction=inbound')).data).toEqual([])
    })
  }
  scene('that names no message is about the only one that went to the address', async (it) => {
    const nameless = fixture('bounce-postfix').replace(/Message-ID:\s+\S+/, 'X-Nothing: 1')
    const sent = await queueMessage(cell, it.agency, { to: ['Ali <yanlis@musteri.example>'] })
    await sendDue(cell.deps)
    it.server.deliver(it.user, [nameless])
    await fetch(it)
    expect(await keptOf(cell, sent)).toMatchObject([{ failure_reason: 'bounced' }])
  })
  scene('of another account’s message changes nothing', async (it) => {
    const sent = await queueMessage(cell, await makeAgency(cell))
    await sendDue(cell.deps)
    it.server.deliver(it.user, [fixture('bounce-postfix', messageIdOf(sent))])
    expect(await fetch(it)).toMatchObject({ reports: 1 })
    expect(await keptOf(cell, sent)).toMatchObject([{ status: 'sent' }])
  })
})

describe('a box that cannot be read', () => {
  const WRONG: Record<string, (box: ImapBox, port: number) => Partial<ImapBox>> = {
    'rejected the user or the password': () => ({ password: 'hunter2hunter2' }),
    'has no folder Arşiv. Its folders are: .*INBOX': () => ({ folder: 'Arşiv' }),
    'Sent contains sent or draft mails': () => ({ folder: 'Sent' }),
    'Could not connect': (_, port) => ({ port }),
    'Could not establish a secure connection': () => ({ host: '127.0.0.1' }),
  }
  scene('says why, and not its password', async (it) => {
    const box = readImapBox(it.server.url(it.user)) as ImapBox
    for (const [said, wrong] of Object.entries(WRONG)) {
      const change = wrong(box, await freePort())
      const error: Error = await fetch(it, { box: change }).then(
        () => new Error('it was read'),
        (failure) => failure,
      )
      expect(error.message).toMatch(new RegExp(said))
      expect(error.message).not.toContain(change.password ?? box.password)
    }
  })
})

describe('backdesk mail fetch', () => {
  scene('reads the box of IMAP_URL by TLS, and ends with 1 where it cannot', async ({ server, agency, user }) => {
    server.deliver(user, letters(1))
    const mailFetch = (IMAP_URL: string, ...more: string[]) => {
      const args = ['mail', 'fetch', '--account', String(agency.number), ...more]
      return runHere(args, temporaryFolder(), { ...environmentOf(cell), IMAP_URL })
    }
    const read = await mailFetch(server.url(user, { secure: true }), '--json')
    expect([read.code, JSON.parse(read.stdout)]).toMatchObject([0, { read: 1, filed: 1 }])
    const refused = await mailFetch(server.url(user, { password: 'hunter2' }))
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^backdesk: .*password.*\n$/)
    expect(refused.stderr).not.toContain('hunter2')
  })
})
