import type { Commission, Exchange, FormOfPayment, PrintedMoney, TicketDocument } from '../../ticket-file.ts'
import { BLANK_DOCUMENT } from '../blank.ts'
import { followingNumbers, moneyOf, printedAmount, printedText, withoutLikelyCards } from '../printed.ts'
import { accountedAmounts } from './accounted-fares.ts'
import {
  type AccountingLine,
  bySerial,
  EXCHANGES,
  type Original,
  originalsIn,
  paidTwice,
  settledBy,
} from './accounting.ts'
import { warnOfAmount } from './amounts.ts'
import { COUPON, cutRecord, type RecordFields, TICKET } from './columns.ts'
import { iurFees, type TicketFare, ticketFare } from './fares.ts'
import { airlineFor } from './numbers.ts'
import { paymentOf } from './payments.ts'
import type { Draft, Reading } from './reading.ts'
import { type IurRecord, iurRecords } from './records.ts'

type Ticket = RecordFields<typeof TICKET>

/** The positions of the variable lines behind M2. */
const PAYMENT = 2
const ENDORSEMENT = 5
/** A ticket and its coupons given in; without such a line, the first ticket issued. */
const GIVEN_IN = /^\d{13}\/\d/
const FIRST_ISSUE = /^\d{13}[A-Z]{3}\d{2}[A-Z]{3}\d{2}/
const TWO_PAYMENTS = '2'
/** What a ticket prints instead of its fare, by its own mark or in place of the total. */
const MARKS: Readonly<Record<string, TicketDocument['fareMark']>> = {
  B: 'bulk',
  BT: 'bulk',
  BULK: 'bulk',
  I: 'inclusive_tour',
  IT: 'inclusive_tour',
}
/** Amounts with codes behind them, for which the tax boxes had no room. */
const TAXES = /\d[A-Z]/
/** The maximum length of a variable line. */
const LINE = 200

/** A ticket record with the accounting line of its document. */
type Sold = {
  readonly reading: Reading
  readonly record: IurRecord
  readonly ticket: Ticket
  readonly line: AccountingLine | undefined
}

/** The documents of the ticket records. */
export function ticketsOf(reading: Reading, isVoid: boolean): Draft[] {
  const [lines, twice] = [bySerial(reading.lines), paidTwice(reading.lines)]
  const fees = iurFees(reading.file, reading.warn)
  return iurRecords(reading.file, 'M2').flatMap((record) => {
    const ticket = cutRecord(record.line, TICKET)
    if (!isInColumns(ticket)) {
      reading.warn(
        'unreadable_number',
        `The ticket record of passenger ${ticket.passenger} is damaged: its fields are not in their columns. Enter the ticket by hand.`,
      )
      return []
    }
    const sold = { reading, record, ticket, line: lines.get(ticket.serial) }
    const outline = outlineOf(sold)
    if (outline === null) return []
    if (isVoid) return [outline]
    const draft = priced(outline, sold)
    return [
      {
        ...draft,
        fare: { ...draft.fare, fees: fees(draft.number, ticket.passenger) },
        formOfPayment: paymentFor(sold, ticket.payments === TWO_PAYMENTS || twice.has(ticket.serial)),
      },
    ]
  })
}

/** The last field is always a digit, in its own column unless earlier text was lost. */
const isInColumns = ({ conjunctions }: Ticket): boolean => /^\d$/.test(conjunctions)

/** The passenger and the numbers of a ticket, which is all that a void needs. */
function outlineOf({ reading, ticket, line }: Sold): Draft | null {
  const number = reading.numberOf(ticket.airline, ticket.serial)
  if (number === null) return null
  return {
    ...BLANK_DOCUMENT,
    number,
    kind: 'ticket',
    conjunctions: followingNumbers(number, line?.whole ? line.conjunctions : digitOf(ticket.conjunctions)),
    airline: airlineFor(ticket.airline, number),
    holder: { item: ticket.passenger, ptc: printedText(ticket.ptc) },
  }
}

const digitOf = (printed: string): number => (/^\d$/.test(printed) ? Number(printed) : 0)

