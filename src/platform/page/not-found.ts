import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAccountMoved } from '../db/failures.ts'
import { smallDocumentOf } from './document.ts'
import { html } from './html.ts'
import { type Language, languageOfVisitor } from './language.ts'
import type { AgencyLook } from './look.ts'
import { showPage } from './serve.ts'

/** The page for unknown addresses. */
export type NotFoundWords = { readonly title: string; readonly advice: string }
type NotFound = (request: Pick<FastifyRequest, 'headers'>, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Returns the not-found page of this part of the program: the same for records that never existed, have ended, or
 * belong to another account; in the visitor's language. It also answers all other paths below, and paths of accounts
 * that moved to another cell. `lookOf` returns the agency without looking at the requested record.
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
