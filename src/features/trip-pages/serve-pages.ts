import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../../platform/access/source-address.ts'
import type { Database } from '../../platform/db/database.ts'
import { PRIVATE } from '../../platform/page/document.ts'
import { notFoundUnder } from '../../platform/page/not-found.ts'
import { formOf, showPage, takeForms } from '../../platform/page/serve.ts'
import type { Mac, SignedText } from '../../platform/signed-text.ts'
import { onlyAgency } from '../accounts/commands/only-agency.ts'
import { forgiveAttempts, takeAttempt } from './attempts.store.ts'
import { calendarOf } from './calendar.ts'
import { itineraryPage } from './itinerary.ts'
import { countView, findLink, type Link } from './link.store.ts'
import { hasPass, passCookie } from './pass.ts'
import { passwordPage } from './password-page.ts'
import { type PublicTrip, readPublicTrip, shownBy } from './public-trip.store.ts'
import { WORDS, wordsOf, wordsOfVisitor } from './reads/words.ts'
import { hashShareToken, passwordHolds } from './share-token.ts'

const FORM_LIMIT_BYTES = 4096
const CALENDAR_HEADERS = {
  ...PRIVATE,
  'content-type': 'text/calendar; charset=utf-8',
  'content-disposition': 'inline; filename="trip.ics"',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
}

type Needs = {
  readonly db: Database
  /** Where clients reach the cell. */
  readonly publicUrl: string
  /** Writes the cookies of those who knew a link's password. */
  readonly passes: SignedText
  /** Distinguishes visitors without identifying them. */
  readonly visitors: Mac
  addressOf(request: FastifyRequest): string
  now(): number
}
type Request = FastifyRequest<{ Params: { token: string } }>

/** The pages of shared trips: open to anyone with the address, and the password if the link has one. */
export function servePages(app: FastifyInstance, { db, publicUrl, passes, visitors, addressOf, now }: Needs): void {
  takeForms(app, FORM_LIMIT_BYTES)
  const notFound = notFoundUnder(app, '/s', WORDS, () => onlyAgency(db))

  async function linkOf({ params }: Request): Promise<Link | undefined> {
    const token = hashShareToken(params.token)
    const [link] = await db.askSystem('find the account of a token', findLink, { token })
    if (link) await db.loadKeys(link.account) // they sign the visitor's cookie
    return link
  }
  const isOpen = (link: Link, { headers }: Request): boolean =>
    link.password === null || hasPass(passes, link, headers.cookie, now())
  const readTrip = (link: Link): Promise<PublicTrip | undefined> =>
    db.reader(link.account).one(readPublicTrip, shownBy(link))

  app.get('/s/:token', async (request: Request, reply) => {
    const link = await linkOf(request)
    if (!link) return notFound(request, reply)
    if (!isOpen(link, request))
      return showPage(reply, 200, passwordPage(wordsOfVisitor(request.headers['accept-language']), link))
    const [trip] = await Promise.all([readTrip(link), request.method === 'GET' && view(link)])
    if (!trip) return notFound(request, reply)
    return showPage(reply, 200, itineraryPage(trip, wordsOf(trip.language), `${request.params.token}/trip.ics`))
  })

  app.get('/s/:token/trip.ics', async (request: Request, reply) => {
    const link = await linkOf(request)
    if (!link) return notFound(request, reply)
    if (!isOpen(link, request)) return reply.headers(PRIVATE).redirect(`../${request.params.token}`, 303)
    const trip = await readTrip(link)
    if (!trip) return notFound(request, reply)
    return reply.headers(CALENDAR_HEADERS).send(calendarOf(trip, wordsOf(trip.language)))
  })

  app.post('/s/:token', async (request: Request, reply) => {
    const link = await linkOf(request)
    if (!link) return notFound(request, reply)
    const { token } = request.params
    const words = wordsOfVisitor(request.headers['accept-language'])
    if (link.password !== null) {
      const { account, id } = link
      const visitor = visitors(`share link ${account} ${id}`, networkOf(addressOf(request)))
      const attempt = { account, id, visitor }
      const wait = await waitOf(attempt)
      if (wait !== null) return showPage(reply.header('retry-after', wait), 429, passwordPage(words, link, { wait }))
      const password = formOf(request.body).get('password') ?? ''
      if (!(await passwordHolds(password, link.password)))
        return showPage(reply, 403, passwordPage(words, link, 'wrong'))
      await db.askSystem('reset the wrong passwords of a link', forgiveAttempts, attempt)
      reply.header('set-cookie', passCookie(passes, link, new URL(`${publicUrl}/s/${token}`), now()))
    }
    return reply.headers(PRIVATE).redirect(token, 303)
  })

  /** Does not wait for the account's own writes, so that an import does not delay the page. */
  const view = (link: Link) => db.askSystem('record a view of a shared trip', countView, link)
  /** Seconds to wait before a password is looked at; null where this one may be. */
  async function waitOf(attempt: Parameters<typeof takeAttempt.values>[0]): Promise<number | null> {
    const [attempted] = await db.askSystem('record an attempt at the password of a link', takeAttempt, attempt)
    return attempted?.taken ? null : (attempted?.wait ?? 1)
  }
}
