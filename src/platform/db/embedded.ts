import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { isAlive, withFileLock } from './embedded/file-lock.ts'
import { postmasterPid, type Site, siteOf, startServer } from './embedded/server.ts'

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 60_000
const POLL_MS = 20
const REJOIN_MS = 500
/** SQLSTATE of cannot_connect_now: starting up or shutting down. */
const NOT_NOW = '57P03'
const NOBODY_THERE = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EACCES'])
const ignore = () => {}

/** The cell's own PostgreSQL, joined by this process. */
export type EmbeddedServer = {
  readonly connection: { readonly host: string; readonly port: number; readonly user: 'backdesk'; readonly database: 'backdesk' }
  /** Leaves the server running where another process uses it, and stops it where none does. */
  leave(): Promise<void>
}
type Options = {
  /** Hears that the server went away under this process, which starts it again. */
  readonly onLost?: (error: Error) => void
  readonly settings?: Readonly<Record<string, string>>
}

/**
 * Joins the PostgreSQL of a data folder: starts it, or adopts the one that another process, dead or alive, has started.
 * Each process holds one connection for as long as it lives, and whoever leaves last stops the server.
 */
export async function joinServer(dataDir: string, { onLost = ignore, settings = {} }: Options = {}): Promise<EmbeddedServer> {
  const absolute = resolve(dataDir)
  mkdirSync(absolute, { recursive: true, mode: 0o711 })
  const site = siteOf(absolute)
  let left = false
  let member = await becomeMember(site, settings)
  const watch = () =>
    member.once('end', () => {
      if (left) return
      onLost(new Error('PostgreSQL went away; starting it again'))
      void rejoin()
    })
  async function rejoin(): Promise<void> {
    while (!left) {
      try {
        member = await becomeMember(site, settings)
        if (left) return void (await member.end().catch(ignore))
        return void watch()
      } catch (error) {
        onLost(error as Error)
        await sleep(REJOIN_MS, undefined, { ref: false })
      }
    }
  }
  watch()
  return {
    connection: { host: site.host, port: site.port, user: 'backdesk', database: 'backdesk' },
    async leave() {
      if (left) return
      left = true
      await member.end().catch(ignore)
      await stopIfUnused(site)
    },
  }
}

const superuser = ({ host, port }: Site, name: string) => new Client({ host, port, user: 'postgres', database: 'postgres', application_name: name })

/** Connects as a member, starting the server first where nobody answers. A server on its way up or down is waited for. */
async function becomeMember(site: Site, settings: Readonly<Record<string, string>>): Promise<Client> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; await sleep(POLL_MS)) {
    const client = superuser(site, 'backdesk member')
    client.on('error', ignore)
    try {
      await client.connect()
      await prepare(client)
      return client
    } catch (error) {
      await client.end().catch(ignore)
      const code = (error as { code?: string }).code ?? ''
      if (Date.now() > deadline) throw new Error(`PostgreSQL did not come up in ${START_TIMEOUT_MS / 1000} s. See ${site.log}.`)
      if (NOBODY_THERE.has(code)) await startOnce(site, settings)
      else if (code !== NOT_NOW && !isCut(error)) throw error
    }
  }
}

/** The server stopped while it was being asked. */
const isCut = (error: unknown) => /Connection terminated|57P0[12]/.test(`${(error as Error).message} ${(error as { code?: string }).code}`)

/** One process starts the server; the others find it there. */
const startOnce = (site: Site, settings: Readonly<Record<string, string>>) =>
  withFileLock(site.lockFile, START_TIMEOUT_MS, async () => {
    const pid = postmasterPid(site)
    if (pid !== null && isAlive(pid) && (await isComing(site))) return
    await startServer(site, settings)
    for (let waited = 0; waited < START_TIMEOUT_MS && !(await isComing(site)); waited += POLL_MS) {
      await sleep(POLL_MS)
      const started = postmasterPid(site)
      if (waited > 2_000 && (started === null || !isAlive(started))) throw new Error(`PostgreSQL did not start. See ${site.log}.`)
    }
  })

async function isComing(site: Site): Promise<boolean> {
  const client = superuser(site, 'backdesk start')
  client.on('error', ignore)
  try {
    await client.connect()
    return true
  } catch (error) {
    return (error as { code?: string }).code === NOT_NOW
  } finally {
    await client.end().catch(ignore)
  }
}

/** The role and the database of the program. The role owns the database and is no superuser: row-level security binds it. */
async function prepare(client: Client): Promise<void> {
  await client.query('begin')
  await client.query(`select pg_advisory_xact_lock(hashtext('backdesk prepare'))`)
  const { rows } = await client.query(`select from pg_roles where rolname = 'backdesk'`)
  if (rows.length === 0) await client.query('create role backdesk login createdb createrole')
  await client.query('commit')
  const { rows: databases } = await client.query(`select from pg_database where datname = 'backdesk'`)
  if (databases.length > 0) return
  await client.query('create database backdesk owner backdesk').catch((error: { code?: string }) => {
    if (error.code !== '42P04' && error.code !== '23505') throw error // another process was quicker
  })
}

async function stopIfUnused(site: Site): Promise<void> {
  const client = superuser(site, 'backdesk leave')
  client.on('error', ignore)
  try {
    await client.connect()
    const { rows } = await client.query<{ others: string }>(
      `select count(*) as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    if (Number(rows[0]?.others) > 0) return
  } catch {
    return // it is gone, or going
  } finally {
    await client.end().catch(ignore)
  }
  const pid = postmasterPid(site)
  if (pid === null) return
  process.kill(pid, 'SIGINT') // "fast": open transactions are rolled back
  // An adopted server stays a zombie until init reaps it, so its file says more than its pid.
  for (let waited = 0; postmasterPid(site) !== null && waited < STOP_TIMEOUT_MS; waited += POLL_MS) await sleep(POLL_MS)
}
