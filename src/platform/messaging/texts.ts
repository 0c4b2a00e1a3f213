import { type AskLimits, ask, type Question, type Reply } from '../net/ask.ts'
import type { MessagingAddress } from './messaging-address.ts'

/** An SMS, or a message by WhatsApp, to one number. */
export type TextMessage = {
  readonly channel: 'sms' | 'whatsapp'
  readonly to: string
  readonly body: string
  /** URL for the provider's status callbacks. */
  readonly callback: string
}
/** A text as the provider knows it. */
export type KnownText = { readonly id: string; readonly status: string; readonly errorCode: number | null }
/** The result of a request: `later` if the provider has certainly not accepted it, `unknown` if it may have. */
export type TextOutcome =
  | ({ readonly outcome: 'taken' } & KnownText)
  | { readonly outcome: 'refused'; readonly errorCode: number | null; readonly status: number }
  | { readonly outcome: 'later' | 'unknown'; readonly what: 'connection' | 'answer' }

const LIMITS: AskLimits = { totalMs: 30_000, maxBytes: 1024 * 1024 }
const FORM = 'application/x-www-form-urlencoded'
/** Texts to one number that are looked through. */
const PAGE = 100
const TOO_MANY = 429
/** What a provider calls a text. */
export const TEXT_ID = /^[\x21-\x7e]{1,200}$/

/** The sender number of a channel; null if there is none. */
export const numberOf = (
  { smsFrom, whatsappFrom }: MessagingAddress,
  channel: TextMessage['channel'],
): string | null => (channel === 'sms' ? smsFrom : whatsappFrom)

/** Sends a text once. */
export async function sendText(
  provider: MessagingAddress,
  { channel, to, body, callback }: TextMessage,
  signal: AbortSignal,
): Promise<TextOutcome> {
  const form = { To: named(channel, to), From: senderOf(provider, channel), Body: body, StatusCallback: callback }
  const reply = await call(provider, { method: 'POST', body: new URLSearchParams(form).toString() }, '', signal)
  if ('failure' in reply) return { outcome: reply.failure === 'unreached' ? 'later' : 'unknown', what: 'connection' }
  if (reply.status === TOO_MANY) return { outcome: 'later', what: 'answer' }
  if (reply.status >= 500) return { outcome: 'unknown', what: 'answer' }
  const answer = parsed(reply.text)
  if (reply.status >= 300) return { outcome: 'refused', errorCode: numeric(answer.code), status: reply.status }
  const known = knownText(answer)
  return known ? { outcome: 'taken', ...known } : { outcome: 'unknown', what: 'answer' }
}

/**
 * The texts that the provider has accepted for a number since then with the same content. Its list can be filtered by
 * sending time, but a waiting text has none, so the creation time is compared here. Null if the provider does not
 * report it.
 */
export async function findTexts(
  provider: MessagingAddress,
  { channel, to, body }: Omit<TextMessage, 'callback'>,
  since: Date,
  signal: AbortSignal,
): Promise<KnownText[] | null> {
  const query = new URLSearchParams({
    To: named(channel, to),
    From: senderOf(provider, channel),
    PageSize: String(PAGE),
  })
  const reply = await call(provider, { method: 'GET' }, `?${query}`, signal)
  if ('failure' in reply || reply.status !== 200) return null
  const { messages } = parsed(reply.text)
  if (!Array.isArray(messages)) return null
  return messages.flatMap((message: Answer) => {
    const known = message.body === body && !(Date.parse(String(message.date_created)) < since.getTime())
    return known ? (knownText(message) ?? []) : []
  })
}

type Answer = Readonly<Record<string, unknown>>

function call(
  { url, sid, token }: MessagingAddress,
  question: Pick<Question, 'method' | 'body'>,
  query: string,
  signal: AbortSignal,
): Promise<Reply> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`,
    accept: 'application/json',
    'user-agent': 'Backdesk-Messages/1',
    ...(question.body !== undefined && {
      'content-type': FORM,
      'content-length': String(Buffer.byteLength(question.body)),
    }),
  }
  const address = `${url}/2010-04-01/Accounts/${sid}/Messages.json${query}`
  return ask({ ...question, url: address, headers }, LIMITS, signal)
}

const named = (channel: TextMessage['channel'], number: string): string =>
  channel === 'whatsapp' ? `whatsapp:${number}` : number
const senderOf = (provider: MessagingAddress, channel: TextMessage['channel']): string =>
  named(channel, numberOf(provider, channel) ?? '')

function parsed(text: string): Answer {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Answer) : {}
  } catch {
    return {}
  }
}

function knownText({ sid, status, error_code }: Answer): KnownText | null {
  if (typeof sid !== 'string' || !TEXT_ID.test(sid)) return null
  return { id: sid, status: typeof status === 'string' ? status : 'queued', errorCode: numeric(error_code) }
}

/** Some providers write codes as texts. */
const numeric = (code: unknown): number | null => {
  const read = typeof code === 'string' && /^\d{1,9}$/.test(code) ? Number(code) : code
  return Number.isSafeInteger(read) ? (read as number) : null
}
