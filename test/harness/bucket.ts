import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { atEnd } from './at-end.ts'

/** A local S3 server for one test file. Answers the address of an empty bucket of it, as STORAGE_URL has it. */
export async function startBucket(): Promise<{ url: string; folder: string; stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'backdesk-bucket-'))
  const name = 'backdesk-test'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name }],
  })
  const { port } = await server.run()
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= server.close()
    return stopped
  }
  atEnd(async () => {
    await stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`)
  return { url: `s3://S3RVER:S3RVER@${name}/cell?endpoint=${endpoint}`, folder: join(directory, name), stop }
}
