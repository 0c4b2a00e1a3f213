import { formDocumentOf, type Page } from '../../../platform/page/document.ts'
import { type Html, type HtmlContent, html } from '../../../platform/page/html.ts'
import { agencyHeader } from '../../../platform/page/look.ts'
import { dayRange, longDay } from '../../../platform/page/when.ts'
import { flightOf, nameOf } from '../../trip-pages/reads/segment-names.ts'
import type { PublicSurvey, RatedSegment, SurveyDay } from './public-survey.store.ts'
import {
  COMMENT,
  COMMENT_MAXIMUM,
  type Filled,
  LIKELIHOOD,
  LIKELIHOODS,
  type Problems,
  RATINGS,
  ratingName,
  SURVEY_TRAP,
} from './read-answer.ts'
import type { SurveyWords } from './words.ts'

/** The form, and the reason if it is shown again: its errors, or why it was refused. */
type Shown = { readonly filled: Filled; readonly problems?: Problems; readonly notice?: string }

/** Asks about a trip; with an answer, it thanks for it and allows a change. */
export function surveyPage(survey: PublicSurvey, words: SurveyWords, shown: Shown): Page {
  const { agency, title, start, end } = survey
  return formDocumentOf(
    { language: words.language, title: `${title} · ${agency}`, look: survey },
    html`${agencyHeader(survey)}
<main>
<h1 dir="auto">${title}</h1>
${start && html`<p class="dates">${dayRange(start, end ?? start, words)}</p>`}
${above(survey, words, shown)}
${form(survey, words, shown)}
</main>
<footer><p dir="auto">${agency}</p></footer>`,
  )
}

/** The introduction above the form. */
function above({ answered }: PublicSurvey, words: SurveyWords, { problems, notice }: Shown): Html {
  if (notice !== undefined) return html`<p class="notice" role="alert">${notice}</p>`
  if (problems) return html`<p class="notice" role="alert">${words.wrong}</p>`
  if (!answered) return html`<p class="summary">${words.intro}</p>`
  return html`<div class="notice" role="status"><p>${words.thanks}</p><p>${words.changeable}</p></div>`
}

const form = (
  { agency, answered, days }: PublicSurvey,
  words: SurveyWords,
  shown: Shown,
): Html => html`<form class="questions" method="post">
${likelihood(agency, words, shown)}
${days.length > 0 && html`<section><h2>${words.segments}</h2><p class="soft">${words.rating}</p>${days.map((day) => ratedDay(day, words, shown))}</section>`}
${comment(words, shown)}
<p class="trap"><label for="${SURVEY_TRAP}">${words.trap}</label><input id="${SURVEY_TRAP}" name="${SURVEY_TRAP}" tabindex="-1" autocomplete="off"></p>
<button class="button">${answered ? words.change : words.send}</button>
</form>`

function likelihood(agency: string, words: SurveyWords, { filled, problems }: Shown): Html {
  const wrong = problems?.likelihood ? words.choose : null
  return choices({
    id: LIKELIHOOD,
    look: 'scale',
    legend: html`${words.likely(agency)}`,
    wrong,
    required: true,
    below: html`<p class="ends soft"><span>0 – ${words.least}</span> <span>10 – ${words.most}</span></p>`,
    choices: LIKELIHOODS.map(
      (value) =>
        html`<label><input type="radio" name="${LIKELIHOOD}" value="${value}" required${filled.likelihood === value && html` checked`}><span>${value}</span></label>`,
    ),
  })
}

const ratedDay = ({ number, date, segments }: SurveyDay, words: SurveyWords, shown: Shown): Html =>
  html`<h3 class="when soft">${date ? longDay(date, words) : words.day(number)}</h3>
${segments.map((segment) => rating(segment, words, shown))}`

function rating(segment: RatedSegment, words: SurveyWords, { filled, problems }: Shown): Html {
  const name = ratingName(segment.id)
  const chosen = filled.ratings.get(segment.id) ?? ''
  const star = (value: string): Html =>
    html`<label><input type="radio" name="${name}" value="${value}" aria-label="${words.outOfFive(value)}"${chosen === value && html` checked`}><span></span></label>`
  return choices({
    id: name,
    look: 'stars',
    legend: named(segment, words),
    wrong: problems?.ratings.has(segment.id) ? words.chooseRating : null,
    required: false,
    below: null,
    choices: [
      html`<label><input type="radio" name="${name}" value=""${!RATINGS.includes(chosen) && html` checked`}><span>${words.notRated}</span></label>`,
      ...RATINGS.map(star),
    ],
  })
}

function named(segment: RatedSegment, words: SurveyWords): Html {
  const name = nameOf(segment, words.language)
  const kind = words.kinds[segment.type]
  const flight = segment.type === 'flight' ? flightOf(segment) : null
  const small = [name && kind, name !== flight && flight].filter(Boolean).join(' · ')
  return html`${small && html`<small>${small}</small> `}<bdi>${name ?? kind}</bdi>`
}

type Choices = {
  readonly id: string
  readonly look: 'scale' | 'stars'
  readonly legend: Html
  readonly wrong: string | null
  readonly required: boolean
  readonly choices: HtmlContent
  readonly below: Html | null
}

/** One of several choices, with the error next to it. */
const choices = ({ id, look, legend, wrong, required, choices: given, below }: Choices): Html =>
  html`<fieldset class="${look}" role="radiogroup" aria-labelledby="${id}-legend"${required && html` aria-required="true"`}${wrong && html` aria-invalid="true" aria-describedby="${id}-problem"`}>
<legend id="${id}-legend">${legend}</legend>
<div>${given}</div>
${below}${wrong && html`<p class="problem" id="${id}-problem">${wrong}</p>`}
</fieldset>
`

function comment(words: SurveyWords, { filled, problems }: Shown): Html {
  const wrong = problems?.comment ? words.tooLong(COMMENT_MAXIMUM) : null
  return html`<div class="comment"><label for="${COMMENT}">${words.comment}</label>
<p class="soft" id="${COMMENT}-advice">${words.commentAdvice}</p>
<textarea id="${COMMENT}" name="${COMMENT}" rows="5" dir="auto" placeholder=" " maxlength="${COMMENT_MAXIMUM}" aria-describedby="${COMMENT}-advice${wrong && ` ${COMMENT}-problem`}"${wrong && html` aria-invalid="true"`}>
${filled.comment}</textarea>
${wrong && html`<p class="problem" id="${COMMENT}-problem">${wrong}</p>`}</div>`
}
