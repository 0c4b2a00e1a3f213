import type { SurveyAnswer } from '../commands/answer-survey.ts'
import type { PublicSurvey } from './public-survey.store.ts'

export const COMMENT_MAXIMUM = 4000
export const LIKELIHOODS = Array.from({ length: 11 }, (_, at) => String(at))
export const RATINGS = ['1', '2', '3', '4', '5']
/** The names of the form fields. The last one is hidden, so only robots fill it in. */
export const LIKELIHOOD = 'likelihood'
export const COMMENT = 'comment'
export const SURVEY_TRAP = 'website'
export const ratingName = (segment: string): string => `rating-${segment}`

/** The current form: choices are texts, so that the input is shown again. */
export type Filled = {
  readonly likelihood: string | null
  readonly comment: string
  /** By segment; unrated ones are missing. */
  readonly ratings: ReadonlyMap<string, string>
}
/** The errors of a form. */
export type Problems = {
  readonly likelihood: boolean
  readonly comment: boolean
  /** Segments with an invalid rating. */
  readonly ratings: ReadonlySet<string>
}

/** What no text of people has. */
const CONTROLS = /[^\n\t\P{Cc}]/gu
const LINE_END = /\r\n?/g

const segmentsOf = ({ days }: PublicSurvey) => days.flatMap(({ segments }) => segments)

/** A submitted form, limited to this survey: other segments are ignored. */
export function sentForm(survey: PublicSurvey, form: URLSearchParams): Filled {
  const ratings = segmentsOf(survey).map(({ id }) => [id, form.get(ratingName(id)) ?? ''] as const)
  return {
    likelihood: form.get(LIKELIHOOD),
    comment: (form.get(COMMENT) ?? '').replace(LINE_END, '\n').replace(CONTROLS, '').trim(),
    ratings: new Map(ratings.filter(([, rating]) => rating !== '')),
  }
}

/** The form with the stored answer; empty if there is none. */
export function keptForm(survey: PublicSurvey): Filled {
  const rated = segmentsOf(survey).flatMap(({ id, rating }) => (rating === null ? [] : [[id, String(rating)] as const]))
  const { likelihood, comment } = survey
  return {
    likelihood: likelihood === null ? null : String(likelihood),
    comment: comment ?? '',
    ratings: new Map(rated),
  }
}

/** The errors of a form; null if there are none. */
export function problemsOf({ likelihood, comment, ratings }: Filled): Problems | null {
  const wrong = [...ratings].filter(([, rating]) => !RATINGS.includes(rating)).map(([segment]) => segment)
  const problems = {
    likelihood: likelihood === null || !LIKELIHOODS.includes(likelihood),
    comment: comment.length > COMMENT_MAXIMUM,
    ratings: new Set(wrong),
  }
  return problems.likelihood || problems.comment || wrong.length > 0 ? problems : null
}

/** The answer of a valid form. */
export const answerOf = ({ likelihood, comment, ratings }: Filled): SurveyAnswer => ({
  likelihood: Number(likelihood),
  comment: comment === '' ? null : comment,
  ratings: Array.from(ratings, ([segment, rating]) => ({ segment, rating: Number(rating) })),
})
