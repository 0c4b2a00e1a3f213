import { FORM_STYLE } from './form-style.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import type { Language } from './language.ts'
import { type AgencyLook, accentStyle, agencyHeader, iconOf } from './look.ts'
import { hashOf, STYLE } from './style.ts'

/** Keeps pages private: no crawlers, caches, frames or referrers. */
export const PRIVATE = {
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}
/** Pages run nothing, and load nothing but the agency's pictures. */
const policyOf = (styles: readonly Html[]): string =>
  [
    "default-src 'none'",
    `style-src ${styles.map((style) => `'${hashOf(style)}'`).join(' ')}`,
    'img-src https: data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The metadata of a page. */
export type Head = {
  readonly language: Language
  readonly title: string
  /** Null if the agency is unknown. */
  readonly look: AgencyLook | null
  /**
   * The preview of a link in a chat: without personal data, since everyone in the chat sees it. Only the agency if
   * omitted.
   */
  readonly preview?: Preview
}
type Preview = { readonly title: string; readonly picture?: string | null }
/** A complete page, with its content security policy. */
export type Page = { readonly text: string; readonly policy: string }

/** The policy of a page that the console shows in a frame. It can do nothing there. */
export const framedPolicy = (policy: string): string =>
  `${policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")}; sandbox`

export const documentOf = (head: Head, body: HtmlContent): Page => pageOf(head, body, [STYLE])

/** A page with a form of several fields. */
export const formDocumentOf = (head: Head, body: HtmlContent): Page => pageOf(head, body, [STYLE, FORM_STYLE])

/** A page with a single message. */
export const smallDocumentOf = (head: Head, below: HtmlContent): Page =>
  documentOf(
    head,
    html`${head.look && agencyHeader(head.look)}
<main class="alone"><h1>${head.title}</h1>
${below}</main>`,
  )

function pageOf(head: Head, body: HtmlContent, styles: readonly Html[]): Page {
  const accent = accentStyle(head.look)
  const all = accent ? [...styles, accent] : styles
  const { text } = html`<!doctype html>
<html lang="${head.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<title>${head.title}</title>
${previewOf(head)}<link rel="icon" href="${iconOf(head.look)}">
${all.map((style) => html`<style>${style}</style>`)}
</head>
<body>
${body}
</body>
</html>
`
  return { text, policy: policyOf(all) }
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en_GB', tr: 'tr_TR' }

/** Open Graph. */
function previewOf({ language, look, preview }: Head): Html | null {
  if (!look) return null
  const picture = preview?.picture && URL.parse(preview.picture)?.protocol === 'https:' ? preview.picture : null
  return html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${look.agency}">
<meta property="og:title" content="${preview?.title ?? look.agency}">
<meta property="og:locale" content="${LOCALES[language]}">
${
  picture &&
  html`<meta property="og:image" content="${picture}">
`
}`
}
