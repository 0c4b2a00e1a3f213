import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../../platform/db/database.ts'
import { isDatabaseTimeout } from '../../../platform/db/failures.ts'
import { formerSecretsIn } from '../../../platform/former-secrets.ts'
import { type RequestCounter, waitFor } from '../../../platform/http/rate-limit.ts'
import { PRIVATE } from '../../../platform/page/document.ts'
import { languageOf } from '../../../platform/page/language.ts'
import { notFoundUnder } from '../../../platform/page/not-found.ts'
import { isRobot } from '../../../platform/page/robots.ts'
import { formOf, showPage, takeForms } from '../../../platform/page/serve.ts'
import { onlyAgency } from '../../accounts/commands/only-agency.ts'
import { answerSurvey, type SurveyAnswer } from '../commands/answer-survey.ts'
import { readSurveyToken, SURVEY_PATH, type Surveying, type SurveyNamed } from '../survey-address.ts'
import { closedPage } from './closed-page.ts'
import { markStarted, type PublicSurvey, readPublicSurvey } from './public-survey.store.ts'
import { answerOf, keptForm, problemsOf, SURVEY_TRAP, sentForm } from './read-answer.ts'
import { surveyPage } from './survey-page.ts'
import { SURVEY_WORDS, type SurveyWords } from './words.ts'

/** A comment in any script and the ratings of a long journey, as forms encode them. */
const FORM_LIMIT_BYTES = 128 * 1024
const SENDINGS_A_MINUTE = 5
const BUSY_S = 10

type Needs = Pick<Surveying, 'surveying'> & {
  readonly db: Database
  readonly count: RequestCounter
  now(): number
}
type Request = FastifyRequest<{ Params: { token: string } }>
type Found = { readonly named: SurveyNamed; readonly survey: PublicSurvey; readonly words: SurveyWords }

/** The survey pages. Opening one only records the view; its form submits the answer. */
export function serveSurveys(app: FastifyInstance, { db, surveying, count, now }: Needs): void {
  takeForms(app, FORM_LIMIT_BYTES)
  const notFound = notFoundUnder(app, SURVEY_PATH, SURVEY_WORDS, () => onlyAgency(db))

  async function find({ params }: Request): Promise<Found | null> {
    const named = await readSurveyToken(surveying, params.token, formerSecretsIn(db))
    const survey = named && (await db.reader(named.account).one(readPublicSurvey, { survey: named.survey }))
    return survey ? { named, survey, words: SURVEY_WORDS[languageOf(survey.language)] } : null
  }

  app.get(`${SURVEY_PATH}/:token`, async (request: Request, reply) => {
    const found = await find(request)
    if (!found) return notFound(request, reply)
    const { named, survey, words } = found
    if (request.method === 'GET' && !(await isRobot(request.headers))) await start(named)
    return showPage(
      reply,
      200,
      survey.open ? surveyPage(survey, words, { filled: keptForm(survey) }) : closedPage(survey, words),
    )
  })

  app.post(`${SURVEY_PATH}/:token`, async (request: Request, reply) => {
    const found = await find(request)
    if (!found) return notFound(request, reply)
    const { named, survey, words } = found
    const form = formOf(request.body)
    const seeAnswer = () => reply.headers(PRIVATE).redirect(request.params.token, 303)
    if (!survey.open) return seeAnswer()
    const filled = sentForm(survey, form)
    const showAgain = (status: number, seconds: number, notice: string) =>
      showPage(reply.header('retry-after', seconds), status, surveyPage(survey, words, { filled, notice }))
    const wait = await waitOf(named)
    if (wait !== null) return showAgain(429, wait, words.wait(wait))
    if (form.get(SURVEY_TRAP)) return seeAnswer()
    const problems = problemsOf(filled)
    if (problems) return showPage(reply, 422, surveyPage(survey, words, { filled, problems }))
    return (await keep(named, answerOf(filled))) ? seeAnswer() : showAgain(503, BUSY_S, words.busy)
  })

  /** Does not wait for the account's own writes, so that an import does not delay the page. */
  const start = (named: SurveyNamed) => db.askSystem('record a view of a survey', markStarted, named)
  /** Seconds until something may be sent again; null where it may be now. */
  const waitOf = ({ account, survey }: SurveyNamed) =>
    waitFor(count, account, { name: `survey ${survey}`, limit: SENDINGS_A_MINUTE }, now())
  /** False where the account's own writes take longer than a customer can wait. */
  const keep = ({ account, survey }: SurveyNamed, answer: SurveyAnswer): Promise<boolean> =>
    db
      .inAccount(account, (tx) => answerSurvey(tx, survey, answer))
      .then(() => true)
      .catch((error: unknown) => {
        if (isDatabaseTimeout(error)) return false
        throw error
      })
}
