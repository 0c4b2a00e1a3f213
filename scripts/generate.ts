// Writes the files that follow from others. With --check it writes nothing and fails where a committed file is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiDocument, appDocument } from '../src/api-document.ts'
import { readConfig, VARIABLES } from '../src/config.ts'
import { routeTools } from '../src/deps.ts'
import { variablesTable } from '../src/platform/environment/variables.ts'
import { appRoutesOf, routesOf } from '../src/registry.ts'
import { coverageTables } from '../test/ticket-printer/coverage/tables.ts'
import { withoutEngines } from './lockfile.ts'
import { landedSums, migrationSums } from './schema/migration-files.ts'
import { schemaFile } from './schema/schema-file.ts'

const ROOT = join(import.meta.dirname, '..')
const VARIABLES_TABLE = /^\| Name \| Default \| Meaning \|\n(?:\|.*\n)+/m
const COVERAGE_TABLES = /^### Files\n[\s\S]*$/m
const isCheck = process.argv.includes('--check')
const config = readConfig({})
const tools = { config, ...routeTools(config, 'no secret') }
const printed = (document: object): string => `${JSON.stringify(document, null, 2)}\n`
const FILES: Readonly<Record<string, (current: string) => string | Promise<string>>> = {
  'docs/openapi.json': () => printed(apiDocument(routesOf(tools), config.publicUrl)),
  'docs/openapi-app.json': () => printed(appDocument(appRoutesOf(tools), config.publicUrl)),
  'README.md': (current) => current.replace(VARIABLES_TABLE, () => `${variablesTable(VARIABLES)}\n`),
  'docs/ticket-formats.md': (current) => current.replace(COVERAGE_TABLES, () => `${coverageTables()}\n`),
  'package-lock.json': withoutEngines,
  'migrations/SHA256SUMS': (current) => migrationSums(landedSums() ?? current),
  'docs/schema.sql': schemaFile,
}

for (const [name, generate] of Object.entries(FILES)) {
  const path = join(ROOT, name)
  const current = existsSync(path) ? readFileSync(path, 'utf8') : ''
  try {
    const generated = await generate(current)
    if (generated === current) continue
    if (isCheck) throw new Error(`${name} is stale. Run: npm run generate`)
    writeFileSync(path, generated)
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
