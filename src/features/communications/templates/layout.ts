import { type Html, type HtmlContent, html } from '../../../platform/page/html.ts'
import type { Language } from '../../../platform/page/language.ts'
import { readableInMail } from '../../../platform/page/readable.ts'

/** `small` is the footer of the mail. */
type MailLayout = {
  readonly language: Language
  readonly agency: string
  /** `#rrggbb`; null for the program’s own. */
  readonly accent: string | null
  readonly plain: string
  readonly small: string | null
  /** The action at an address: shown on its button, or instead of the address. */
  readonly labels: ReadonlyMap<string, string>
}

/** Is read on light and on dark alike; the other colours are the reader's own. */
const ACCENT = '#1f7f8b'
const FONT = 'font-family:system-ui,-apple-system,Roboto,Arial,sans-serif;font-size:16px;line-height:1.6'
const WHITE = '#ffffff'
/** A sign that ends a sentence is not the link's. */
const LINK = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'’”])/

/** A mail as HTML: one narrow column that fits a phone. Styles are inline, as mail programs require. */
export function mailLayout({ language, agency, accent: own, plain, small, labels }: MailLayout): string {
  const accent = own === null ? ACCENT : readableInMail(own)
  const paragraph = (text: string): Html => {
    const label = labels.get(text)
    return label === undefined
      ? html`<p dir="auto" style="margin:0 0 16px">${linesOf(text, accent, labels)}</p>
`
      : button(text, label, accent)
  }
  return html`<div lang="${language}" style="max-width:36em;margin:0 auto;padding:24px 16px;${FONT}">
<p dir="auto" style="margin:0 0 24px;padding-bottom:12px;border-bottom:1px solid ${accent};font-weight:600;color:${accent}">${agency}</p>
${plain.split('\n\n').map(paragraph)}${
  small &&
  html`<p dir="auto" style="margin:32px 0 0;font-size:13px">${linesOf(small, accent, labels)}</p>
`
}</div>`.text
}

/** A table with a coloured cell, since Outlook ignores background and height of links. */
const button = (address: string, label: string, accent: string): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td bgcolor="${accent}" style="background-color:${accent};border-radius:24px"><a href="${address}" style="display:inline-block;padding:12px 28px;border-radius:24px;color:${WHITE};font-weight:600;text-decoration:none">${label}</a></td></tr></table>
`

const linesOf = (paragraph: string, accent: string, labels: MailLayout['labels']): HtmlContent[] =>
  paragraph.split('\n').flatMap((line, at) => [at > 0 && html`<br>`, ...linked(line, accent, labels)])

/** With links where there are addresses. */
const linked = (line: string, accent: string, labels: MailLayout['labels']): HtmlContent[] =>
  line
    .split(LINK)
    .map((part, at) =>
      at % 2 === 1
        ? html`<a href="${part}" style="color:${accent};word-break:break-all">${labels.get(part) ?? part}</a>`
        : part,
    )
