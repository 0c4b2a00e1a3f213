import type { PrintedMoney, TicketDocument } from '../../ticket-file.ts'
import { moneyOf } from '../printed.ts'
import { sumOf } from '../sums.ts'
import type { Warn } from '../warnings.ts'
import { isSameMoney, moneyBeside, moneyInText } from './amounts.ts'
import { type Air, everyLine, field, linesFor, linesOf, type PassengerBlock } from './lines.ts'

const TICKETING_FEE = 4
/** A text of the invoice: `SERVICE FEE UAH 83.33+VAT 16.67`. */
const FEE_TEXT = /^SERVICE FEE\s+([A-Z]{3})\s*(\d[\d.]*)(?:\s*[+/]\s*VAT\s*(\d[\d.]*))?\s*$/

/** The total of one ticket beside it. If it equals that of every ticket, the fee applies to each. */
const TICKET_TEXT = /^TICKET TTL\s+([A-Z]{3})\s*(\d[\d.]*)\s*$/

/**
 * Adds the agency's fees to their documents. The ticketing fee of the system (TFD) is printed with its passenger.
 * Invoice fees (RIS, or RIZ as text) follow the last passenger: one for each passenger, or one for all.
 */
export function withServiceFees(air: Air, documents: readonly TicketDocument[], warn: Warn): TicketDocument[] {
  const { shared, own } = feesOf(air, documents, warn)
  if (shared) {
    warn(
      'shared_service_fee',
      'The file has one service fee for all passengers. It was assigned to the first document.',
    )
    return documents.map((document, at) => (at === 0 ? { ...document, serviceFee: shared } : document))
  }
  const seen = new Set<number>()
  return documents.map((document) => {
    if (seen.has(document.passenger)) return document
    seen.add(document.passenger)
    return { ...document, serviceFee: own[document.passenger] ?? null }
  })
}

type Fees = { readonly shared: PrintedMoney | null; readonly own: readonly (PrintedMoney | null)[] }

function feesOf(air: Air, documents: readonly TicketDocument[], warn: Warn): Fees {
  const own = air.passengers.map((block) => ticketingFee(block, warn) ?? invoiceFee(air, block, warn))
  const count = own.length
  const found = own.filter((fee) => fee !== null)
  if (found.length === 0) {
    const texts = everyLine(air, 'RIZ').flatMap((line) => feeInText(field(line, 0)) ?? [])
    const [text] = texts
    if (text && texts.length === 1 && isForEach(air, documents)) return { shared: null, own: own.map(() => text) }
    if (count === 1) return { shared: null, own: [sumOf(texts)] }
    return texts.length === count ? { shared: null, own: texts } : { shared: sumOf(texts), own }
  }
  const isShared = count > 1 && found.length === 1 && own.at(-1) !== null && isForAll(air.passengers.at(-1))
  return { shared: isShared ? (found[0] ?? null) : null, own }
}

function isForEach(air: Air, documents: readonly TicketDocument[]): boolean {
  const [total] = everyLine(air, 'RIZ').flatMap((line) => {
    const [, currency, amount] = TICKET_TEXT.exec(field(line, 0).trim()) ?? []
    return moneyOf(currency, amount) ?? []
  })
  return total !== undefined && documents.every(({ fare }) => fare.total !== null && isSameMoney(fare.total, total))
}

const isForAll = (block: PassengerBlock | undefined): boolean =>
  block !== undefined &&
  linesOf(block.own, 'TFD').length === 0 &&
  linesOf(block.own, 'RIS').every((line) => line.passengers === null)

/** `21;25527;25NOV25;IEVKV2101;UAH980;…` */
const ticketingFee = (block: PassengerBlock, warn: Warn): PrintedMoney | null =>
  sumOf(
    linesOf(block.own, 'TFD').flatMap(
      (line) => moneyInText(field(line, TICKETING_FEE).trim(), 'ticketing fee', warn) ?? [],
    ),
  )

/** `EUR;25.00;;;SERVICE FEE` */
const invoiceFee = (air: Air, block: PassengerBlock, warn: Warn): PrintedMoney | null =>
  sumOf(
    linesFor(air, block, 'RIS').flatMap(
      (line) => moneyBeside(field(line, 0), field(line, 1), 'service fee', warn) ?? [],
    ),
  )

function feeInText(printed: string): PrintedMoney | null {
  const [, currency, fee, vat] = FEE_TEXT.exec(printed.trim()) ?? []
  return sumOf([moneyOf(currency, fee), ...(vat === undefined ? [] : [moneyOf(currency, vat)])])
}
