import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig, VARIABLES } from '../../src/config.ts'

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

describe('the README', () => {
  it('has every variable of the configuration, with its default, and no other', () => {
    const rows = [...README.matchAll(/^\| `([A-Z_]+)` \| (.*?) \|/gm)].map(([, name, value]) => [
      name,
      value?.replaceAll('`', '').trim() ?? '',
    ])
    const expected = Object.values(VARIABLES).map(({ name, default: value }) => [name, value ?? ''])
    expect(rows.map(([name]) => name).sort()).toEqual(expected.map(([name]) => name).sort())
    for (const [name, value] of expected.filter(([, value]) => value !== '')) expect(rows).toContainEqual([name, value])
  })
  it('names no variable that is refused by default', () => {
    expect(() => readConfig({})).not.toThrow()
  })
})
