import type { TicketDocument, TicketFile } from '../../ticket-file.ts'
import { BLANK_DOCUMENT, BLANK_FILE, BLANK_REFUND } from '../blank.ts'
import { madeAt, printedDay } from '../iso-times.ts'
import { followingNumbers } from '../printed.ts'
import type { TicketXmlElement } from '../xml/parse-xml.ts'
import { statusesOf } from './coupons.ts'
import type { ListedDocument } from './documents.ts'
import { orderLocators } from './locators.ts'
import type { Heading } from './messages.ts'
import { travellersOf } from './travellers.ts'

const ACTIONS = { void: 'void', refunded: 'refund' } as const

/** The file if all documents are void, or all are refunded; otherwise null. */
export function spentOrder(
  documents: readonly ListedDocument[],
  response: TicketXmlElement,
  { version, timestamp }: Heading,
): TicketFile | null {
  const [spent, ...others] = new Set(documents.map((document) => document.spent))
  if (others.length > 0 || (spent !== 'void' && spent !== 'refunded')) return null
  const action = ACTIONS[spent]
  const { passengers, ids } = travellersOf(response)
  const isEveryOneKnown = documents.every(({ passenger }) => ids.includes(passenger ?? ''))
  return {
    ...BLANK_FILE,
    provider: 'ndc',
    format: 'ndc_orderview',
    action,
    version,
    made: madeAt(timestamp),
    ...orderLocators(response, null),
    issuedOn: printedDay(timestamp),
    bsp: documents.some(({ bsp }) => bsp),
    passengers: isEveryOneKnown ? passengers : [],
    documents: documents.map(
      ({ number, kind, passenger, books, coupons, associatedWith }): TicketDocument => ({
        ...BLANK_DOCUMENT,
        number,
        kind,
        passenger: isEveryOneKnown ? ids.indexOf(passenger ?? '') : 0,
        conjunctions: followingNumbers(number, books - 1),
        coupons: statusesOf(coupons),
        issuedOn: printedDay(timestamp),
        associatedWith,
        refund: action === 'refund' ? BLANK_REFUND : null,
      }),
    ),
    warnings: action === 'refund' ? [REFUND_AMOUNTS] : [],
  }
}

export const REFUND_AMOUNTS = {
  code: 'refund_amounts',
  message: 'The file does not contain the refunded amount of each document. Enter the amounts.',
}
