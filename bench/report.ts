import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import type { Result, Spread, Target } from './measure.ts'

const FOLDER = join(import.meta.dirname, 'results')
const HEAD = ['case', 'unit', 'product', 'ceiling', 'ratio', 'target', 'reached']

const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2))
const shown = (spread: Spread | null) =>
  spread ? `${digits(spread.median)} (${digits(spread.min)}–${digits(spread.max)})` : '–'
const targetText = (target: Target) => ('atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`)

export function tableOf(results: readonly Result[]): string {
  const rows = results.map(({ name, unit, product, ceiling, ratio, target, reached }) => [
    name,
    unit,
    shown(product),
    shown(ceiling),
    shown(ratio),
    target ? targetText(target) : '–',
    reached === null ? '–' : reached ? 'yes' : 'NO',
  ])
  const lines = [HEAD, ...rows]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length)))
  const text = (line: readonly string[]) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`
  return [text(HEAD), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(text)].join('\n')
}

/** Keeps the figures with what they were measured on. */
export function keep(
  results: readonly Result[],
  about: { postgres: string | null; rounds: number; customers: number },
): string {
  mkdirSync(FOLDER, { recursive: true })
  const file = join(FOLDER, 'latest.json')
  const machine = {
    node: process.version,
    cpus: availableParallelism(),
    cpu: cpus()[0]?.model ?? null,
    commit: commit(),
  }
  writeFileSync(file, `${JSON.stringify({ date: new Date().toISOString(), ...machine, ...about, results }, null, 2)}\n`)
  return file
}

function commit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}
