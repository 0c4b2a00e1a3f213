import { type DestinationStream, pino } from 'pino'
import type { Log } from './log.ts'
import { terminalLine } from './log-line.ts'

const STDERR = 2

/**
 * Opens the log: on stderr, so that stdout has only the result of a command. Lines are JSON, and plain text on a
 * terminal. Secrets and personal data are removed.
 */
export const openLog = (
  level: string,
  to?: DestinationStream,
  isTerminal: boolean = to === undefined && process.stderr.isTTY === true,
): Log => {
  const streamWrite = isTerminal ? (line: string) => terminalLine(redact(line)) : redact
  return pino({ level, serializers: { err: errorAsLogged }, hooks: { streamWrite } }, to ?? pino.destination(STDERR))
}

/** The properties of an error that contain texts of programs. Others contain rows, messages, addresses or answers. */
const SAFE = [
  'code',
  'errno',
  'syscall',
  'status',
  'statusCode',
  'responseCode',
  'severity',
  'schema',
  'table',
  'column',
]
const MORE = ['constraint', 'dataType', 'routine', 'reason'] as const
const DEPTH = 3

type Logged = {
  readonly type: string
  readonly message: string
  readonly stack?: string
  readonly [more: string]: unknown
}

/** PostgreSQL quotes refused names and values; names of constraints have their own properties. */
function errorAsLogged(error: unknown, depth = 0): Logged | string {
  if (!(error instanceof Error)) return 'no error'
  const message = 'severity' in error ? withoutQuotes(error.message) : error.message
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  const own = error as unknown as Record<string, unknown>
  return {
    type: error.name,
    message,
    ...(frames && { stack: frames.join('\n') }),
    ...Object.fromEntries([...SAFE, ...MORE].flatMap((name) => (isWord(own[name]) ? [[name, own[name]]] : []))),
    ...(error.cause instanceof Error && depth < DEPTH && { cause: errorAsLogged(error.cause, depth + 1) }),
  }
}

/** Servers quote as their language does, and what they quote may have quotes itself. */
const withoutQuotes = (text: string): string => text.replace(/["“„«»].*["”“»«]/gs, '"…"')
const isWord = (value: unknown): value is string | number => ['string', 'number'].includes(typeof value)

/** No pattern searches its end from many starts: log texts may be long. */
const REDACTIONS: readonly (readonly [RegExp, string])[] = [
  [/(sek|whsec)_[\w+/=-]+/g, '$1_…'],
  [/(bearer|basic) +[\w.~+/=-]+/gi, '$1 …'],
  [/(:\/\/)[^\s/@"]+@/g, '$1…@'], // who, and the password, in an address
  [/\/(s|u|f|r|files)\/[\w.~%-]+/g, '/$1/…'], // an address that replaces a key
  [/(\?)[^\s"?=]*=[^\s"]*/g, '$1…'], // a query
  [/(?<![^\s"'<>(),:;\\/@])[^\s"'<>(),:;\\/@]+@[\w-]+(\.[\w-]+)+/g, '…@…'],
]

/** The last step for every line: filters all its texts except stack frames. */
const redact = (line: string): string =>
  `${JSON.stringify(JSON.parse(line, (name, value) => (typeof value === 'string' && name !== 'stack' ? redacted(value) : value)))}\n`

const redacted = (text: string): string =>
  REDACTIONS.reduce((left, [secret, instead]) => left.replace(secret, instead), text)
