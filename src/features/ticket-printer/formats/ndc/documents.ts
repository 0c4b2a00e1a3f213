import type { Commission, FileWarning, TicketDocument } from '../../ticket-file.ts'
import { printedDay } from '../iso-times.ts'
import { followingNumbers } from '../printed.ts'
import { descendants, element, elements, firstTextAt, type TicketXmlElement } from '../xml/parse-xml.ts'
import { commissionIn } from './commission.ts'
import { type Coupon, listedCoupons, spentAs } from './coupons.ts'
import { PASSENGER_REFS, refsOf } from './references.ts'

/** A document as listed in an answer. */
export type ListedDocument = {
  /** 13 digits. */
  readonly number: string
  readonly kind: TicketDocument['kind']
  /** The passenger's id; null if not printed. */
  readonly passenger: string | null
  /** The count of its numbers. */
  readonly books: number
  readonly coupons: readonly Coupon[]
  readonly spent: ReturnType<typeof spentAs>
  readonly issuedOn: string | null
  readonly bsp: boolean
  readonly associatedWith: string | null
  /** The documents for which it was exchanged. */
  readonly originals: readonly string[]
  readonly endorsement: string | null
  readonly commission: Commission | null
  /** The element with its price, if no other document is in that element. */
  readonly priced: TicketXmlElement | null
  /** The issuing airline, as printed. */
  readonly issuer: string | null
}
type Listed = { readonly documents: readonly ListedDocument[]; readonly warnings: readonly FileWarning[] }

const KINDS: Readonly<Record<string, TicketDocument['kind']>> = {
  T: 'ticket',
  TKT: 'ticket',
  TICKET: 'ticket',
  J: 'emd',
  Y: 'emd',
  EMD: 'emd',
  'EMD-A': 'emd',
  'EMD-S': 'emd',
}
/** Elements that name the exchanged document, in versions 17.2 to 21.3. */
const ORIGINALS = ['OriginalIssueInfo', 'ExchReissueInfo', 'OriginalTicket'] as const
/** Elements that name the airline of a document. */
const ISSUERS = [
  'IssuingAirlineInfo/AirlineID',
  'IssuingAirlineInfo/AirlineDesigCode',
  'IssuingCarrier/AirlineDesigCode',
] as const
const MOST_BOOKS = 9

/** Every document of an order, once. Warnings name those without a number or of unknown type. */
export function listedDocuments(response: TicketXmlElement): Listed {
  const documents: ListedDocument[] = []
  const warnings: FileWarning[] = []
  for (const info of listedIn(response)) {
    const printed = withWholeNumbers([...elements(info, 'TicketDocument'), ...elements(info, 'Ticket')])
    for (const [document, number] of printed) {
      const read = documentOf(document, number, info, printed.length === 1)
      if ('message' in read) warnings.push(read)
      else documents.push(read)
    }
  }
  return { documents: once(documents), warnings }
}

/** Documents are beside the order or in it, with or without a list element. */
const listedIn = (response: TicketXmlElement): readonly TicketXmlElement[] =>
  [response, ...elements(response, 'Order')].flatMap((place) => [
    ...elements(place, 'TicketDocInfos', 'TicketDocInfo'),
    ...elements(place, 'TicketDocInfo'),
  ])

/** Some answers split a number: the airline's three digits and the serial are documents of their own. */
function withWholeNumbers(documents: readonly TicketXmlElement[]): readonly (readonly [TicketXmlElement, string])[] {
  const printed = documents.map((document) => [document, printedNumber(document)] as const)
  const isHead = (at: number) => /^\d{3}$/.test(printed[at]?.[1] ?? '') && /^\d{10}$/.test(printed[at + 1]?.[1] ?? '')
  return printed.flatMap(([document, number], at) => {
    if (isHead(at)) return []
    return [[document, isHead(at - 1) ? `${printed[at - 1]?.[1]}${number}` : number] as const]
  })
}

