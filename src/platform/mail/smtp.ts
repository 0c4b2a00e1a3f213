import type { ConnectionOptions } from 'node:tls'
import type { Transporter } from 'nodemailer'
import type { MailOutcome, MailTransport } from './mail.ts'
import { mimeOf } from './mime.ts'
import type { SmtpAddress } from './smtp-address.ts'

/** How long a server is waited for. After the end of a mail it may take ten minutes (RFC 5321, section 4.5.3.2.6). */
export type SmtpTimeouts = { readonly connectMs: number; readonly greetingMs: number; readonly silenceMs: number }

const TIMEOUTS: SmtpTimeouts = { connectMs: 30_000, greetingMs: 60_000, silenceMs: 10 * 60_000 }
const CONNECTIONS = 10
const IDLE_MS = 30_000
/**
 * If a connection was found closed before the first byte of a mail was sent, another one is used; never after the first
 * byte.
 */
const REQUEUES = 1
/** Length of a server's response. */
const RESPONSE_MAXIMUM = 500

type Given = { readonly timeouts?: SmtpTimeouts; readonly tls?: ConnectionOptions }
/** The fields of nodemailer's errors. */
type SmtpError = {
  readonly code?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
  readonly rejectedErrors?: readonly SmtpError[]
  readonly recipient?: string
  readonly message: string
}

/** Sends mails to a server over a few connections that are kept open for a while. */
export function smtpMail(server: SmtpAddress, { timeouts = TIMEOUTS, tls }: Given = {}): MailTransport {
  let transporter: Promise<Transporter> | undefined
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      pool: true,
      host: server.host,
      port: server.port,
      secure: server.secure,
      requireTLS: server.requireTls,
      ...(server.login && { auth: { user: server.login.user, pass: server.login.password }, forceAuth: true }),
      ...(tls && { tls }),
      maxConnections: CONNECTIONS,
      maxRequeues: REQUEUES,
      idleTimeout: IDLE_MS,
      connectionTimeout: timeouts.connectMs,
      greetingTimeout: timeouts.greetingMs,
      socketTimeout: timeouts.silenceMs,
    }) as Transporter
  }
  return {
    async send(mail, signal) {
      try {
        transporter ??= open()
        const { response, rejectedErrors = [] } = await (await transporter).sendMail({ ...mimeOf(mail), signal })
        const refused = (rejectedErrors as readonly SmtpError[]).map((error) => ({
          address: error.recipient ?? '',
          response: responseOf(error) ?? '',
        }))
        return { outcome: 'sent', response: clipped(response), refused }
      } catch (error) {
        return outcomeOf(error as SmtpError)
      }
    },
  }
}

const LOGINS: readonly string[] = ['EAUTH', 'ENOAUTH']
const REFUSALS: readonly string[] = ['EENVELOPE', 'EMESSAGE', ...LOGINS]
/** Errors that nodemailer creates itself, with the server's earlier response. */
const OWN_REFUSALS: readonly string[] = ['EMESSAGE', ...LOGINS]
const ABOUT_RECIPIENTS: readonly string[] = ['RCPT TO', 'API']

/** A 4xx asks to come again (RFC 5321, section 4.2.1), a 5xx not to; a 503 speaks of the session, and not of the mail. */
const isFinal = ({ responseCode }: SmtpError): boolean =>
  responseCode !== undefined && responseCode >= 500 && responseCode !== 503

/** What a failure means for the mail. One that is about the session, and not about the mail, may be over later. */
function outcomeOf(error: SmtpError): MailOutcome {
  const response = responseOf(error)
  const { code = '', command = '', responseCode } = error
  if (code === 'EENVELOPE' && ABOUT_RECIPIENTS.includes(command)) return recipientsRefused(error, response)
  if (responseCode === undefined ? !OWN_REFUSALS.includes(code) : !REFUSALS.includes(code) || !isFinal(error))
    return { outcome: 'later', what: responseCode === undefined ? 'connection' : 'answer', response }
  return { outcome: 'refused', what: LOGINS.includes(code) ? 'login' : 'mail', response }
}

/** All recipients were refused. If one may be accepted later, the mail is retried; an invalid address never is. */
function recipientsRefused({ rejectedErrors = [], ...error }: SmtpError, response: string | null): MailOutcome {
  const refusals = rejectedErrors.length > 0 ? rejectedErrors : [error]
  const comesAgain = refusals.some((refusal) => refusal.responseCode !== undefined && !isFinal(refusal))
  return comesAgain
    ? { outcome: 'later', what: 'answer', response }
    : { outcome: 'refused', what: 'recipients', response }
}

const responseOf = ({ response, message }: SmtpError): string | null => clipped(response ?? message)
/** Without control characters, which are invalid in the database and unsafe on a terminal. */
const clipped = (text: string | undefined): string | null =>
  text
    ?.replace(/\p{Cc}+/gu, ' ')
    .slice(0, RESPONSE_MAXIMUM)
    .toWellFormed() ?? null
