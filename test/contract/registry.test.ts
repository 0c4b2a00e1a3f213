import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { FIRING_ENTITIES } from '../../src/features/webhooks/event-kinds.ts'
import { entities } from '../../src/registry.ts'

const SRC = join(import.meta.dirname, '../../src')
const registry = readFileSync(join(SRC, 'registry.ts'), 'utf8')

// This is not detected as dead code, since a file's own test uses it.
it.each(globSync(['**/*.{entity,job}.ts', 'features/**/*.routes.ts'], { cwd: SRC }))('%s is registered', (file) => {
  const hint = `Import src/${file} in src/registry.ts, and add what it exports to the list of its kind there`
  expect(registry.includes(`'./${file}'`), hint).toBe(true)
})

it('bookings of every vertical send webhooks', () => {
  const verticals = entities.filter(({ entity }) => entity.base?.table === 'bookings').map(({ entity }) => entity.key)
  const hint = 'Add a new vertical to FIRING_ENTITIES of src/features/webhooks/event-kinds.ts'
  expect([...FIRING_ENTITIES], hint).toEqual(expect.arrayContaining(verticals))
})
