import { documentOf } from '../../../platform/page/document.ts'
import { type Html, html } from '../../../platform/page/html.ts'
import type { PublicSurvey } from './public-survey.store.ts'
import type { Words } from './words.ts'

/** Thanks for an answer that stands by now. */
export const closedPage = ({ agency, title }: PublicSurvey, words: Words): Html =>
  alone(
    words,
    words.thanks,
    html`<p>${words.closed(title)}</p>
<p class="soft" dir="auto">${agency}</p>`,
  )

export function notFoundPage(words: Words): Html {
  const { title, advice } = words.notFound
  return alone(words, title, html`<p>${advice}</p>`)
}

const alone = ({ language }: Words, title: string, below: Html): Html =>
  documentOf(
    language,
    title,
    html`<main class="alone"><h1>${title}</h1>
${below}</main>`,
  )
