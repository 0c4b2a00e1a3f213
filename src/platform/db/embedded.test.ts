import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { withClient } from './database.ts'
import { type EmbeddedServer, type JoinOptions, joinServer } from './embedded.ts'

const MODULE = new URL('./embedded.ts', import.meta.url).href
/** Joins, says so, and leaves when its input ends; then it has to end by itself. */
const MEMBER = `
  const { joinServer } = await import('${MODULE}')
  const server = await joinServer(process.argv[1])
  console.log('joined')
  process.stdin.resume().on('end', () => server.leave())
`
const isRoot = process.getuid?.() === 0
const base = mkdtempSync(join(tmpdir(), 'backdesk-embedded-'))
const template = join(base, 'template')
const joined: EmbeddedServer[] = []
const children: ChildProcess[] = []
let folders = 0

beforeAll(async () => {
  execFileSync('chmod', ['711', base])
  await (await joinServer(template)).leave()
})
afterEach(async () => {
  for (const child of children.splice(0)) await end(child)
  for (const server of joined.splice(0)) await server.leave()
})
afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 10 }))

const newFolder = (): string => join(base, `${folders++}`)

/** A data directory that was used before: copying one is quicker than making it. */
function usedFolder(folder = newFolder()): string {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o711 })
  execFileSync('cp', ['-a', template, folder])
  return folder
}

async function joinHere(dataDir: string, options: JoinOptions = {}): Promise<EmbeddedServer> {
  const server = await joinServer(dataDir, options)
  joined.push(server)
  return server
}

function spawnMember(dataDir: string): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '-e', MEMBER, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  return child
}

async function joinElsewhere(dataDir: string): Promise<ChildProcess> {
  const child = spawnMember(dataDir)
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

const pidFile = (dataDir: string): string => join(dataDir, 'postgres', 'postmaster.pid')
const serverPid = (dataDir: string): number => Number(readFileSync(pidFile(dataDir), 'utf8').split('\n')[0])
const runs = (dataDir: string): boolean => existsSync(pidFile(dataDir))

const query = <T extends object>({ connection }: EmbeddedServer, text: string): Promise<T[]> =>
  withClient(connection, async (client) => (await client.query<T>(text)).rows)

it('a second process joins the server of the first, whose leaving does not stop it', async () => {
  const dataDir = usedFolder()
  const first = await joinElsewhere(dataDir)
  const pid = serverPid(dataDir)
  const second = await joinHere(dataDir)
  expect(serverPid(dataDir)).toBe(pid)
  expect(await end(first)).toBe(0)
  expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(serverPid(dataDir)).toBe(pid)
})

it('the last one out stops the server, and can leave more than once', async () => {
  const dataDir = usedFolder()
  const [first, second] = [await joinServer(dataDir), await joinServer(dataDir)]
  await Promise.all([first.leave(), first.leave()])
  expect(runs(dataDir)).toBe(true)
  await second.leave()
  expect(runs(dataDir)).toBe(false)
  await second.leave()
})

it('two that leave at once leave no server behind, and one that joins meanwhile has one', async () => {
  const dataDir = usedFolder()
  for (let round = 0; round < 5; round++) {
    const [first, second] = await Promise.all([joinServer(dataDir), joinServer(dataDir)])
    const [third] = await Promise.all([joinServer(dataDir), first.leave(), second.leave()])
    expect(await query(third, 'select 1 as one')).toEqual([{ one: 1 }])
    await third.leave()
    expect(runs(dataDir)).toBe(false)
  }
})

it('a session that is not a member keeps the server running', async () => {
  const dataDir = usedFolder()
  const server = await joinServer(dataDir)
  await withClient(server.connection, async (client) => {
    await server.leave()
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
  await joinHere(dataDir)
})

it('the server of a process that was killed is adopted by the next', async () => {
  const dataDir = usedFolder()
  await end(await joinElsewhere(dataDir), 'SIGKILL')
  const pid = serverPid(dataDir)
  const server = await joinServer(dataDir)
  expect(serverPid(dataDir)).toBe(pid)
  await server.leave()
  expect(runs(dataDir)).toBe(false)
})

it('what was committed is there after process and server were killed', async () => {
  const dataDir = usedFolder()
  const child = await joinElsewhere(dataDir)
  const before = await joinServer(dataDir)
  await query(before, 'create table kept as select 42 as answer')
  await end(child, 'SIGKILL')
  await before.leave() // the server stops, so that the next one is killed while nobody of this process would restart it
  await end(await joinElsewhere(dataDir), 'SIGKILL')
  process.kill(serverPid(dataDir), 'SIGKILL')
  expect(await query(await joinHere(dataDir), 'select answer from kept')).toEqual([{ answer: 42 }])
})

it('processes that start at once in an empty folder end up on one server', async () => {
  const dataDir = newFolder()
  const members = await Promise.all([joinElsewhere(dataDir), joinElsewhere(dataDir), joinElsewhere(dataDir)])
  const server = await joinHere(dataDir)
  const [others] = await withClient({ ...server.connection, user: 'postgres' }, async (client) => {
    const counted = `select count(*)::integer as members from pg_stat_activity where application_name = 'backdesk member'`
    return (await client.query(counted)).rows
  })
  expect(others).toEqual({ members: members.length + 1 })
  expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.lock', 'postgres.log'])
})

it('a server that is lost comes back, and is told once', async () => {
  const dataDir = usedFolder()
  const onLost = vi.fn()
  const server = await joinHere(dataDir, { onLost })
  const pid = serverPid(dataDir)
  for (const [losses, signal] of [[1, 'SIGKILL'] as const, [2, 'SIGINT'] as const]) {
    process.kill(serverPid(dataDir), signal)
    await vi.waitFor(() => expect(onLost).toHaveBeenCalledTimes(losses))
    await vi.waitFor(() => query(server, 'select 1'), { timeout: 5_000 })
  }
  expect(serverPid(dataDir)).not.toBe(pid)
  expect(onLost).toHaveBeenCalledTimes(2)
  await server.leave()
  expect(runs(dataDir)).toBe(false)
  expect(onLost).toHaveBeenCalledTimes(2)
})

it('leaving a server that has just been lost leaves none behind', async () => {
  const dataDir = usedFolder()
  const { promise: lost, resolve } = Promise.withResolvers<Error>()
  const server = await joinServer(dataDir, { onLost: resolve })
  process.kill(serverPid(dataDir), 'SIGQUIT')
  expect(await lost).toBeInstanceOf(Error)
  await server.leave()
  expect(runs(dataDir)).toBe(false)
})

it('a process that was killed while it made the database does not keep the next from making it', async () => {
  const dataDir = newFolder()
  const child = spawnMember(dataDir)
  const drafts = () =>
    existsSync(dataDir) ? readdirSync(dataDir).filter((name) => name.startsWith('postgres.new-')) : []
  await vi.waitFor(() => expect(readdirSync(join(dataDir, drafts()[0] ?? '')).length).toBeGreaterThan(5), {
    timeout: 5_000,
    interval: 10,
  })
  await end(child, 'SIGKILL')
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
  expect(await query(await joinHere(dataDir), 'select 1 as one')).toEqual([{ one: 1 }])
})

it('the role of the program is neither superuser nor above row-level security, and owns its database', async () => {
  const server = await joinHere(usedFolder())
  const text = `select rolsuper, rolbypassrls, rolcreaterole, datdba = pg_roles.oid as owns
                from pg_roles, pg_database where rolname = current_user and datname = current_database()`
  expect(await query(server, text)).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: true, owns: true }])
})

