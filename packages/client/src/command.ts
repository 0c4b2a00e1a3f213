import type { Command } from 'commander'

/** A subcommand whose result is one object: as JSON with `--json`, otherwise as text. */
export function objectCommand<O extends object>(
  command: Command,
  run: (options: O, ...named: string[]) => Promise<object>,
  textOf: (answer: never) => string,
): Command {
  return command.option('--json', 'print one JSON object').action(async () => {
    const options = command.opts<O & { json?: boolean }>()
    const answer = await run(options, ...command.args)
    process.stdout.write(`${options.json ? JSON.stringify(answer) : textOf(answer as never)}\n`)
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

/** Exit code where some rows failed and the rest is in. */
export const SOME_FAILED = 2
