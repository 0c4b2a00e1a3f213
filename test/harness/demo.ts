import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Demo } from '../../demo/make-demo.ts'
import { type Connection, withClient } from '../../src/platform/db/client.ts'
import { cloneDatabase } from './cell.ts'
import { environmentOf, runHere } from './command-line.ts'

/** The secret of the cell of the demo. */
export const DEMO_SECRET = 's'.repeat(32)
/** The lock by which the processes of a run wait for each other. */
const LOCK = 1_402

type Made = { readonly database: string; readonly demo: Demo }

/** A database with nothing but the demo agency, which the command makes once for all test files of the run. */
export async function cloneDemo(): Promise<{ connection: Connection; demo: Demo }> {
  const { database, demo } = await withClient(
    { ...inject('postgres'), user: 'backdesk', database: 'backdesk' },
    async (client) => {
      await client.query(`set lock_timeout = 0; set statement_timeout = 0`)
      await client.query('select pg_advisory_lock($1)', [LOCK])
      const kept = join(inject('logs'), 'demo.json')
      if (!existsSync(kept)) {
        writeFileSync(`${kept}.part`, JSON.stringify(await make()))
        renameSync(`${kept}.part`, kept)
      }
      return JSON.parse(readFileSync(kept, 'utf8')) as Made
    },
  )
  return { connection: await cloneDatabase(database), demo }
}

async function make(): Promise<Made> {
  const connection = await cloneDatabase()
  const { code, stdout, stderr } = await runHere(['demo', '--json'], inject('logs'), environmentOf({ connection }))
  if (code !== 0) throw new Error(`No demo was made: ${stdout}${stderr}`)
  return { database: connection.database, demo: JSON.parse(stdout) }
}