const printedNumber = (document: TicketXmlElement): string =>
  firstTextAt(document, 'TicketDocNbr', 'TicketNumber') ?? ''

/** Some answers list a document under each of its flights, and list its conjunctions as documents. */
function once(listed: readonly ListedDocument[]): readonly ListedDocument[] {
  const known = new Set<string>()
  return listed.filter(({ number, books, passenger }) => {
    if (known.has(`${number} ${passenger}`)) return false
    for (const each of [number, ...followingNumbers(number, books - 1)]) known.add(`${each} ${passenger}`)
    return true
  })
}

function documentOf(
  document: TicketXmlElement,
  written: string,
  info: TicketXmlElement,
  isOnly: boolean,
): ListedDocument | FileWarning {
  const number = wholeNumber(written)
  if (number === null) {
    return {
      code: 'document_number',
      message: `"${written}" is not a 13-digit document number. The document was left out.`,
    }
  }
  const type = firstTextAt(document, 'Type/Code', 'Type', 'TicketDocTypeCode')
  const kind = kindOf(type, firstTextAt(document, 'Type/Definition'))
  if (!kind) {
    return { code: 'document_type', message: `${number} has the unknown type ${type}. The document was left out.` }
  }
  const coupons = listedCoupons(document)
  const reporting = firstTextAt(document, 'ReportingType', 'ReportingTypeCode')
  const connected = firstTextAt(document, 'InConnectionDocNbr', 'ConnectedDocNumber')
  const inCoupons = descendants(document, 'InConnectionDocNbr').map(({ text }) => text)[0]
  return {
    number,
    kind,
    passenger: refsOf(info, ...PASSENGER_REFS)[0] ?? null,
    books: booksOf(document, info),
    coupons,
    spent: spentAs(coupons),
    issuedOn: printedDay(
      firstTextAt(document, 'DateOfIssue') ?? firstTextAt(info, 'IssueInfo/IssueDate', 'DateOfIssue'),
    ),
    bsp: reporting?.toUpperCase() === 'BSP',
    associatedWith: wholeNumber(connected ?? inCoupons ?? ''),
    originals: originalsIn([document, ...(isOnly ? [info] : [])], number),
    endorsement: firstTextAt(info, 'EndorsementText', 'Endorsements/Endorsement'),
    commission: commissionIn(info),
    priced: isOnly ? pricedIn(info) : null,
    issuer: firstTextAt(info, ...ISSUERS),
  }
}

const pricedIn = (info: TicketXmlElement): TicketXmlElement | null =>
  element(info, 'FareDetail') ?? element(info, 'FareInfo') ?? (element(info, 'Price') ? info : null)

const kindOf = (type: string | null, definition: string | null): TicketDocument['kind'] | undefined =>
  type === null ? 'ticket' : (KINDS[type.toUpperCase()] ?? KINDS[definition?.toUpperCase() ?? ''])

function wholeNumber(written: string): string | null {
  const digits = written.replace(/[\s-]/g, '')
  return /^\d{13}$/.test(digits) ? digits : null
}

/** Everything that looks like a document below the elements about the original. */
function originalsIn(places: readonly TicketXmlElement[], own: string): readonly string[] {
  const about = places.flatMap((place) => ORIGINALS.flatMap((name) => descendants(place, name)))
  const texts = about.flatMap((original) => [original, ...everythingIn(original)]).map(({ text }) => text)
  return [...new Set(texts.flatMap((text) => wholeNumber(text) ?? []))].filter((number) => number !== own)
}

const everythingIn = (from: TicketXmlElement): readonly TicketXmlElement[] =>
  from.children.flatMap((child) => [child, ...everythingIn(child)])

function booksOf(document: TicketXmlElement, info: TicketXmlElement): number {
  const books = Number(firstTextAt(document, 'NumberofBooklets') ?? firstTextAt(info, 'BookletQty') ?? '1')
  return Number.isInteger(books) && books >= 1 && books <= MOST_BOOKS ? books : 1
}
