import { daysBetween } from '../../../../platform/time.ts'
import { NO_FARE, type TicketDocument, type TicketFile } from '../../ticket-file.ts'
import { clock, lastDay } from '../days.ts'
import { type AccountingLine, accountingLines, currentLines } from './accounting.ts'
import type { Warn } from './amounts.ts'
import { cut, type Fields, HEADER } from './columns.ts'
import { lastDeparture } from './legs.ts'
import { type NumberOf, numbersOf } from './numbers.ts'
import type { IurFile } from './records.ts'

/** For whom a document is: the item of a passenger, and the type that a record prints beside it. */
export type Holder = { readonly item: string; readonly ptc: string | null }
export type Draft = Omit<TicketDocument, 'passenger'> & { readonly holder: Holder }
/** What is the same for all documents of a file. */
export type Reading = {
  readonly file: IurFile
  readonly header: Fields<typeof HEADER>
  readonly made: TicketFile['made']
  readonly issuedOn: string | null
  /** A day near the file's, where years are to be told by. */
  readonly reference: string
  readonly lines: readonly AccountingLine[]
  readonly numberOf: NumberOf
  readonly warn: Warn
}

/** Sabre's own clock, Tulsa's. */
export const ZONE = 'America/Chicago'
const SALES = ['1', '2', '3', 'A', 'B']
/** Nothing is sold so many days after its last flight: the file is of a year before. */
const SALE_AFTER_FLIGHT = 60

export const BLANK = {
  conjunctions: [],
  issuedOn: null,
  fare: NO_FARE,
  netFare: null,
  sellingFare: null,
  commission: null,
  serviceFee: null,
  formOfPayment: null,
  tourCode: null,
  endorsement: null,
  services: [],
  associatedWith: null,
  exchange: null,
  refund: null,
} as const satisfies Partial<Draft>

export function readingOf(file: IurFile, today: string, warn: Warn): Reading {
  const header = cut(file.header, HEADER)
  const lines = accountingLines(file)
  const isSale = SALES.includes(header.type) && !currentLines(lines).refund
  const day = madeDay(file, header.madeDay, isSale, today)
  const reference = day ?? today
  if (file.squeezed) {
    warn('blank_lines_gone', 'The empty lines of the file are gone. Check the form of payment and the endorsement.')
  }
  return {
    file,
    header,
    made: day === null ? null : { day, time: clock(header.madeTime), zone: ZONE },
    issuedOn: lastDay(header.recordDay, reference),
    reference,
    lines,
    numberOf: numbersOf(file, warn),
    warn,
  }
}

/** The header prints no year: it is the last such day before today, and of a sale not long after the last flight. */
function madeDay(file: IurFile, printed: string, isSale: boolean, today: string): string | null {
  const day = lastDay(printed, today)
  const last = lastDeparture(file, today)
  const isOld = day !== null && last !== null && daysBetween(last, day) > SALE_AFTER_FLIGHT
  return isSale && isOld ? lastDay(printed, last) : day
}
