import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../../platform/db/database.ts'
import { isDatabaseTimeout } from '../../../platform/db/failures.ts'
import { type RequestCounter, waitFor } from '../../../platform/http/rate-limit.ts'
import { PRIVATE } from '../../../platform/page/document.ts'
import { languageOfVisitor } from '../../../platform/page/language.ts'
import { notFoundUnder } from '../../../platform/page/not-found.ts'
import { isRobot } from '../../../platform/page/robots.ts'
import { formOf, showPage, takeForms } from '../../../platform/page/serve.ts'
import type { Mac, SignedText } from '../../../platform/signed-text.ts'
import { dayBounds, dayIn } from '../../../platform/time.ts'
import { onlyAgency } from '../../accounts/commands/only-agency.ts'
import { readEnquiry } from '../../leads/commands/enquire.ts'
import { REFERRAL_PATH, readReferralToken } from '../referral-token.ts'
import { countVisit, type Visit } from '../visits.store.ts'
import { type Code, findCode } from './code.store.ts'
import { ENQUIRY_TRAP, enquiryPage } from './enquiry-page.ts'
import { givenBy, NOTHING_TYPED, newForm, readForm, signForm, typedIn } from './form.ts'
import { type Enquiry, takeEnquiry } from './take-enquiry.ts'
import { thanksPage } from './thanks-page.ts'
import { REFERRAL_WORDS } from './words.ts'

/** All that the fields may hold, in the signs that take most room in a form. */
const FORM_LIMIT_BYTES = 131_072
/** More than people send by one code; each takes a turn among the account's own writes. */
const SENDINGS_A_MINUTE = 20
const MS = 1000
const BUSY_S = 10

type Needs = {
  readonly db: Database
  /** Signs enquiry forms. */
  readonly enquiryForms: SignedText
  /** Distinguishes the visitors of a day without identifying them. */
  readonly visitors: Mac
  readonly count: RequestCounter
  /** The client address, behind trusted proxies. */
  addressOf(request: FastifyRequest): string
  now(): number
}
type Request = FastifyRequest<{ Params: { token: string } }>

/** The pages of codes that customers hand on: who opens one is counted, and what they ask for becomes a lead. */
export function serveReferrals(app: FastifyInstance, needs: Needs): void {
  const { db, enquiryForms, visitors, count, addressOf, now } = needs
  takeForms(app, FORM_LIMIT_BYTES)
  const notFound = notFoundUnder(app, REFERRAL_PATH, REFERRAL_WORDS, () => onlyAgency(db))

  async function codeOf({ params }: Request): Promise<Code | undefined> {
    const token = readReferralToken(params.token)
    if (token === null) return undefined
    const [code] = await db.askSystem('find the account of a token', findCode, { token })
    if (code) await db.loadKeys(code.account) // they sign the form
    return code
  }
  /** Visitors are distinguished by address and browser, for a day. */
  function visitOf({ account, id, timeZone }: Code, request: Request): Visit {
    const day = dayIn(timeZone, now())
    const visitor = visitors(`${account} ${id} ${day}`, `${addressOf(request)}\n${request.headers['user-agent'] ?? ''}`)
    return { account, code: id, day, visitor }
  }
  /** Does not wait for the account's own writes, so that an import does not delay the page. */
  async function keepVisit(visit: Visit, { method, headers }: Request): Promise<void> {
    if (method === 'HEAD' || (await isRobot(headers))) return
    await db.askSystem('record a visit to a referral page', countVisit, visit)
  }

  app.get(`${REFERRAL_PATH}/:token`, async (request: Request, reply) => {
    const code = await codeOf(request)
    if (!code) return notFound(request, reply)
    await keepVisit(visitOf(code, request), request)
    const form = signForm(enquiryForms, code, newForm(now()))
    return showPage(reply, 200, enquiryPage(languageOf(request), { look: code, form, typed: NOTHING_TYPED }))
  })

  app.get(`${REFERRAL_PATH}/:token/thanks`, async (request: Request, reply) => {
    const code = await codeOf(request)
    return code ? showPage(reply, 200, thanksPage(languageOf(request), code)) : notFound(request, reply)
  })

  app.post(`${REFERRAL_PATH}/:token`, async (request: Request, reply) => {
    const code = await codeOf(request)
    if (!code) return notFound(request, reply)
    const sent = formOf(request.body)
    if (sent.get(ENQUIRY_TRAP)) return thank(request, reply)
    const { form, untimely } = readForm(enquiryForms, code, sent.get('form') ?? '', now())
    const typed = typedIn(sent)
    const { values, flaws } = readEnquiry(givenBy(typed), { company: code, timeZone: code.timeZone })
    const shown = { look: code, form: signForm(enquiryForms, code, form), typed, flaws }
    if (untimely !== null || flaws.length > 0)
      return showPage(reply, 422, enquiryPage(languageOf(request), { ...shown, again: untimely }))

    const showAgain = (status: number, seconds: number, again: 'busy' | 'too_many') =>
      showPage(reply.header('retry-after', seconds), status, enquiryPage(languageOf(request), { ...shown, again }))
    const wait = await waitOf(code)
    if (wait !== null) return showAgain(429, wait, 'busy')
    const visit = visitOf(code, request)
    await keepVisit(visit, request) // it was opened yesterday, before the day changed
    const became = await take({ visit, lead: form.lead, values })
    if (became === 'stopped') return notFound(request, reply)
    if (became === 'taken') return thank(request, reply)
    return became === 'busy'
      ? showAgain(503, BUSY_S, became)
      : showAgain(429, untilTomorrow(code.timeZone, now()), became)
  })

  /** Seconds until something may be sent by a code again; null where it may be now. */
  const waitOf = ({ account, id }: Code) =>
    waitFor(count, account, { name: `enquiries ${id}`, limit: SENDINGS_A_MINUTE }, now())
  /** `busy` where the account's own writes take longer than a visitor can wait. */
  const take = (enquiry: Enquiry) =>
    db
      .inAccount(enquiry.visit.account, (tx) => takeEnquiry(tx, enquiry))
      .catch((error: unknown) => {
        if (isDatabaseTimeout(error)) return 'busy' as const
        throw error
      })
}

/** In the visitor's language, since the account is unknown. */
const languageOf = ({ headers }: Request) => languageOfVisitor(headers['accept-language'])
/** Redirects to a separate page, so that reloading it sends nothing. */
const thank = ({ params }: Request, reply: FastifyReply): FastifyReply =>
  reply.headers(PRIVATE).redirect(`${readReferralToken(params.token) ?? ''}/thanks`, 303)

const untilTomorrow = (timeZone: string, now: number): number =>
  Math.ceil((Date.parse(dayBounds(timeZone, now).tomorrow) - now) / MS)
