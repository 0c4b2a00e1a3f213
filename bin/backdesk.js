#!/usr/bin/env node
// Runs on any Node from 20: hands over to the Node that npm brought along, unless this one is new enough.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED_MAJOR = 26
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']
const SELF = fileURLToPath(import.meta.url)
const IS_SERVER = ['serve', 'worker'].includes(process.argv[2])
/** Node strips types, but not of files below node_modules, where the program is when it was installed as a package. */
const IS_PACKAGE = SELF.split(sep).includes('node_modules')
const STRIPPING = IS_PACKAGE
  ? ['--disable-warning=ExperimentalWarning', '--import', new URL('./strip-types.js', import.meta.url).href]
  : []
/** A server's young values are collected sooner: it takes some 30 MB less. */
const FLAGS = [...(IS_SERVER ? ['--max-semi-space-size=8'] : []), ...STRIPPING]
/** What its threads free is used again by all of them: it takes some 60 MB less when it has been busy. */
const ENV = IS_SERVER ? { MALLOC_ARENA_MAX: '2', ...process.env } : process.env

if (Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR) {
  const hasFlags = FLAGS.length === 0 || process.execArgv.length > 0 // the user's own, or those of the last line
  if (!hasFlags && process.platform !== 'win32')
    process.execve(process.execPath, [process.execPath, ...FLAGS, SELF, ...process.argv.slice(2)], ENV)
  // Enables the compile cache, which halves start-up time. It must run before any TypeScript is loaded.
  module.enableCompileCache()
  if (IS_PACKAGE) await import('./strip-types.js') // where no flags could be given
  await import('../src/main.ts')
} else {
  const node = findNode()
  if (node === undefined) {
    fail(
      `this needs Node ${NEEDED_MAJOR}, and runs on ${process.versions.node}. npm brings the right one along when it ` +
        'may run install scripts: npm rebuild node --ignore-scripts=false',
    )
  } else {
    handOver(node)
  }
}

/** The program of the npm package `node`: its install script links it there from the package of this platform. */
function findNode() {
  const program = join('bin', process.platform === 'win32' ? 'node.exe' : 'node')
  try {
    const packageFile = createRequire(import.meta.url).resolve('node/package.json')
    const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
    const parts = ['node', 'node-bin'].map((name) => join('node_modules', `${name}-${platform}`, program))
    return [program, ...parts].map((path) => join(dirname(packageFile), path)).find((path) => existsSync(path))
  } catch {
    return undefined
  }
}

/** Runs as long as the program: the program handles the signal and then exits. */
function handOver(node) {
  const child = spawn(node, [...FLAGS, SELF, ...process.argv.slice(2)], { stdio: 'inherit', env: ENV })
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`${node} does not run: ${error.message}`))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1
    if (signal === null) return
    for (const forwarded of FORWARDED) process.removeAllListeners(forwarded)
    process.kill(process.pid, signal)
  })
}

function fail(message) {
  console.error(`backdesk: ${message}`)
  process.exitCode = 1
}
