import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type EmbeddedServer, type JoinOptions, joinServer } from './join-server.ts'

const MODULE = new URL('./join-server.ts', import.meta.url).href
/** Joins, reports it, and leaves when its input ends; then the process must exit on its own. */
const MEMBER = `
  const { joinServer } = await import('${MODULE}')
  const server = await joinServer(process.argv[1])
  console.log('joined')
  process.stdin.resume().on('end', () => server.leave())
`
/** The first output of a process that creates the database. */
const DRAFT = 'postgres.new-'
const isRoot = process.getuid?.() === 0
const base = mkdtempSync(join(tmpdir(), 'backdesk-embedded-'))
/** Made by the first test; every other finds it without a server and leaves it so. */
const dataDir = join(base, 'data')
const joined: EmbeddedServer[] = []
const children: ChildProcess[] = []

beforeAll(() => chmodSync(base, 0o711))
afterEach(async () => {
  for (const child of children.splice(0)) await end(child)
  for (const server of joined.splice(0)) await server.leave()
  expect(runs()).toBe(false)
})
afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 10 }))

async function joinHere(options: JoinOptions = {}, folder = dataDir): Promise<EmbeddedServer> {
  const server = await joinServer(folder, options)
  joined.push(server)
  return server
}

function spawnMember(folder: string): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '-e', MEMBER, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  return child
}

async function joinElsewhere(folder = dataDir): Promise<ChildProcess> {
  const child = spawnMember(folder)
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}

async function end(child: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit')
    if (signal) child.kill(signal)
    else child.stdin?.end()
    await exit
  }
  return child.exitCode
}

const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
const serverPid = (): number => Number(readFileSync(pidFile, 'utf8').split('\n')[0])
const runs = (): boolean => existsSync(pidFile)

async function withClient<T>(connection: EmbeddedServer['connection'], fn: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(connection)
  await client.connect()
  try {
    return await fn(client)
  } finally {
    await client.end()
  }
}

const query = <T extends object = object>({ connection }: EmbeddedServer, text: string): Promise<T[]> =>
  withClient(connection, async (client) => (await client.query<T>(text)).rows)

async function countMembers(server: EmbeddedServer): Promise<number> {
  const text = `select from pg_stat_activity where application_name = 'backdesk member'`
  return (await query(server, text)).length
}

it('processes that start at once where one was killed while it made the database end up on one server', async () => {
  const killed = spawnMember(dataDir)
  const isBeingMade = () => {
    const draft = readdirSync(dataDir).find((name) => name.startsWith(DRAFT))
    expect(readdirSync(join(dataDir, draft as string))).toContain('PG_VERSION')
  }
  await vi.waitFor(isBeingMade, { timeout: 10_000, interval: 5 })
  await end(killed, 'SIGKILL')
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
  const [server] = await Promise.all([joinHere(), joinElsewhere(), joinElsewhere()])
  expect(await countMembers(server)).toBe(3)
  // The next start removes what the killed process's initdb continued to write.
  const kept = readdirSync(dataDir).filter((name) => !name.startsWith(DRAFT))
  expect(kept.sort()).toEqual(['postgres', 'postgres.lock', 'postgres.log'])
})

it('a second process joins the server of the first, whose leaving does not stop it', async () => {
  const first = await joinElsewhere()
  const pid = serverPid()
  const second = await joinHere()
  expect(serverPid()).toBe(pid)
  expect(await end(first)).toBe(0)
  expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(serverPid()).toBe(pid)
})

it('the last one out stops the server, and can leave more than once', async () => {
  const [first, second] = [await joinServer(dataDir), await joinServer(dataDir)]
  await Promise.all([first.leave(), first.leave()])
  expect(runs()).toBe(true)
  await second.leave()
  expect(runs()).toBe(false)
  await second.leave()
})

it('two that leave at once leave no server behind, and one that joins meanwhile has one', async () => {
  for (let round = 0; round < 3; round++) {
    const [first, second] = await Promise.all([joinServer(dataDir), joinServer(dataDir)])
    const [third] = await Promise.all([joinServer(dataDir), first.leave(), second.leave()])
    expect(await query(third, 'select 1 as one')).toEqual([{ one: 1 }])
    await third.leave()
    expect(runs()).toBe(false)
  }
})

