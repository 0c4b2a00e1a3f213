import { type Html, html } from './html.ts'
import { DARK_PAPER, LIGHT_PAPER, readableOn } from './readable.ts'

/** How an agency looks to those who open its pages and read its mails. */
export type AgencyLook = {
  readonly agency: string
  /** `#rrggbb`; null for the program’s own. */
  readonly accent: string | null
  /** A data URL. */
  readonly logo: string | null
}
/** The columns of `accounts a` that make a look. */
export const LOOK_SQL = 'a.name as agency, a.accent_color as accent, a.logo'

const OWN_ACCENT = '#11606a'

/** The agency’s accent colour, adjusted for contrast; null if it has none. */
export const accentStyle = (look: AgencyLook | null): Html | null =>
  look?.accent
    ? html`@media screen { :root { --accent: ${readableOn(LIGHT_PAPER, look.accent)}; } }
@media screen and (prefers-color-scheme: dark) { :root { --accent: ${readableOn(DARK_PAPER, look.accent)}; } }`
    : null

/** The sender: the logo, or the name without one. */
export const agencyHeader = ({ agency, logo }: AgencyLook): Html =>
  html`<header class="agency" dir="auto">${logo ? html`<img class="logo" src="${logo}" alt="${agency}">` : agency}</header>`

/** The agency's first letter on its accent colour; a map pin if the agency is unknown. */
export function iconOf(look: AgencyLook | null): string {
  const background = readableOn('#ffffff', look?.accent ?? OWN_ACCENT)
  const letter = /\p{L}|\p{N}/u.exec(look?.agency ?? '')?.[0]?.toLocaleUpperCase('tr')
  const sign = letter
    ? html`<text x="16" y="23" font-family="Georgia,serif" font-size="20" font-weight="700" text-anchor="middle" fill="#fff">${letter}</text>`
    : html`<path d="M16 6a8 8 0 0 0-8 8c0 6 8 13 8 13s8-7 8-13a8 8 0 0 0-8-8zm0 11a3 3 0 1 1 0-6 3 3 0 0 1 0 6z" fill="#fff"/>`
  const drawing = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${background}"/>${sign}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(drawing.text)}`
}