it('the server listens on its socket alone, and the settings of the caller go over those of the program', async () => {
  const server = await joinHere(usedFolder(), { settings: { lock_timeout: '7s' } })
  const text = `select name, current_setting(name) as value from pg_settings
                where name in ('listen_addresses', 'lock_timeout', 'statement_timeout') order by name`
  expect(await query(server, text)).toEqual([
    { name: 'listen_addresses', value: '' },
    { name: 'lock_timeout', value: '7s' },
    { name: 'statement_timeout', value: '30s' },
  ])
})

it('a folder whose path is too long for a socket has it in a private folder elsewhere', async () => {
  const dataDir = usedFolder(join(base, 'a'.repeat(60), 'b, "c"'.repeat(10), 'data'))
  const first = await joinHere(dataDir)
  const { host } = first.connection
  expect(host.startsWith(tmpdir())).toBe(true)
  expect(statSync(host).mode & 0o777).toBe(0o700)
  expect(await query(await joinHere(dataDir), 'select 1 as one')).toEqual([{ one: 1 }])
  for (const server of joined.splice(0)) await server.leave()
  expect(existsSync(host)).toBe(false)
})

it.runIf(process.platform === 'linux')(
  'a pid that another program has by now does not keep the server down',
  async () => {
    const dataDir = usedFolder()
    const { uid } = statSync(join(dataDir, 'postgres'))
    const sleeper = spawn('sleep', ['60'], isRoot ? { uid } : {})
    writeFileSync(pidFile(dataDir), `${sleeper.pid}\n${join(dataDir, 'postgres')}\n`)
    expect(await query(await joinHere(dataDir), 'select 1 as one')).toEqual([{ one: 1 }])
    sleeper.kill()
  },
)

it('the data of another major version is refused', async () => {
  const dataDir = usedFolder()
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '15\n')
  await expect(joinServer(dataDir)).rejects.toThrow(/made by PostgreSQL 15, and this is PostgreSQL 18/)
})

it('a folder that holds something else is left as it is', async () => {
  const dataDir = newFolder()
  mkdirSync(join(dataDir, 'postgres'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres', 'notes.txt'), 'mine')
  execFileSync('chmod', ['711', dataDir])
  await expect(joinServer(dataDir)).rejects.toThrow(/something else than a database/)
  expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['notes.txt'])
})

it('a server that cannot start says why', async () => {
  const settings = { shared_buffers: 'a lot' }
  await expect(joinServer(usedFolder(), { settings })).rejects.toThrow(/does not start: .*shared_buffers/s)
})

it.runIf(isRoot)('a folder that the user of the server cannot reach is refused with what to do', async () => {
  const closed = newFolder()
  mkdirSync(closed, { mode: 0o700 })
  const joining = joinServer(join(closed, 'data'))
  await expect(joining).rejects.toThrow(new RegExp(`may not pass through ${closed}\\. Choose another DATA_DIR`))
})
