import type { Config } from './config.ts'
import { keyStore } from './features/api-keys/find-key.store.ts'
import { maskedBody } from './features/request-log/masked-body.ts'
import { requestStore } from './features/request-log/requests.store.ts'
import { sessionStore } from './features/sign-in/sessions.store.ts'
import type { ConsoleSession, Key } from './platform/access/principal.ts'
import { sourceAddress } from './platform/access/source-address.ts'
import { type TokenRing, tokenRing } from './platform/access/token-ring.ts'
import { type AccountKeys, accountKeys } from './platform/account-keys.ts'
import { type AccountSecrets, accountSecretsOf } from './platform/account-secrets.ts'
import { type KeyWraps, keyWraps } from './platform/cell-key.ts'
import type { Database } from './platform/db/database.ts'
import { openFiles } from './platform/files/files.ts'
import { type Cursors, cursorsWith } from './platform/http/cursors.ts'
import type { RequestCounter } from './platform/http/rate-limit.ts'
import { type RequestLog, requestLog } from './platform/http/request-log.ts'
import type { HandlerTools } from './platform/http/route.ts'
import type { Log } from './platform/log.ts'
import type { MailTransport } from './platform/mail/mail.ts'
import { openMail } from './platform/mail/open-mail.ts'
import type { DestinationRules } from './platform/net/destination.ts'
import { deriveKey, type Seal, sealWith } from './platform/seal.ts'
import { type Mac, macWith, type SignedText, signedTextWith } from './platform/signed-text.ts'

/** Attributes that are stored sealed: numbers that identify a person for a state. */
const SEALED_VALUES = ['passport_number', 'national_id', 'passport.number']

/** The dependencies of the program: built once for a cell, or for a test. */
export type Deps = Given &
  HandlerTools &
  RouteTools & {
    readonly keys: TokenRing<Key>
    readonly sessions: TokenRing<ConsoleSession>
    /** Names what attempts to sign in are counted for. */
    readonly attempts: Mac
    /** Requests of keys that wait to be written. */
    readonly requests: RequestLog
    /** Names the writes of sessions, whose bodies may hold passwords. */
    readonly fingerprints: Mac
    /** Names of values that are stored sealed. */
    readonly sealedValues: readonly string[]
    /** Wraps the keys of accounts. */
    readonly keyWraps: KeyWraps
    readonly cursors: Cursors
    readonly seal: Seal
    /** Writes the cookies of those who knew the password of a share link. */
    readonly passes: SignedText
    /** Writes the addresses at which customers unsubscribe. */
    readonly unsubscribing: SignedText
    /** Signs enquiry forms. */
    readonly enquiryForms: SignedText
    /** Distinguishes the visitors of a day without identifying them. */
    readonly visitors: Mac
    /** How e-mails leave; null where they do not. */
    readonly mail: MailTransport | null
  }
/** What the routes of single features are made with. */
export type RouteTools = {
  /** The keys that sign what belongs to an account. */
  readonly accountSecrets: AccountSecrets
  /** Seals the keys that webhooks are signed with. */
  readonly signingKeys: Seal
  /** Seals the files of the ticket printer. */
  readonly printerFiles: Seal
  /** Seals the secrets by which the cell is known to sign-in providers. */
  readonly providerSecrets: Seal
  /** Seals the secrets of second factors. */
  readonly seatSecrets: Seal
  /** Seals the texts of mails that have a link that signs in, until they are sent. */
  readonly mailTexts: Seal
  /** Where webhooks and sign-in providers may be. */
  readonly destinations: DestinationRules
  /** Whether e-mails reach people: a server takes them. */
  readonly sendsMail: boolean
  /** Signs the links to surveys. */
  readonly surveying: SignedText
}
type Given = {
  readonly config: Config
  readonly db: Database
  readonly log: Log
  readonly count: RequestCounter
  /** Milliseconds since the epoch. */
  now(): number
}

export const routeTools = (
  { webhookAllowCidrs, smtp }: Pick<Config, 'webhookAllowCidrs' | 'smtp'>,
  secret: string,
  accountSecrets: AccountSecrets = accountSecretsOf(secret),
): RouteTools => ({
  accountSecrets,
  signingKeys: sealWith(deriveKey(secret, 'webhook signing keys')),
  printerFiles: sealWith(deriveKey(secret, 'ticket printer files')),
  providerSecrets: sealWith(deriveKey(secret, 'sign-in provider secrets')),
  seatSecrets: sealWith(deriveKey(secret, 'second factors')),
  mailTexts: sealWith(deriveKey(secret, 'texts of mails')),
  destinations: { allowed: webhookAllowCidrs },
  sendsMail: smtp !== null,
  surveying: signedTextWith(accountSecrets, 'surveys'),
})

/** The keys of a cell: its own, what wraps them, and those of its accounts. */
export type CellKeys = { readonly key: string; readonly wraps: KeyWraps; readonly accounts: AccountKeys }
export const cellKeys = (key: string, wraps: KeyWraps = keyWraps(key)): CellKeys => ({
  key,
  wraps,
  accounts: accountKeys(wraps, SEALED_VALUES, () => performance.now()),
})

/** Everything derived from the configuration and the cell's keys. */
export function depsOf(given: Given, { key: secret, wraps, accounts }: CellKeys): Deps {
  const accountSecrets = accountSecretsOf(secret, accounts)
  return {
    ...given,
    keyWraps: wraps,
    sealedValues: SEALED_VALUES,
    keys: tokenRing(keyStore(given.db), given.now),
    sessions: tokenRing(sessionStore(given.db), given.now),
    requests: requestLog(
      requestStore(given.db),
      maskedBody,
      ({ socket, headers }) =>
        sourceAddress(
          socket.remoteAddress ?? '',
          headers['x-forwarded-for'] as string | undefined,
          given.config.trustedProxies,
        ),
      given.now,
    ),
    attempts: macWith(deriveKey(secret, 'attempts to sign in')),
    fingerprints: macWith(deriveKey(secret, 'fingerprints of writes')),
    cursors: cursorsWith(accountSecrets),
    seal: sealWith(deriveKey(secret, 'stored answers')),
    passes: signedTextWith(accountSecrets, 'share link passes'),
    unsubscribing: signedTextWith(accountSecrets, 'unsubscribing', { retired: true }),
    enquiryForms: signedTextWith(accountSecrets, 'forms of enquiries'),
    visitors: macWith(deriveKey(secret, 'visitors')),
    mail: openMail(given.config),
    files: openFiles(given.config, accountSecrets, given.now),
    ...routeTools(given.config, secret, accountSecrets),
    publicUrl: given.config.publicUrl,
  }
}
