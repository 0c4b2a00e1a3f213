import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { lockFolder } from '#client/agent/folder-lock.ts'
import { nthMinute, printerFolder, startAgent } from '../harness/agent.ts'
import { startTicketCell } from '../harness/ticket-cell.ts'

/** An AIR, as far as an agent looks at it. */
const air = (text: string) => `AIR-BLK207;7A;;\r\n${text}\r\nENDX\r\n`
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000, interval: 10 })

describe.concurrent('a file', () => {
  it('is sent as it is, with its name, under a key of its own, and moved with its answer', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('AIR01.txt', air('one'))
    const { outcomes, problems, ended } = startAgent(folder.path, cell.url, { once: true })
    expect(await ended).toEqual({ failed: 0, left: 0 })
    expect(cell.heard).toMatchObject([
      { authorization: 'Bearer sek_test', text: air('one'), body: { filename: 'AIR01.txt', agent: { host: 'desk' } } },
    ])
    expect(cell.heard[0]?.key).toMatch(/^agent-[0-9a-f]{64}$/)
    expect(folder.names('done')).toEqual(['AIR01.txt', 'AIR01.txt.json'])
    expect(folder.answer('done/AIR01.txt.json')).toMatchObject({ status: 'parsed', filename: 'AIR01.txt' })
    expect([folder.names(), folder.entries(), problems]).toEqual([[], [], []])
    expect(outcomes).toEqual([expect.stringMatching(/^AIR01\.txt {2}done {2}2352400000001 {2}sale \S+$/)])
  })
  it('is moved to the folder of its outcome, next to others of its name', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    for (const [at, text] of ['one', 'two', 'three', 'two', 'BAD', 'BAD again'].entries()) {
      folder.write('A.AIR', text)
      expect(await startAgent(folder.path, cell.url, { once: true }).ended).toEqual({ failed: at > 3 ? 1 : 0, left: 0 })
    }
    const both = (...names: string[]) => names.flatMap((name) => [name, `${name}.json`]).sort()
    expect(folder.names('done')).toEqual(both('A (2).AIR', 'A (3).AIR', 'A.AIR'))
    expect(folder.read('done/A (2).AIR')).toBe('two')
    expect(folder.names('duplicate')).toEqual(both('A.AIR'))
    expect(folder.names('failed')).toEqual(both('A (2).AIR', 'A.AIR'))
    expect(folder.answer('failed/A.AIR.json')).toMatchObject({ status: 'failed', code: 'unparseable' })
  })
  it('may have any name, also that of an answer', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    const long = `${'ş'.repeat(123)}.air`
    const names = ['A', 'A.json', 'bilet İstanbul ğüşöç 票.txt', " two  blanks 'and' #1 %20.AIR", long]
    for (const [at, name] of names.entries()) folder.write(name, `text ${at}`, nthMinute(at))
    await startAgent(folder.path, cell.url, { once: true }).ended
    expect(cell.heard.map(({ body }) => body.filename)).toEqual(names)
    expect(folder.names()).toEqual([])
    expect(folder.names('done')).toHaveLength(2 * names.length)
    // The answer to A is A.json.
    expect(folder.names('done')).toEqual(expect.arrayContaining([...names.slice(2, 4), 'A', 'A.json', 'A (2).json']))
    expect([folder.read('done/A'), folder.read('done/A (2).json')]).toEqual(['text 0', 'text 1'])
    expect(folder.answer('done/A.json')).toMatchObject({ filename: 'A' })
  })
  it('is not sent if hidden, temporary, too large, linked or in a subfolder', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    const others = ['.hidden', '~$A.txt', 'A.tmp', 'A.PART', 'A.crdownload', 'Thumbs.db']
    for (const name of others) folder.write(name, 'x')
    mkdirSync(join(folder.path, 'inner.AIR'))
    symlinkSync('/etc/hostname', join(folder.path, 'link.AIR'))
    folder.write('LARGE.AIR', Buffer.alloc(2 * 1024 * 1024 + 1))
    folder.write('B.AIR', 'x'.repeat(2 * 1024 * 1024))
    const { ended, outcomes } = startAgent(folder.path, cell.url, { once: true })
    expect(await ended).toEqual({ failed: 1, left: 0 })
    expect(cell.heard.map(({ body }) => body.filename)).toEqual(['B.AIR'])
    expect(folder.names()).toEqual([...others, 'inner.AIR', 'link.AIR'].sort())
    expect(folder.answer('failed/LARGE.AIR.json')).toMatchObject({ status: 'failed', code: 'payload_too_large' })
    expect(outcomes[1]).toMatch(/^LARGE\.AIR {2}failed {2}The file has 2097153 bytes/)
  })
  it('that somebody puts back is asked about anew', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    for (const outcome of ['done', 'duplicate', 'duplicate']) {
      if (cell.heard.length === 0) folder.write('A.AIR', 'one')
      else
        renameSync(
          join(folder.path, cell.heard.length === 1 ? 'done' : 'duplicate', 'A.AIR'),
          join(folder.path, 'A.AIR'),
        )
      await startAgent(folder.path, cell.url, { once: true }).ended
      expect(folder.names(outcome).length).toBeGreaterThan(1)
    }
    expect(new Set(cell.heard.map(({ key }) => key)).size).toBe(3)
    expect(folder.names('duplicate')).toEqual(['A (2).AIR', 'A (2).AIR.json', 'A.AIR.json'])
  })
})

