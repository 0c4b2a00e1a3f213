import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Marked } from 'marked'
import { html } from '../platform/page/html.ts'

const FOLDER = join(import.meta.dirname, '../../docs')
const MARKDOWN_LINK = /^([\w-]+)\.md(#.*)?$/

/** The pages of `docs/` for API users; pages for operators and developers are not served. */
export const GUIDES = [
  { name: 'webhooks', title: 'Webhooks' },
  { name: 'messages', title: 'Messages' },
  { name: 'saved-reports', title: 'Saved reports' },
  { name: 'after-a-trip', title: 'After a trip' },
  { name: 'ticket-agent', title: 'Ticket agent' },
  { name: 'ticket-formats', title: 'Ticket formats' },
  { name: 'bsp', title: 'BSP billings' },
  { name: 'sign-in', title: 'Signing in by a provider' },
  { name: 'compatibility', title: 'Compatibility' },
] as const
export type Guide = (typeof GUIDES)[number]

export const guideAddress = ({ name }: Pick<Guide, 'name'>): string => `/docs/guides/${name}`
const isGuide = (name: string): boolean => GUIDES.some((guide) => guide.name === name)

/** The address of what a guide links to; null for a page that only the repository has. */
function targetOf(href: string): string | null {
  if (/^(https?:|#)/.test(href)) return href
  if (href === 'openapi.json') return '/openapi.json'
  const [, name = '', anchor = ''] = MARKDOWN_LINK.exec(href) ?? []
  return isGuide(name) ? guideAddress({ name: name as Guide['name'] }) + anchor : null
}

/** Heading anchors as GitHub makes them, so that links work in both places. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const escaped = (text: string): string => html`${text}`.text

const renderer = new Marked({
  renderer: {
    heading({ depth, text, tokens }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    link({ href, tokens }) {
      const target = targetOf(href)
      const text = this.parser.parseInline(tokens)
      return target === null ? text : `<a href="${target}">${text}</a>`
    },
    table(token) {
      const cell = (name: string, text: string) => `<${name}>${text}</${name}>`
      const row = (cells: typeof token.header, name: 'th' | 'td') =>
        `<tr>${cells.map(({ text, tokens }) => cell(text === '' ? 'td' : name, this.parser.parseInline(tokens))).join('')}</tr>\n`
      const body = token.rows.map((cells) => row(cells, 'td')).join('')
      return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
    },
  },
})

/** The HTML of a guide. Its text is the program's own, so it need not be cleaned. */
export const renderGuide = ({ name }: Guide): string =>
  renderer.parse(readFileSync(join(FOLDER, `${name}.md`), 'utf8'), { async: false })
