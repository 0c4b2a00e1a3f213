import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Connection } from './client.ts'

const RETRY_MS = 100
const ignore = () => {}

/**
 * Takes a lock of this name until it is released, or returns null if another process keeps it for `waitMs`. A restarted
 * server forgets its locks; this one is taken again as soon as the server is back.
 */
export async function acquireLock(
  connection: Connection,
  name: string,
  waitMs: number,
): Promise<{ release(): Promise<void> } | null> {
  let released = false
  let held = await tryLock(connection, name)
  for (const deadline = performance.now() + waitMs; !held && performance.now() < deadline; ) {
    await sleep(RETRY_MS)
    held = await tryLock(connection, name)
  }
  if (!held) return null
  let current = held
  const watch = () => current.once('end', () => void reacquire())
  async function reacquire(): Promise<void> {
    for (; !released; await sleep(RETRY_MS, undefined, { ref: false })) {
      const again = await tryLock(connection, name).catch(() => null)
      if (!again) continue
      current = again
      if (released) await current.end().catch(ignore)
      return void watch()
    }
  }
  watch()
  return {
    release: async () => {
      released = true
      await current.end().catch(ignore)
    },
  }
}

/** A connection that holds the lock; null where another does. */
async function tryLock(connection: Connection, name: string): Promise<Client | null> {
  const client = new Client({ ...connection, application_name: `backdesk ${name}` })
  client.on('error', ignore)
  await client.connect()
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock(hashtext($1)) as mine', [
    `backdesk ${name}`,
  ])
  if (rows[0]?.mine) return client
  await client.end()
  return null
}
