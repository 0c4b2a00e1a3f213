import { parse } from 'csv-parse/sync'
import { airlineOfNumber } from '../../airline-numbers.ts'
import {
  type DocumentAction,
  NO_FARE,
  type Passenger,
  type Provider,
  type ReadTicketFile,
  type TicketDocument,
  Unreadable,
} from '../../ticket-file.ts'
import { BLANK_DOCUMENT, BLANK_FILE, BLANK_PASSENGER } from '../blank.ts'
import { legsOnce } from '../legs.ts'
import { passengerNameOf, typeOfPassenger } from '../names.ts'
import { checkDigitHolds } from '../printed.ts'
import { collectWarnings, unreadableAmount } from '../warnings.ts'
import { COLUMNS, FEWEST_COLUMNS, lineOf, REFUND_COLUMNS, type TktLine } from './columns.ts'
import { tktDay } from './days.ts'
import { tktCommission, tktFare, tktPayment, tktRefund } from './fares.ts'
import { tktItinerary, tktLegs } from './legs.ts'

const MOST_CHARACTERS = 64 * 1024
const ACTIONS: Readonly<Record<string, DocumentAction>> = { SALE: 'issue', REFUND: 'refund', VOID: 'void' }
/** A locator with its system, as `1A/ABC123` or `ABC123/1A`. */
const LOCATOR = /^(?:(\d[A-Z])\/)?([A-Z\d]{5,6})(?:\/(\d[A-Z]))?$/
const PROVIDERS: Readonly<Record<string, Provider>> = {
  '1A': 'amadeus',
  '1G': 'galileo',
  '1V': 'apollo',
  '1W': 'sabre',
  '1S': 'sabre',
  '1P': 'worldspan',
  '1H': 'sirena',
}
/** A passenger type behind a name, which may be truncated. */
const PASSENGER_TYPE = /\*([A-Z]{3}).*$/

type Notes = ReturnType<typeof collectWarnings>
type Entry = { readonly line: TktLine; readonly number: string; readonly action: DocumentAction }

/** Parses a TKT, the CSV of a back office in the CIS: one line for each document, without a header. */
export const readTkt: ReadTicketFile = (content) => {
  if (content.length > MOST_CHARACTERS)
    return new Unreadable('The file is longer than 64 thousand characters. Export fewer tickets at once.', 'too_large')
  const notes = collectWarnings()
  const entries = linesOf(content).flatMap((line) => entryOf(line, notes))
  const [first] = entries
  if (!first)
    return new Unreadable(
      `The file has no ticket that can be captured. ${notes.warnings[0]?.message ?? ''}`.trim(),
      'no_document',
    )
  const { action } = first
  if (entries.some((each) => each.action !== action))
    return new Unreadable('The file contains both sales and refunds. Export them into separate files.', 'several_files')
  const [, before, locator, behind] = LOCATOR.exec(first.line(COLUMNS.locator) ?? '') ?? []
  const documents = entries.map((entry, passenger) => ({ ...documentOf(entry, notes), passenger }))
  return {
    ...BLANK_FILE,
    provider: PROVIDERS[before ?? behind ?? ''] ?? 'unknown',
    format: 'tkt',
    action,
    pnr: locator ?? null,
    ticketingAgent: first.line(action === 'refund' ? REFUND_COLUMNS.agent : COLUMNS.agent),
    issuedOn: documents[0]?.issuedOn ?? null,
    validatingAirline: { code: airlineOfNumber(first.number), numeric: first.number.slice(0, 3), name: null },
    passengers: entries.map(({ line }) => passengerOf(line)),
    legs: legsOnce(entries.flatMap(({ line }) => tktLegs(line))),
    documents,
    warnings: notes.warnings,
  }
}

/** The fields of every line; empty if it is not CSV. */
function linesOf(content: string): readonly TktLine[] {
  const delimiter = /^"\d*";/.test(content) ? ';' : ','
  try {
    const lines: string[][] = parse(content, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    })
    return lines.filter((fields) => fields.length >= FEWEST_COLUMNS).map(lineOf)
  } catch {
    return []
  }
}

function entryOf(line: TktLine, { warn }: Notes): Entry[] {
  const [airline, serial] = [line(COLUMNS.airline) ?? '', line(COLUMNS.serial) ?? '']
  const [operation, digit] = [line(COLUMNS.operation), line(COLUMNS.checkDigit)]
  if (!/^\d{3}$/.test(airline) || !/^\d{10}$/.test(serial)) {
    warn('ticket_left_out', `"${airline} ${serial}" is not a 13-digit document number. The document was left out.`)
    return []
  }
  const number = airline + serial
  const action = ACTIONS[operation ?? '']
  if (!action) {
    warn('ticket_left_out', `The operation ${operation} of ${number} is not known. The document was left out.`)
    return []
  }
  if (digit !== null && !checkDigitHolds(serial, digit))
    warn('check_digit', `The check digit ${digit} of document ${number} is wrong. Check the number.`)
  return [{ line, number, action }]
}

function documentOf({ line, number, action }: Entry, { warn, note }: Notes): TicketDocument {
  const isRefund = action === 'refund'
  const sold = tktDay(line(COLUMNS.issuedOn))
  const fare = tktFare(line)
  const refund = tktRefund(line, sold)
  const itinerary = action === 'issue' ? tktItinerary(line) : null
  if (action !== 'void' && (isRefund ? refund : fare).spoilt) note(unreadableAmount(number))
  if (isRefund && refund.read.total === null)
    warn('refund_amounts', `The file does not contain the refunded amount of ${number}. Enter it by hand.`)
  if (itinerary !== null)
    warn('leg', `The file has the flights of ${number} only in part (${itinerary}). Enter airlines and times by hand.`)
  return {
    ...BLANK_DOCUMENT,
    number,
    kind: 'ticket',
    passenger: 0,
    airline: airlineOfNumber(number),
    issuedOn: isRefund ? tktDay(line(REFUND_COLUMNS.issuedOn)) : sold,
    fare: action === 'issue' ? fare.read : NO_FARE,
    commission: action === 'issue' ? tktCommission(line) : null,
    formOfPayment: tktPayment(line),
    tourCode: line(COLUMNS.tourCode),
    refund: isRefund ? refund.read : null,
  }
}

function passengerOf(line: TktLine): Passenger {
  const printed = line(COLUMNS.passenger) ?? ''
  const ptc = PASSENGER_TYPE.exec(printed)?.[1] ?? null
  return {
    ...BLANK_PASSENGER,
    ...passengerNameOf(printed.replace(PASSENGER_TYPE, '')),
    type: typeOfPassenger(ptc),
    ptc,
  }
}
