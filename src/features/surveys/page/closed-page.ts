import { type Page, smallDocumentOf } from '../../../platform/page/document.ts'
import { html } from '../../../platform/page/html.ts'
import type { PublicSurvey } from './public-survey.store.ts'
import type { SurveyWords } from './words.ts'

/** Thanks for an answer that can no longer be changed. */
export const closedPage = (survey: PublicSurvey, { language, thanks, closed }: SurveyWords): Page =>
  smallDocumentOf({ language, title: thanks, look: survey }, html`<p>${closed(survey.title)}</p>`)
