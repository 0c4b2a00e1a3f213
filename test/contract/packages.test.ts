import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
const program = read('package.json')
const PACKAGES = globSync('packages/*', { cwd: ROOT })

it('there are packages, and the program imports each by its folder', () => {
  const imports = PACKAGES.map((folder) => [`#${basename(folder)}/*`, `./${folder}/src/*`])
  expect(imports.length).toBeGreaterThan(0)
  expect(program.imports).toEqual(Object.fromEntries(imports))
  expect(program.workspaces).toEqual([...new Set(PACKAGES.map((folder) => `${dirname(folder)}/*`))])
})

describe.each(PACKAGES)('%s', (folder) => {
  const own = read(join(folder, 'package.json'))
  it('is published with the program, not by itself, and has its version', () => {
    expect(own).toMatchObject({ name: `@backdesk/${basename(folder)}`, private: true, type: 'module' })
    expect(own.version).toBe(program.version)
  })
  it('needs nothing at run time that installing the program alone does not install, in the same version', () => {
    // `npm pack` takes the folder along, and npm installs for it what the program names.
    expect(program.dependencies).toMatchObject(own.dependencies)
    expect(own.devDependencies).toBeUndefined()
  })
})
