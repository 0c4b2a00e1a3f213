import type { DocumentAction, Refund, TicketDocument } from '../../ticket-file.ts'
import { BLANK_REFUND } from '../blank.ts'
import { descendants } from '../xml/parse-xml.ts'
import { prefixedMoney } from './amounts.ts'
import type { StatedDocument, UniversalAnswer } from './listed.ts'

const WORDS = { void: 'void', refunded: 'refunded', exchanged: 'exchanged' } as const

/** The action of an answer and its documents. If it issues documents, the others get a warning. */
export function actionOfDocuments(
  listed: readonly StatedDocument[],
  answer: UniversalAnswer,
): { action: DocumentAction; documents: readonly TicketDocument[] } {
  const of = (wanted: StatedDocument['status']) =>
    listed.filter(({ status }) => status === wanted).map(({ document }) => document)
  const [issued, refunded, voided] = [of('issued'), of('refunded'), of('void')]
  if (issued.length > 0) {
    leaveOut(listed, issued, answer)
    return { action: issued.some(({ exchange }) => exchange !== null) ? 'exchange' : 'issue', documents: issued }
  }
  if (refunded.length > 0) {
    leaveOut(listed, refunded, answer)
    return {
      action: 'refund',
      documents: refunded.map((document) => ({ ...document, issuedOn: null, refund: refundOf(document, answer) })),
    }
  }
  leaveOut(listed, voided, answer)
  return { action: voided.length > 0 ? 'void' : 'itinerary', documents: voided }
}

/** Warns of every omitted document, except a ticket that was exchanged for a kept one. */
function leaveOut(listed: readonly StatedDocument[], kept: readonly TicketDocument[], { warn }: UniversalAnswer): void {
  const givenIn = new Set(kept.flatMap(({ exchange }) => exchange?.originals.map(({ number }) => number) ?? []))
  for (const { status, document } of listed) {
    if (status === 'issued' || kept.includes(document) || givenIn.has(document.number)) continue
    warn(
      'ticket_left_out',
      `Document ${document.number} is ${WORDS[status]}, and was left out. Send the file of that change if it is not recorded yet.`,
    )
  }
}

/** The refunded amounts. The answer of a refund has them; a ticket retrieved later only has what was paid. */
function refundOf({ number, fare, issuedOn }: TicketDocument, { message, warn }: UniversalAnswer): Refund {
  const infos = descendants(message, 'AirRefundInfo')
  const { RefundAmount, RefundFee, RetainAmount } = (infos.length === 1 ? infos[0]?.attributes : undefined) ?? {}
  const total = prefixedMoney(RefundAmount)
  if (total === null)
    warn('refund_amounts', `The file does not contain the refunded amounts of ${number}. Enter them by hand.`)
  return {
    ...BLANK_REFUND,
    gross: fare.equivalent ?? fare.base,
    penalty: prefixedMoney(RefundFee) ?? prefixedMoney(RetainAmount),
    total,
    originallyIssuedOn: issuedOn,
  }
}
