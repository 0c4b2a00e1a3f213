import { currencyDigits } from '../../../../platform/money.ts'
import { type PrintedMoney, type Refund, type TicketFile, Unreadable } from '../../ticket-file.ts'
import { BLANK_REFUND } from '../blank.ts'
import { moneyOf } from '../printed.ts'
import { descendants, elements, firstTextAt, type TicketXmlElement } from '../xml/parse-xml.ts'
import { moneyInElement } from './amounts.ts'
import { type ListedDocument, listedDocuments } from './documents.ts'
import { orderIdOf } from './locators.ts'
import type { Heading } from './messages.ts'
import { REFUND_AMOUNTS, spentOrder } from './spent.ts'

const ENDS: Readonly<Record<string, 'void' | 'refunded'>> = { voided: 'void', refunded: 'refunded' }
/** An amount at the end of a remark, with a decimal comma or point: `Total refunded: 11910,29`. */
const REMARKED = /refund\D{0,40}(\d{1,15})(?:[.,](\d{1,4}))?$/i
const LONGEST_REMARK = 200

/**
 * Parses the answer to a cancellation. It lists documents without their passengers. The refund fee is an element, the
 * refunded amount a remark; both apply to all documents together.
 */
export function readCancelled(response: TicketXmlElement, heading: Heading): TicketFile | Unreadable {
  const { documents, warnings } = listedDocuments(response)
  if (documents.length === 0)
    return new Unreadable(
      `The file cancels the order ${orderIdOf(response) ?? 'of the airline'} and names no document. If documents were issued, void or refund them by hand.`,
      'no_document',
    )
  const details = elements(response, 'ChangeFees', 'Details', 'Detail')
  const end = endOf(details)
  const ended = documents.map((document): ListedDocument => ({ ...document, spent: end ?? document.spent }))
  const file = spentOrder(ended, response, heading)
  if (file === null)
    return new Unreadable('The file does not state whether the documents were voided or refunded.', 'unknown_kind')
  if (file.action !== 'refund') return { ...file, warnings }
  const refund = refundOf(response, details, documents.length > 1)
  return {
    ...file,
    documents: file.documents.map((document) => ({ ...document, refund })),
    warnings: refund.total === null ? [...warnings, REFUND_AMOUNTS] : warnings,
  }
}

function endOf(details: readonly TicketXmlElement[]): 'void' | 'refunded' | null {
  const [end, ...others] = new Set(details.map((detail) => ENDS[firstTextAt(detail, 'Type')?.toLowerCase() ?? '']))
  return end !== undefined && others.length === 0 ? end : null
}

function refundOf(response: TicketXmlElement, details: readonly TicketXmlElement[], several: boolean): Refund {
  const [penalty = null, ...others] = details.flatMap((detail) =>
    elements(detail, 'Amounts', 'Amount', 'CurrencyAmountValue').map(moneyInElement),
  )
  const known = !several && others.length === 0
  return known ? { ...BLANK_REFUND, penalty, total: remarkedTotal(response, penalty) } : BLANK_REFUND
}

/** The remark has no currency, so that of the fee applies. More decimals than the currency has may be thousands. */
function remarkedTotal(response: TicketXmlElement, penalty: PrintedMoney | null): PrintedMoney | null {
  const remarks = descendants(response, 'Remark').filter(({ text }) => text.length <= LONGEST_REMARK)
  const [, whole, decimals = ''] = remarks.map(({ text }) => REMARKED.exec(text)).find((found) => found !== null) ?? []
  if (!penalty || decimals.length > currencyDigits(penalty.currency)) return null
  return moneyOf(penalty.currency, decimals === '' ? whole : `${whole}.${decimals}`)
}
