import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { signatureOf } from '../../src/platform/messaging/callback-signature.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { keptOf, letPass, queueMessage, sendDue } from '../harness/sending.ts'
import { ask } from '../harness/sql.ts'
import { type Provider, startProvider } from '../harness/texts.ts'

type CallbackForm = Record<string, string>
const PUBLIC_URL = 'https://backdesk.example/cell'
const NOBODY = '01890000-0000-7000-8000-000000000000'
const RANKS: Readonly<Record<string, number>> = { sent: 1, delivered: 2, read: 3 }
let provider: Provider
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  provider = await startProvider()
  cell = await startCell({ messaging: provider.address, publicUrl: PUBLIC_URL, deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const pathOf = (message: string, account: number | string = agency.number) =>
  `/hooks/messaging/${account}?message=${message}`
/** A signed request of the provider. */
async function postCallback(
  path: string,
  form: CallbackForm,
  given: { signature?: string; type?: string; raw?: string } = {},
) {
  const body = new URLSearchParams(form)
  const answer = await cell.app.inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': given.type ?? 'application/x-www-form-urlencoded',
      'x-twilio-signature': given.signature ?? signatureOf(provider.address.token, PUBLIC_URL + path, body),
    },
    payload: given.raw ?? body.toString(),
  })
  return answer.statusCode
}
const queue = () => queueMessage(cell, agency, { channel: 'sms', to: ['+905321112233'] })
async function sent(): Promise<{ id: string; sid: string }> {
  const id = await queue()
  await sendDue(cell.deps, 'messaging')
  return { id, sid: (await keptOf(cell, id))[0]?.external_id as string }
}
const times = (id: string) =>
  ask<Record<string, boolean>>(
    cell,
    `select sent_at is not null as sent, delivered_at is not null as delivered, read_at is not null as read, failed_at is not null as failed
     from communications where id = $1`,
    [id],
  )

