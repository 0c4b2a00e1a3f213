#!/usr/bin/env node
// Runs on any Node from 20: hands over to the Node that npm brought along, unless this one is new enough.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED_MAJOR = 26
const main = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'main.ts')

if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) {
  await import(main)
} else {
  const node = bundledNode()
  if (node === null) {
    console.error(`backdesk: Node ${NEEDED_MAJOR} is missing: npm was not allowed to run the install script of the package "node".`)
    console.error('Run: npm ci --ignore-scripts=false')
    process.exit(1)
  }
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`backdesk: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}

/** Where the package `node` put its binary. */
function bundledNode() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
    const file = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(file) ? file : null
  } catch {
    return null
  }
}