describe.concurrent('a folder', () => {
  const FILES = 40
  it('has its files sent one by one, the oldest first', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    const names = Array.from({ length: FILES }, (_, at) => `${(at * 37) % FILES}.AIR`)
    // Two of an age each, which go by their names.
    for (const [at, name] of names.entries()) folder.write(name, `text of ${name}`, nthMinute(Math.floor(at / 2)))
    await startAgent(folder.path, cell.url, { once: true }).ended
    const pairs = Array.from({ length: FILES / 2 }, (_, at) => names.slice(2 * at, 2 * at + 2).sort())
    expect(cell.heard.map(({ body }) => body.filename)).toEqual(pairs.flat())
    expect(new Set(cell.heard.map(({ key }) => key)).size).toBe(FILES)
    expect(cell.atOnce).toBe(1)
    expect(folder.names('done')).toHaveLength(2 * FILES)
  })
  it('that is unavailable for a while is watched again', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    const { problems, outcomes } = startAgent(folder.path, cell.url)
    await sleep(100)
    renameSync(folder.path, `${folder.path}-away`)
    await until(() => expect(problems).toEqual([expect.stringContaining('cannot be read')]))
    renameSync(`${folder.path}-away`, folder.path)
    folder.write('A.AIR', 'one')
    await until(() => expect(outcomes).toHaveLength(1))
    expect(problems[1]).toContain('can be read again')
  })
  it('must exist', async () => {
    await expect(startAgent('/none/such', 'http://localhost').ended).rejects.toThrow(
      /folder \/none\/such does not exist/,
    )
  })
})

