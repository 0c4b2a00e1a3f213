// Writes the files that follow from others. With --check it writes nothing and fails where a committed file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiDocument } from '../src/api-document.ts'
import { readConfig, VARIABLES } from '../src/config.ts'
import { routeTools } from '../src/deps.ts'
import { variablesTable } from '../src/platform/environment/variables.ts'
import { routesOf } from '../src/registry.ts'
import { withoutEngines } from './lockfile.ts'

const ROOT = join(import.meta.dirname, '..')
const VARIABLES_TABLE = /^\| Name \| Default \| Meaning \|\n(?:\|.*\n)+/m
const config = readConfig({})
const FILES: Readonly<Record<string, (current: string) => string>> = {
  'docs/openapi.json': () =>
    `${JSON.stringify(apiDocument(routesOf({ config, ...routeTools(config, 'no secret') }), config.publicUrl), null, 2)}\n`,
  'README.md': (current) => current.replace(VARIABLES_TABLE, () => `${variablesTable(VARIABLES)}\n`),
  'package-lock.json': withoutEngines,
}

for (const [name, generate] of Object.entries(FILES)) {
  const path = join(ROOT, name)
  const current = readFileSync(path, 'utf8')
  const generated = generate(current)
  if (generated === current) continue
  if (process.argv.includes('--check')) {
    console.log(`${name} is stale. Run: npm run generate`)
    process.exitCode = 1
  } else writeFileSync(path, generated)
}
