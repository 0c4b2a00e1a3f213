import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openReader } from '../../src/features/communications/mail/mail-reader.ts'
import { readMail } from '../../src/features/communications/mail/read-mail.ts'
import type { ReceivedMail } from '../../src/features/communications/mail/received-mail.ts'
import {
  BODY_KEPT,
  HTML_KEPT,
  LISTED_KEPT,
  NAME_KEPT,
  SUBJECT_KEPT,
} from '../../src/features/communications/message-limits.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')
const NAMES = readdirSync(FOLDER).map((file) => file.replace(/\.eml$/, ''))
const bytesOf = (name: string) => readFileSync(join(FOLDER, `${name}.eml`))
const CAME = new Date('2026-11-21T09:00:00Z')
const UNNAMED = '<unnamed@sha256.invalid>'
const read = (bytes: Buffer) => readMail(bytes, { at: CAME, unnamed: UNNAMED, cut: null })

const WRITTEN = '<0199e0c4-1111-7000-8000-000000000001@agency.example>'
const reported = (address: string, action: string, status: string) => ({
  report: { about: [WRITTEN], recipients: [{ address, action, status }] },
})
/** The expected content of each fixture: one per mail program, with its distinctive feature. */
const SAID: Record<string, object> = {
  'apple-mail': {
    from: 'Marco Bianchi <marco@cliente.example>',
    plain: 'Here is my passport. It is good until 2031, I hope that this is long enough.',
    files: [{ name: 'passport.png', isInline: true }],
  },
  'bounce-exchange': reported('eski.calisan@sirket.example', 'failed', '5.1.10'),
  'bounce-gmail': reported('kapali@gmail.example', 'failed', '5.1.1'),
  'bounce-postfix': reported('Yanlis@musteri.example', 'failed', '5.1.1'),
  broken: {
    messageId: UNNAMED,
    from: null,
    to: [],
    sentAt: CAME.toISOString(),
    plain: expect.stringMatching(/^Merhaba .* dünya {2}son\n/),
    cut: null,
  },
  'delayed-postfix': reported('yavas@musteri.example', 'delayed', '4.4.1'),
  forwarded: {
    to: ['bilgi@agency.example', 'one@team.example', 'Two <two@team.example>'],
    references: ['<a@x.example>', '<b@x.example>', '<c@x.example>'],
    plain: 'Iletiyorum.',
    files: [{ name: 'invitation.ics' }, { name: 'message.eml' }],
  },
  gmail: {
    from: 'Şükrü Çağlar <sukru.caglar@gmail.example>',
    subject: 'Balayı için teklif 💍',
    plain: 'İyi akşamlar, haziran için Maldivler düşünüyoruz. 💍\n\nŞükrü',
    sentAt: '2026-11-15T18:40:05.000Z',
    isAutomatic: false,
    files: [{ name: 'kimlik şık.pdf', isInline: false }],
    report: null,
  },
  'iso-8859-9': {
    from: 'Gülşah Işık <gulsah@otel.example>',
    subject: 'Fiyat listesi - Kış sezonu',
    plain: expect.stringContaining('üç kişilik ığdır köşe süiti'),
  },
  'out-of-office': { isAutomatic: true, inReplyTo: WRITTEN, subject: 'Otomatik yanıt: Roma turu' },
  'outlook-reply': {
    from: 'Ayşe Öztürk <ayse.ozturk@musteri.example>',
    cc: ['İlker Yıldız <ilker@musteri.example>'],
    subject: 'YNT: Roma turu - ödeme ve vize için gereken belgeler',
    plain: expect.stringMatching(/süresi Şubat'ta doluyor[\s\S]*Kimden: [\s\S]*> Teklifimiz ektedir\.$/),
    html: expect.stringContaining('Ödemeyi bugün yapıyoruz'),
    inReplyTo: WRITTEN,
    references: [WRITTEN],
  },
  'raw-windows-1254': {
    messageId: UNNAMED,
    subject: 'Uçuş değişikliği: İstanbul - Iğdır',
    plain: expect.stringContaining('değiştirilmiştir. Şirketiniz'),
  },
  'web-form': { replyTo: '"Deniz, Kara" <deniz.kara@ziyaretci.example>', plain: null },
  winmail: { files: [{ name: 'winmail.dat' }, { name: 'liste.xlsm.exe' }] },
}

describe('a mail', () => {
  it.each(NAMES)('as %s is read', async (name) => {
    expect(SAID).toHaveProperty([name])
    expect(await read(bytesOf(name))).toMatchObject(SAID[name] ?? {})
  })
})

const CONTROL = /(?![\t\n])\p{Cc}|\p{Cs}/u
const ONE_LINE = /^[^\n\t]*$/
/** The faults of a read mail: there must be none for any bytes. */
function wrong(mail: ReceivedMail): string[] {
  const { from, replyTo, to, cc, subject, plain, html, messageId, inReplyTo, references, sentAt } = mail
  const lines = [from, replyTo, ...to, ...cc, subject, messageId, inReplyTo, ...references].filter(
    (text) => text !== null,
  )
  const texts = [...lines, ...[plain, html].filter((text) => text !== null)]
  return [
    ...texts.filter((text) => text === '' || CONTROL.test(text)),
    ...lines.filter((text) => !ONE_LINE.test(text)),
    ...[messageId, ...references].filter((id) => !/^<[^<>\s]+>$/.test(id) || id.length > NAME_KEPT),
    ...[from ?? '@', replyTo ?? '@', ...to, ...cc].filter((text) => text.length > NAME_KEPT || !text.includes('@')),
    ...(Math.max(to.length, cc.length, references.length) > LISTED_KEPT ? ['too many'] : []),
    ...((subject ?? '').length > SUBJECT_KEPT || (plain ?? '').length > BODY_KEPT || (html ?? '').length > HTML_KEPT
      ? ['too long']
      : []),
    ...(new Date(sentAt).toISOString() === sentAt ? [] : [sentAt]),
  ]
}

const fixtures = NAMES.map(bytesOf)
const spoilt = fc
  .tuple(
    fc.constantFrom(...fixtures),
    fc.constantFrom(...fixtures),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 60 }), fc.uint8Array({ maxLength: 12 }), fc.boolean()), { maxLength: 5 }),
  )
  .map(([mail, other, changes]) =>
    changes.reduce((bytes, [where, gone, put, isSpliced]) => {
      const at = where % (bytes.length + 1)
      const rest = isSpliced ? other.subarray(where % other.length) : bytes.subarray(at + gone)
      return Buffer.concat([bytes.subarray(0, at), put, rest])
    }, mail),
  )

