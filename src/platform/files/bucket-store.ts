import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { AwsClient } from 'aws4fetch'
import type { Bucket } from './bucket.ts'
import { type FileRef, type FileStore, placeOf, StorageAway } from './file-store.ts'

/** Until the storage begins to answer; what it then sends may take longer. */
const ANSWER_TIMEOUT_MS = 20_000
const RETRIES = 2
const EMPTY = hash('sha256', '')

/** Files in a bucket. */
export function bucketStore({ key, secret, region, url }: Bucket): FileStore {
  let client: Promise<AwsClient> | undefined
  const open = async () => {
    const { AwsClient } = await import('aws4fetch')
    return new AwsClient({ accessKeyId: key, secretAccessKey: secret, region, service: 's3', retries: RETRIES })
  }

  /** Null for what a GET does not find. */
  async function ask(method: 'PUT' | 'GET' | 'DELETE', file: FileRef, body?: Buffer): Promise<Response | null> {
    client ??= open()
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(new Error('it took too long')), ANSWER_TIMEOUT_MS)
    try {
      const response = await (await client).fetch(`${url}/${placeOf(file)}`, {
        method,
        headers: { 'x-amz-content-sha256': body ? hash('sha256', body) : EMPTY },
        signal: timeout.signal,
        ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      })
      if (response.ok) return response
      await response.body?.cancel()
      if (response.status === 404 && method === 'GET') return null // elsewhere it is the bucket that is not there
      throw new Error(`it answered ${response.status}`)
    } catch (error) {
      throw new StorageAway(`The file storage did not do a ${method}`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    async put(file, bytes) {
      await (await ask('PUT', file, bytes))?.body?.cancel()
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