describe.concurrent('completeness', () => {
  it('a file is sent when its writer has ended, and not before', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    startAgent(folder.path, cell.url, { quietMs: 20_000 })
    folder.write('SLOW.AIR', '')
    const [steps, path] = [air('a b c d e f').split(' '), join(folder.path, 'SLOW.AIR')]
    for (const step of steps) {
      await sleep(110) // longer than the steady time, and shorter than the quiet time
      expect(cell.heard).toEqual([])
      appendFileSync(path, `${step} `)
    }
    await until(() => expect(folder.names('done')).toContain('SLOW.AIR'))
    expect(cell.heard.map(({ text }) => text)).toEqual([`${air('a b c d e f')} `])
  })
  it('one that has been quiet for long is sent as it is, also an empty one', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('CUT.AIR', 'AIR-BLK207;7A;;\r\nA-', nthMinute(0))
    folder.write('EMPTY.AIR', '', nthMinute(1))
    const begin = performance.now()
    await startAgent(folder.path, cell.url, { once: true }).ended
    expect(performance.now() - begin).toBeGreaterThan(300)
    expect(cell.heard.map(({ text }) => text)).toEqual(['AIR-BLK207;7A;;\r\nA-', ''])
  })
  it('what a GDS writes meanwhile is a file of its own', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('A.AIR', 'first')
    cell.onRequest = ({ text }) => text === 'first' && folder.write('A.AIR', 'second, longer')
    const { problems, ended } = startAgent(folder.path, cell.url, { once: true })
    await ended
    expect(cell.captured).toEqual(['first', 'second, longer'])
    expect(folder.names('done')).toEqual(['A (2).AIR', 'A (2).AIR.json', 'A.AIR.json'])
    expect(problems).toEqual([expect.stringContaining('A.AIR was changed after it was sent')])
  })
})

