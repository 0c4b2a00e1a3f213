import { type Content, type Html, html } from '../../../platform/page/html.ts'
import type { Language } from '../../../platform/page/language.ts'

/** `small` is what a mail says below, of itself. */
type Laid = {
  readonly language: Language
  readonly agency: string
  readonly plain: string
  readonly small: string | null
}

/** Is read on light and on dark alike; the other colours are the reader's own. */
const ACCENT = '#1f7f8b'
const FONT = 'font-family:system-ui,-apple-system,Roboto,Arial,sans-serif;font-size:16px;line-height:1.6'
/** A sign that ends a sentence is not the link's. */
const LINK = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'’”])/

/** A mail as HTML: one narrow column, which a phone shows as it is. Styles stand with their elements, as mail needs it. */
export const lettered = ({ language, agency, plain, small }: Laid): string =>
  html`<div lang="${language}" style="max-width:36em;margin:0 auto;padding:24px 16px;${FONT}">
<p dir="auto" style="margin:0 0 24px;padding-bottom:12px;border-bottom:1px solid ${ACCENT};font-weight:600;color:${ACCENT}">${agency}</p>
${plain.split('\n\n').map(
  (paragraph) => html`<p dir="auto" style="margin:0 0 16px">${linesOf(paragraph)}</p>
`,
)}${
  small &&
  html`<p dir="auto" style="margin:32px 0 0;font-size:13px">${linesOf(small)}</p>
`
}</div>`.text

const linesOf = (paragraph: string): Content[] =>
  paragraph.split('\n').flatMap((line, at) => [at > 0 && html`<br>`, ...linked(line)])

/** With links where there are addresses. */
const linked = (line: string): Content[] => line.split(LINK).map((part, at) => (at % 2 === 1 ? linkTo(part) : part))
const linkTo = (address: string): Html =>
  html`<a href="${address}" style="color:${ACCENT};word-break:break-all">${address}</a>`
