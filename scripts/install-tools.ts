// Installs the tools that `npm ci` leaves out (.npmrc), before the scripts that need them. Runs in the Node of the
// program, so the tools may need a newer Node than the one that ran `npm ci`.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Lock = { readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>> }

const ROOT = join(import.meta.dirname, '..')

if (isStale(readLock('package-lock.json'), readLock('node_modules/.package-lock.json'))) {
  process.stdout.write('Installing the development tools …\n')
  process.exitCode = install()
}

function readLock(file: string): Lock {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Lock
  } catch {
    return { packages: {} }
  }
}

/** Whether a package is missing or has another version. Optional packages are those of one platform. */
function isStale(wanted: Lock, installed: Lock): boolean {
  return Object.entries(wanted.packages).some(
    ([path, { version, optional }]) => path !== '' && !optional && installed.packages[path]?.version !== version,
  )
}

function install(): number {
  const args = ['install', '--include=dev', '--no-save', '--no-audit']
  const npm = process.env.npm_execpath
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: ROOT, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' })
  return status ?? 1
}