describe.concurrent('when the cell', () => {
  it('is unavailable, files wait; this is reported once, and again when it is back', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    await cell.leave()
    const { problems, outcomes } = startAgent(folder.path, cell.url)
    folder.write('A.AIR', 'one')
    await until(() => expect(problems).toEqual([expect.stringContaining('cannot be reached')]))
    folder.write('B.AIR', 'two')
    await sleep(300)
    expect(folder.names()).toEqual(['A.AIR', 'B.AIR'])
    await cell.comeBack()
    await until(() => expect(outcomes).toHaveLength(2))
    expect(cell.captured).toEqual(['one', 'two'])
    expect(problems).toHaveLength(2)
    expect(problems[1]).toBe('The cell accepts files again.')
  })
  it('hangs up or answers nonsense, the same is sent again under the same key', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('A.AIR', 'one')
    const unavailable = { status: 503, body: { error: 'Away.', code: 'unavailable' } }
    cell.mishaps.push('dropped', { status: 409 }, unavailable, { status: 502 }, 'cut')
    expect(await startAgent(folder.path, cell.url, { once: true }).ended).toEqual({ failed: 0, left: 0 })
    expect(cell.heard).toHaveLength(6)
    expect(new Set(cell.heard.map(({ key }) => key)).size).toBe(1)
    expect(cell.captured).toEqual(['one'])
    expect(folder.names('done')).toContain('A.AIR') // and not in duplicate: the cell repeated its answer
  })
  it('reaches its limit, the agent waits for the stated time', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('A.AIR', 'one', nthMinute(0))
    folder.write('B.AIR', 'two', nthMinute(1))
    // The move of the first gives a hint, which must not end the wait for the second.
    cell.onRequest = ({ text }) =>
      text === 'two' && cell.heard.length === 2 && cell.mishaps.push({ status: 429, headers: { 'retry-after': '1' } })
    const begin = performance.now()
    const { problems, ended } = startAgent(folder.path, cell.url, { once: true })
    await ended
    expect(performance.now() - begin).toBeGreaterThan(1_000)
    expect(problems).toEqual([expect.stringContaining('Waiting 1 s.')])
    expect([cell.captured, cell.heard.length]).toEqual([['one', 'two'], 3])
  })
  it.each([
    [
      { status: 401, body: { error: 'This API key was revoked.', code: 'key_revoked' } },
      /rejected the API key: This API key/,
    ],
    [{ status: 403, body: { error: 'Not here.', code: 'ip_not_allowed' } }, /rejected the API key: Not here/],
    [{ status: 404, body: { error: 'No route.', code: 'not_found' } }, /does not accept ticket files.*--url/],
    [{ status: 301, headers: { location: 'https://cell.example/' } }, /It redirects to https:\/\/cell\.example/],
    [{ status: 200, body: { hello: 'world' } }, /does not accept ticket files/],
  ])('refuses (%j), files wait until somebody has mended it', async (mishap, expectedText) => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('A.AIR', 'one')
    cell.mishaps.push(mishap, mishap)
    await expect(startAgent(folder.path, cell.url, { once: true }).ended).rejects.toThrow(expectedText)
    const { problems, outcomes } = startAgent(folder.path, cell.url)
    await until(() => expect(outcomes).toHaveLength(1))
    expect(problems).toEqual([expect.stringMatching(expectedText), 'The cell accepts files again.'])
  })
  it('fails at one file, the others go on', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('A.AIR', 'odd', nthMinute(0))
    folder.write('B.AIR', 'one')
    const failing = { status: 500, body: { error: 'Sorry.', code: 'internal_error' } }
    cell.onRequest = ({ text }) => text === 'odd' && cell.mishaps.push(failing)
    const { problems, ended } = startAgent(folder.path, cell.url, { once: true })
    expect(await ended).toEqual({ failed: 0, left: 1 })
    expect([cell.captured, folder.names()]).toEqual([['one'], ['A.AIR']])
    expect(problems).toEqual([expect.stringMatching(/^A\.AIR waits\. .* failed to process the file: Sorry\.$/)])
  })
  it('fails at one file after the other, it is left in peace; new files are tried first', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    for (const nth of [1, 2, 3, 4, 5]) folder.write(`${nth}.AIR`, `text ${nth}`, nthMinute(nth))
    let broken = true
    cell.onRequest = () => broken && cell.mishaps.push({ status: 500 })
    const { problems, outcomes } = startAgent(folder.path, cell.url)
    await until(() => expect(problems.at(-1)).toMatch(/The cell fails to process several files in a row/))
    expect(cell.heard.map(({ text }) => text)).toEqual(['text 1', 'text 2', 'text 3'])
    await until(() => expect(cell.heard.length).toBeGreaterThanOrEqual(5))
    expect(cell.heard[3]?.text).toBe('text 4')
    broken = false
    await until(() => expect(outcomes).toHaveLength(5))
    expect(cell.captured).toHaveLength(5)
    expect(problems.at(-1)).toBe('The cell accepts files again.')
  })
  it('does not accept a file at all, it has failed', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('A.AIR', 'one')
    folder.write('B.AIR', 'two')
    cell.mishaps.push(
      { status: 422, body: { error: 'What is this?', code: 'validation_failed' } },
      { status: 413, body: {} },
    )
    expect(await startAgent(folder.path, cell.url, { once: true }).ended).toEqual({ failed: 2, left: 0 })
    expect(folder.answer('failed/A.AIR.json')).toMatchObject({ status: 'failed', code: 'validation_failed' })
    expect(folder.answer('failed/B.AIR.json')).toMatchObject({ status: 'failed', error: 'responded with 413.' })
  })
  it('lost the answer of a key, the file gets another key', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('A.AIR', 'one')
    cell.mishaps.push('cut', { status: 422, body: { error: 'Used.', code: 'idempotency_key_reuse' } })
    await startAgent(folder.path, cell.url, { once: true }).ended
    expect([cell.captured, folder.names('duplicate')]).toEqual([['one'], ['A.AIR', 'A.AIR.json']])
  })
})

