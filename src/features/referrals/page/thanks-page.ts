import { smallDocumentOf } from '../../../platform/page/document.ts'
import { type Html, html } from '../../../platform/page/html.ts'
import type { Language } from '../../../platform/page/language.ts'
import { WORDS } from './words.ts'

export function thanksPage(language: Language, agency: string): Html {
  const { title, text } = WORDS[language].thanks
  return smallDocumentOf(language, title, html`<p role="status">${text(html`<bdi>${agency}</bdi>`)}</p>`)
}