it('a session that is not a member keeps the server running', async () => {
  const server = await joinServer(dataDir)
  await withClient(server.connection, async (client) => {
    await server.leave()
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
  await joinHere()
})

it('the server of a process that was killed is adopted by the next', async () => {
  await end(await joinElsewhere(), 'SIGKILL')
  const pid = serverPid()
  const server = await joinServer(dataDir)
  expect(serverPid()).toBe(pid)
  await vi.waitFor(async () => expect(await countMembers(server)).toBe(1))
  await server.leave()
  expect(runs()).toBe(false)
})

it('committed data survives a kill of process and server', async () => {
  const child = await joinElsewhere()
  const host = join(dataDir, 'postgres')
  const connection = { host, port: 5432, user: 'backdesk', database: 'backdesk' } as const
  await withClient(connection, (client) => client.query('create table kept as select 42 as answer'))
  await end(child, 'SIGKILL')
  process.kill(serverPid(), 'SIGKILL')
  expect(await query(await joinHere(), 'select answer from kept')).toEqual([{ answer: 42 }])
})

it('a lost server is restarted, and the loss is reported once', async () => {
  const onLost = vi.fn()
  const server = await joinHere({ onLost })
  const pid = serverPid()
  for (const [losses, signal] of [[1, 'SIGKILL'] as const, [2, 'SIGINT'] as const]) {
    process.kill(serverPid(), signal)
    await vi.waitFor(() => expect(onLost).toHaveBeenCalledTimes(losses), { timeout: 5_000 })
    await vi.waitFor(async () => expect(await countMembers(server)).toBe(1), { timeout: 10_000 })
  }
  expect(serverPid()).not.toBe(pid)
  expect(onLost).toHaveBeenCalledTimes(2)
  await server.leave()
  expect(runs()).toBe(false)
  expect(onLost).toHaveBeenCalledTimes(2)
})

it('leaving a server that has just been lost leaves none behind', async () => {
  const { promise: lost, resolve } = Promise.withResolvers<Error>()
  const server = await joinServer(dataDir, { onLost: resolve })
  process.kill(serverPid(), 'SIGQUIT')
  expect(await lost).toBeInstanceOf(Error)
  await server.leave()
  expect(runs()).toBe(false)
})

it('the role of the program is neither superuser nor above row-level security, and owns its database', async () => {
  const server = await joinHere()
  const text = `select rolsuper, rolbypassrls, rolcreaterole, datdba = pg_roles.oid as owns
                from pg_roles, pg_database where rolname = current_user and datname = current_database()`
  expect(await query(server, text)).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: true, owns: true }])
})

it('the server listens on its socket alone, and the settings of the caller go over those of the program', async () => {
  const server = await joinHere({ settings: { lock_timeout: '7s' } })
  const text = `select name, current_setting(name) as value from pg_settings
                where name in ('listen_addresses', 'lock_timeout', 'statement_timeout') order by name`
  expect(await query(server, text)).toEqual([
    { name: 'listen_addresses', value: '' },
    { name: 'lock_timeout', value: '7s' },
    { name: 'statement_timeout', value: '30s' },
  ])
})

it('a folder whose path is too long for a socket has it in a private folder elsewhere', async () => {
  const folder = join(base, `${'a'.repeat(60)}${'b, "c"'.repeat(10)}`)
  renameSync(dataDir, folder)
  const first = await joinHere({}, folder)
  const { host } = first.connection
  expect(host.startsWith(tmpdir())).toBe(true)
  expect(statSync(host).mode & 0o777).toBe(0o700)
  expect(await query(await joinHere({}, folder), 'select 1 as one')).toEqual([{ one: 1 }])
  for (const server of joined.splice(0)) await server.leave()
  expect(existsSync(host)).toBe(false)
  renameSync(folder, dataDir)
})

it.runIf(process.platform === 'linux')(
  'a pid that another program has by now does not keep the server down',
  async () => {
    const { uid } = statSync(join(dataDir, 'postgres'))
    const sleeper = spawn('sleep', ['60'], isRoot ? { uid } : {})
    writeFileSync(pidFile, `${sleeper.pid}\n${join(dataDir, 'postgres')}\n`)
    expect(await query(await joinHere(), 'select 1 as one')).toEqual([{ one: 1 }])
    sleeper.kill()
  },
)

it.each([
  ['the data of another major version', 'PG_VERSION', '15', /created by PostgreSQL 15. This is PostgreSQL 18/],
  ['a folder that holds something else', 'notes.txt', 'mine', /is not a PostgreSQL data directory/],
])('%s is refused and left as it is', async (name, file, content, problem) => {
  const folder = join(base, name)
  const cluster = join(folder, 'postgres')
  mkdirSync(cluster, { recursive: true, mode: 0o711 })
  writeFileSync(join(cluster, file), content)
  await expect(joinServer(folder)).rejects.toThrow(problem)
  expect(readFileSync(join(cluster, file), 'utf8')).toBe(content)
  expect(readdirSync(cluster)).toEqual([file])
})

it('a server that cannot start reports why', async () => {
  const settings = { shared_buffers: 'a lot' }
  await expect(joinServer(dataDir, { settings })).rejects.toThrow(/failed to start: .*shared_buffers/s)
})

it.runIf(isRoot)('a folder that the user of the server cannot reach is refused with what to do', async () => {
  const closed = join(base, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  const joining = joinServer(join(closed, 'data'))
  await expect(joining).rejects.toThrow(new RegExp(`has no access to ${closed}\\. Choose another DATA_DIR`))
})
