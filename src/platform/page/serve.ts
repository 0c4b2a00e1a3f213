import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Page, PRIVATE } from './document.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Pages of this part accept only form posts, as `URLSearchParams`. */
export function takeForms(app: FastifyInstance, limitBytes: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string', bodyLimit: limitBytes }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )
}

/** The form in a request; empty if there is none. */
export const formOf = (body: unknown): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

export const showPage = (reply: FastifyReply, status: number, { text, policy }: Page): FastifyReply =>
  reply
    .code(status)
    .headers({ ...PRIVATE, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    .send(text)
