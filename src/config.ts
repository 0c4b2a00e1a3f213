import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Network, readNetwork } from './platform/access/source-address.ts'
import { type Bucket, readBucket } from './platform/files/bucket.ts'
import { SECRET_MINIMUM } from './platform/kept-secret.ts'
import { type MailAddress, readMailAddress } from './platform/mail/mail-address.ts'
import { readSmtp, type SmtpAddress } from './platform/mail/smtp-address.ts'
import { type MessagingAddress, readMessaging } from './platform/messaging/messaging-address.ts'
import { type ImapBox, readImapBox } from './platform/net/imap-box.ts'
import { type AccountNumbers, bandOf, isOf, type Region, readAccountNumbers } from './platform/regions.ts'

export type Config = {
  readonly port: number
  readonly host: string
  /** Where clients reach the cell. */
  readonly publicUrl: string
  readonly logLevel: string
  /** Whether the log has a line for each request. */
  readonly logRequests: boolean
  /** Where `/metrics` is served; null for nowhere. */
  readonly metricsAddress: { readonly host: string; readonly port: number } | null
  /** Seconds between not being ready and not listening, when the cell stops. */
  readonly stopGraceS: number
  /** How far behind a process may be before it refuses requests; 0 for never. */
  readonly shedAfterMs: number
  readonly region: Region
  /** Those that new accounts get: all of the region's, where its cells do not share them out. */
  readonly accountNumbers: AccountNumbers
  readonly dataDir: string
  /** Where files are kept; null for a folder of `dataDir`. */
  readonly bucket: Bucket | null
  /** A PostgreSQL server; null for the cell's own under `dataDir`. */
  readonly databaseUrl: string | null
  readonly databaseConnections: number
  /** A replica that reports are read from; null for the database itself. */
  readonly reportsDatabaseUrl: string | null
  /** What the keys are derived from that sign and seal; null where it is kept in `dataDir`. */
  readonly secret: string | null
  readonly trustedProxies: readonly Network[]
  /** Where rates are fetched from once a day; null for nowhere. */
  readonly exchangeRateUrl: string | null
  /** Where the weather is forecast; null for nowhere. */
  readonly weatherUrl: string | null
  /** The server that mails are handed to; null for none. */
  readonly smtp: SmtpAddress | null
  /** Where mails are from; their name is that of the agency. */
  readonly mailFrom: MailAddress
  /** The mailbox that customers write to; null for none. */
  readonly imapBox: ImapBox | null
  /** The provider of SMS and WhatsApp; null for none. */
  readonly messaging: MessagingAddress | null
  readonly importLimits: { readonly maxRows: number; readonly syncRows: number }
  /** Networks that webhooks may call although they are not public. */
  readonly webhookAllowCidrs: readonly Network[]
  /** Seconds from a failed attempt to the next. */
  readonly webhookRetrySchedule: readonly number[]
}

