import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { sendQueue } from '../../src/features/communications/sending/sends.job.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { ConnectionLost } from '../../src/platform/db/failures.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { end, temporaryFolder, work } from '../harness/process.ts'
import { CELL_MAIL, keptOf, letPass, mailTo, messageIdOf, queueMessage, sendDue } from '../harness/sending.ts'
import { type Smtp, startSmtp } from '../harness/smtp.ts'
import { ask } from '../harness/sql.ts'
import { type Provider, startProvider } from '../harness/texts.ts'
import { GO_ON, logTo } from '../harness/worker.ts'

const AT_ONCE = 10
const SECRET = 's'.repeat(32)
/** For servers that are slow on purpose. */
const PATIENT = { connectMs: 5_000, greetingMs: 5_000, silenceMs: 20_000 }
const WAIT = { timeout: 20_000, interval: 10 }
let smtp: Smtp
let provider: Provider
let cell: TestCell
let agency: Agency
let deps: Deps
const failures: object[] = []
beforeAll(async () => {
  smtp = await startSmtp()
  provider = await startProvider()
  cell = await startCell({
    messaging: provider.address,
    mailFrom: CELL_MAIL,
    deps: { count: uncounted, mail: mailTo(smtp, PATIENT) },
  })
  deps = { ...cell.deps, log: { level: '', info: () => {}, ...logTo(failures) } }
  agency = await makeAgency(cell)
})
beforeEach(() => {
  failures.splice(0)
  provider.behave('takes')
})

let texts = 0
const queueText = (of = agency) =>
  queueMessage(cell, of, { channel: 'sms', to: ['+905321112233'], plain: `Text ${++texts}` })
const queueMail = (to = 'ayse@example.com', of = agency) => queueMessage(cell, of, { to: [to] })
const many = (count: number, queue: () => Promise<string>) => Promise.all(Array.from({ length: count }, () => queue()))
/** How often each was taken. */
const mailsOf = (ids: readonly string[]) =>
  ids.map((id) => smtp.received.filter(({ raw }) => raw.includes(`Message-ID: ${messageIdOf(id)}`)).length)
const textsOf = (ids: readonly string[]) =>
  ids.map((id) => provider.taken.filter(({ callback }) => callback.endsWith(id)).length)
const statuses = async (ids: readonly string[]) => [
  ...new Set((await keptOf(cell, ...ids)).map(({ status }) => status)),
]
const waiting = async () => (await ask(cell, 'select from message_sends')).length
const once = (ids: readonly string[]) => ids.map(() => 1)

