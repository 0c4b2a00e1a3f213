import { documentOf } from '../../../platform/page/document.ts'
import { type Content, type Html, html } from '../../../platform/page/html.ts'
import type { Language } from '../../../platform/page/language.ts'
import { WORDS } from './words.ts'

const alone = (language: Language, title: string, below: Content): Html =>
  documentOf(
    language,
    title,
    html`<main class="alone"><h1>${title}</h1>
${below}</main>`,
  )

export function thanksPage(language: Language, agency: string): Html {
  const { title, text } = WORDS[language].thanks
  return alone(language, title, html`<p role="status">${text(html`<bdi>${agency}</bdi>`)}</p>`)
}

export function notFoundPage(language: Language): Html {
  const { title, advice } = WORDS[language].notFound
  return alone(language, title, html`<p>${advice}</p>`)
}
