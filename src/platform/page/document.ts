import { FORM_STYLE } from './form-style.ts'
import { type Content, type Html, html } from './html.ts'
import type { Language } from './language.ts'
import { hashOf, STYLE } from './style.ts'

/** Nobody but the reader is told of a page: no crawler, no cache, no frame, and no host that a link leads to. */
export const PRIVATE = {
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}
/** Pages run nothing, and load nothing but the agency's pictures. */
const POLICY = [
  "default-src 'none'",
  `style-src '${hashOf(STYLE)}' '${hashOf(FORM_STYLE)}'`,
  'img-src https: data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
export const PAGE_HEADERS = {
  ...PRIVATE,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
}

/** A whole page. */
export const documentOf = (language: Language, title: string, body: Content): Html =>
  withStyle(language, title, body, null)

/** A whole page with a form of several fields. */
export const formDocumentOf = (language: Language, title: string, body: Content): Html =>
  withStyle(language, title, body, html`<style>${FORM_STYLE}</style>`)

/** A whole page that says one thing. */
export const smallDocumentOf = (language: Language, title: string, below: Content): Html =>
  documentOf(
    language,
    title,
    html`<main class="alone"><h1>${title}</h1>
${below}</main>`,
  )

const withStyle = (language: Language, title: string, body: Content, more: Content): Html => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>${more}
</head>
<body>
${body}
</body>
</html>
`