describe('messages', () => {
  it('are sent once each by two workers, and one account’s many hold up no other’s one', async () => {
    const small = await makeAgency(cell)
    const mails = await many(60, () => queueMail())
    const lone = await queueMail('ayse@example.com', small)
    const sms = await many(30, queueText)
    const second = openDatabase(cell.connection, 4, () => {})
    onTestFinished(() => second.close())
    const stops = [cell.deps.db, second].flatMap((db) => {
      const own = { ...deps, db }
      return (['mail', 'messaging'] as const).map((transport) => startWorkers(own, sendQueue(own, transport)))
    })
    await vi.waitFor(async () => expect(await waiting()).toBe(0), WAIT)
    await Promise.all(stops.map((stop) => stop()))
    const all = [...mails, lone, ...sms]
    expect([await statuses(all), failures]).toEqual([['sent'], []])
    expect([mailsOf([...mails, lone]), textsOf(sms)]).toEqual([once([...mails, lone]), once(sms)])
    const order = smtp.received.findIndex(({ raw }) => raw.includes(lone))
    expect(order).toBeLessThan(45)
  })

  it('that a worker held when it was killed are sent: no text twice, and an e-mail twice under one name', async () => {
    const held = await many(AT_ONCE, () => queueMail('holds-a@example.com'))
    const taken = await many(AT_ONCE, queueText)
    provider.behave('waits')
    const { host, port, user, database } = cell.connection
    const { address } = provider
    const worker = await work(temporaryFolder(), {
      DATABASE_URL: `postgres://${user}@/${database}?host=${host}&port=${port}`,
      SECRET,
      SMTP_URL: `smtp://127.0.0.1:${smtp.address.port}`,
      MAIL_FROM: CELL_MAIL.address,
      PUBLIC_URL: 'https://backdesk.example',
      MESSAGING_URL: `${address.url.replace('//', `//${address.sid}:${encodeURIComponent(address.token)}@`)}?sms_from=%2B15005550006`,
      NODE_TLS_REJECT_UNAUTHORIZED: '0', // the server's certificate is for another name
    })
    await vi.waitFor(() => expect([...mailsOf(held), ...textsOf(taken)]).toEqual([...once(held), ...once(taken)]), WAIT)
    const later = [await queueMail(), await queueText()] // the worker has no hand free for them
    await end(worker, 'SIGKILL')
    provider.behave('takes')
    const still = await keptOf(cell, ...held, ...taken)
    expect(still.every(({ status, attempts }) => status === 'sending' && attempts === 1)).toBe(true)
    await sendDue(deps)
    await sendDue(deps, 'messaging')
    expect(await statuses(later)).toEqual(['sent'])
    await letPass(cell) // the dead one's leases
    const sending = Promise.all([sendDue(deps), sendDue(deps, 'messaging')])
    await vi.waitFor(() => expect(mailsOf(held)).toEqual(held.map(() => 2)), WAIT)
    smtp.release()
    await sending
    expect([await statuses([...held, ...taken]), await waiting()]).toEqual([['sent'], 0])
    expect(textsOf(taken)).toEqual(once(taken))
    const raw = smtp.received
      .filter(({ to }) => to[0] === 'holds-a@example.com')
      .map((mail) => /^Message-ID: (.*)$/m.exec(mail.raw)?.[1])
    expect(new Set(raw).size).toBe(AT_ONCE)
  })

  it('that a worker claimed and forgot are sent by another, and not by the one that comes back', async () => {
    const ids = [await queueMail(), await queueText()]
    const queues = [sendQueue(deps, 'mail'), sendQueue(deps, 'messaging')]
    const forgotten = await Promise.all(queues.map((queue) => queue.claim()))
    expect(await Promise.all(queues.map((queue) => queue.claim()))).toEqual([null, null])
    await letPass(cell)
    await sendDue(deps)
    await sendDue(deps, 'messaging')
    await Promise.all(forgotten.map((job) => job?.(GO_ON)))
    expect([await statuses(ids), mailsOf(ids.slice(0, 1)), textsOf(ids.slice(1))]).toEqual([['sent'], [1], [1]])
  })

  it('stay with a worker as long as it sends them, however long that takes', async () => {
    const id = await queueMail('holds-b@example.com')
    const leaseMs = 150
    const queue = sendQueue(deps, 'mail', { leaseMs })
    const sending = (await queue.claim())?.(GO_ON)
    const until = Date.now() + 3 * leaseMs
    while (Date.now() < until) {
      expect(await queue.claim()).toBeNull()
      await sleep(20)
    }
    smtp.release()
    await sending
    expect([await statuses([id]), mailsOf([id])]).toEqual([['sent'], [1]])
  })

  it('are let go by a worker that is stopped, though its server hangs, and are sent when its lease is over', async () => {
    const [mail, text] = [await queueMail('holds-c@example.com'), await queueText()]
    provider.behave('waits')
    const stopping = new AbortController()
    const times = { lastMs: 50 }
    const jobs = await Promise.all([
      sendQueue(deps, 'mail', times).claim(),
      sendQueue(deps, 'messaging', times).claim(),
    ])
    const working = Promise.all(jobs.map((job) => job?.(stopping.signal)))
    await vi.waitFor(() => expect([...mailsOf([mail]), ...textsOf([text])]).toEqual([1, 1]), WAIT)
    const begun = Date.now()
    stopping.abort()
    await working
    expect(Date.now() - begun).toBeLessThan(1_000)
    expect(await statuses([mail, text])).toEqual(['sending'])
    provider.behave('takes')
    await letPass(cell)
    const sending = Promise.all([sendDue(deps), sendDue(deps, 'messaging')])
    await vi.waitFor(() => expect(mailsOf([mail])).toEqual([2]), WAIT)
    smtp.release()
    await sending
    expect([await statuses([mail, text]), textsOf([text])]).toEqual([['sent'], [1]])
  })

  it('that were sent while the database was away are noted when it is back, and not sent again', async () => {
    const ids = [await queueMail(), await queueText()]
    const { db } = cell.deps
    let away = 2
    const inAccount: typeof db.inAccount = (account, fn) =>
      away-- > 0 ? Promise.reject(new ConnectionLost(new Error('away'))) : db.inAccount(account, fn)
    const cut = { ...deps, db: { ...db, inAccount } }
    const again = { noteAgainMs: 10 }
    await Promise.all([sendDue(cut, 'mail', again), sendDue(cut, 'messaging', again)])
    expect([await statuses(ids), mailsOf(ids.slice(0, 1)), textsOf(ids.slice(1))]).toEqual([['sent'], [1], [1]])
    expect(failures).toHaveLength(2)
  })

  it('that were sent are not taken again before that is noted, though their leases are over', async () => {
    const id = await queueMail()
    const { db } = cell.deps
    let isAway = true
    const inAccount: typeof db.inAccount = (account, fn) =>
      isAway ? Promise.reject(new ConnectionLost(new Error('away'))) : db.inAccount(account, fn)
    const queue = sendQueue({ ...deps, db: { ...db, inAccount } }, 'mail', { noteAgainMs: 10 })
    const sending = (await queue.claim())?.(GO_ON)
    await vi.waitFor(() => expect(failures).not.toEqual([]), WAIT)
    await letPass(cell)
    expect(await queue.claim()).toBeNull()
    isAway = false
    await sending
    expect([await queue.claim(), await statuses([id]), mailsOf([id])]).toEqual([null, ['sent'], [1]])
  })
})
