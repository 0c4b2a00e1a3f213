import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import PostalMime from 'postal-mime'
import { afterAll, describe, expect, it } from 'vitest'
import type { Mail } from './mail.ts'
import { outboxMail } from './outbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'backdesk-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const GO_ON = new AbortController().signal
const MAIL: Mail = {
  messageId: '<019b8f3c@backdesk.example>',
  date: new Date('2026-11-21T10:00:00Z'),
  sender: 'mail@backdesk.example',
  from: { name: 'Ege Yolları', address: 'mail@backdesk.example' },
  replyTo: 'isil@agency.example',
  to: ['Ayşe <ayse@example.com>'],
  cc: [],
  subject: 'Şişli’den İzmir’e',
  plain: 'Görüşürüz',
  html: '<p>Görüşürüz</p>',
  inReplyTo: '<2@example.com>',
  references: ['<1@example.com>', '<2@example.com>'],
  headers: { 'Auto-Submitted': 'auto-generated' },
  attachments: [
    { name: 'Bilet ğ.pdf', type: 'application/pdf', open: async () => Readable.from([Buffer.from('%PDF')]) },
  ],
}

describe('an outbox', () => {
  const outbox = outboxMail(join(folder, 'outbox'))
  const files = () => readdirSync(join(folder, 'outbox'))

  it('has a file of each mail, one however often it is sent, as a mail program reads it', async () => {
    for (let time = 0; time < 2; time++) expect(await outbox.send(MAIL, GO_ON)).toMatchObject({ outcome: 'sent' })
    expect(files()).toEqual(['019b8f3c.eml'])
    const bytes = readFileSync(join(folder, 'outbox/019b8f3c.eml'))
    expect(bytes.toString()).not.toMatch(/[^\r]\n/)
    const read = await PostalMime.parse(bytes)
    expect(read).toMatchObject({
      messageId: MAIL.messageId,
      subject: MAIL.subject,
      date: MAIL.date.toISOString(),
      from: MAIL.from,
      to: [{ name: 'Ayşe', address: 'ayse@example.com' }],
      inReplyTo: '<2@example.com>',
      references: '<1@example.com> <2@example.com>',
      text: 'Görüşürüz',
      html: '<p>Görüşürüz</p>\n',
      attachments: [{ filename: 'Bilet ğ.pdf', mimeType: 'application/pdf' }],
    })
  })
  it('has no half of a mail, and no file elsewhere', async () => {
    const broken = async () => Promise.reject(new Error('the storage is away'))
    const half = { ...MAIL, messageId: '<half@b>', attachments: [{ name: 'a', type: 'text/plain', open: broken }] }
    expect(await outbox.send(half, GO_ON)).toMatchObject({ outcome: 'later' })
    await outbox.send({ ...MAIL, messageId: '<../../out@b>' }, GO_ON)
    expect(
      files()
        .filter((name) => name.endsWith('.eml'))
        .sort(),
    ).toEqual(['019b8f3c.eml', '______out.eml'])
    expect(readdirSync(folder)).toEqual(['outbox'])
  })
  it('that cannot be written is tried again', async () => {
    writeFileSync(join(folder, 'file'), '')
    expect(await outboxMail(join(folder, 'file/x')).send(MAIL, GO_ON)).toMatchObject({ outcome: 'later' })
  })
})
