import { type Money, type Refund, type TicketDocument, type TicketFile, Unreadable } from '../../ticket-file.ts'
import { BLANK_DOCUMENT, BLANK_FILE } from '../blank.ts'
import { madeAt, printedDay } from '../iso-times.ts'
import { followingNumbers, moneyOf } from '../printed.ts'
import { descendants, elements, textAt, type XmlElement } from '../xml/parse-xml.ts'
import { listedDocuments } from './documents.ts'
import { moneyIn } from './prices.ts'

const ACTIONS: Readonly<Record<string, 'void' | 'refund'>> = { voided: 'void', refunded: 'refund' }
/** An amount at the end of a remark, with a comma or a point: `Total refunded: 11910,29`. */
const REMARKED = /refund\D{0,40}(\d{1,15}(?:[.,]\d{1,4})?)$/i

/**
 * Reads the answer to a cancellation. It names documents and nobody that they were for. The fee of a refund is an
 * element, what the traveller gets a remark, and both are of all documents together.
 */
export function readCancelled(
  response: XmlElement,
  version: string | null,
  timestamp: string | null,
): TicketFile | Unreadable {
  const details = elements(response, 'ChangeFees', 'Details', 'Detail')
  const actions = new Set(details.map((detail) => ACTIONS[(textAt(detail, 'Type') ?? '').toLowerCase()]))
  const [action, ...more] = actions
  if (action === undefined || more.length > 0) {
    return new Unreadable('The answer does not tell whether the documents were voided or refunded.')
  }
  const { documents, warnings } = listedDocuments(response)
  if (documents.length === 0) return new Unreadable('The answer does not tell which documents were cancelled.')
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
      ? [...warnings, { code: 'refund_amounts', message: 'What each document refunds is not told: enter the amounts.' }]
      : warnings,
  }
}

function refundOf(response: XmlElement, details: readonly XmlElement[], several: boolean): Refund {
  const [penalty = null, ...others] = details.flatMap((detail) =>
    elements(detail, 'Amounts', 'Amount', 'CurrencyAmountValue').map(moneyIn),
  )
  const known = !several && others.length === 0
  return {
    gross: null,
    used: null,
    refundable: null,
    penalty: known ? penalty : null,
    otherFees: null,
    taxes: [],
    taxTotal: null,
    commissionRecall: null,
    total: known ? remarkedTotal(response, penalty) : null,
    coupons: null,
    originallyIssuedOn: null,
  }
}

/** The remark has no currency of its own: it is the fee's. */
function remarkedTotal(response: XmlElement, penalty: Money | null): Money | null {
  const remark = descendants(response, 'Remark').find(({ text }) => REMARKED.test(text.slice(0, 200)))
  const amount = remark && REMARKED.exec(remark.text.slice(0, 200))?.[1]
  return amount && penalty ? moneyOf(penalty.currency, amount.replace(',', '.')) : null
}
