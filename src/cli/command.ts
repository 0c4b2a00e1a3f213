import { userInfo } from 'node:os'
import type { Command } from 'commander'
import type { Operator } from '../platform/operator.ts'

/** Who runs a command, for the audit log. */
export function operator(): Operator {
  const name = (() => {
    try {
      return userInfo().username
    } catch {
      return 'unknown'
    }
  })()
  return { name, source: 'command line' }
}

/** A subcommand whose answer is one object: as JSON with `--json`, else as `tell` words it. */
export function objectCommand<O extends object>(
  command: Command,
  run: (options: O, ...named: string[]) => Promise<object>,
  tell: (answer: never) => string,
): Command {
  return command.option('--json', 'print one JSON object').action(async () => {
    const options = command.opts<O & { json?: boolean }>()
    const answer = await run(options, ...command.args)
    process.stdout.write(`${options.json ? JSON.stringify(answer) : tell(answer as never)}\n`)
  })
}

/** Rows as aligned columns, with the names of their keys above. */
export function table(rows: readonly object[]): string {
  if (rows.length === 0) return '(none)'
  const names = Object.keys(rows[0] as object)
  const lines = [names, ...rows.map((row) => Object.values(row).map(cellText))]
  const widths = names.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)))
  return lines
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths[at] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
const cellText = (value: unknown): string =>
  value === null ? '-' : Array.isArray(value) ? value.join(',') : String(value)

/** Options that may be given several times, or as a list with commas. */
export const several = (value: string, before: string[] = []): string[] => [
  ...before,
  ...value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
]

function accountNumber(text: string): number {
  if (/^[123]\d{7}$/.test(text)) return Number(text)
  throw new Error(`--account takes an account number such as 20000000, not ${text}. See: npx backdesk account list`)
}
export const ACCOUNT = ['--account <number>', 'account number', accountNumber] as const
export type OfAccount = { readonly account: number }

/** Reads how many rows a list may have. */
export const limitUpTo =
  (most: number) =>
  (text: string): number => {
    const read = /^\d{1,5}$/.test(text) ? Number(text) : 0
    if (read >= 1 && read <= most) return read
    throw new Error(`--limit takes a number from 1 to ${most}, not ${text}.`)
  }

/** Exit code where some rows failed and the rest is in. */
export const SOME_FAILED = 2
