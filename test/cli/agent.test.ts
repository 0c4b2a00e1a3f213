import { describe, it, vi } from 'vitest'
import { nthMinute, printerFolder, runAgent, startAgentProcess } from '../harness/agent.ts'
import { end } from '../harness/process.ts'
import { startTicketCell } from '../harness/ticket-cell.ts'

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 10 })

describe.concurrent('backdesk agent', () => {
  it('sends what comes, keeps others off the folder, and ends at a signal', async ({ expect }) => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    const { child, output } = startAgentProcess(folder, cell, '--encoding', 'Windows-1254')
    await until(() => expect(output.stderr).toContain(`Watching ${folder.path} for ${cell.url}.`))
    folder.write('A.AIR', 'one')
    await until(() => expect(folder.names('done')).toHaveLength(2))
    expect(cell.heard).toMatchObject([{ body: { encoding: 'windows-1254', agent: { version: '1.0.0' } } }])
    const line = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}A\.AIR {2}done {2}2352400000001 {2}sale \S+\n$/
    await until(() => expect(output.stdout).toMatch(line))
    const other = await runAgent(folder, cell, '--once')
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining(`process ${child.pid} on`) })
    expect(await end(child, 'SIGTERM')).toBe(0)
    expect([folder.entries(), folder.names()]).toEqual([[], []])
  })
  it('--once sends the present files, and its exit code reports failures', async ({ expect }) => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('A.AIR', 'one', nthMinute(0))
    folder.write('B.AIR', 'BAD', nthMinute(1))
    const { code, stdout } = await runAgent(folder, cell, '--once')
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(/A\.AIR {2}done .*\n.*B\.AIR {2}failed {2}Cut off\.\?Send/),
    ])
  })
  it('reports invalid options', async ({ expect }) => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    const outputs = await Promise.all(
      [
        ['--url', 'nowhere'],
        ['--encoding', 'turkish'],
      ].map((wrong) => runAgent(folder, cell, ...wrong)),
    )
    expect(outputs.map(({ code }) => code)).toEqual([1, 1])
    expect(outputs.map(({ stderr }) => stderr).join('')).toMatch(/--url takes.*--encoding takes/s)
  })
  it('ends within seconds while the cell is silent, and sends again with the next start', async ({ expect }) => {
    const [folder, cell] = [printerFolder(), await startTicketCell()]
    folder.write('A.AIR', 'one')
    cell.mishaps.push('silent')
    const { child } = startAgentProcess(folder, cell)
    await until(() => expect(cell.heard).toHaveLength(1))
    const begin = performance.now()
    expect(await end(child, 'SIGINT')).toBe(0)
    expect(performance.now() - begin).toBeLessThan(8_000)
    expect(folder.names()).toEqual(['A.AIR'])
    await runAgent(folder, cell, '--once')
    expect(folder.names('done')).toContain('A.AIR')
    expect(new Set(cell.heard.map(({ key }) => key)).size).toBe(1)
  })
})
