import { UserError } from '../user-error.ts'
export type DownloadLimits = { readonly totalMs: number; readonly maxBytes: number; readonly redirects: number }

/** Why a download failed, and the status of the server, if it answered. */
export class DownloadError extends UserError {
  readonly status: number | undefined
  constructor(message: string, status: number | undefined) {
    super('download_failed', message)
    this.status = status
  }
}
class Refusal extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the server answered ${status}`)
    this.status = status
  }
}

/**
 * Downloads a file over HTTP, from an address chosen by the operator, or throws a `DownloadError`. `fetch` itself gives
 * up connecting after 10 s.
 */
export async function download(
  url: string,
  stopping: AbortSignal | undefined,
  { totalMs, maxBytes, redirects }: DownloadLimits,
): Promise<Uint8Array> {
  const tooSlow = AbortSignal.timeout(totalMs)
  const signal = stopping ? AbortSignal.any([stopping, tooSlow]) : tooSlow
  try {
    const response = await follow(new URL(url), redirects, signal)
    return await readBody(response, maxBytes)
  } catch (error) {
    const reason = tooSlow.aborted ? `it took longer than ${totalMs / 1_000} s` : reasonOf(error)
    const status = error instanceof Refusal ? error.status : undefined
    throw new DownloadError(`Could not fetch ${withoutQuery(url)}: ${reason}.`, status)
  }
}

async function follow(url: URL, redirects: number, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { redirect: 'manual', signal, headers: { 'user-agent': 'backdesk' } })
  const location = response.headers.get('location')
  if (response.ok) return response
  await response.body?.cancel()
  if (response.status < 300 || response.status > 399 || location === null) {
    throw new Refusal(response.status)
  }
  if (redirects === 0) throw new Error('too many redirects')
  const next = new URL(location, url)
  if (next.protocol !== 'https:' && next.protocol !== url.protocol) {
    throw new Error(`it redirects from ${url.protocol} to ${next.protocol}, which is not allowed`)
  }
  return follow(next, redirects - 1, signal)
}

async function readBody({ body }: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`it is larger than ${maxBytes / 1024 / 1024} MB`) // leaving the loop cancels it
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The message of a `fetch` failure is in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message || String((cause as { code?: unknown }).code) : message
}

/** A query may hold a key, which has no place in a log. */
const withoutQuery = (url: string): string => url.replace(/[?#].*$/, '')
