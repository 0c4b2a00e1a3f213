import { hash } from 'node:crypto'
import { GUIDES, guideAddress } from './guides.ts'

const BAR_HEIGHT = '3rem'
const STYLE = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --accent: #0b5c66; --shade: #f3f5f7; --scalar-custom-header-height: ${BAR_HEIGHT}; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181b; --ink: #e6e8ea; --soft: #a2abb3; --line: #343b41; --accent: #84ccd4; --shade: #1d2226; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
.bar { position: sticky; top: 0; z-index: 20; box-sizing: border-box; height: ${BAR_HEIGHT}; display: flex; align-items: center; gap: .25rem; padding: 0 1rem; overflow-x: auto; background: var(--paper); border-bottom: 1px solid var(--line); font-size: .875rem; scrollbar-width: none; }
.bar a { padding: .25rem .6rem; border-radius: .4rem; color: var(--ink); text-decoration: none; white-space: nowrap; }
.bar a:hover, .bar a[aria-current] { background: var(--shade); color: var(--accent); }
.bar b { margin-inline-end: .75rem; }
.guide { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 5rem; overflow-wrap: break-word; }
.guide h1, .guide h2, .guide h3 { line-height: 1.25; scroll-margin-top: 4rem; }
.guide h1 { font-size: 2rem; }
.guide h2 { margin-top: 2.5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
.guide h3 { margin-top: 2rem; }
.guide a { color: var(--accent); text-underline-offset: .2em; }
.guide code { padding: .1em .3em; border-radius: .3em; background: var(--shade); font: .875em/1.5 ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace; }
.guide pre { padding: 1rem; border-radius: .5rem; background: var(--shade); overflow-x: auto; }
.guide pre code { padding: 0; background: none; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .45rem .75rem; border: 1px solid var(--line); text-align: start; vertical-align: top; }
th { background: var(--shade); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media print { .bar { display: none; } }
`

const hashOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

const LINKS = [
  { title: 'API reference', address: '/docs' },
  ...GUIDES.map((guide) => ({ title: guide.title, address: guideAddress(guide) })),
]
const barOf = (here: string): string =>
  `<nav class="bar" aria-label="Documentation"><b>Backdesk</b>${LINKS.map(
    ({ title, address }) => `<a href="${address}"${address === here ? ' aria-current="page"' : ''}>${title}</a>`,
  ).join('')}</nav>`

const pageOf = (title: string, here: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
${barOf(here)}
${body}
</body>
</html>
`

/** Nothing of the reference asks another host, and nothing on it would. */
const OFFLINE = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  favicon: 'data:,',
}
const START = `Scalar.createApiReference('#reference', ${JSON.stringify({ ...OFFLINE, url: '/openapi.json' })})`

export const referencePage = (scriptAddress: string): string =>
  pageOf(
    'Backdesk API',
    '/docs',
    `<div id="reference"></div>\n<script src="${scriptAddress}"></script>\n<script>${START}</script>`,
  )
export const guidePage = (title: string, here: string, content: string): string =>
  pageOf(`${title} · Backdesk`, here, `<main class="guide">\n${content}</main>`)

const NOTHING_ELSE = ["form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"]
/** The reference brings its styles in its script, and looks at nothing but the cell. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  `script-src 'self' ${hashOf(START)}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  ...NOTHING_ELSE,
].join('; ')
export const GUIDE_POLICY = ["default-src 'none'", `style-src ${hashOf(STYLE)}`, 'img-src data:', ...NOTHING_ELSE].join(
  '; ',
)
