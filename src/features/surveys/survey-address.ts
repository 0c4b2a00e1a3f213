import { type FormerSecretsOf, readNamingAccount, type SignedText } from '../../platform/signed-text.ts'

/** What addresses of surveys are made of. */
export type Surveying = {
  /** Where clients reach the cell. */
  readonly publicUrl: string
  readonly surveying: SignedText
}
/** A survey, as its address names it. */
export type SurveyNamed = { readonly account: number; readonly survey: string }
export const SURVEY_PATH = '/f'
/** The scope of a token, besides the cell. */
const SCOPE = 'survey'

/** The address of a customer's survey. It is derived each time, and not stored. */
export const surveyUrl = ({ publicUrl, surveying }: Surveying, { account, survey }: SurveyNamed): string =>
  `${publicUrl}${SURVEY_PATH}/${surveying.write(account, SCOPE, [String(account), survey])}`

/** The survey in a token; null if the token is invalid. */
export async function readSurveyToken(
  surveying: SignedText,
  token: string,
  formerOf: FormerSecretsOf,
): Promise<SurveyNamed | null> {
  const [account, survey] = (await readNamingAccount(surveying, SCOPE, token, formerOf)) ?? []
  return survey === undefined ? null : { account: Number(account), survey }
}
