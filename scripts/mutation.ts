// `npm run mutation`: runs Stryker for each group of modules, or for the named ones. A group whose tests detect less
// than 80 % of its mutants fails. The results are kept in reports/mutation, and only changed code is run again.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { GROUPS } from './mutation/groups.ts'

type Mutant = { readonly status: string }
type Report = { readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>> }

const ROOT = join(import.meta.dirname, '..')
const STRYKER = 'node_modules/@stryker-mutator/core/bin/stryker.js'
const NOTICED = new Set(['Killed', 'Timeout'])
const MISSED = new Set(['Survived', 'NoCoverage'])

const asked = process.argv.slice(2)
for (const name of asked) if (!Object.hasOwn(GROUPS, name)) throw new Error(`There is no group ${name}.`)

const lines = (asked.length > 0 ? asked : Object.keys(GROUPS)).map(run)
process.stdout.write(`\n${lines.join('\n')}\n`)

function run(group: string): string {
  const start = performance.now()
  const env = { ...process.env, MUTATION_GROUP: group }
  rmSync(reportOf(group), { force: true }) // otherwise the report of an interrupted run would be printed
  const { status } = spawnSync(process.execPath, [STRYKER, 'run'], { cwd: ROOT, env, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
  return `${group.padEnd(12)} ${resultText(group)}, ${Math.round((performance.now() - start) / 1000)} s`
}

function reportOf(group: string): string {
  return join(ROOT, 'reports/mutation', `${group}.json`)
}

function resultText(group: string): string {
  const file = reportOf(group)
  if (!existsSync(file)) return 'did not run'
  const { files } = JSON.parse(readFileSync(file, 'utf8')) as Report
  const mutants = Object.values(files).flatMap(({ mutants }) => mutants)
  const count = (statuses: ReadonlySet<string>) => mutants.filter(({ status }) => statuses.has(status)).length
  const [noticed, missed] = [count(NOTICED), count(MISSED)]
  const share = ((100 * noticed) / (noticed + missed)).toFixed(1)
  return `${share} %: ${noticed} of ${noticed + missed} noticed, ${count(new Set(['Timeout']))} by time`
}
