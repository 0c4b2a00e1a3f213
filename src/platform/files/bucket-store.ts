import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AwsClient } from 'aws4fetch'
import type { Bucket } from './bucket.ts'
import { type FileContent, type FileRef, type FileStore, placeOf, StorageAway } from './file-store.ts'

/** Until the storage begins to respond; the transfer may take longer. */
const ANSWER_TIMEOUT_MS = 20_000
const RETRIES = 2
const RETRY_AFTER_MS = 50
const EMPTY = hash('sha256', '')

type Method = 'PUT' | 'GET' | 'DELETE'

/** Files in a bucket. */
export function bucketStore({ key, secret, region, url }: Bucket): FileStore {
  let client: Promise<AwsClient> | undefined
  const open = async () => {
    const { AwsClient } = await import('aws4fetch')
    return new AwsClient({ accessKeyId: key, secretAccessKey: secret, region, service: 's3', retries: 0 })
  }

  /** Retries while the storage has problems; the content is read again each time. */
  async function answerTo(method: Method, file: FileRef, content: FileContent | null, signal: AbortSignal) {
    client ??= open()
    for (let attempt = 0; ; attempt++) {
      const response = await (await client).fetch(`${url}/${placeOf(file)}`, {
        method,
        headers: {
          'x-amz-content-sha256': content?.sha256 ?? EMPTY,
          ...(content && { 'content-length': String(content.size) }),
        },
        signal,
        ...(content && { body: Readable.toWeb(content.stream()) as never, duplex: 'half' }),
      })
      if ((response.status < 500 && response.status !== 429) || attempt === RETRIES) return response
      await response.body?.cancel()
      await sleep(Math.random() * RETRY_AFTER_MS * 2 ** attempt, undefined, { signal })
    }
  }

  /** Null for what a GET does not find. */
  async function ask(method: Method, file: FileRef, content: FileContent | null = null): Promise<Response | null> {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(new Error('it timed out')), ANSWER_TIMEOUT_MS)
    try {
      const response = await answerTo(method, file, content, timeout.signal)
      if (response.ok) return response
      await response.body?.cancel()
      if (response.status === 404 && method === 'GET') return null // elsewhere it is the bucket that is not there
      throw new Error(`it responded with ${response.status}`)
    } catch (error) {
      throw new StorageAway(`The file storage failed a ${method} request`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    async put(file, content) {
      await (await ask('PUT', file, content))?.body?.cancel()
    },
    async read(file) {
      const response = await ask('GET', file)
      return response?.body ? Readable.fromWeb(response.body as ReadableStream) : null
    },
    async remove(file) {
      await (await ask('DELETE', file))?.body?.cancel()
    },
  }
}
