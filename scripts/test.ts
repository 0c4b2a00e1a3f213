// `npm test`: runs the checks, then the tests. With arguments (npm test -- pricing) only the matching tests.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'

type Check = { readonly name: string; readonly script: string; readonly args: readonly string[] }
type Outcome = { readonly name: string; readonly passed: boolean; readonly output: string; readonly seconds: number }
type Tally = { passed: number; failed: number; skipped: number }

const ROOT = join(import.meta.dirname, '..')
/** Each check uses about one core, and generating starts a PostgreSQL. */
const CHECKS_AT_ONCE = Math.min(2, availableParallelism())
const COLORS = process.stdout.isTTY ? 'force' : 'off'
const LINT_ARGS = ['ci', '--error-on-warnings', '--max-diagnostics=none', `--colors=${COLORS}`]
const CHECKS: readonly Check[] = [
  { name: 'types', script: 'node_modules/typescript/bin/tsc', args: ['--noEmit'] },
  { name: 'client types', script: 'node_modules/typescript/bin/tsc', args: ['--noEmit', '-p', 'packages/client'] },
  { name: 'lint', script: 'node_modules/@biomejs/biome/bin/biome', args: LINT_ARGS },
  { name: 'words', script: 'scripts/checks/words.ts', args: [] },
  { name: 'unique names', script: 'scripts/checks/unique-names.ts', args: [] },
  { name: 'layers', script: 'scripts/checks/layers.ts', args: [] },
  { name: 'dead code', script: 'node_modules/knip/bin/knip.js', args: ['--no-config-hints', '--no-progress'] },
  { name: 'supply', script: 'scripts/checks/supply.ts', args: [] },
  { name: 'generated files', script: 'scripts/generate.ts', args: ['--check'] },
  { name: 'samples', script: 'samples/generate.ts', args: ['--check'] },
  { name: 'Dockerfile', script: 'node_modules/dockerfile-utils/bin/dockerfile-utils', args: ['lint', 'Dockerfile'] },
  { name: 'compose file', script: 'node_modules/dclint/bin/dclint.cjs', args: ['compose.yaml', '--max-warnings', '0'] },
]
const VITEST = 'node_modules/vitest/vitest.mjs'
const LONGEST_NAME = Math.max(...CHECKS.map(({ name }) => name.length))

const testArgs = process.argv.slice(2)
const tally: Tally = { passed: 0, failed: 0, skipped: 0 }

if (testArgs.length === 0) {
  for await (const outcome of inOrder(CHECKS, CHECKS_AT_ONCE, runCheck)) {
    printOutcome(outcome)
    if (outcome.passed) tally.passed++
    else tally.failed++
  }
}
const tests = await runTests(testArgs)
for (const key of ['passed', 'failed', 'skipped'] as const) tally[key] += tests[key]

process.exitCode = tally.failed === 0 ? 0 : 1
const skipped = tally.skipped === 0 ? '' : `, ${tally.skipped} skipped`
process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed${skipped}\n`)

/** Runs all, some at a time, and returns the results in the order of the list. */
async function* inOrder<T, R>(list: readonly T[], atOnce: number, run: (item: T) => Promise<R>): AsyncGenerator<R> {
  const running: Promise<R>[] = []
  for (const item of list) {
    running.push(run(item))
    if (running.length === atOnce) yield await (running.shift() as Promise<R>)
  }
  yield* running
}

/** Both streams of a check in the order in which they came. */
async function runCheck({ name, script, args }: Check): Promise<Outcome> {
  const start = performance.now()
  const child = spawn(process.execPath, [script, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  child.on('error', reject).on('close', (code) => resolve(code === 0))
  const passed = await promise
  return { name, passed, output: Buffer.concat(chunks).toString(), seconds: (performance.now() - start) / 1000 }
}

function printOutcome({ name, passed, output, seconds }: Outcome): void {
  const verdict = passed ? styleText('green', 'passed') : styleText('red', 'FAILED')
  process.stdout.write(`${verdict}  ${name.padEnd(LONGEST_NAME)}  ${seconds.toFixed(1)} s\n`)
  if (!passed) process.stdout.write(`\n${output.trimEnd()}\n\n`)
}

async function runTests(args: readonly string[]): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'backdesk-report-'))
  const report = join(folder, 'vitest.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const child = spawn(process.execPath, [VITEST, 'run', ...reporters, ...args], { cwd: ROOT, stdio: 'inherit' })
    const { promise, resolve, reject } = Promise.withResolvers<number | null>()
    child.on('error', reject).on('close', resolve)
    const code = await promise
    return count(readReport(report), code === 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Report = {
  readonly testResults: readonly {
    readonly status: 'passed' | 'failed'
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

function readReport(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    return null // vitest died before it wrote one
  }
}

/** A file that fails without a failing test, and a run that fails or tests nothing, count as one failure each. */
function count(report: Report | null, succeeded: boolean): Tally {
  const files = (report?.testResults ?? []).map(({ status, assertionResults }) => {
    const failures = assertionResults.filter((test) => test.status === 'failed').length
    const passed = assertionResults.filter((test) => test.status === 'passed').length
    const failed = status === 'failed' ? Math.max(failures, 1) : failures
    return { passed, failed, skipped: assertionResults.length - passed - failures }
  })
  const sum = (key: keyof Tally) => files.reduce((total, file) => total + file[key], 0)
  const ran = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
  const silentFailure = ran.failed === 0 && (!succeeded || ran.passed === 0)
  return silentFailure ? { ...ran, failed: 1 } : ran
}
