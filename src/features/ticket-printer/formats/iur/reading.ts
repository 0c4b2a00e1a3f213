import { daysBetween } from '../../../../platform/time.ts'
import type { TicketDocument, TicketFile } from '../../ticket-file.ts'
import { lastDay, printedClock } from '../days.ts'
import type { Warn } from '../warnings.ts'
import { type AccountingLine, accountingLines, currentLines } from './accounting.ts'
import { iurCurrencyOf } from './amounts.ts'
import { cutField, cutRecord, EMD, FEE, HEADER, type RecordFields, TICKET } from './columns.ts'
import { type Flight, iurFlights, lastDeparture } from './flights.ts'
import { type NumberOf, numbersOf } from './numbers.ts'
import { type IurFile, iurRecords } from './records.ts'

/** Whom a document is for: the item of the passenger, and the passenger type printed beside it. */
export type Holder = { readonly item: string; readonly ptc: string | null }
export type Draft = Omit<TicketDocument, 'passenger'> & { readonly holder: Holder }
/** The values shared by all documents of a file. */
export type Reading = {
  readonly file: IurFile
  readonly header: RecordFields<typeof HEADER>
  readonly made: TicketFile['made']
  readonly issuedOn: string | null
  /** A day near that of the file, from which years that are not printed are derived. */
  readonly reference: string
  readonly lines: readonly AccountingLine[]
  readonly flights: readonly Flight[]
  /** The only currency in which the file prints prices of the sale; null if none or several. */
  readonly currency: string | null
  readonly numberOf: NumberOf
  readonly warn: Warn
}

/** Sabre's time zone: that of Tulsa. */
export const ZONE = 'America/Chicago'
/** No ticket is sold or voided this many days after its last flight; such a file is from the year before. */
const AFTER_FLIGHT = 60

export function readingOf(file: IurFile, today: string, warn: Warn): Reading {
  const header = cutRecord(file.header, HEADER)
  const lines = accountingLines(file)
  const flights = iurFlights(file)
  const day = madeDay(flights, header.madeDay, currentLines(lines).refund, today)
  const reference = day ?? today
  if (file.squeezed) {
    warn(
      'blank_lines_gone',
      'The empty lines of the file were removed on the way. Check the form of payment and the endorsement.',
    )
  }
  return {
    file,
    header,
    made: day === null ? null : { day, time: printedClock(header.madeTime), zone: ZONE },
    issuedOn: lastDay(header.recordDay, reference),
    reference,
    lines,
    flights,
    currency: currencyIn(file, lines),
    numberOf: numbersOf(file, warn),
    warn,
  }
}

function currencyIn(file: IurFile, lines: readonly AccountingLine[]): string | null {
  const emds = iurRecords(file, 'MG').map(({ line }) => cutRecord(line, EMD))
  const printed = [
    ...lines.map(({ currency }) => currency ?? ''),
    ...iurRecords(file, 'M2').flatMap(({ line }) => [
      cutField(line, TICKET.totalCurrency),
      cutField(line, TICKET.equivalentCurrency),
    ]),
    ...emds.map(({ equivalent, equivalentCurrency, baseCurrency }) => (equivalent ? equivalentCurrency : baseCurrency)),
    ...iurRecords(file, 'MA').map(({ line }) => cutField(line, FEE.currency)),
  ]
  const currencies = new Set(printed.map(iurCurrencyOf).filter((currency) => currency !== null))
  return currencies.size === 1 ? ([...currencies][0] ?? null) : null
}

/**
 * The header has no year. It is the last such day before today and, except for refunds, not long after the last flight.
 */
function madeDay(flights: readonly Flight[], printed: string, isRefund: boolean, today: string): string | null {
  const day = lastDay(printed, today)
  const last = lastDeparture(flights, today)
  const isOld = day !== null && last !== null && daysBetween(last, day) > AFTER_FLIGHT
  return isOld && !isRefund ? lastDay(printed, last) : day
}
