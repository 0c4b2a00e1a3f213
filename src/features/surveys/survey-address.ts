import type { SignedText } from '../../platform/signed-text.ts'

/** What addresses of surveys are made of. */
export type Surveying = {
  /** Where clients reach the cell. */
  readonly publicUrl: string
  readonly surveying: SignedText
}
/** A survey, as its address names it. */
export type SurveyNamed = { readonly account: number; readonly survey: string }
export const SURVEY_PATH = '/f'
/** What a token is bound to, beside the cell. */
const SCOPE = 'survey'

const tokenOf = (surveying: SignedText, { account, survey }: SurveyNamed): string =>
  surveying.write(SCOPE, [String(account), survey])

/** Where a customer answers a survey. It is the same whenever it is asked for, and kept nowhere. */
export const surveyUrl = ({ publicUrl, surveying }: Surveying, named: SurveyNamed): string =>
  `${publicUrl}${SURVEY_PATH}/${tokenOf(surveying, named)}`

/** Which survey a token names; null for what is none, to the letter. */
export function readSurveyToken(surveying: SignedText, token: string): SurveyNamed | null {
  const [account, survey] = surveying.read(SCOPE, token) ?? []
  if (account === undefined || survey === undefined) return null
  const named = { account: Number(account), survey }
  return tokenOf(surveying, named) === token ? named : null
}
