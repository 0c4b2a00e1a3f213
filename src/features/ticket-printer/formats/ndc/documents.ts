import type { FileWarning, TicketDocument } from '../../ticket-file.ts'
import { printedDay } from '../iso-times.ts'
import { followingNumbers, printedText } from '../printed.ts'
import { elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

/** A document as an answer lists it. */
export type ListedDocument = {
  /** 13 digits. */
  readonly number: string
  readonly kind: TicketDocument['kind']
  /** The passenger's id; null is not told. */
  readonly passenger: string | null
  /** How many numbers it has in all. */
  readonly books: number
  readonly issuedOn: string | null
  readonly bsp: boolean
  readonly associatedWith: string | null
}
type Listed = { readonly documents: readonly ListedDocument[]; readonly warnings: readonly FileWarning[] }

const KINDS: Readonly<Record<string, TicketDocument['kind']>> = {
  T: 'ticket',
  TKT: 'ticket',
  J: 'emd',
  Y: 'emd',
  EMD: 'emd',
}
/** Of coupons that are worth nothing any more: void, refunded, exchanged. */
const SPENT = new Set(['V', 'RF', 'E'])
const MOST_BOOKS = 9

/** Every document of an order that is still good, once; the others are named in warnings. */
export function listedDocuments(response: TicketXmlElement): Listed {
  const documents: ListedDocument[] = []
  const warnings: FileWarning[] = []
  const infos = [...elements(response, 'TicketDocInfos', 'TicketDocInfo'), ...elements(response, 'TicketDocInfo')]
  for (const info of infos) {
    for (const printed of [...elements(info, 'TicketDocument'), ...elements(info, 'Ticket')]) {
      const read = documentOf(printed, info)
      if ('message' in read) warnings.push(read)
      else documents.push(read)
    }
  }
  return { documents: once(documents), warnings }
}

/** Some answers list a document under each of its flights, and the numbers that continue it as documents of their own. */
function once(listed: readonly ListedDocument[]): readonly ListedDocument[] {
  const known = new Set<string>()
  return listed.filter(({ number, books, passenger }) => {
    if (known.has(`${number} ${passenger}`)) return false
    for (const each of [number, ...followingNumbers(number, books - 1)]) known.add(`${each} ${passenger}`)
    return true
  })
}

function documentOf(printed: TicketXmlElement, info: TicketXmlElement): ListedDocument | FileWarning {
  const written = textAt(printed, 'TicketDocNbr') ?? textAt(printed, 'TicketNumber') ?? ''
  const number = numberOf(written)
  if (number === null) {
    return {
      code: 'document_number',
      message: `"${written}" is not a 13-digit document number. The document was left out.`,
    }
  }
  const type = textAt(printed, 'Type') ?? textAt(printed, 'Type', 'Code') ?? textAt(printed, 'TicketDocTypeCode')
  const kind = type === null ? 'ticket' : KINDS[type.toUpperCase()]
  if (!kind) {
    return { code: 'document_type', message: `${number} has the unknown type ${type}. The document was left out.` }
  }
  if (isSpent(printed)) {
    return {
      code: 'spent_document',
      message: `The coupons of ${number} are void, refunded or exchanged. The document was left out.`,
    }
  }
  const reporting = textAt(printed, 'ReportingType') ?? textAt(printed, 'ReportingTypeCode')
  return {
    number,
    kind,
    passenger: printedText(textAt(info, 'PassengerReference') ?? textAt(info, 'PaxRefID') ?? ''),
    books: booksOf(printed, info),
    issuedOn: printedDay(textAt(printed, 'DateOfIssue')),
    bsp: reporting?.toUpperCase() === 'BSP',
    associatedWith: numberOf(textAt(printed, 'InConnectionDocNbr') ?? textAt(printed, 'ConnectedDocNumber') ?? ''),
  }
}

function numberOf(written: string): string | null {
  const digits = written.replace(/[\s-]/g, '')
  return /^\d{13}$/.test(digits) ? digits : null
}

function isSpent(printed: TicketXmlElement): boolean {
  const states = [
    ...elements(printed, 'Coupon', 'CouponStatusCode'),
    ...elements(printed, 'CouponInfo', 'Status', 'Code'),
  ]
  return states.length > 0 && states.every((state) => SPENT.has(state.text.toUpperCase()))
}

function booksOf(printed: TicketXmlElement, info: TicketXmlElement): number {
  const books = Number(textAt(printed, 'NumberofBooklets') ?? textAt(info, 'BookletQty') ?? '1')
  return Number.isInteger(books) && books >= 1 && books <= MOST_BOOKS ? books : 1
}
