import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { keptOf, letPass, queueMessage, sendDue } from '../harness/sending.ts'
import { ask } from '../harness/sql.ts'
import { type Provider, startProvider } from '../harness/texts.ts'

const ATTEMPTS = 5
const AYSE = '+905321112233'
let provider: Provider
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  provider = await startProvider()
  cell = await startCell({
    messaging: provider.address,
    publicUrl: 'https://backdesk.example',
    deps: { count: uncounted },
  })
  agency = await makeAgency(cell)
})
beforeEach(() => {
  provider.behave('takes')
  provider.list(true)
})
let texts = 0
/** No two say the same, where nothing else is asked for. */
const queue = (given: Parameters<typeof queueMessage>[2] = {}) =>
  queueMessage(cell, agency, { channel: 'sms', subject: null, to: [AYSE], plain: `Merhaba ${++texts}`, ...given })
const send = (deps: Partial<Deps> = {}) => sendDue({ ...cell.deps, ...deps }, 'messaging')
const callbackOf = (id: string) => `https://backdesk.example/hooks/messaging/${agency.number}?message=${id}`
const takenOf = (id: string) => provider.taken.filter(({ callback }) => callback === callbackOf(id))

describe('a text', () => {
  it.each([
    ['sms', '+15005550006', AYSE],
    ['whatsapp', 'whatsapp:+14155238886', `whatsapp:${AYSE}`],
  ] as const)('by %s is taken by the provider, which is told where to tell of it', async (channel, from, to) => {
    const id = await queue({ channel, plain: ' Uçuşunuz 10:40’ta 🛫\n' })
    await send()
    const [taken, ...others] = takenOf(id)
    expect([taken, others]).toMatchObject([{ from, to, body: 'Uçuşunuz 10:40’ta 🛫' }, []])
    expect(await keptOf(cell, id)).toMatchObject([{ status: 'sent', external_id: taken?.sid, attempts: null }])
  })
  it.each([
    [21_211, 'invalid_recipient'],
    [21_614, 'invalid_recipient'],
    [21_610, 'unsubscribed'],
    [63_016, 'no_active_session'],
    [63_003, 'invalid_recipient'],
    [21_606, 'not_configured'],
    [21_617, 'provider_rejected'],
  ])('that is refused with %i has failed for %s, and is not tried again', async (code, reason) => {
    const id = await queue({ to: [`${AYSE}#${code}`] })
    await send()
    expect(await keptOf(cell, id)).toMatchObject([
      { status: 'failed', failure_reason: reason, metadata: { error_code: code }, attempts: null },
    ])
  })
  it.each([
    ['with wrong credentials', { token: 'wrong' }],
    ['to an account that is not there', { sid: 'AC1' }],
    ['where no number is to send from', { smsFrom: null }],
  ])('%s has failed for not_configured', async (_, wrong) => {
    const id = await queue()
    await send({ config: { ...cell.deps.config, messaging: { ...provider.address, ...wrong } } })
    expect(await keptOf(cell, id)).toMatchObject([{ status: 'failed', failure_reason: 'not_configured' }])
  })
  it('without a provider has failed for not_configured', async () => {
    const id = await queue()
    await send({ config: { ...cell.deps.config, messaging: null } })
    expect(await keptOf(cell, id)).toMatchObject([{ status: 'failed', failure_reason: 'not_configured' }])
  })
  it('of marketing without consent is not sent', async () => {
    const id = await queue({ purpose: 'marketing' })
    await send()
    expect([takenOf(id), await keptOf(cell, id)]).toMatchObject([[], [{ failure_reason: 'unsubscribed' }]])
  })

  it.each([
    ['is busy', 'provider_rejected', ATTEMPTS],
    ['hangs up', 'timeout', ATTEMPTS + 1], // the last time to find out what became of it
    ['breaks', 'timeout', ATTEMPTS + 1],
  ] as const)('that the provider %s at is tried five times', async (behaviour, reason, attempts) => {
    provider.behave(behaviour)
    const id = await queue()
    for (let made = 1; made <= attempts; made++) {
      expect(await keptOf(cell, id)).toMatchObject([{ attempts: made - 1 }])
      await send()
      await letPass(cell)
    }
    expect(takenOf(id)).toEqual([])
    expect(await keptOf(cell, id)).toMatchObject([{ status: 'failed', failure_reason: reason, attempts: null }])
  })
  it('is retried if the provider is unreachable', async () => {
    const id = await queue()
    await send({ config: { ...cell.deps.config, messaging: { ...provider.address, url: 'http://127.0.0.1:1' } } })
    expect(await keptOf(cell, id)).toMatchObject([{ status: 'sending', attempts: 1 }])
    await letPass(cell)
    await send()
    expect([takenOf(id).length, await keptOf(cell, id)]).toMatchObject([1, [{ status: 'sent' }]])
  })
})

