import { execFileSync, spawnSync } from 'node:child_process'
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
const MISSING =
  'The tests of public pages need Chromium, and none could be found or installed: install it, or name it with CHROME_PATH.'

const isRoot = (): boolean => process.getuid?.() === 0

/** A browser for a test file, with a profile of its own that goes with it. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium() ?? installPackage() ?? download()
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
  return [...inPath, ...APPLICATIONS].find((path) => existsSync(path)) ?? null
}

/** On Debian and its kin, where the tests run as root: in a container, that is. */
function installPackage(): string | null {
  if (!isRoot() || !existsSync(APT)) return null
  console.log('No Chromium is here: apt-get install --no-install-recommends chromium')
  for (const args of [
    ['update', '-q'],
    ['install', '-q', '-y', '--no-install-recommends', 'chromium'],
  ])
    spawnSync(APT, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  return findChromium()
}

/** The one that the test library brings, kept in the user's cache. */
function download(): string | null {
  if (existsSync(chromium.executablePath())) return chromium.executablePath()
  console.log('No Chromium is here: playwright-core install chromium')
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
  try {
    execFileSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'inherit' })
  } catch {
    return null
  }
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null
}
