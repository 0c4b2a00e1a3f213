import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { runHere } from '../harness/command-line.ts'
import { type Ended, run } from '../harness/process.ts'
import { startImports } from '../harness/worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'backdesk-queued-'))
let cell: TestCell
let agency: Agency
let environment: Record<string, string>
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  await cell.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = cell.app.server.address() as { port: number }
  environment = { BACKDESK_URL: `http://127.0.0.1:${port}`, BACKDESK_KEY: agency.key }
  const stop = startImports(cell)
  return stop
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, lines: readonly string[]): string {
  const path = join(folder, name)
  writeFileSync(path, lines.join('\n'))
  return path
}
const people = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, at) => JSON.stringify({ external_id: `${prefix}${at}`, name: `Person ${at}` }))
const answerOf = ({ code, stdout, stderr }: Ended) => {
  if (stderr !== '') throw new Error(stderr)
  return { code, answer: JSON.parse(stdout) }
}
const backdesk = async (...args: string[]) => answerOf(await runHere([...args, '--json'], folder, environment))
/** Runs it as a process of its own, as people do. */
const asProcess = async (...args: string[]) => answerOf(await run([...args, '--json'], folder, environment))
const failedOf = (path: string) => readFileSync(`${path}.failed.jsonl`, 'utf8').trim().split('\n').sort()

it('--async --watch reports a file as if it had been answered at once, failed rows with their lines included', async () => {
  const lines = people(1200, 'A')
  lines[3] = '{"external_id":"A3"}'
  lines[500] = 'no JSON'
  lines[1100] = '{"external_id":"A1100","name":"x","email":"nobody","colour":1}'
  const [queued, direct] = [file('queued.jsonl', lines), file('direct.jsonl', lines)]
  const later = await asProcess('import', queued, '--entity', 'customers', '--async', '--watch', '--source-system', 'a')
  const now = await backdesk('import', direct, '--entity', 'customers', '--sync', '--source-system', 'b')
  const { seconds, rows_per_second, failed_rows, warnings, ...same } = now.answer
  expect(later).toMatchObject({ code: 2, answer: same })
  expect(later.answer.counts).toMatchObject({ total: 1200, created: 1197, failed: 3 })
  expect(failedOf(queued)).toEqual(failedOf(direct))
  const [text, ...rows] = failedOf(queued)
  expect([text, ...rows.map((row) => JSON.parse(row).import_line)]).toEqual(['no JSON', 1101, 4])
})

it('a large file is queued anyway, and its batches can be listed, shown, watched and taken back', async () => {
  const wide = (line: string) => `${line.slice(0, -1)},"notes":"${'x'.repeat(3000)}"}`
  const path = file('large.jsonl', people(800, 'L').map(wide))
  const { answer } = await backdesk('import', path, '--entity', 'customers')
  expect(answer).toMatchObject({ entity: 'customers', queued: 800, batches: [expect.any(String), expect.any(String)] })
  const [first, last] = answer.batches as [string, string]
  const watched = await backdesk('batches', 'watch', first, last)
  expect(watched).toMatchObject({ code: 0, answer: { batches: [{ status: 'completed' }, { status: 'completed' }] } })
  const listed = await backdesk('batches', 'list', '--entity', 'customers', '--limit', '2')
  expect(listed.answer.data.map(({ id }: { id: string }) => id)).toEqual([last, first])
  expect((await backdesk('batches', 'show', last)).answer).toMatchObject({ id: last, counts: { created: 300 } })
  expect((await backdesk('batches', 'revert', last)).answer).toEqual({
    batch: expect.anything(),
    reverted: 300,
    left: [],
  })
  expect((await backdesk('batches', 'revert', last)).answer).toMatchObject({ reverted: 0 })
})
