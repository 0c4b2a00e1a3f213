import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { NARROW, PHONE } from './browser.ts'

type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] }

let axe: string | undefined
const require = createRequire(import.meta.url)
const sourceOfAxe = () => readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** The findings of axe for the current page, light and dark: findings unrelated to colours are the same in both. */
async function violationsOf(page: Page): Promise<string[]> {
  axe ??= sourceOfAxe()
  const found: Violation[] = []
  for (const [colorScheme, runOnly] of [['light'], ['dark', ['color-contrast']]] as const) {
    await page.emulateMedia({ colorScheme })
    const run = `axe.run(${JSON.stringify({ preload: false, resultTypes: ['violations'], runOnly })})`
    const source = colorScheme === 'light' ? `window.axe || (() => { ${axe} })();` : ''
    found.push(
      ...(await page.evaluate<Violation[]>(`(() => { ${source} return ${run} })().then((all) => all.violations)`)),
    )
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('; ')}`)
}

/** The faults of the current page: by axe, and wider than a small screen. */
export async function flawsOf(page: Page): Promise<string[]> {
  const flaws: string[] = []
  for (const size of [PHONE, NARROW]) {
    await page.setViewportSize(size)
    const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    if (over !== 0) flaws.push(`${over} too wide at ${size.width}`)
  }
  return [...flaws, ...(await violationsOf(page))]
}