describe('any bytes', () => {
  it('are read as a mail that can be stored', async () => {
    const any = fc.oneof(
      { weight: 5, arbitrary: spoilt },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)) },
    )
    await fc.assert(
      fc.asyncProperty(any, async (bytes) => {
        expect(wrong(await read(bytes))).toEqual([])
      }),
      { numRuns: 400 },
    )
  })
})

const HEADERS = 'From: a@example.com\r\nSubject: all\r\n'
const parts = (type: string, body: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`
const IN_PARTS = `${HEADERS}Content-Type: multipart/mixed; boundary=b\r\n\r\n`
const nested = (depth: number) =>
  Array.from({ length: depth }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`).join(
    '',
  )
/** Mails that only a machine writes, to be too much for the one that reads them. */
const TOO_MUCH: Record<string, string> = {
  'lines without end': `${HEADERS}\r\n${'\r\n'.repeat(500_000)}`,
  'parts without end': IN_PARTS + parts('text/plain', 'x').repeat(6_000),
  'parts in parts': `${HEADERS}${nested(60)}\r\nx`,
  'headers without end': `${HEADERS}${'X: yyyyyy\r\n'.repeat(70_000)}\r\nx`,
}
/** The parser needs minutes for them. */
const LINKS = IN_PARTS + parts('text/html', '<a href=x '.repeat(60_000)) + parts('text/plain', 'x')

describe('a mail that is too much', () => {
  const beginning = { from: 'a@example.com', subject: 'all', cut: 'unreadable', files: [] }

  it.each(Object.keys(TOO_MUCH))('for its %s is read by its beginning', async (name) => {
    expect(await read(Buffer.from(TOO_MUCH[name] ?? ''))).toMatchObject(beginning)
  })

  it('for it takes too long is so as well, and costs the next one nothing', async () => {
    const reader = openReader(700)
    const arrived = { at: CAME, isWhole: true }
    const mails = [reader.read(Buffer.from(LINKS), arrived), reader.read(bytesOf('gmail'), arrived)]
    expect(await Promise.all(mails)).toMatchObject([beginning, { cut: null, files: [{}] }])
    await reader.close()
  })

  it('for its references name nothing at length is read all the same', async () => {
    const mail = await read(Buffer.from(`References: ${'a@'.repeat(200_000)} x\r\n${HEADERS}\r\nx`))
    expect(mail).toMatchObject({ references: [], cut: null })
  })

  it('is left where its beginning is as well', async () => {
    const reader = openReader(1)
    const lines = Buffer.from(TOO_MUCH['lines without end'] ?? '')
    expect(await reader.read(lines, { at: CAME, isWhole: true })).toBeNull()
    await reader.close()
  })
})
