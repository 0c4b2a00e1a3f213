import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { importables } from '../../src/registry.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { routes } from '../harness/routes.ts'

const ROOT = join(import.meta.dirname, '../..')
type Document = {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, { security?: object[]; operationId: string }>>
  components: { schemas: object }
}

describe('the OpenAPI document', () => {
  let cell: TestCell
  let document: Document
  beforeAll(async () => {
    cell = await startCell()
    const answer = await cell.app.inject('/openapi.json')
    document = answer.json()
  })

  it('is public at the root of the host, version 1.0.0 of OpenAPI 3.1, and the committed one', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0'])
    expect(document).toEqual(JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')))
  })
  it('has every route and no other', () => {
    const written = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    const mounted = routes.map(
      ({ method, path }) => `${method.toLowerCase()} /api/v1${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    expect(written.sort()).toEqual([...mounted, 'get /api/v1/health'].sort())
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })
  it('has the row and the record of every entity', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(importables.flatMap(({ entity }) => [`${entity.model}Row`, `${entity.model}Record`])),
    )
  })
  it('passes Spectral with its OWASP rules; exceptions stand with their reasons in .spectral.yaml', {
    timeout: 120_000,
  }, async () => {
    const lint = promisify(execFile)(
      join(ROOT, 'node_modules/.bin/spectral'),
      ['lint', '--fail-severity', 'warn', 'docs/openapi.json'],
      { cwd: ROOT },
    )
    await expect(
      lint.then(
        ({ stdout }) => stdout,
        ({ stdout }) => Promise.reject(new Error(stdout)),
      ),
    ).resolves.toContain('No results')
  })
  it('can be read at /docs, whose page fetches nothing from elsewhere', async () => {
    const page = await cell.app.inject({ url: '/docs/', method: 'GET' })
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')])
    for (const [, address = ''] of page.body.matchAll(/(?:src|href)="([^"]+)"/g))
      expect(address).not.toMatch(/^(https?:)?\/\//)
  })
})
