import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../../src')
const registry = readFileSync(join(SRC, 'registry.ts'), 'utf8')

// Dead code does not tell: a file's own test reaches it as well.
it.each(globSync(['**/*.{entity,job}.ts', 'features/**/*.routes.ts'], { cwd: SRC }))('%s is registered', (file) => {
  expect(registry).toContain(`'./${file}'`)
})
