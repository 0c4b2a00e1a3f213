import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAccountMoved } from '../db/failures.ts'
import { smallDocumentOf } from './document.ts'
import { html } from './html.ts'
import { type Language, languageOfVisitor } from './language.ts'
import type { AgencyLook } from './look.ts'
import { showPage } from './serve.ts'

/** What visitors are told where there is nothing. */
export type NotFoundWords = { readonly title: string; readonly advice: string }
type NotFound = (request: Pick<FastifyRequest, 'headers'>, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Answers how this part of the program says that something is not there: the same, whether it never was, is over, or is
 * another's; in the visitor's language, since nobody is known. It says so of whatever else is asked for under the path, and
 * of what an account has that moved to another cell. `lookOf` tells of whom it may be without looking at what is asked for.
 */
export function notFoundUnder(
  app: FastifyInstance,
  path: string,
  words: Readonly<Record<Language, { readonly notFound: NotFoundWords }>>,
  lookOf: () => Promise<AgencyLook | null>,
): NotFound {
  const notFound: NotFound = async ({ headers }, reply) => {
    const language = languageOfVisitor(headers['accept-language'])
    const { title, advice } = words[language].notFound
    return showPage(reply, 404, smallDocumentOf({ language, title, look: await lookOf() }, html`<p>${advice}</p>`))
  }
  app.get(`${path}/*`, async (request, reply) => notFound(request, reply))
  app.setErrorHandler((error, request, reply) => {
    if (!isAccountMoved(error)) throw error
    return notFound(request, reply)
  })
  return notFound
}
