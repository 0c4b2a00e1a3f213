import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { nthMinute, type PrinterFolder, printerFolder, startAgent as runQuickly } from '../harness/agent.ts'
import { atEnd } from '../harness/at-end.ts'
import { end, run, start } from '../harness/process.ts'
import { startTicketCell, type TicketCell } from '../harness/ticket-cell.ts'

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 10 })

type Started = { child: ChildProcess; said: { stdout: string; stderr: string } }
/** Runs `backdesk agent` in the background. */
function startAgent(folder: PrinterFolder, cell: TicketCell, ...more: string[]): Started {
  const args = ['agent', '--watch', folder.path, '--url', cell.url, ...more]
  const child = start(args, folder.path, { BACKDESK_KEY: 'sek_test' })
  atEnd(async () => void child.kill('SIGKILL'))
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (chunk) => {
      said[stream] += chunk
    })
  }
  return { child, said }
}
const runAgent = (folder: PrinterFolder, cell: TicketCell, ...more: string[]) =>
  run(['agent', '--watch', folder.path, '--url', cell.url, '--key', 'sek_test', ...more], folder.path)

/** Runs an agent that kills itself before a step; 0 is none. Answers what it said. */
async function runDying(folder: PrinterFolder, cell: TicketCell, dieAt: number): Promise<string> {
  const script = fileURLToPath(import.meta.resolve('../harness/dying-agent.ts'))
  const child = spawn(process.execPath, [script, folder.path, cell.url, String(dieAt)])
  const said = Array.fromAsync(child.stdout).then((chunks) => chunks.join(''))
  const [code, signal] = await once(child, 'close')
  expect([code, signal]).toEqual(dieAt > 0 ? [null, 'SIGKILL'] : [0, null])
  return said
}

describe.concurrent('backdesk agent', () => {
  it('sends what comes, keeps others off the folder, and ends at a signal', async ({ expect }) => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    const { child, said } = startAgent(folder, cell, '--encoding', 'Windows-1254')
    await until(() => expect(said.stderr).toContain(`Watching ${folder.path} for ${cell.url}.`))
    folder.write('A.AIR', 'one')
    await until(() => expect(folder.names('done')).toHaveLength(2))
    expect(cell.heard).toMatchObject([{ body: { encoding: 'windows-1254', agent: { version: '1.0.0' } } }])
    const line = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}A\.AIR {2}done {2}2352400000001 {2}sale \S+\n$/
    await until(() => expect(said.stdout).toMatch(line))
    const other = await runAgent(folder, cell, '--once')
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining(`process ${child.pid} on`) })
    expect(await end(child, 'SIGTERM')).toBe(0)
    expect([folder.entries(), folder.names()]).toEqual([[], []])
  })
  it('--once sends what is there, and its code tells whether some failed', async ({ expect }) => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('A.AIR', 'one', nthMinute(0))
    folder.write('B.AIR', 'BAD', nthMinute(1))
    const { code, stdout } = await runAgent(folder, cell, '--once')
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(/A\.AIR {2}done .*\n.*B\.AIR {2}failed {2}Cut off\.\?Send/),
    ])
  })
  it('says what is wrong with its options', async ({ expect }) => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    const said = await Promise.all(
      [
        ['--url', 'nowhere'],
        ['--encoding', 'turkish'],
      ].map((wrong) => runAgent(folder, cell, ...wrong)),
    )
    expect(said.map(({ code }) => code)).toEqual([1, 1])
    expect(said.map(({ stderr }) => stderr).join('')).toMatch(/--url takes.*--encoding takes/s)
  })
  it('ends within seconds while the cell is silent, and sends again with the next start', async ({ expect }) => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('A.AIR', 'one')
    cell.mishaps.push('silent')
    const { child } = startAgent(folder, cell)
    await until(() => expect(cell.heard).toHaveLength(1))
    const begin = performance.now()
    expect(await end(child, 'SIGINT')).toBe(0)
    expect(performance.now() - begin).toBeLessThan(8_000)
    expect(folder.names()).toEqual(['A.AIR'])
    await runAgent(folder, cell, '--once')
    expect(folder.names('done')).toContain('A.AIR')
    expect(new Set(cell.heard.map(({ key }) => key)).size).toBe(1)
  })
  it('killed again and again, sends every file and none twice', async ({ expect }) => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    const names = Array.from({ length: 30 }, (_, at) => `${at}.AIR`)
    for (const [at, name] of names.entries()) folder.write(name, `text of ${name}`, nthMinute(at))
    cell.onRequest = () => sleep(20)
    for (const upTo of [4, 15]) {
      const { child } = startAgent(folder, cell)
      await until(() => expect(cell.heard.length).toBeGreaterThanOrEqual(upTo))
      await end(child, 'SIGKILL')
    }
    expect(await runAgent(folder, cell, '--once')).toMatchObject({ code: 0, stderr: '' })
    expect(cell.captured).toEqual(names.map((name) => `text of ${name}`))
    expect(folder.names('done')).toEqual(names.flatMap((name) => [name, `${name}.json`]).sort())
    expect([folder.names(), folder.names('duplicate'), folder.entries()]).toEqual([[], [], []])
  })
  it('killed before any of its steps, leaves nothing that the next one does twice or forgets', async ({ expect }) => {
    const cell = await startTicketCell()
    const whole = printerFolder()
    whole.write('A.AIR', 'whole')
    const steps = Number(await runDying(whole, cell, 0))
    expect(steps).toBeGreaterThan(10)
    const dieAt = async (step: number) => {
      const folder = printerFolder()
      folder.write('A.AIR', `one ${step}`)
      await runDying(folder, cell, step)
      const { ended, outcomes } = runQuickly(folder.path, cell.url, { once: true })
      await ended
      const keys = cell.heard.filter(({ text }) => text === `one ${step}`).map(({ key }) => key)
      expect({
        step,
        keys: new Set(keys).size,
        left: [folder.names(), folder.entries().filter((name) => !name.endsWith('.tmp'))],
        done: folder.names('done'),
        duplicate: folder.names('duplicate'),
        status: folder.answer('done/A.AIR.json').status,
        text: folder.read('done/A.AIR'),
        told: outcomes.length,
      }).toEqual({
        step,
        keys: 1,
        left: [[], []],
        done: ['A.AIR', 'A.AIR.json'],
        duplicate: [],
        status: 'parsed',
        text: `one ${step}`,
        // The last step removes the lock, when all was told.
        told: step === steps ? 0 : 1,
      })
    }
    for (let step = 1; step <= steps; step += 3)
      await Promise.all([step, step + 1, step + 2].filter((each) => each <= steps).map(dieAt))
  })
})
