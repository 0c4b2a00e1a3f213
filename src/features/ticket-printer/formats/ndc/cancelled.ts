import { currencyDigits } from '../../../../platform/money.ts'
import { type PrintedMoney, type Refund, type TicketDocument, type TicketFile, Unreadable } from '../../ticket-file.ts'
import { BLANK_DOCUMENT, BLANK_FILE, BLANK_REFUND } from '../blank.ts'
import { madeAt, printedDay } from '../iso-times.ts'
import { followingNumbers, moneyOf } from '../printed.ts'
import { descendants, elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { listedDocuments } from './documents.ts'
import { moneyInElement } from './prices.ts'

const ACTIONS: Readonly<Record<string, 'void' | 'refund'>> = { voided: 'void', refunded: 'refund' }
/** An amount at the end of a remark, with a comma or a point: `Total refunded: 11910,29`. */
const REMARKED = /refund\D{0,40}(\d{1,15})(?:[.,](\d{1,4}))?$/i
const LONGEST_REMARK = 200

/**
 * Reads the answer to a cancellation. It names documents and nobody that they were for. The fee of a refund is an
 * element, what the traveller gets a remark, and both are of all documents together.
 */
export function readCancelled(
  response: TicketXmlElement,
  version: string | null,
  timestamp: string | null,
): TicketFile | Unreadable {
  const details = elements(response, 'ChangeFees', 'Details', 'Detail')
  const actions = new Set(details.map((detail) => ACTIONS[(textAt(detail, 'Type') ?? '').toLowerCase()]))
  const [action, ...more] = actions
  if (action === undefined || more.length > 0) {
    return new Unreadable('The file does not state whether the documents were voided or refunded.', 'unknown_kind')
  }
  const { documents, warnings } = listedDocuments(response)
  if (documents.length === 0)
    return new Unreadable('The file does not name the documents that were cancelled.', 'no_document')
  const several = documents.length > 1
  const refund = action === 'refund' ? refundOf(response, details, several) : null
  const problems = refund && (several || refund.total === null)
  return {
    ...BLANK_FILE,
    provider: 'ndc',
    format: 'ndc_orderview',
    action,
    version,
    made: madeAt(timestamp),
    pnr: textAt(response, 'OrderReference') ?? textAt(response, 'OrderID'),
    issuedOn: printedDay(timestamp),
    bsp: documents.some(({ bsp }) => bsp),
    documents: documents.map(
      ({ number, kind, books, associatedWith }): TicketDocument => ({
        ...BLANK_DOCUMENT,
        number,
        kind,
        passenger: 0,
        conjunctions: followingNumbers(number, books - 1),
        issuedOn: printedDay(timestamp),
        associatedWith,
        refund,
      }),
    ),
    warnings: problems
      ? [
          ...warnings,
          {
            code: 'refund_amounts',
            message: 'The file does not contain the refunded amount of each document. Enter the amounts.',
          },
        ]
      : warnings,
  }
}

function refundOf(response: TicketXmlElement, details: readonly TicketXmlElement[], several: boolean): Refund {
  const [penalty = null, ...others] = details.flatMap((detail) =>
    elements(detail, 'Amounts', 'Amount', 'CurrencyAmountValue').map(moneyInElement),
  )
  const known = !several && others.length === 0
  return known ? { ...BLANK_REFUND, penalty, total: remarkedTotal(response, penalty) } : BLANK_REFUND
}

/** The remark has no currency of its own: it is the fee's. More digits than that has may be thousands, set apart. */
function remarkedTotal(response: TicketXmlElement, penalty: PrintedMoney | null): PrintedMoney | null {
  const remarks = descendants(response, 'Remark').filter(({ text }) => text.length <= LONGEST_REMARK)
  const [, whole, decimals = ''] = remarks.map(({ text }) => REMARKED.exec(text)).find((found) => found !== null) ?? []
  if (!penalty || decimals.length > currencyDigits(penalty.currency)) return null
  return moneyOf(penalty.currency, decimals === '' ? whole : `${whole}.${decimals}`)
}
