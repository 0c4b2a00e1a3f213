import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig, VARIABLES } from '../../src/config.ts'
import { variablesTable } from '../../src/platform/environment/variables.ts'

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

describe('the README', () => {
  it('has the table of variables', () => {
    expect(README).toContain(`\n${variablesTable(VARIABLES)}\n\n`)
  })
  it('lists the secret variables', () => {
    expect(README).toContain('Secrets (`SECRET`, `SECRET_PREVIOUS`, and every `…_URL` but `PUBLIC_URL`)')
    for (const { name, ...variable } of Object.values(VARIABLES))
      expect([name, 'secret' in variable]).toEqual([name, /^SECRET/.test(name) || /(?<!^PUBLIC)_URL$/.test(name)])
  })
  it('names no variable that is refused by default', () => {
    expect(() => readConfig({})).not.toThrow()
  })
})
