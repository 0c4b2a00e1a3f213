import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../../platform/db/database.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { isSigned } from '../../../platform/messaging/callback-signature.ts'
import type { MessagingAddress } from '../../../platform/messaging/messaging-address.ts'
import { TEXT_ID } from '../../../platform/messaging/texts.ts'
import { formOf, takeForms } from '../../../platform/page/serve.ts'
import { recordSendStatus, type SendStatusUpdate } from '../commands/record-send-status.ts'
import { failureReasonOf, textStatusOf } from './failure-reasons.ts'
import { findSendByExternalId } from './sends.store.ts'

const FORM_LIMIT_BYTES = 64 * 1024
const NO_CONTENT = 204
const ACCOUNT = /^[123]\d{7}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NUMBER = /^\d{1,9}$/

type Needs = {
  readonly db: Database
  readonly config: { readonly messaging: MessagingAddress | null }
  /** Where clients reach the cell. */
  readonly publicUrl: string
}
type Callback = FastifyRequest<{ Params: { account: string }; Querystring: { message?: unknown } }>

/**
 * Status callbacks of the provider for texts, and of mail relays that sign the same way. Known statuses and unknown
 * messages get the same response as new statuses, because the provider would otherwise retry.
 */
export function serveStatusCallbacks(app: FastifyInstance, { db, config, publicUrl }: Needs): void {
  takeForms(app, FORM_LIMIT_BYTES)
  app.post('/hooks/messaging/:account', async (request: Callback, reply) => {
    if (config.messaging === null)
      throw new ApiError(
        'not_found',
        'This cell does not send SMS or WhatsApp messages. Set MESSAGING_URL to enable them.',
      )
    const form = formOf(request.body)
    if (!isSigned(config.messaging.token, publicUrl + request.url, form, String(request.headers['x-twilio-signature'])))
      throw new ApiError(
        'forbidden',
        'The signature is invalid. Sign the request with the auth token of MESSAGING_URL, over PUBLIC_URL.',
      )
    const { account } = request.params
    const update = updateOf(form)
    if (ACCOUNT.test(account) && update) await note(Number(account), messageOf(request), update)
    return reply.code(NO_CONTENT).send()
  })

  async function note(account: number, message: string | null, settlement: SendStatusUpdate): Promise<void> {
    const { externalId } = settlement
    await db.inAccount(account, async (tx) => {
      const id = message ?? (externalId && (await tx.one(findSendByExternalId, { id: externalId }))?.id)
      if (id) await recordSendStatus(tx, id, settlement)
    })
  }
}

/** The message in the address, which is known before the provider's id. */
const messageOf = ({ query: { message } }: Callback): string | null =>
  typeof message === 'string' && UUID.test(message) ? message : null

/** Null if the callback does not contain a delivery status. */
function updateOf(form: URLSearchParams): SendStatusUpdate | null {
  const status = textStatusOf(form.get('MessageStatus') ?? form.get('SmsStatus') ?? '')
  if (status === undefined) return null
  const sid = form.get('MessageSid') ?? form.get('SmsSid') ?? ''
  const externalId = TEXT_ID.test(sid) ? sid : null
  if (status !== 'failed') return { status, externalId }
  if (form.get('MessageStatus') === 'bounced') return { status, reason: 'bounced', externalId }
  const given = form.get('ErrorCode') ?? ''
  const code = NUMBER.test(given) ? Number(given) : null
  return { status, reason: failureReasonOf(code), externalId, metadata: { error_code: code } }
}
