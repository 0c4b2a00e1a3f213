import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Network } from '../access/source-address.ts'
import type { Failure } from './failure.ts'
import { isPublicAddress } from './public-address.ts'

/** A URL that may be called, with the checked addresses: the connection must use one of these. */
export type Destination = { readonly url: URL; readonly addresses: readonly string[] }

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>

export type DestinationRules = {
  /** Networks that may be called although they are not public. */
  readonly allowed: readonly Network[]
  readonly resolve?: Resolve
  readonly resolveTimeoutMs?: number
}

/** Characters of a URL. */
export const URL_MAXIMUM = 2048
const RESOLVE_TIMEOUT_MS = 5_000
const HTTP = /^https?:\/\/[^/]/i
/** The URL parser would remove or replace these without a word, so that it reads another URL than people do. */
const MISREAD = /[\s\p{Cc}\\]/u
const USER_INFO = /^\w+:\/\/[^/?]*@/

/**
 * A mail server may read the lines of a request as commands, and send mail in our name: smtp, submissions (RFC 8314) and
 * submission (RFC 6409) of IANA's register, and the port that providers offer where 25 is blocked; then pop3, imap, imaps
 * and pop3s.
 */
const MAIL_PORTS: readonly number[] = [25, 465, 587, 2525, 110, 143, 993, 995]

const lookupAll: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * Parses a URL and resolves its name, as the operating system does. The message of a failure contains no address, so
 * that it reveals nothing about this network.
 */
export async function findDestination(text: string, rules: DestinationRules): Promise<Destination | Failure> {
  const { allowed, resolve = lookupAll, resolveTimeoutMs = RESOLVE_TIMEOUT_MS } = rules
  const url = readUrl(text)
  if (!(url instanceof URL)) return url
  const name = hostOf(url)
  const addresses = isIP(name) === 0 ? await inTime(resolve(name), resolveTimeoutMs) : [name]
  if (addresses.length === 0) return { error: 'dns', message: `The host ${name} has no address.` }
  if (!addresses.every((address) => isPublicAddress(address, allowed)))
    return { error: 'refused_address', message: `The host ${name} is not on the public internet.` }
  return { url, addresses }
}

/** The name or address of a URL's host, without the brackets that an IPv6 address wears in it. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

export const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80))

function readUrl(text: string): URL | Failure {
  if (text.length > URL_MAXIMUM) return invalid(`Send at most ${URL_MAXIMUM} characters.`)
  if (!HTTP.test(text)) return invalid('Must begin with http:// or https://.')
  if (MISREAD.test(text)) return invalid('Must not contain spaces, line breaks, control characters or backslashes.')
  if (text.includes('#')) return invalid('Must not contain a fragment (#).')
  if (USER_INFO.test(text)) return invalid('Must not contain a user or password before the host.')
  const url = URL.parse(text)
  if (url === null) return invalid('Send a valid URL.')
  const port = portOf(url)
  if (port === 0) return invalid('Must not have port 0.')
  if (MAIL_PORTS.includes(port)) return invalid(`Must not have port ${port}, which belongs to mail servers.`)
  return url
}

const invalid = (message: string): Failure => ({ error: 'invalid_url', message })

/** A look-up cannot be cancelled, only ignored; an unknown name and a late answer both yield no address. */
async function inTime(addresses: Promise<readonly string[]>, timeoutMs: number): Promise<readonly string[]> {
  const timer = new AbortController()
  try {
    return await Promise.race([addresses, setTimeout(timeoutMs, [], { signal: timer.signal })])
  } catch {
    return []
  } finally {
    timer.abort()
  }
}
