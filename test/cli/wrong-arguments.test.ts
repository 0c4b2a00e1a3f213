import { join } from 'node:path'
import type { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadProgram } from '../../src/cli/program.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { environmentOf, runHere } from '../harness/command-line.ts'
import { freePort, temporaryFolder } from '../harness/process.ts'

const folder = temporaryFolder()
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})

const PASSPHRASE = 'x'.repeat(16)
const UNKNOWN_ACCOUNT = '29999999'
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000'
/** These take no arguments, and run until they are stopped or create data. */
const RUNNING = /^(serve|worker|migrate|demo)$/
/** These call a cell, here one that does not answer. */
const CLIENT = /^(agent|import|batches \w+)$/

type Leaf = { readonly name: string; readonly command: Command }
const leavesOf = (command: Command, above = ''): Leaf[] =>
  command.commands.flatMap((each) => {
    const name = `${above}${each.name()}`
    return each.commands.length > 0 ? leavesOf(each, `${name} `) : [{ name, command: each }]
  })
const all = leavesOf(await loadProgram(''))
const leaves = all.filter(({ name }) => !RUNNING.test(name))
const running = all.filter(({ name }) => RUNNING.test(name))
/** Commands that refuse another argument before they look for the account. */
const OTHER_FIRST =
  /^(account export|company update|branch update|seat update|record \w+|trip add-segment|template set|bsp import|mail fetch)$/
const ofAccount = leaves.filter(
  ({ name, command }) =>
    !OTHER_FIRST.test(name) && command.options.some(({ long, mandatory }) => long === '--account' && mandatory),
)

/** The command with all that it requires: files in a folder that does not exist, all else of this value. */
const argsOf = ({ name, command }: Leaf, value: string, account: string): string[] => [
  ...name.split(' '),
  ...command.registeredArguments.map((argument) => (argument.name() === 'file' ? noFile : value)),
  ...command.options.flatMap(({ mandatory, long, flags }) =>
    mandatory ? [String(long), long === '--account' ? account : /<(file|folder)>/.test(flags) ? noFile : value] : [],
  ),
  ...(CLIENT.test(name) ? ['--url', nowhere, '--key', 'sek_x'] : []),
]
const nowhere = `http://localhost:${await freePort()}`
const noFile = join(folder, 'no folder', 'file')
const run = (args: readonly string[]) =>
  runHere(args, folder, { ...environmentOf(cell), EXPORT_PASSPHRASE: PASSPHRASE })

/** One or two sentences, and what to run next: neither a stack nor the words of PostgreSQL or Node. */
const READABLE = /^(backdesk: [^\n]+[.\]}]\n(?:[^\n]+\.\n){0,12}|error: [^\n]+\n)$/
/** Lines of the agent's log. */
const LOGGED = /^\d{4}-\d\d-\d\dT[^\n]*\n/gm
const INTERNAL = /\n\s+at |invalid input syntax|violates|relation "|TypeError|undefined|\[object|ENOENT|EACCES/

describe('a command with wrong arguments', () => {
  it.each(leaves)('ends with 1 and a readable message: $name', async (leaf) => {
    for (const value of ['x', UNKNOWN_ID, '', `ş'"`]) {
      const { code, stdout, stderr } = await run(argsOf(leaf, value, String(agency.number)))
      if (code === 0) continue // it takes any text
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr.replaceAll(LOGGED, '')).toMatch(READABLE)
      expect(stderr).not.toMatch(INTERNAL)
    }
  })
  it.each(ofAccount)(
    'of an account that the cell does not have names the command that lists them: $name',
    async (leaf) => {
      const { code, stderr } = await run(argsOf(leaf, UNKNOWN_ID, UNKNOWN_ACCOUNT))
      expect([code, stderr]).toEqual([
        1,
        `backdesk: No account ${UNKNOWN_ACCOUNT} exists in this cell.\nRun \`npx backdesk account list\` to find it.\n`,
      ])
    },
  )
  it.each(all)('is not run with an argument too many or an unknown option: $name', async (leaf) => {
    const args = argsOf(leaf, '1', String(agency.number))
    for (const more of ['--nonesuch', 'surplus']) {
      if (more === 'surplus' && leaf.command.registeredArguments.some(({ variadic }) => variadic)) continue
      const { code, stderr } = await run([...args, more])
      expect([code, stderr]).toEqual([1, expect.stringMatching(READABLE)])
      expect(stderr).toMatch(/^error: (unknown option '--nonesuch'|too many arguments)/)
    }
  })
  it.each(running)('names each setting that is wrong: $name', async ({ name }) => {
    const { code, stdout, stderr } = await runHere([name], folder, { PORT: 'x', DATABASE_URL: 'nonsense' })
    expect([code, stdout]).toEqual([1, ''])
    for (const part of ['PORT must be', 'DATABASE_URL must be', 'the README lists']) expect(stderr).toContain(part)
    expect(stderr).not.toMatch(INTERNAL)
  })
  it.each(leaves)('says which required value is empty: $name', async (leaf) => {
    const required = [
      ...leaf.command.registeredArguments.map((argument) => `<${argument.name()}>`),
      ...leaf.command.options.flatMap(({ mandatory, long }) => (mandatory ? String(long) : [])),
    ]
    const args = argsOf(leaf, '1', String(agency.number))
    const from = leaf.name.split(' ').length
    for (const name of required) {
      const at = name.startsWith('<') ? from + required.indexOf(name) : args.indexOf(name) + 1
      const { code, stdout, stderr } = await run(args.with(at, ' '))
      expect([code, stdout, stderr]).toEqual([1, '', `backdesk: ${name} is empty. Give it a value.\n`])
    }
  })
})
