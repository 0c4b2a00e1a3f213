import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LONG_DECIMALS } from '#client/import/decimal-columns.ts'
import { currencyDigits } from '../../src/platform/money.ts'

type Locked = { readonly dependencies?: Readonly<Record<string, string>> }

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
const program = read('package.json')
const locked = read('package-lock.json').packages as Readonly<Record<string, Locked>>
const PACKAGES = globSync('packages/*', { cwd: ROOT })
/** Needed by the package's own bin, which the program does not use. */
const OF_ITS_BIN = ['@swc/wasm-typescript']
const CLIENT_MAXIMUM_BYTES = 10_000_000
/** The Node that ran npm: on a computer of its own, the client has no other. */
const OUTER_NODE = process.env.npm_node_execpath ?? process.execPath

const base = mkdtempSync(join(tmpdir(), 'backdesk-packages-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

it('the program imports each package by the name of its folder', () => {
  const imports = PACKAGES.map((folder) => [`#${basename(folder)}/*`, `./${folder}/src/*`])
  expect(imports.length).toBeGreaterThan(0)
  expect(program.imports).toEqual(Object.fromEntries(imports))
  expect(program.workspaces).toEqual([...new Set(PACKAGES.map((folder) => `${dirname(folder)}/*`))])
})

describe.each(PACKAGES)('%s', (folder) => {
  const own = read(join(folder, 'package.json'))
  it('is not published, and has the version of the program', () => {
    expect(own).toMatchObject({ name: `@backdesk/${basename(folder)}`, private: true, type: 'module' })
    expect(own.version).toBe(program.version)
  })
  it('needs at run time only what the program needs, in the same version', () => {
    // `npm pack` includes the folder, and npm then installs only the runtime dependencies.
    const needed = Object.entries(own.dependencies).filter(([name]) => !OF_ITS_BIN.includes(name))
    expect(program.dependencies).toMatchObject(Object.fromEntries(needed))
    expect(own.devDependencies).toBeUndefined()
  })
  it('imports only itself, Node and its dependencies', () => {
    const imported = globSync(`${folder}/{src,bin}/**/*.{ts,js}`, { cwd: ROOT }).flatMap((file) => {
      if (file.endsWith('.test.ts')) return []
      const text = readFileSync(join(ROOT, file), 'utf8')
      return [...text.matchAll(/(?:\bfrom |\bimport\(|^import )'([^']+)'/gm)].map(([, to = '']) => {
        if (to.startsWith('.')) return join(dirname(file), to)
        return to.startsWith('node:') ? 'node:' : to.replace(/^(@[^/]+\/[^/]+|[^@/][^/]*).*/, '$1')
      })
    })
    const known = ['node:', ...Object.keys(own.dependencies)]
    expect(imported.length).toBeGreaterThan(10)
    expect(imported.filter((to) => !known.includes(to) && !to.startsWith(`${folder}/`))).toEqual([])
  })
})

describe('the client', () => {
  it('is less than 10 MB with all that it needs, and runs without the program on the Node that runs npm', async () => {
    const app = join(base, 'client')
    cpSync(join(ROOT, 'packages/client'), app, { recursive: true })
    for (const name of needsOf('packages/client'))
      cpSync(join(ROOT, 'node_modules', name), join(app, 'node_modules', name), { recursive: true })
    expect(bytesIn(app)).toBeLessThan(CLIENT_MAXIMUM_BYTES)

    const help = await run(OUTER_NODE, join(app, 'bin/backdesk-client.js'), '--help')
    expect(help).toMatchObject({ code: 0, stderr: '' })
    for (const name of ['import', 'agent', 'batches']) expect(help.stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
    writeFileSync(join(base, 'rows.csv'), 'external_id,first_name\n1,Ada\n')
    const away = ['--url', 'http://127.0.0.1:9', '--key', 'sek_none', '--json']
    const file = ['import', join(base, 'rows.csv'), '--entity', 'customers']
    const imported = await run(OUTER_NODE, join(app, 'bin/backdesk-client.js'), ...file, ...away)
    expect({ ...imported, stdout: JSON.parse(imported.stdout).code }).toEqual({
      code: 1,
      stdout: 'unreachable',
      stderr: '',
    })
  })
  it('knows the currencies with three decimals and more as the program does', () => {
    const currencies = [...Intl.supportedValuesOf('currency'), ...LONG_DECIMALS]
    expect(new Set(currencies.filter((currency) => currencyDigits(currency) > 2))).toEqual(new Set(LONG_DECIMALS))
  })
})

it('what `npm pack` packs runs below node_modules, where Node itself strips no types', {
  timeout: 120_000,
}, async () => {
  const app = join(base, 'app')
  mkdirSync(join(app, 'node_modules/backdesk'), { recursive: true })
  const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32', // npm is a script there
  })
  const [{ files }] = Object.values(JSON.parse(packed.stdout)) as [{ files: { path: string }[] }]
  expect(files.filter(({ path }) => path.endsWith('.test.ts'))).toEqual([])
  for (const { path } of files) cpSync(join(ROOT, path), join(app, 'node_modules/backdesk', path))
  for (const name of needsOf('')) {
    mkdirSync(dirname(join(app, 'node_modules', name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(app, 'node_modules', name))
  }
  // Loads every command, so all of the program and its packages.
  const bin = join(app, 'node_modules/backdesk/bin/backdesk.js')
  expect(await run(process.execPath, bin, '--help')).toMatchObject({ code: 0, stderr: '' })
})

/** The packages that npm installs for a package, as the lockfile has them, without those that are of one platform. */
function needsOf(path: string): string[] {
  const found = new Set<string>()
  const visit = (of: string) => {
    for (const name of Object.keys(locked[of]?.dependencies ?? {}))
      if (!found.has(name)) {
        found.add(name)
        visit(`node_modules/${name}`)
      }
  }
  visit(path)
  return [...found].filter((name) => existsSync(join(ROOT, 'node_modules', name)))
}

const bytesIn = (folder: string): number =>
  globSync('**/*', { cwd: folder }).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)

async function run(node: string, ...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(node, args, { cwd: base, stdio: ['ignore', 'pipe', 'pipe'] })
  const text = async (stream: NodeJS.ReadableStream) =>
    Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>))
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.on('close', resolve)
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), promise])
  return { code, stdout: stdout.toString(), stderr: stderr.toString() }
}