/** One variable: its default, what it does, and how its text is read. */
type Variable<T> = {
  readonly name: string
  readonly default: string | null
  readonly about: string
  read(text: string): T | Problem
}
class Problem {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const RETRIES = 4
const RETRY_MAXIMUM_S = 7 * 86_400
const text = (value: string): string => value
const number = (minimum: number, maximum: number) => (value: string) => {
  const read = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  return read >= minimum && read <= maximum ? read : new Problem(`has to be a number from ${minimum} to ${maximum}`)
}
const oneOf =
  <T extends string>(...values: T[]) =>
  (value: string) =>
    values.find((known) => known === value) ?? new Problem(`has to be one of ${values.join(', ')}`)

export const VARIABLES = {
  port: { name: 'PORT', default: '3000', about: 'Port to listen on.', read: number(0, 65_535) },
  host: { name: 'HOST', default: 'localhost', about: 'Address to listen on; `0.0.0.0` for all.', read: text },
  publicUrl: {
    name: 'PUBLIC_URL',
    default: null,
    about: 'Where clients reach the cell; `http://localhost:PORT` when unset. Needed with SMTP_URL and MESSAGING_URL.',
    read: webAddress,
  },
  logLevel: { name: 'LOG_LEVEL', default: 'info', about: `One of ${LEVELS.join(', ')}.`, read: oneOf(...LEVELS) },
  logRequests: {
    name: 'LOG_REQUESTS',
    default: 'false',
    about: 'Whether the log has a line for each request, with its id, route, status and duration.',
    read: oneOf('true', 'false'),
  },
  metricsAddress: {
    name: 'METRICS_ADDRESS',
    default: null,
    about: 'Where `/metrics` is served, `HOST:PORT`; on a network of its own, since it asks for no key.',
    read: socketAddress,
  },
  stopGraceS: {
    name: 'STOP_GRACE_S',
    default: '0',
    about: 'Seconds for which a cell that stops still listens, while `/ready` answers 503 already.',
    read: number(0, 300),
  },
  shedAfterMs: {
    name: 'SHED_AFTER_MS',
    default: '1000',
    about: 'How far behind a process may be, in milliseconds, before it refuses requests with 503; 0 for never.',
    read: number(0, 60_000),
  },
  region: {
    name: 'CELL_REGION',
    default: 'eu',
    about: 'Region of the cell, `tr`, `eu` or `am`: the band of its account numbers.',
    read: oneOf<Region>('tr', 'eu', 'am'),
  },
  accountNumbers: {
    name: 'ACCOUNT_NUMBERS',
    default: null,
    about: 'Numbers of the band that this cell gives to its accounts, `20100000-20199999`; all of them when unset.',
    read: accountNumbers,
  },
  dataDir: {
    name: 'DATA_DIR',
    default: './data',
    about: 'Where the cell keeps its own PostgreSQL, its secret and its files.',
    read: (value: string) => resolve(value),
  },
  bucket: {
    name: 'STORAGE_URL',
    default: null,
    about: 'An S3-compatible bucket for files, `s3://KEY:SECRET@BUCKET`, instead of a folder of DATA_DIR.',
    read: bucketAddress,
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    default: null,
    about: 'A PostgreSQL server, 18 or newer, instead of the cell’s own.',
    read: databaseAddress,
  },
  databaseConnections: {
    name: 'DATABASE_CONNECTIONS',
    default: '10',
    about:
      'Connections of one process for requests; five more are for the system, three for reports, and two to watch it.',
    read: number(1, 500),
  },
  reportsDatabaseUrl: {
    name: 'REPORTS_DATABASE_URL',
    default: null,
    about: 'A replica of the database that reports are read from, so that they keep nobody waiting.',
    read: databaseAddress,
  },
  secret: {
    name: 'SECRET',
    default: null,
    about: `At least ${SECRET_MINIMUM} characters from which follow the secrets that sign cursors and addresses, and the keys that seal stored answers, captured files and the signing keys of webhooks; the same for all processes. Needed with DATABASE_URL; else kept in DATA_DIR.`,
    read: secret,
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    default: '',
    about: 'CIDRs of the proxies whose X-Forwarded-For is believed, separated by commas.',
    read: networks,
  },
  maxRows: {
    name: 'IMPORT_MAX_ROWS',
    default: '500',
    about: 'Rows that one import request may have.',
    read: number(1, 10_000),
  },
  syncRows: {
    name: 'IMPORT_SYNC_ROWS',
    default: '100',
    about: 'Rows up to which an import is answered at once by default.',
    read: number(1, 10_000),
  },
  exchangeRateUrl: {
    name: 'EXCHANGE_RATE_URL',
    default: null,
    about: 'Where exchange rates are fetched from once a day, in any format that `npx backdesk rates import` reads.',
    read: fileAddress,
  },
  weatherUrl: {
    name: 'WEATHER_URL',
    default: null,
    about: 'Where the weather of trips is forecast: Open-Meteo’s `https://api.open-meteo.com`, or a server like it.',
    read: fileAddress,
  },
  smtp: {
    name: 'SMTP_URL',
    default: null,
    about:
      'The server that e-mails are handed to, `smtp://USER:PASSWORD@HOST:PORT` or `smtps://…`. STARTTLS is used where it is offered; `?require_tls=true` demands it. Without one, e-mails are files under DATA_DIR/outbox, or fail with DATABASE_URL.',
    read: smtpAddress,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    default: 'Backdesk <no-reply@localhost>',
    about: 'The address that e-mails are from, each under the name of its agency. Needed with SMTP_URL.',
    read: mailAddress,
  },
  imapBox: {
    name: 'IMAP_URL',
    default: null,
    about:
      'The mailbox that `npx backdesk mail fetch` reads, `imaps://USER:PASSWORD@HOST:PORT/FOLDER`, or `imap://…` with STARTTLS where it is offered.',
    read: imapBox,
  },
  messaging: {
    name: 'MESSAGING_URL',
    default: null,
    about:
      'A provider of SMS and WhatsApp that speaks Twilio’s API: `https://ACCOUNT_SID:AUTH_TOKEN@api.twilio.com?sms_from=%2B1…&whatsapp_from=%2B1…`.',
    read: messagingAddress,
  },
  webhookAllowCidrs: {
    name: 'WEBHOOK_ALLOW_CIDRS',
    default: '',
    about: 'CIDRs that webhooks may call although they are not public, separated by commas.',
    read: networks,
  },
  webhookRetrySchedule: {
    name: 'WEBHOOK_RETRY_SCHEDULE',
    default: '60,600,3600,21600',
    about: 'Seconds after which a failed delivery is tried for the second, third, fourth and fifth time.',
    read: retrySchedule,
  },
} satisfies Record<string, Variable<unknown>>
/** Never repeated in an error: a secret, and addresses that may hold one. */
const CONFIDENTIAL: readonly string[] = [
  'SECRET',
  'DATABASE_URL',
  'REPORTS_DATABASE_URL',
  'STORAGE_URL',
  'EXCHANGE_RATE_URL',
  'WEATHER_URL',
  'SMTP_URL',
  'IMAP_URL',
  'MESSAGING_URL',
]

type Environment = Readonly<Record<string, string | undefined>>

/** What is confidential may be in a file that `NAME_FILE` names, as the secrets of containers are. */
function withFiles(environment: Environment, problems: string[]): Environment {
  const read = { ...environment }
  for (const name of CONFIDENTIAL) {
    const file = environment[`${name}_FILE`]?.trim()
    if (!file) continue
    if (read[name]?.trim()) problems.push(`${name} and ${name}_FILE are both set; leave one of them out.`)
    try {
      const text = readFileSync(file, 'utf8').trim()
      if (text === '') problems.push(`${name}_FILE names an empty file, ${JSON.stringify(file)}.`)
      read[name] = text
    } catch {
      problems.push(`${name}_FILE has to name a file that can be read; it is ${JSON.stringify(file)}.`)
    }
  }
  return read
}

/** Reads the environment, or throws one error that names everything wrong with it. */
export function readConfig(given: Environment): Config {
  const problems: string[] = []
  const environment = withFiles(given, problems)
  const get = <T>({ name, default: otherwise, read }: Variable<T>): T | null => {
    const said = environment[name]?.trim() || otherwise
    if (said === null) return null
    const value = read(said)
    if (!(value instanceof Problem)) return value
    problems.push(`${name} ${value.text}; it is ${CONFIDENTIAL.includes(name) ? 'another' : JSON.stringify(said)}.`)
    return null
  }
  const port = get(VARIABLES.port) ?? 0
  const databaseUrl = get(VARIABLES.databaseUrl)
  const region = get(VARIABLES.region) ?? 'eu'
  const config = {
    port,
    host: get(VARIABLES.host) ?? '',
    publicUrl: get(VARIABLES.publicUrl) ?? `http://localhost:${port}`,
    logLevel: get(VARIABLES.logLevel) ?? '',
    logRequests: get(VARIABLES.logRequests) === 'true',
    metricsAddress: get(VARIABLES.metricsAddress),
    stopGraceS: get(VARIABLES.stopGraceS) ?? 0,
    shedAfterMs: get(VARIABLES.shedAfterMs) ?? 0,
    region,
    accountNumbers: get(VARIABLES.accountNumbers) ?? bandOf(region),
    dataDir: get(VARIABLES.dataDir) ?? '',
    bucket: get(VARIABLES.bucket),
    databaseUrl,
    databaseConnections: get(VARIABLES.databaseConnections) ?? 0,
    reportsDatabaseUrl: get(VARIABLES.reportsDatabaseUrl),
    secret: get(VARIABLES.secret),
    trustedProxies: get<readonly Network[]>(VARIABLES.trustedProxies) ?? [],
    exchangeRateUrl: get(VARIABLES.exchangeRateUrl),
    weatherUrl: get(VARIABLES.weatherUrl),
    smtp: get(VARIABLES.smtp),
    mailFrom: get(VARIABLES.mailFrom) ?? { name: null, address: '' },
    imapBox: get(VARIABLES.imapBox),
    messaging: get(VARIABLES.messaging),
    importLimits: { maxRows: get(VARIABLES.maxRows) ?? 0, syncRows: get(VARIABLES.syncRows) ?? 0 },
    webhookAllowCidrs: get<readonly Network[]>(VARIABLES.webhookAllowCidrs) ?? [],
    webhookRetrySchedule: get<readonly number[]>(VARIABLES.webhookRetrySchedule) ?? [],
  }
  if (databaseUrl !== null && config.secret === null && !problems.some((problem) => problem.startsWith('SECRET'))) {
    problems.push('SECRET is needed with DATABASE_URL, since every process of the cell has to have the same.')
  }
  const band = bandOf(region)
  if (![config.accountNumbers.first, config.accountNumbers.last].every((number) => isOf(band, number))) {
    problems.push(`ACCOUNT_NUMBERS has to lie in the band of CELL_REGION ${region}, ${band.first}-${band.last}.`)
  }
  if (config.smtp !== null && !environment.MAIL_FROM?.trim()) {
    problems.push('MAIL_FROM is needed with SMTP_URL: servers take mail from addresses that they know.')
  }
  if ((config.smtp ?? config.messaging) !== null && !environment.PUBLIC_URL?.trim()) {
    problems.push('PUBLIC_URL is needed with SMTP_URL and MESSAGING_URL: what is sent names it, for answers and links.')
  }
  if (problems.length > 0)
    throw new Error(`The configuration does not hold:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  return Object.freeze(config)
}

function accountNumbers(value: string): AccountNumbers | Problem {
  return readAccountNumbers(value) ?? new Problem('has to be the first and the last number, as 20100000-20199999')
}

function webAddress(value: string): string | Problem {
  const holds = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  return holds ? value.replace(/\/+$/, '') : new Problem('has to be an http or https address')
}

function socketAddress(value: string): { host: string; port: number } | Problem {
  const [, host, port] = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(value) ?? []
  return host !== undefined && Number(port) <= 65_535
    ? { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
    : new Problem('has to be HOST:PORT')
}

/** An address whose every character counts. `fetch` takes none with a user name. */
function fileAddress(value: string): string | Problem {
  const url = URL.parse(value)
  const holds = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return holds ? value : new Problem('has to be an http or https address without a user name')
}

function databaseAddress(value: string): string | Problem {
  return /^postgres(ql)?:\/\//.test(value) ? value : new Problem('has to begin with postgres:// or postgresql://')
}

function bucketAddress(value: string): Bucket | Problem {
  return readBucket(value) ?? new Problem('has to be s3://KEY:SECRET@BUCKET/FOLDER?region=…&endpoint=…&path_style=…')
}

function smtpAddress(value: string): SmtpAddress | Problem {
  return readSmtp(value) ?? new Problem('has to be smtp://USER:PASSWORD@HOST:PORT?require_tls=… or smtps://…')
}

function mailAddress(value: string): MailAddress | Problem {
  return readMailAddress(value) ?? new Problem('has to be an e-mail address, or Name <address>')
}

function imapBox(value: string): ImapBox | Problem {
  return readImapBox(value) ?? new Problem('has to be imaps://USER:PASSWORD@HOST:PORT/FOLDER or imap://…')
}

function messagingAddress(value: string): MessagingAddress | Problem {
  const holds = 'https://ACCOUNT_SID:AUTH_TOKEN@HOST?sms_from=…&whatsapp_from=…, with one sender at least'
  return readMessaging(value) ?? new Problem(`has to be ${holds}`)
}

function secret(value: string): string | Problem {
  return value.length >= SECRET_MINIMUM ? value : new Problem(`has to have at least ${SECRET_MINIMUM} characters`)
}

function retrySchedule(value: string): number[] | Problem {
  const read = value.split(',').map((part) => number(0, RETRY_MAXIMUM_S)(part.trim()))
  return read.length === RETRIES && read.every((seconds) => typeof seconds === 'number')
    ? read
    : new Problem(`has to be ${RETRIES} numbers from 0 to ${RETRY_MAXIMUM_S}, separated by commas`)
}

function networks(value: string): Network[] | Problem {
  const read = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(readNetwork)
  return read.includes(null) ? new Problem('has to be CIDRs separated by commas') : (read as Network[])
}
