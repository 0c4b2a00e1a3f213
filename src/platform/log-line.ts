import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]
type Line = { readonly level: number; readonly time: number; readonly msg?: string; readonly err?: unknown }

const LEVELS: readonly (readonly [number, string, Style])[] = [
  [60, 'fatal', 'red'],
  [50, 'error', 'red'],
  [40, 'warn', 'yellow'],
  [30, 'info', 'green'],
]
const BELOW = [0, 'debug', 'gray'] as const
/** Of the process that wrote the line; omitted on a terminal, which shows one process only. */
const HIDDEN = new Set(['level', 'time', 'msg', 'err', 'pid', 'hostname'])
// biome-ignore lint/suspicious/noControlCharactersInRegex: logged text must not move the cursor or look like another line
const CONTROLS = /[\0-\x1f\x7f-\x9f]/g

/** A line of the log as people read it in a terminal: time in UTC, level, message, fields; the stack of an error below. */
export function terminalLine(json: string): string {
  const line = JSON.parse(json) as Line & Record<string, unknown>
  const [, level, style] = LEVELS.find(([from]) => line.level >= from) ?? BELOW
  const fields = Object.entries(line).flatMap(([name, value]) => (HIDDEN.has(name) ? [] : [`${name}=${shown(value)}`]))
  const time = `${new Date(line.time).toISOString().slice(11, 19)}Z`
  const parts = [colored('gray', time), colored(style, level.padEnd(5)), safe(line.msg ?? ''), ...fields]
  return `${parts.filter(Boolean).join('  ')}\n${errorLines(line.err)}`
}

function errorLines(err: unknown): string {
  if (err === undefined) return ''
  if (typeof err !== 'object' || err === null) return `    ${shown(err)}\n`
  const { type, message, stack, cause, ...more } = err as Record<string, unknown>
  const fields = Object.entries(more).map(([name, value]) => `${name}=${shown(value)}`)
  const first = [`${shown(type)}: ${shown(message)}`, ...fields].join('  ')
  const frames = typeof stack === 'string' && stack !== '' ? stack.split('\n') : []
  return `${[first, ...frames].map((text) => `    ${safe(text)}\n`).join('')}${errorLines(cause)}`
}

const shown = (value: unknown): string => safe(typeof value === 'string' ? value : JSON.stringify(value))
const safe = (text: string): string => text.replace(CONTROLS, '?')
/** Without color if NO_COLOR is set. */
const colored = (style: Style, text: string): string => styleText(style, text, { stream: process.stderr })
