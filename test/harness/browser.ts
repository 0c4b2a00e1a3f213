import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
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
  // Without a process per host and a spare one: only the program's own pages are opened.
  '--disable-site-isolation-trials',
  '--disable-features=IsolateOrigins,site-per-process,SpareRendererForSitePerProcess',
]
const APT = '/usr/bin/apt-get'
/** Another apt may be at work, and mirrors stumble. */
const PATIENT = ['-q', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3']
const UPDATE = ['update']
const INSTALL = ['install', '-y', '--no-install-recommends', 'chromium']
const INSTALL_TIMEOUT_MS = 240_000
/** The time limit of a hook if the browser must be installed first. */
export const BROWSER_TIMEOUT_MS = 600_000
const MISSING =
  'The tests of public pages need Chromium, and none could be found or installed: install it, or name it with CHROME_PATH.'

const isRoot = (): boolean => process.getuid?.() === 0

let chromiumPath: Promise<string | null> | undefined
const pathOfChromium = async () => findChromium() ?? (await installPackage()) ?? (await download())

let browser: Promise<Browser> | undefined
/** The browser of this process, with its own profile. It exits with the process, whose pipe it reads. */
export function startBrowser(): Promise<Browser> {
  browser ??= launch()
  return browser
}

async function launch(): Promise<Browser> {
  chromiumPath ??= pathOfChromium()
  const executablePath = await chromiumPath
  if (executablePath === null) throw new Error(MISSING)
  const args = isRoot() ? [...QUIET, '--no-sandbox'] : QUIET
  return chromium.launch({ executablePath, headless: true, args })
}

export const PHONE = { width: 390, height: 844 }
/** As narrow as a screen may be. */
export const NARROW = { width: 320, height: 700 }
export const WIDE = { width: 1280, height: 720 }
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5 2"><rect width="5" height="2" fill="#7a8"/></svg>'
const pages = new Map<string, Page>()

/**
 * A page with the size of a phone, shared by all tests of a file with this size, because creating one takes longer than
 * most tests. It loads images of other hosts, and nothing else of them.
 */
export async function pageFor(options: BrowserContextOptions = {}): Promise<Page> {
  const name = JSON.stringify(options)
  const page = pages.get(name) ?? (await newPage(options))
  pages.set(name, page)
  await page.emulateMedia({ media: null, colorScheme: null })
  await page.setViewportSize(PHONE)
  return page
}

async function newPage(options: BrowserContextOptions): Promise<Page> {
  // A policy against scripts also applies to those of a test: axe may run, and the pages have no scripts.
  const context = await (await startBrowser()).newContext({ locale: 'en-GB', bypassCSP: true, ...options })
  atEnd(async () => {
    pages.clear()
    await context.close()
  })
  await context.route(/^https:/, (route) => route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }))
  return context.newPage()
}

/** How many sheets of paper a page prints on. */
export async function sheetsOf(page: Page, format: string): Promise<number> {
  const pdf = await page.pdf({ format })
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

function findChromium(): string | null {
  const { CHROME_PATH, PATH = '' } = process.env
  if (CHROME_PATH) return CHROME_PATH
  const inPath = NAMES.flatMap((name) => PATH.split(':').map((folder) => join(folder, name)))
  return [...inPath, ...APPLICATIONS].find(runs) ?? null
}

/** Whether it is a real browser, and not a stub that asks to install one. */
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

/** The test library's own browser, in the user's cache. */
async function download(): Promise<string | null> {
  if (runs(chromium.executablePath())) return chromium.executablePath()
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
  await run(process.execPath, [cli, 'install', 'chromium'])
  return runs(chromium.executablePath()) ? chromium.executablePath() : null
}

/** Runs a program and prints that; its success is checked by its result. */
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
