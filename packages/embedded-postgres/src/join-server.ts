import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { withFolderLock } from './folder-lock.ts'
import { type Folders, openFolders, PORT, secureSocketFolder } from './folders.ts'
import { type Settings, type Started, startServer, stopServer } from './server.ts'
import { countOthers, MEMBER, tryConnect } from './sessions.ts'

export type EmbeddedServer = {
  readonly connection: { host: string; port: number; user: 'backdesk'; database: 'backdesk' }
  /** Ends this process's share; the last one out stops the server. Sessions of the caller's own are to end before. */
  leave(): Promise<void>
}
export type JoinOptions = {
  /** Called once for each loss of the server, which is then restarted. */
  readonly onLost?: (error: Error) => void
  /** PostgreSQL settings in addition to the program's own. They apply if this process starts the server. */
  readonly settings?: Settings
}

const START_TIMEOUT_MS = 30_000
/** Another process may run its first start, including initdb, before this one. */
const TURN_TIMEOUT_MS = 60_000
const POLL_MS = 10
const RETRY_MS = 100
const BACKOFF_MIN_MS = 100
const BACKOFF_MAX_MS = 5_000
/** How long a session whose client has ended it may still be seen; one of a killed member, but for a moment. */
const LINGER_MS = 1_000
const MEMBER_LINGER_MS = 100

/**
 * Joins the PostgreSQL server of a data directory, and starts it if it is not running. Any number of processes may
 * join. Each holds one session as its membership, so the server knows its members, and a killed process stops being one
 * at once. Entering and leaving are serialized, so no process enters a server that is being stopped.
 */
export async function joinServer(dataDir: string, options: JoinOptions = {}): Promise<EmbeddedServer> {
  if (process.platform === 'win32') {
    throw new Error(
      'Backdesk does not include PostgreSQL for Windows. Run it in WSL, or set DATABASE_URL to your own server.',
    )
  }
  const folders = openFolders(dataDir)
  const membership = new Membership(folders, options)
  await membership.enter()
  return {
    connection: { host: folders.socket, port: PORT, user: 'backdesk', database: 'backdesk' },
    leave: () => membership.leave(),
  }
}

class Membership {
  readonly #folders: Folders
  readonly #options: JoinOptions
  readonly #leaving = new AbortController()
  #session: Client | null = null
  #returning: Promise<void> = Promise.resolve()
  #left: Promise<void> | null = null

  constructor(folders: Folders, options: JoinOptions) {
    this.#folders = folders
    this.#options = options
  }

  async enter(): Promise<void> {
    this.#session = await withFolderLock(this.#folders.lock, TURN_TIMEOUT_MS, () =>
      connectOrStart(this.#folders, this.#options.settings ?? {}, (error) => this.#lost(error)),
    )
  }

  leave(): Promise<void> {
    this.#left ??= this.#leave()
    return this.#left
  }

  #lost(error: Error): void {
    if (this.#leaving.signal.aborted) return
    this.#returning = this.#return()
    this.#options.onLost?.(error)
  }

  /** Retries until it is a member again or leaves: the cause, such as a full disk, may be resolved in the meantime. */
  async #return(): Promise<void> {
    const { signal } = this.#leaving
    for (let waitMs = BACKOFF_MIN_MS; !signal.aborted; waitMs = Math.min(2 * waitMs, BACKOFF_MAX_MS)) {
      try {
        return await this.enter()
      } catch {
        await sleep(waitMs, undefined, { signal }).catch(() => {}) // cut short by leaving
      }
    }
  }

  async #leave(): Promise<void> {
    this.#leaving.abort()
    await this.#returning
    await this.#session?.end()
    await withFolderLock(this.#folders.lock, TURN_TIMEOUT_MS, () => stopIfDeserted(this.#folders))
  }
}

async function connectOrStart(folders: Folders, settings: Settings, lost: (error: Error) => void): Promise<Client> {
  let started: Started | null = null
  for (let deadline = performance.now() + START_TIMEOUT_MS; ; await sleep(POLL_MS)) {
    secureSocketFolder(folders)
    const session = await tryConnect(folders.socket, MEMBER, lost)
    if (session instanceof Client) return session

    const end = started?.ended() ?? null
    if (end !== null) {
      if (!end.mayPass) throw new Error(`PostgreSQL in ${folders.cluster} failed to start: ${end.reason}`)
      started = null
      await sleep(RETRY_MS)
    }
    if (performance.now() >= deadline) {
      const seconds = START_TIMEOUT_MS / 1_000
      throw new Error(`PostgreSQL in ${folders.cluster} is not ready after ${seconds} s; see ${folders.log}`)
    }
    if (session === 'absent' && started === null) {
      const begun = performance.now()
      started = await startServer(folders, settings)
      deadline += performance.now() - begun // making the cluster takes what it takes
    }
  }
}

/** Stops the server unless another process is connected to it. */
async function stopIfDeserted(folders: Folders): Promise<void> {
  const client = await connectIfThere(folders)
  if (client === null) return
  const deserted = await isDeserted(client).catch(() => false) // it was just lost: there is nothing to stop
  await client.end()
  if (deserted) await stopServer(folders)
}

/** Null if there is no server, or none that responds in time. */
async function connectIfThere(folders: Folders): Promise<Client | null> {
  for (const deadline = performance.now() + START_TIMEOUT_MS; performance.now() < deadline; await sleep(POLL_MS)) {
    const session = await tryConnect(folders.socket, 'backdesk leaving')
    if (session instanceof Client) return session
    if (session === 'absent') return null
  }
  return null
}

/** Members end their sessions before they ask; others may not have waited for the end of theirs. */
async function isDeserted(client: Client): Promise<boolean> {
  for (const begun = performance.now(); ; await sleep(POLL_MS)) {
    const { members, clients } = await countOthers(client)
    if (clients === 0) return true
    if (performance.now() - begun >= (members > 0 ? MEMBER_LINGER_MS : LINGER_MS)) return false
  }
}
