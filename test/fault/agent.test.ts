import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import {
  nthMinute,
  type PrinterFolder,
  printerFolder,
  runAgent,
  startAgent,
  startAgentProcess,
} from '../harness/agent.ts'
import { byDepth } from '../harness/depth.ts'
import { end } from '../harness/process.ts'
import { startTicketCell, type TicketCell } from '../harness/ticket-cell.ts'

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 10 })

const KILLED_AFTER = byDepth([4], [4, 15])
const FILES = byDepth(12, 30)
const EVERY = byDepth(3, 1)

/** Runs an agent that kills itself before a step; 0 is none. Returns its output. */
async function runDying(folder: PrinterFolder, cell: TicketCell, dieAt: number): Promise<string> {
  const script = fileURLToPath(import.meta.resolve('../harness/dying-agent.ts'))
  const child = spawn(process.execPath, [script, folder.path, cell.url, String(dieAt)])
  const printed = Array.fromAsync(child.stdout).then((chunks) => chunks.join(''))
  const [code, signal] = await once(child, 'close')
  expect([code, signal]).toEqual(dieAt > 0 ? [null, 'SIGKILL'] : [0, null])
  return printed
}

describe.concurrent('backdesk agent', { timeout: byDepth(30_000, 120_000) }, () => {
  it('killed again and again, sends every file and none twice', async ({ expect }) => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    const names = Array.from({ length: FILES }, (_, at) => `${at}.AIR`)
    for (const [at, name] of names.entries()) folder.write(name, `text of ${name}`, nthMinute(at))
    cell.onRequest = () => sleep(20)
    for (const upTo of KILLED_AFTER) {
      const { child } = startAgentProcess(folder, cell)
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
      const { ended, outcomes } = startAgent(folder.path, cell.url, { once: true })
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
        // The last step removes the lock, after all output.
        told: step === steps ? 0 : 1,
      })
    }
    const dying = Array.from({ length: steps }, (_, at) => at + 1).filter(
      (step) => step % EVERY === 0 || step === steps,
    )
    for (let at = 0; at < dying.length; at += 3) await Promise.all(dying.slice(at, at + 3).map(dieAt))
  })
})