function priced(outline: Draft, sold: Sold): Draft {
  const { reading, record, ticket, line } = sold
  const fare = ticketFare(reading.file, record, ticket, { number: outline.number, warn: reading.warn }, line)
  return {
    ...outline,
    issuedOn: reading.issuedOn,
    fare: fare.fare,
    coupons: couponsOf(reading, record, ticket.ptc),
    fareCalculation: fare.calculation,
    fareMark: MARKS[ticket.mark] ?? MARKS[ticket.total] ?? null,
    commission: commissionOf(ticket) ?? line?.commission ?? null,
    tourCode: printedText(ticket.tourCode),
    endorsement: reading.file.squeezed ? null : printedText(withoutLikelyCards(record.lines[ENDORSEMENT] ?? '')),
    exchange: exchangeOf(sold, fare, outline.number),
  }
}

/** The coupons that the ticket names, in order, with their status. */
function couponsOf({ file }: Reading, { lines: [items = ''] }: IurRecord, ptc: string): Draft['coupons'] {
  if (!/^(?:\d\d){1,16}$/.test(items.trim())) return []
  const all = iurRecords(file, 'M4').map(({ line }) => cutRecord(line, COUPON))
  return (items.match(/\d\d/g) ?? []).flatMap((item, at) => {
    const ofFlight = all.filter(({ flight }) => flight === item)
    const { status } = ofFlight.find((coupon) => coupon.ptc === ptc) ?? ofFlight[0] ?? { status: '' }
    return status ? [{ number: at + 1, status }] : []
  })
}

/** A Korean commission rate has a G before it. */
function commissionOf({ commissionRate, commissionAmount }: Ticket): Commission | null {
  const [rate, amount] = [printedAmount(commissionRate.replace(/^G/, '')), printedAmount(commissionAmount)]
  return rate === null && amount === null ? null : { rate, amount }
}

function paymentFor({ reading, record, line }: Sold, isMixed: boolean): FormOfPayment | null {
  const printed = reading.file.squeezed ? '' : (record.lines[PAYMENT] ?? '')
  const payment = paymentOf(printed) ?? line?.payment ?? null
  return payment && isMixed ? { ...payment, kind: 'mixed' } : payment
}

function exchangeOf(sold: Sold, fare: TicketFare, number: string): Exchange | null {
  const originals = givenIn(sold)
  const isExchange = EXCHANGES.includes(sold.line?.indicator ?? '') || fare.collected !== 'all'
  if (originals.length === 0 && !isExchange) return null
  return { originals, ...settled(fare, sold.line), penalty: penaltyOf(sold, fare, number) }
}

function givenIn({ record, line }: Sold): readonly Original[] {
  const printed = record.lines.slice(0, ENDORSEMENT).map((each) => each.trim().slice(0, LINE))
  const originals = originalsIn(printed.find((each) => GIVEN_IN.test(each)) ?? '')
  if (originals.length > 0) return originals
  if (line && line.originals.length > 0) return line.originals
  const first = printed.find((each) => FIRST_ISSUE.test(each))
  return first === undefined ? [] : [{ number: first.slice(0, 13), coupons: null }]
}

/** Takes the outcome from the accounting line if the ticket record has neither `A` nor `NO ADC`. */
function settled(
  { fare, currency, collected }: TicketFare,
  line: AccountingLine | undefined,
): Omit<Exchange, 'originals' | 'penalty'> {
  const byLine = settledBy(line?.indicator ?? '', line ? accountedAmounts(line, currency).total : null)
  return collected === 'all' ? byLine : { ...byLine, additionalCollection: fare.total }
}

/** The penalty field may hold taxes that had no room elsewhere. */
function penaltyOf({ reading, ticket }: Sold, { currency }: TicketFare, number: string): PrintedMoney | null {
  const penalty = moneyOf(currency ?? '', ticket.penalty)
  if (penalty === null && ticket.penalty !== '' && !TAXES.test(ticket.penalty))
    warnOfAmount(reading.warn, 'penalty', number, ticket.penalty)
  return penalty
}
