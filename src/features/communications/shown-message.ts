import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import type { Files } from '../../platform/files/files.ts'
import { itemOf } from '../../platform/http/by-id.ts'
import { jsonText } from '../../platform/json-text.ts'
import { type WithAttachments, withAddresses } from '../uploads/reads/attachments.ts'
import { withoutRemoteImages } from './clean-html.ts'
import { readDetail } from './communications.store.ts'

/** Whether the HTML of a mail contains its remote images. */
export const REMOTE_IMAGES = ['blocked', 'shown'] as const
type RemoteImages = (typeof REMOTE_IMAGES)[number]
type Message = WithAttachments & {
  readonly direction: string
  readonly body_html: string | null
  readonly blocked_images: number
}

/** A message as the role sees it, with the addresses of its attachments. */
export async function shownMessage(
  reader: AccountReader,
  policies: Policies,
  files: Files,
  id: string,
  images: RemoteImages = 'blocked',
) {
  const item = itemOf(await reader.last(readDetail(policies), { id }), 'message')
  const message = JSON.parse(item) as Message
  const shown = images === 'shown' ? message : blockImages(message)
  return jsonText({ data: withAddresses(files, reader.account, shown) })
}

/** Only others write what tracks its readers. */
function blockImages(message: Message): Message {
  if (message.direction !== 'inbound' || message.body_html === null) return message
  const { html, blocked } = withoutRemoteImages(message.body_html)
  return { ...message, body_html: html, blocked_images: blocked }
}
