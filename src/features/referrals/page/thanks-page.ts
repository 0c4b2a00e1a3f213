import { type Page, smallDocumentOf } from '../../../platform/page/document.ts'
import { html } from '../../../platform/page/html.ts'
import type { Language } from '../../../platform/page/language.ts'
import type { AgencyLook } from '../../../platform/page/look.ts'
import { REFERRAL_WORDS } from './words.ts'

export function thanksPage(language: Language, look: AgencyLook): Page {
  const { title, text } = REFERRAL_WORDS[language].thanks
  return smallDocumentOf({ language, title, look }, html`<p role="status">${text(html`<bdi>${look.agency}</bdi>`)}</p>`)
}
