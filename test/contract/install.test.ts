import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withoutEngines } from '../../scripts/lockfile.ts'

type Locked = { readonly dev?: boolean; readonly deprecated?: string }

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
/** Everything that uses only the runtime packages. */
const NEED_NO_TOOLS = ['start', 'generate']

describe('npm ci', () => {
  it('installs what the program runs on, and every other script adds its tools first', () => {
    expect(read('.npmrc').split('\n')).toContain('omit=dev')
    const names = Object.keys(scripts).filter((name) => !/^(pre|post)/.test(name) && !NEED_NO_TOOLS.includes(name))
    expect(names.map((name) => scripts[`pre${name}`])).toEqual(names.map(() => 'node scripts/install-tools.ts'))
  })
  it('has nothing to warn about: no package asks for another Node, and none that runs is deprecated', () => {
    expect(read('package-lock.json')).toBe(withoutEngines(read('package-lock.json')))
    expect(
      Object.entries(packages).flatMap(([path, { dev, deprecated }]) => (deprecated && !dev ? [path] : [])),
    ).toEqual([])
  })
})
