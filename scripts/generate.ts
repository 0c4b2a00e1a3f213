// Writes the file that follows from others: the OpenAPI document, from the routes. With --check it writes nothing and
// fails where the committed one is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiDocument } from '../src/api-document.ts'

const FILE = join(import.meta.dirname, '../docs/openapi.json')
const LIMITS = { maxRows: 500, syncRows: 100 }

const text = `${JSON.stringify(apiDocument({ importLimits: LIMITS, publicUrl: 'http://localhost:3000' }), null, 2)}\n`
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text)
} else if (readFileSync(FILE, 'utf8') !== text) {
  console.log('docs/openapi.json is stale. Run: npm run generate')
  process.exit(1)
}
