import type { FastifyInstance, FastifyReply } from 'fastify'
import { PAGE_HEADERS } from './document.ts'
import type { Html } from './html.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** What is posted to the pages of this part of the program is a form and nothing else, as `URLSearchParams`. */
export function takeForms(app: FastifyInstance, limitBytes: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string', bodyLimit: limitBytes }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )
}

/** The form of a request; an empty one where it has none. */
export const formOf = (body: unknown): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

export const showPage = (reply: FastifyReply, status: number, { text }: Html): FastifyReply =>
  reply.code(status).headers(PAGE_HEADERS).send(text)
