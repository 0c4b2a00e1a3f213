import { resolve } from 'node:path'
import {
  choice,
  databaseAddress,
  fileAddress,
  longText,
  networks,
  number,
  numbers,
  plainText,
  readBy,
  socketAddress,
  webAddress,
  yesOrNo,
} from './platform/environment/formats.ts'
import { type Environment, readVariables, type Variable } from './platform/environment/variables.ts'
import { readBucket } from './platform/files/bucket.ts'
import { SECRET_MINIMUM } from './platform/kept-secret.ts'
import { readMailAddress } from './platform/mail/mail-address.ts'
import { readSmtp } from './platform/mail/smtp-address.ts'
import { readMessaging } from './platform/messaging/messaging-address.ts'
import { readImapBox } from './platform/net/imap-box.ts'
import { bandOf, isOf, type Region, readAccountNumbers } from './platform/regions.ts'

/** Retries of a webhook delivery. */
const RETRIES = 4
const RETRY_MAXIMUM_S = 7 * 86_400

/** Every environment variable. The type `Config`, the errors and the README's table follow from this. */
export const VARIABLES = {
  port: { name: 'PORT', default: '3000', meaning: 'Port to listen on', read: number(0, 65_535) },
  host: { name: 'HOST', default: 'localhost', meaning: 'Address to listen on; `0.0.0.0` for all', read: plainText },
  publicUrl: {
    name: 'PUBLIC_URL',
    default: null,
    unset: '`http://localhost:PORT`',
    meaning: 'The address at which clients reach the cell',
    neededWith: { names: ['SMTP_URL', 'MESSAGING_URL'], why: 'messages contain links to it' },
    read: webAddress,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    read: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  logRequests: {
    name: 'LOG_REQUESTS',
    default: 'false',
    meaning: 'Write a log line for each request, with its id, route, status and duration',
    read: yesOrNo,
  },
  /** Null for nowhere. */
  metricsAddress: {
    name: 'METRICS_ADDRESS',
    default: null,
    meaning: '`HOST:PORT` at which `/metrics` is served. It needs no key, so use a private network',
    read: socketAddress,
  },
  stopGraceS: {
    name: 'STOP_GRACE_S',
    default: '0',
    meaning: 'Seconds for which a cell that stops still listens, while `/ready` already answers 503',
    read: number(0, 300),
  },
  shedAfterMs: {
    name: 'SHED_AFTER_MS',
    default: '1000',
    meaning: 'Delay in milliseconds above which a process refuses requests with 503; `0` for never',
    read: number(0, 60_000),
  },
  region: {
    name: 'CELL_REGION',
    default: 'eu',
    meaning: 'Region of the cell, `tr`, `eu` or `am`. It sets the band of account numbers',
    read: choice<Region>('tr', 'eu', 'am'),
  },
  accountNumbers: {
    name: 'ACCOUNT_NUMBERS',
    default: null,
    unset: 'the whole band',
    meaning:
      'Account numbers that this cell assigns, such as `20100000-20199999`. Divide the band where a region has several cells: accounts move with their numbers',
    read: readBy(readAccountNumbers, 'the first and the last number, as 20100000-20199999'),
  },
  dataDir: {
    name: 'DATA_DIR',
    default: './data',
    meaning: 'Folder of the embedded PostgreSQL, the secret and the files',
    read: (value: string) => resolve(value),
  },
  /** Null for a folder of `dataDir`. */
  bucket: {
    name: 'STORAGE_URL',
    default: null,
    meaning:
      'An S3-compatible bucket for files, `s3://KEY:SECRET@BUCKET`, instead of a folder of `DATA_DIR`; see [Production](#production)',
    secret: true,
    read: readBy(readBucket, 's3://KEY:SECRET@BUCKET/FOLDER?region=…&endpoint=…&path_style=…'),
  },
  /** Null for the embedded server. */
  databaseUrl: {
    name: 'DATABASE_URL',
    default: null,
    meaning: 'A PostgreSQL server, 18 or newer, instead of the embedded one',
    secret: true,
    read: databaseAddress,
  },
  databaseConnections: {
    name: 'DATABASE_CONNECTIONS',
    default: '10',
    meaning:
      'Connections of one process for requests. It opens ten more: five for the system, three for reports, two for metrics',
    read: number(1, 500),
  },
  /** Null for the database itself. */
  reportsDatabaseUrl: {
    name: 'REPORTS_DATABASE_URL',
    default: null,
    meaning: 'A replica of the database from which reports are read, so that they do not slow down requests',
    secret: true,
    read: databaseAddress,
  },
  /** Null if stored in `dataDir`. */
  secret: {
    name: 'SECRET',
    default: null,
    unset: 'kept in `DATA_DIR`',
    meaning: `At least ${SECRET_MINIMUM} characters, the same for all processes. It wraps the keys that sign cursors and addresses, and those that seal identity numbers, stored answers, captured files and the signing keys of webhooks`,
    neededWith: { names: ['DATABASE_URL'], why: 'every process of the cell must have the same' },
    secret: true,
    read: longText(SECRET_MINIMUM),
  },
  /** Null unless it is being changed. */
  previousSecret: {
    name: 'SECRET_PREVIOUS',
    default: null,
    meaning: 'The former `SECRET`, while it is being changed: see [Change SECRET](docs/OPERATIONS.md#change-secret)',
    secret: true,
    read: longText(SECRET_MINIMUM),
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    default: '',
    meaning: 'CIDRs of the proxies whose `X-Forwarded-For` is trusted, separated by commas',
    read: networks,
  },
  importMaxRows: {
    name: 'IMPORT_MAX_ROWS',
    default: '500',
    meaning: 'Most rows of one import request',
    read: number(1, 10_000),
  },
  importSyncRows: {
    name: 'IMPORT_SYNC_ROWS',
    default: '100',
    meaning:
      'Most rows of an import that is processed at once by default. Larger imports are queued and answered with 202',
    read: number(1, 10_000),
  },
  /** Null for nowhere. */
  exchangeRateUrl: {
    name: 'EXCHANGE_RATE_URL',
    default: null,
    meaning:
      "Address from which exchange rates are downloaded once a day, such as the ECB's `eurofxref-daily.xml`. Any format that `npx backdesk rates import` reads",
    secret: true,
    read: fileAddress,
  },
  /** Null for nowhere. */
  weatherUrl: {
    name: 'WEATHER_URL',
    default: null,
    meaning:
      'Weather service for trips: `https://api.open-meteo.com` or a compatible server. Put a key into the query, `?apikey=…`. Open-Meteo’s free server is for non-commercial use',
    secret: true,
    read: fileAddress,
  },
  /** Null for none. */
  smtp: {
    name: 'SMTP_URL',
    default: null,
    meaning:
      'Mail server, `smtp://USER:PASSWORD@HOST:PORT` or `smtps://…`. STARTTLS is used where the server offers it; `?require_tls=true` requires it. When unset, e-mails are written to `DATA_DIR/outbox`, or fail with `DATABASE_URL`',
    secret: true,
    read: readBy(readSmtp, 'smtp://USER:PASSWORD@HOST:PORT?require_tls=… or smtps://…'),
  },
  mailFrom: {
    name: 'MAIL_FROM',
    default: 'Backdesk <no-reply@localhost>',
    meaning: 'Sender address of e-mails, each with the name of its agency',
    neededWith: { names: ['SMTP_URL'], why: 'mail servers accept only senders that they know' },
    read: readBy(readMailAddress, 'an e-mail address, or Name <address>'),
  },
  /** Null for none. */
  imapBox: {
    name: 'IMAP_URL',
    default: null,
    meaning:
      'Mailbox that `npx backdesk mail fetch` reads, `imaps://USER:PASSWORD@HOST:PORT/FOLDER`; `imap://…` uses STARTTLS where the server offers it. Percent-encode the password: `%40` for `@`',
    secret: true,
    read: readBy(readImapBox, 'imaps://USER:PASSWORD@HOST:PORT/FOLDER or imap://…'),
  },
  /** Null for none. */
  messaging: {
    name: 'MESSAGING_URL',
    default: null,
    meaning:
      "A provider of SMS and WhatsApp with Twilio's API: `https://ACCOUNT_SID:AUTH_TOKEN@api.twilio.com?sms_from=%2B1…&whatsapp_from=%2B1…`; see [Messages](docs/messages.md)",
    secret: true,
    read: readBy(
      readMessaging,
      'https://ACCOUNT_SID:AUTH_TOKEN@HOST?sms_from=…&whatsapp_from=…, with at least one sender',
    ),
  },
  webhookAllowCidrs: {
    name: 'WEBHOOK_ALLOW_CIDRS',
    default: '',
    meaning:
      'CIDRs that webhooks and sign-in providers may be in although they are not public, separated by commas; for tests and private networks',
    read: networks,
  },
  webhookRetrySchedule: {
    name: 'WEBHOOK_RETRY_SCHEDULE',
    default: '60,600,3600,21600',
    meaning: 'Seconds before the second, third, fourth and fifth attempt of a failed delivery',
    read: numbers(RETRIES, 0, RETRY_MAXIMUM_S),
  },
} as const satisfies Record<string, Variable>

export type Config = ReturnType<typeof readConfig>

/** Reads the environment, or throws one error that names everything wrong with it. */
export function readConfig(environment: Environment) {
  const read = readVariables(VARIABLES, environment, ({ region, accountNumbers }) => {
    const band = region && bandOf(region)
    if (!band || !accountNumbers || [accountNumbers.first, accountNumbers.last].every((number) => isOf(band, number)))
      return []
    return [`ACCOUNT_NUMBERS must be in the band of CELL_REGION ${region}, ${band.first}-${band.last}.`]
  })
  const { importMaxRows: maxRows, importSyncRows: syncRows, ...values } = read
  return Object.freeze({
    ...values,
    importLimits: { maxRows, syncRows },
    publicUrl: values.publicUrl ?? `http://localhost:${values.port}`,
    accountNumbers: values.accountNumbers ?? bandOf(values.region),
  })
}
