import { fixed } from '../../../platform/money.ts'
import type { CaptureContext } from '../capture-context.ts'
import { type CaptureOutcome, duplicate, failed } from '../capture-outcome.ts'
import type { FileWarning, TicketDocument } from '../ticket-file.ts'
import { captureSale } from './issue-documents.ts'
import { type LaterAction, updateHeldDocuments } from './update-held-documents.ts'

type Action = Exclude<LaterAction, 'exchange'>
const WORDS: Readonly<Record<Action, string>> = {
  void: 'Void',
  restore: 'Restoration',
  refund: 'Refund',
  refund_cancel: 'Cancelled refund',
}

/**
 * A void, a refund, or the end of either. The documents that the account holds become what the file says. A refund of
 * others is a sale of its own; a void of others is awaited, since it may have come before the issue.
 */
export async function changeDocuments(scene: CaptureContext, action: Action): Promise<CaptureOutcome> {
  const { file, held } = scene
  const known = file.documents.filter(({ number }) => held.has(number))
  const unknown = file.documents.filter(({ number }) => !held.has(number))
  const numbers = known.map(({ number }) => number)
  const { events, warnings } = await updateHeldDocuments(scene, action, numbers)
  const others = unknown.length === 0 ? null : await changeOthers(scene, action, unknown)
  const sale = held.get(numbers[0] ?? '')?.sale
  if (sale === undefined) return others ?? failed('The file names no document.')
  const allWarnings = [...warnings, ...known.flatMap((document) => otherRefund(scene, document))]
  if (others === null || others.error !== null)
    return duplicate(sale, numbers, {
      events: [...events, ...(others?.events ?? [])],
      warnings: [...allWarnings, ...(others?.error ? [{ code: 'document_not_held', message: others.error }] : [])],
    })
  return { ...others, duplicates: numbers, events, warnings: [...others.warnings, ...allWarnings] }
}

/** Handles documents that no sale of the account contains. */
async function changeOthers(
  scene: CaptureContext,
  action: Action,
  documents: readonly TicketDocument[],
): Promise<CaptureOutcome> {
  if (action === 'refund') return captureSale(scene, documents)
  const isAwaited = action === 'void' || action === 'restore'
  const events = isAwaited ? documents.map(({ number }) => ({ ...AWAITED, number, action })) : []
  return failed(notHeldMessage(action, documents), { events })
}
const AWAITED = { booking_id: null, document_before: null, sale_before: null }

function notHeldMessage(action: Action, documents: readonly TicketDocument[]): string {
  const numbers = documents.map(({ number }) => number).join(', ')
  const later =
    action === 'void' ? ' The void is stored: if the issue is captured later, the document becomes void.' : ''
  return `${WORDS[action]} of a ticket that is not in this account: ${numbers}.${later}`
}

/** A refund that was told of before, with another total. */
function otherRefund({ held }: CaptureContext, { number, refund }: TicketDocument): FileWarning[] {
  const total = refund?.total?.amount
  const known = held.get(number)?.refunded[0]
  if (!total || !known || fixed(total) === fixed(known)) return []
  const message = `Document ${number} was already refunded with a total of ${known}, but the file has ${total}. Check the refund.`
  return [{ code: 'other_refund', message }]
}
