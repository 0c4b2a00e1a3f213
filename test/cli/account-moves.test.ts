import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { environmentOf, runHere } from '../harness/command-line.ts'
import { temporaryFolder } from '../harness/process.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const EXPORT_PASSPHRASE = 'of sixteen or more'
const file = join(folder, 'agency.account')

let from: TestCell
let to: TestCell
let agency: Agency
beforeAll(async () => {
  from = await startCell({ deps: { count: uncounted } })
  to = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(from)
})
const command = (cell: TestCell, given: string[], environment: Record<string, string> = { EXPORT_PASSPHRASE }) =>
  runHere(['account', ...given], folder, { ...environmentOf(cell), ...environment })
const exporting = (path: string) => ['export', path, '--account', String(agency.number)]
const isAtWork = async (cell: TestCell) => (await cell.call('GET', '/me', { key: agency.key })).status === 200

it('an account is not taken from its work for a file that cannot be written, or without a passphrase', async () => {
  const taken = join(folder, 'taken')
  writeFileSync(taken, 'mine')
  const refused: [string, Record<string, string> | undefined, string][] = [
    [file, {}, 'Set EXPORT_PASSPHRASE to at least 16 characters'],
    [file, { EXPORT_PASSPHRASE: 'x'.repeat(15) }, 'Set EXPORT_PASSPHRASE to at least 16 characters'],
    [taken, undefined, 'already exists'],
    [join(folder, 'no folder', 'agency.account'), undefined, 'is not a writable folder'],
  ]
  for (const [path, environment, expectedText] of refused) {
    const { code, stderr } = await command(from, exporting(path), environment)
    expect([code, stderr]).toEqual([1, expect.stringContaining(expectedText)])
  }
  expect([existsSync(file), await isAtWork(from)]).toEqual([false, true])
})
it('an account is exported, taken back, exported again and taken in', async () => {
  const { number } = agency
  const exported = await command(from, exporting(file))
  expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining(`of account ${number} to ${file}`) })
  expect(exported.stdout).toContain(`backdesk account reopen --account ${number}`)
  const back = await command(from, ['reopen', '--account', String(number)])
  expect([back.code, back.stdout]).toEqual([0, `Account ${number} is active in this cell again.\n`])
  const again = await command(from, [...exporting(join(folder, 'again')), '--json'])
  expect(JSON.parse(again.stdout)).toMatchObject({ account: number, files: 0, missing: 0, file: join(folder, 'again') })
  const other = await command(to, ['import', join(folder, 'again')], { EXPORT_PASSPHRASE: 'another passphrase' })
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('The passphrase is wrong')])
  const taken = await command(to, ['import', join(folder, 'again')])
  expect([taken.code, taken.stdout]).toEqual([
    0,
    expect.stringMatching(/^Imported account .*The account is now active in this cell\.\n$/),
  ])
  expect([await isAtWork(from), await isAtWork(to)]).toEqual([false, true])
})
