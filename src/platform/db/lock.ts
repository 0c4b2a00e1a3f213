import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Connection } from './database.ts'

const RETRY_MS = 100

/** Holds a lock of this name for as long as the process lives, or answers null where another keeps it for `waitMs`. */
export async function holdLock(
  connection: Connection,
  name: string,
  waitMs: number,
): Promise<{ release(): Promise<void> } | null> {
  const client = new Client({ ...connection, application_name: `backdesk ${name}` })
  client.on('error', () => {}) // a server that goes takes the lock along
  await client.connect()
  for (const deadline = Date.now() + waitMs; ; await sleep(RETRY_MS)) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock(hashtext($1)) as mine', [
      `backdesk ${name}`,
    ])
    if (rows[0]?.mine) return { release: () => client.end() }
    if (Date.now() >= deadline) break
  }
  await client.end()
  return null
}
