import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../../platform/db/database.ts'
import { formerSecretsIn } from '../../../platform/former-secrets.ts'
import { languageOf } from '../../../platform/page/language.ts'
import type { AgencyLook } from '../../../platform/page/look.ts'
import { notFoundUnder } from '../../../platform/page/not-found.ts'
import { showPage } from '../../../platform/page/serve.ts'
import type { SignedText } from '../../../platform/signed-text.ts'
import { onlyAgency } from '../../accounts/commands/only-agency.ts'
import { optOutOfMarketing } from '../../customers/commands/opt-out.ts'
import { readUnsubscribe, UNSUBSCRIBE_PATH } from '../unsubscribe.ts'
import { askingPage, donePage, UNSUBSCRIBE_WORDS } from './unsubscribe-pages.ts'
import { findReader } from './unsubscribing.store.ts'

const BODY_LIMIT_BYTES = 4096
const OPERATOR = { name: 'customer', source: 'unsubscribe link' }

type Needs = { readonly db: Database; readonly unsubscribing: SignedText }
type Request = FastifyRequest<{ Params: { token: string } }>
type Reader = AgencyLook & { readonly account: number; readonly customer: string; readonly locale: string }

/**
 * The unsubscribe page of marketing mails. Robots follow links, so opening it changes nothing; submitting its form
 * does, as does the one-click request of a mail program (RFC 8058), whatever its body.
 */
export function serveUnsubscribing(app: FastifyInstance, { db, unsubscribing }: Needs): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_request, _body, done) =>
    done(null, null),
  )
  const notFound = notFoundUnder(app, UNSUBSCRIBE_PATH, UNSUBSCRIBE_WORDS, () => onlyAgency(db))
  async function readerOf({ params }: Request): Promise<Reader | null> {
    const named = await readUnsubscribe(unsubscribing, params.token, formerSecretsIn(db))
    const found = named && (await db.reader(named.account).one(findReader, { customer: named.customer }))
    return found ? { ...named, ...found } : null
  }

  app.get(`${UNSUBSCRIBE_PATH}/:token`, async (request: Request, reply) => {
    const reader = await readerOf(request)
    return reader ? showPage(reply, 200, askingPage(languageOf(reader.locale), reader)) : notFound(request, reply)
  })
  app.post(`${UNSUBSCRIBE_PATH}/:token`, async (request: Request, reply) => {
    const reader = await readerOf(request)
    if (!reader) return notFound(request, reply)
    await db.inAccount(reader.account, (tx) => optOutOfMarketing(tx, reader.customer), OPERATOR)
    return showPage(reply, 200, donePage(languageOf(reader.locale), reader))
  })
}