describe('a status update of a provider', () => {
  it('is believed in every order, and never leads back', async () => {
    const word = fc.constantFrom(
      'accepted',
      'queued',
      'sending',
      'sent',
      'delivered',
      'read',
      'undelivered',
      'failed',
      'x',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 8 }), async (words) => {
        const { id, sid } = await sent()
        let expected = 'sent'
        for (const MessageStatus of words) {
          expect(await postCallback(pathOf(id), { MessageSid: sid, MessageStatus, ErrorCode: '30005' })).toBe(204)
          const fails = ['undelivered', 'failed'].includes(MessageStatus)
          if (fails && expected === 'sent') expected = 'failed'
          else if (expected !== 'failed' && (RANKS[MessageStatus] ?? 0) > (RANKS[expected] ?? 0))
            expected = MessageStatus
          const [kept] = await keptOf(cell, id)
          const failure = expected === 'failed' ? 'invalid_recipient' : null
          expect([kept?.status, kept?.failure_reason, kept?.external_id]).toEqual([expected, failure, sid])
        }
        const arrived = RANKS[expected] ?? 0
        expect(await times(id)).toEqual([
          { sent: true, delivered: arrived > 1, read: arrived > 2, failed: expected === 'failed' },
        ])
        const notified = await ask(cell, 'select from notifications where subject_id = $1', [id])
        expect(notified).toHaveLength(expected === 'failed' ? 1 : 0)
      }),
      { numRuns: 8 },
    )
  })
  it('is accepted before the sending is recorded', async () => {
    const id = await queue()
    expect(await postCallback(pathOf(id), { MessageSid: 'SM1', MessageStatus: 'delivered' })).toBe(204)
    await sendDue(cell.deps, 'messaging')
    expect(provider.taken.some(({ callback }) => callback.endsWith(id))).toBe(false)
    expect(await keptOf(cell, id)).toMatchObject([{ status: 'delivered', external_id: 'SM1', attempts: null }])
    provider.behave('takes and hangs up')
    const other = await queue()
    await sendDue(cell.deps, 'messaging')
    expect(await postCallback(pathOf(other), { MessageSid: 'SM2', MessageStatus: 'sent' })).toBe(204)
    await letPass(cell)
    provider.behave('takes')
    await sendDue(cell.deps, 'messaging')
    expect(await keptOf(cell, other)).toMatchObject([{ status: 'sent', external_id: 'SM2', attempts: null }])
    expect(provider.taken.filter(({ callback }) => callback.endsWith(other))).toHaveLength(1)
  })
  it('finds the message by the provider’s name for it as well', async () => {
    const { id, sid } = await sent()
    expect(await postCallback(`/hooks/messaging/${agency.number}`, { SmsSid: sid, SmsStatus: 'delivered' })).toBe(204)
    expect(await keptOf(cell, id)).toMatchObject([{ status: 'delivered' }])
  })
  it('may be that an e-mail came back', async () => {
    const id = await queueMessage(cell, agency)
    await sendDue(cell.deps) // into the outbox
    expect(await postCallback(pathOf(id), { MessageStatus: 'bounced' })).toBe(204)
    expect(await keptOf(cell, id)).toMatchObject([{ status: 'failed', failure_reason: 'bounced' }])
  })
  it.each<[string, () => string, CallbackForm]>([
    ['a message that is not there', () => pathOf(NOBODY), { MessageStatus: 'delivered' }],
    ['no message', () => `/hooks/messaging/${agency.number}?message=x&message=y`, { MessageStatus: 'delivered' }],
    ['an account that is not there', () => pathOf(NOBODY, 39_999_999), { MessageStatus: 'delivered' }],
    ['what is no account', () => pathOf(NOBODY, 'x'), { MessageStatus: 'delivered' }],
    ['nothing', () => pathOf(NOBODY), {}],
    ['nonsense', () => pathOf(NOBODY), { MessageStatus: 'constructor', ErrorCode: '9e99', MessageSid: '\0' }],
  ])('of %s is taken, and changes nothing', async (_, path, form) => {
    expect(await postCallback(path(), form)).toBe(204)
  })
  it('of another account’s message changes nothing', async () => {
    const other = await makeAgency(cell)
    const { id, sid } = await sent()
    expect(await postCallback(pathOf(id, other.number), { MessageSid: sid, MessageStatus: 'delivered' })).toBe(204)
    expect(await keptOf(cell, id)).toMatchObject([{ status: 'sent' }])
  })
  it('is refused without its signature, in another form, and where it is too much', async () => {
    const { id } = await sent()
    const form = { MessageStatus: 'delivered' }
    const of = (path: string) => signatureOf(provider.address.token, path, new URLSearchParams(form))
    const forged = [
      await postCallback(pathOf(id), form, { signature: '' }),
      await postCallback(pathOf(id), form, { signature: of(`https://elsewhere.example${pathOf(id)}`) }),
      await postCallback(pathOf(id), { MessageStatus: 'read' }, { signature: of(PUBLIC_URL + pathOf(id)) }),
      await postCallback(pathOf(NOBODY, 'x'), form, { signature: 'ÿ' }),
      await postCallback(pathOf(id), form, { type: 'application/json', raw: '{}' }),
      await postCallback(pathOf(id), form, { raw: `a=${'x'.repeat(70_000)}` }),
    ]
    expect(forged).toEqual([403, 403, 403, 403, 415, 413])
    expect(await keptOf(cell, id)).toMatchObject([{ status: 'sent' }])
  })
  it('is not found without a configured provider, and its body is not read', async () => {
    const bare = await startCell()
    const answer = await bare.app.inject({ method: 'POST', url: pathOf(NOBODY, 20_000_000) })
    expect(answer.statusCode).toBe(404)
    expect((await cell.app.inject({ method: 'GET', url: pathOf(NOBODY) })).statusCode).toBe(405)
  })
})
