import type { PrintedMoney, TicketDocument } from '../../ticket-file.ts'
import { sumOf } from '../sums.ts'
import type { Warn } from '../warnings.ts'
import { moneyBeside, moneyInText } from './amounts.ts'
import { type Air, field, linesFor, linesOf, type PassengerBlock } from './lines.ts'

const TICKETING_FEE = 4

/**
 * The agency's fees at the documents that they are for. The ticketing fee of the system (TFD) stands with its passenger.
 * The invoice's own line (RIS) stands behind the last passenger, for all of them.
 */
export function withServiceFees(air: Air, documents: readonly TicketDocument[], warn: Warn): TicketDocument[] {
  const fees = air.passengers.map((block) => ticketingFee(block, warn) ?? invoiceFee(air, block, warn))
  const last = fees.length - 1
  const isShared =
    last > 0 && fees.every((fee, at) => (fee !== null) === (at === last)) && isForAll(air.passengers[last])
  if (isShared) {
    warn(
      'shared_service_fee',
      'The file has one service fee for all passengers. It was assigned to the first document.',
    )
    return documents.map((document, at) => (at === 0 ? { ...document, serviceFee: fees[last] ?? null } : document))
  }
  const seen = new Set<number>()
  return documents.map((document) => {
    if (seen.has(document.passenger)) return document
    seen.add(document.passenger)
    return { ...document, serviceFee: fees[document.passenger] ?? null }
  })
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