describe.concurrent('a file that cannot be moved', () => {
  it('is not sent again, by this agent nor the next, and is moved once it can be', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    writeFileSync(join(folder.path, 'done'), 'no folder')
    folder.write('A.AIR', 'one', nthMinute(0))
    folder.write('B.AIR', 'BAD')
    const first = startAgent(folder.path, cell.url)
    await until(() => expect(first.outcomes).toEqual([expect.stringMatching(/^B\.AIR {2}failed/)]))
    await sleep(200)
    expect(first.problems).toEqual([expect.stringMatching(/^A\.AIR was processed \(done .*\), but cannot be moved/)])
    await first.stop()
    const once = startAgent(folder.path, cell.url, { once: true })
    expect(await once.ended).toEqual({ failed: 0, left: 1 })
    const second = startAgent(folder.path, cell.url)
    await sleep(100)
    rmSync(join(folder.path, 'done'))
    await until(() => expect(second.outcomes).toHaveLength(1))
    expect(cell.heard.map(({ text }) => text)).toEqual(['one', 'BAD'])
    expect(folder.names('done')).toEqual(['A.AIR', 'A.AIR.json'])
  })
  it('at once, since its folder lies on another disk, is copied', async (context) => {
    const [folder, cell, other] = [printerFolder(), await startTicketCell(), '/dev/shm']
    if (!existsSync(other) || statSync(other).dev === statSync(folder.path).dev) return context.skip()
    const target = mkdtempSync(join(other, 'backdesk-agent-'))
    context.onTestFinished(() => rmSync(target, { recursive: true }))
    symlinkSync(target, join(folder.path, 'done'))
    folder.write('A.AIR', 'one')
    expect(await startAgent(folder.path, cell.url, { once: true }).ended).toEqual({ failed: 0, left: 0 })
    expect([folder.names('done'), folder.names()]).toEqual([['A.AIR', 'A.AIR.json'], []])
    expect(folder.read('done/A.AIR')).toBe('one')
  })
  it.skipIf(process.getuid?.() === 0)('nor read, is tried again', async () => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('A.AIR', 'one')
    chmodSync(join(folder.path, 'A.AIR'), 0)
    const { problems, outcomes } = startAgent(folder.path, cell.url)
    await until(() => expect(problems).toEqual([expect.stringContaining('A.AIR cannot be read')]))
    chmodSync(join(folder.path, 'A.AIR'), 0o600)
    await until(() => expect(outcomes).toHaveLength(1))
  })
})

describe('the lock of a folder', () => {
  const times = { beatMs: 40, staleMs: 200 }
  const lock = (folder: string) => lockFolder('in', folder, times)
  const own = () => printerFolder().path
  const leave = (folder: string, holder: object) => writeFileSync(join(folder, 'lock'), JSON.stringify(holder))

  it('is held by one, until it is released', async () => {
    const folder = own()
    const first = await lock(folder)
    await expect(lock(folder)).rejects.toThrow(/^Another agent is watching in: process \d+ on /)
    await sleep(300)
    await expect(lock(folder)).rejects.toThrow(/Another agent/)
    await first.release()
    await (await lock(folder)).release()
    expect(existsSync(join(folder, 'lock'))).toBe(false)
  })
  it('is taken over from what no longer runs, whatever has its number now', async () => {
    for (const holder of [
      { pid: 2 ** 30, host: hostname(), token: 'x', beat: 5 },
      { pid: process.pid, host: hostname(), token: 'x', beat: 5 },
      { pid: 1, host: 'another', token: 'x', beat: 5 },
    ]) {
      const folder = own()
      leave(folder, holder)
      await (await lock(folder)).release()
    }
    const torn = own()
    writeFileSync(join(torn, 'lock'), '{"pid":')
    await (await lock(torn)).release()
  })
  it('reports a lost lock, and is restored after a clean-up', async () => {
    const folder = own()
    const first = await lock(folder)
    rmSync(join(folder, 'lock'))
    await until(() => expect(existsSync(join(folder, 'lock'))).toBe(true))
    expect(first.lost.aborted).toBe(false)
    const other = own()
    leave(other, { pid: 1, host: 'another', token: 'x', beat: 0 })
    renameSync(join(other, 'lock'), join(folder, 'lock')) // a new file, as created by a taking-over agent
    await until(() => expect(first.lost.aborted).toBe(true))
    await first.release()
    expect(existsSync(join(folder, 'lock'))).toBe(true)
  })
})
