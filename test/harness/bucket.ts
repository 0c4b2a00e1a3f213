import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { atEnd } from './at-end.ts'

type TestBucket = { readonly url: string; readonly folder: string; stop(): Promise<void>; start(): Promise<void> }

/** A local S3 server for one test file, with an empty bucket: its address as STORAGE_URL has it, and its folder. */
export async function startBucket(): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'backdesk-bucket-'))
  const name = 'backdesk-test'
  let port = 0
  let server: S3rver | undefined
  async function start() {
    server = new S3rver({ address: '127.0.0.1', port, silent: true, directory, configureBuckets: [{ name }] })
    port = (await server.run()).port
  }
  async function stop() {
    await server?.close()
    server = undefined
  }
  await start()
  atEnd(async () => {
    await stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`)
  return { url: `s3://S3RVER:S3RVER@${name}/cell?endpoint=${endpoint}`, folder: join(directory, name), stop, start }
}
