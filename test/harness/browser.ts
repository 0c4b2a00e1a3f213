import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { atEnd } from './at-end.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]
const QUIET = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const APT = '/usr/bin/apt-get'
/** Another apt may be at work, and mirrors stumble. */
const PATIENT = ['-q', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3']
const UPDATE = ['update']
const INSTALL = ['install', '-y', '--no-install-recommends', 'chromium']
const INSTALL_TIMEOUT_MS = 240_000
/** How long a hook has to wait where the browser must be installed first. */
export const BROWSER_TIMEOUT_MS = 600_000
const MISSING =
  'The tests of public pages need Chromium, and none could be found or installed: install it, or name it with CHROME_PATH.'

const isRoot = (): boolean => process.getuid?.() === 0

let chromiumPath: Promise<string | null> | undefined
const pathOfChromium = async () => findChromium() ?? (await installPackage()) ?? (await download())

/** A browser for a test file, with a profile of its own that goes with it. */
export async function startBrowser(): Promise<Browser> {
  chromiumPath ??= pathOfChromium()
  const executablePath = await chromiumPath
  if (executablePath === null) throw new Error(MISSING)
  const args = isRoot() ? [...QUIET, '--no-sandbox'] : QUIET
  const browser = await chromium.launch({ executablePath, headless: true, args })
  atEnd(() => browser.close())
  return browser
}

function findChromium(): string | null {
  const { CHROME_PATH, PATH = '' } = process.env
  if (CHROME_PATH) return CHROME_PATH
  const inPath = NAMES.flatMap((name) => PATH.split(':').map((folder) => join(folder, name)))
  return [...inPath, ...APPLICATIONS].find(runs) ?? null
}

/** Whether it is a browser indeed, and not what tells people to install one. */
const runs = (path: string): boolean => existsSync(path) && spawnSync(path, ['--version']).status === 0

/** On Debian and its kin, where the tests run as root: in a container, that is. Known packages first, then the mirror's. */
async function installPackage(): Promise<string | null> {
  if (!isRoot() || !existsSync(APT)) return null
  for (const step of [INSTALL, UPDATE, INSTALL]) {
    await run(APT, [...PATIENT, ...step], { DEBIAN_FRONTEND: 'noninteractive' })
    const found = findChromium()
    if (found) return found
  }
  return null
}

/** The one that the test library brings, kept in the user's cache. */
async function download(): Promise<string | null> {
  if (runs(chromium.executablePath())) return chromium.executablePath()
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
  await run(process.execPath, [cli, 'install', 'chromium'])
  return runs(chromium.executablePath()) ? chromium.executablePath() : null
}

/** Runs a program and says so; what became of it shows in what is there then. */
async function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  console.log(`No Chromium is here: ${program} ${args.join(' ')}`)
  // Not at a stretch: a process that is silent for a minute is lost to vitest.
  const child = spawn(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    timeout: INSTALL_TIMEOUT_MS,
  })
  const { promise, resolve } = Promise.withResolvers<unknown>()
  child.on('error', resolve).on('close', resolve)
  await promise
}