describe('a text with an unknown outcome', () => {
  it.each(['takes and hangs up', 'takes and breaks'] as const)(
    'since the provider %s is not sent again',
    async (behaviour) => {
      provider.behave(behaviour)
      const id = await queue()
      await send()
      expect(await keptOf(cell, id)).toMatchObject([{ status: 'sending', attempts: 1 }])
      provider.behave('takes')
      await letPass(cell)
      await send()
      const taken = takenOf(id)
      expect([taken.length, await keptOf(cell, id)]).toMatchObject([
        1,
        [{ status: 'sent', external_id: taken[0]?.sid, attempts: null }],
      ])
    },
  )
  it('is not sent until the provider answers, and once if it was not accepted', async () => {
    provider.behave('hangs up')
    const id = await queue()
    await send()
    provider.behave('takes')
    provider.list(false)
    for (let made = 2; made < ATTEMPTS; made++) {
      await letPass(cell)
      await send()
      expect([takenOf(id), await keptOf(cell, id)]).toMatchObject([[], [{ attempts: made }]])
    }
    provider.list(true)
    await letPass(cell)
    await send()
    expect([takenOf(id).length, await keptOf(cell, id)]).toMatchObject([1, [{ status: 'sent' }]])
  })
  it('is distinguished from others with the same content to the same number', async () => {
    const plain = 'The same'
    const first = await queue({ plain })
    await send()
    provider.behave('takes and hangs up')
    const second = await queue({ plain })
    await send()
    provider.behave('takes')
    await letPass(cell)
    const third = await queue({ plain })
    await send()
    expect([first, second, third].map((id) => takenOf(id).length)).toEqual([1, 1, 1])
    const kept = await keptOf(cell, first, second, third)
    expect(kept.map(({ external_id }) => external_id)).toEqual([first, second, third].map((id) => takenOf(id)[0]?.sid))
  })
  it('is distinguished from one of another account', async () => {
    const plain = 'The same of another account'
    const other = await makeAgency(cell)
    const theirs = await queueMessage(cell, other, { channel: 'sms', to: [AYSE], plain })
    await send()
    provider.behave('hangs up')
    const ours = await queue({ plain })
    await send()
    provider.behave('takes')
    await letPass(cell)
    await send()
    expect(takenOf(ours)).toHaveLength(1)
    const [mine, others] = await keptOf(cell, ours, theirs)
    expect([mine?.status, mine?.external_id]).toEqual(['sent', takenOf(ours)[0]?.sid])
    expect(others?.external_id).not.toBe(mine?.external_id)
  })
  it('since the answer to the last attempt was lost is found, and has not failed', async () => {
    provider.behave('takes and hangs up')
    const id = await queue()
    await ask(cell, 'update message_sends set attempts = $1', [ATTEMPTS - 1])
    await send()
    provider.behave('takes')
    await letPass(cell)
    await send()
    expect([takenOf(id).length, await keptOf(cell, id)]).toMatchObject([1, [{ status: 'sent', attempts: null }]])
  })
  it('is found out about after the last attempt as well, and not sent any more', async () => {
    const [lost, taken] = [await queue(), await queue()]
    provider.behave('takes and hangs up')
    await send()
    const there = provider.taken.length
    await ask(cell, 'update message_sends set attempts = 5')
    await ask(cell, `update communications set body_plain = 'Another' where id = $1`, [lost])
    await letPass(cell)
    provider.behave('takes')
    await send()
    expect(provider.taken).toHaveLength(there)
    expect(await keptOf(cell, lost, taken)).toMatchObject([
      { status: 'failed', failure_reason: 'timeout' },
      { status: 'sent', failure_reason: null },
    ])
  })
})
