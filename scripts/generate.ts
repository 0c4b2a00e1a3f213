// Writes the files that follow from others: the types of the tables, and the OpenAPI document. With --check it writes
// nothing and fails where one is stale.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiDocument } from '../src/api-document.ts'
import { joinServer } from '../src/platform/db/embedded.ts'
import { migrate } from '../src/platform/db/migrate.ts'

const ROOT = join(import.meta.dirname, '..')
const LIMITS = { maxRows: 500, syncRows: 100 }
const check = process.argv.includes('--check')

async function tableTypes(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'backdesk-generate-'))
  const server = await joinServer(folder)
  try {
    await migrate(server.connection)
    const { host, user, database } = server.connection
    const file = join(folder, 'types.ts')
    execFileSync(process.execPath, [
      join(ROOT, 'node_modules/kysely-codegen/dist/cli/bin.js'),
      ...[
        '--url',
        `postgres://${user}@localhost/${database}?host=${host}`,
        '--dialect',
        'postgres',
        '--out-file',
        file,
      ],
      ...['--date-parser', 'string', '--type-mapping', '{"timestamptz":"string","date":"string"}'],
      ...['--exclude-pattern', 'migrations', '--log-level', 'error'],
    ])
    return readFileSync(file, 'utf8')
  } finally {
    await server.leave()
    rmSync(folder, { recursive: true, force: true })
  }
}

const generated: [string, string][] = [
  ['src/platform/db/types.gen.ts', await tableTypes()],
  [
    'docs/openapi.json',
    `${JSON.stringify(apiDocument({ importLimits: LIMITS, publicUrl: 'http://localhost:3000' }), null, 2)}\n`,
  ],
]
const stale = generated.filter(([name, text]) => {
  try {
    return readFileSync(join(ROOT, name), 'utf8') !== text
  } catch {
    return true
  }
})
if (!check) for (const [name, text] of stale) writeFileSync(join(ROOT, name), text)
for (const [name] of stale) console.log(check ? `${name} is stale. Run: npm run generate` : `wrote ${name}`)
if (check && stale.length > 0) process.exit(1)
