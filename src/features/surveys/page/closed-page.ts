import { smallDocumentOf } from '../../../platform/page/document.ts'
import { type Html, html } from '../../../platform/page/html.ts'
import type { PublicSurvey } from './public-survey.store.ts'
import type { Words } from './words.ts'

/** Thanks for an answer that stands by now. */
export const closedPage = ({ agency, title }: PublicSurvey, { language, thanks, closed }: Words): Html =>
  smallDocumentOf(
    language,
    thanks,
    html`<p>${closed(title)}</p>
<p class="soft" dir="auto">${agency}</p>`,
  )
