import { isDate } from '../../../../platform/time.ts'
import type { TicketFile } from '../../ticket-file.ts'
import { fullDay, lastDay, nearestDay } from '../days.ts'
import { checkDigitHolds, printedText } from '../printed.ts'
import type { Warn } from '../warnings.ts'
import { type Air, everyLine, field, firstLineOf, type Line } from './lines.ts'

/** Offices and IATA numbers in MUC1A: of the ticketing, the owning and the booking office. */
const OFFICES = [
  [8, 9],
  [6, 7],
  [2, 3],
] as const
const BOOKING_OFFICE = 2
const SATELLITES = 12
const CLIENT_ACCOUNT = 28
/**
 * Invoices and reservations can be printed again at any time, so the last change of the reservation is nearer to the
 * issue.
 */
const DATED_BY_CHANGE = ['IA', 'IB', 'IM']
/** A remark that contains only the customer's code. */
const ACCOUNT_REMARK = /^\*(?:AC|ACCOUNT|CLIENT|CUSTOMER)[ :/-]([A-Z0-9][A-Z0-9._-]{1,30})\s*$/
const DAY = /^\s*(\d\d)(\d\d)(\d\d)\s*$/
const LOCATOR = /^([A-Z0-9]{2}) ([A-Z0-9]{5,6})$/

export type AirHeader = Pick<
  TicketFile,
  | 'version'
  | 'training'
  | 'made'
  | 'part'
  | 'pnr'
  | 'airlineLocators'
  | 'bookingOffice'
  | 'ticketingOffice'
  | 'bookingAgent'
  | 'ticketingAgent'
  | 'iataNumber'
  | 'clientAccount'
  | 'issuedOn'
> & {
  /** The type of the file: `7A`, `RF`, `MA` … */
  readonly option: string
  /** `VOID`, `RSTD`, `TRFX` or empty. */
  readonly action: string
  /** When the reservation was made; in a refund, when the refunded document was issued. */
  readonly created: string | null
  readonly airline: NonNullable<TicketFile['validatingAirline']> | null
}

/** Parses the lines before the first segment. */
export function readAirHeader(air: Air, today: string, warn: Warn): AirHeader {
  const [version = '', printedOption = '', practice = ''] = air.block
  const option = printedOption.trim()
  const amd = firstLineOf(air.common, 'AMD')
  const muc = firstLineOf(air.common, 'MUC1A')
  const [created = null, changed = null, made = null] = datesOf(firstLineOf(air.common, 'D-'))
  const [bookingAgent = null, ticketingAgent = null] = agentsOf(firstLineOf(air.common, 'C-'))
  const day = made ?? actedOn(field(amd, 2).slice(4, 9), changed ?? created ?? refundedOn(air, today), today)
  return {
    version: printedText(version),
    option,
    training: practice.trim() === 'T',
    action: field(amd, 2).slice(0, 4).trim(),
    part: partOf(amd),
    made: day === null ? null : { day, time: null, zone: null },
    issuedOn: (DATED_BY_CHANGE.includes(option) ? changed : null) ?? day,
    created,
    ...officesOf(muc),
    pnr: /^(?!NOPNR)[A-Z0-9]{6}/.exec(field(muc, 0).trim())?.[0] ?? null,
    airlineLocators: locatorsOf(muc),
    bookingAgent,
    ticketingAgent: ticketingAgent ?? signOf(field(amd, 3)),
    clientAccount: accountOf(air, muc),
    airline: airlineOf(firstLineOf(air.common, 'A-'), warn),
  }
}

/** `TRFX05MAR`: the year is the one nearest to another day in the file, otherwise the last before the capture. */
const actedOn = (printed: string, own: string | null, today: string): string | null =>
  own === null ? lastDay(printed, today) : nearestDay(printed, own)

/** `229-2833133116;20JUL25`: the day of the refund that the file voids. */
function refundedOn(air: Air, today: string): string | null {
  const [line] = everyLine(air, 'R-')
  return line ? fullDay(field(line, 1), today) : null
}

/** `150325;150326;150326`: when the reservation was made and changed, and when the file was made; YYMMDD. */
const datesOf = (line: Line | undefined): (string | null)[] =>
  (line?.fields ?? []).map((printed) => {
    const match = DAY.exec(printed)
    const day = match && `20${match[1]}-${match[2]}-${match[3]}`
    return day && isDate(day) ? day : null
  })

/** ` 2800248517;2/3;…`; the first character is R in a file that is sent again. */
function partOf(amd: Line | undefined): TicketFile['part'] {
  const sequence = /^[R ]?(\d{1,12})/.exec(field(amd, 0))?.[1]
  const [number = 0, of = 0] = (/^\d{1,3}\/\d{1,3}$/.exec(field(amd, 1).trim())?.[0].split('/') ?? []).map(Number)
  return sequence && number > 0 && number <= of && of > 1 ? { number, of, sequence } : null
}

/** `7906/ 1984LXSU-1962VZSU-I-0--`: the booking and the issuing agent. */
const agentsOf = (line: Line | undefined): (string | null)[] =>
  field(line, 0)
    .replace(/^[^/]*\//, '')
    .split('-', 2)
    .map(signOf)

/** Asterisks stand for the system, which is not an agent. */
const signOf = (printed: string): string | null => printedText(printed.replace(/^\*+$/, ''))

function officesOf(muc: Line | undefined): Pick<TicketFile, 'bookingOffice' | 'ticketingOffice' | 'iataNumber'> {
  const ticketing = OFFICES.find(([office]) => printedText(field(muc, office)))
  const office = ticketing ? field(muc, ticketing[0]).trim() : null
  // The IATA number of another office does not show that this office settles through the BSP.
  const numbers = OFFICES.filter(([at]) => field(muc, at).trim() === office).map(([, at]) => field(muc, at).trim())
  return {
    bookingOffice: printedText(field(muc, BOOKING_OFFICE)),
    ticketingOffice: office,
    iataNumber: numbers.find((number) => /^\d{8}$/.test(number)) ?? null,
  }
}

/** Their position depends on the version, so every field that looks like a locator counts. */
const locatorsOf = (muc: Line | undefined): TicketFile['airlineLocators'] =>
  (muc?.fields ?? []).slice(SATELLITES).flatMap((printed) => {
    if (printed === '') return []
    const [, airline, locator] = LOCATOR.exec(printed.trim()) ?? []
    return airline && locator && locator !== 'NOSYNC' ? [{ airline, locator }] : []
  })

function accountOf(air: Air, muc: Line | undefined): string | null {
  const accounting = everyLine(air, 'AITAN').map((line) => printedText(field(line, 0)))
  const remarks = everyLine(air, 'RM').map((line) => ACCOUNT_REMARK.exec(field(line, 0))?.[1])
  return [...accounting, printedText(field(muc, CLIENT_ACCOUNT)), ...remarks].find((code) => code) ?? null
}

/** `KLM ROYAL DUTCH AIRLINES;KL 0744`: the name, the code and the numeric code with its check digit. */
function airlineOf(line: Line | undefined, warn: Warn): AirHeader['airline'] {
  const printed = field(line, 1)
  const code = printedText(printed.slice(0, 3))
  const numeric = numericIn(printed.slice(3), warn)
  return code || numeric ? { code, numeric, name: printedText(field(line, 0)) } : null
}

/** The three digits of an airline, printed with a check digit: `2354` is 235. */
export function numericIn(printed: string, warn: Warn): string | null {
  const [, numeric, digit] = /^(\d{3})(\d)?$/.exec(printed.trim()) ?? []
  if (!numeric) return null
  if (digit && !checkDigitHolds(numeric, digit)) {
    warn('check_digit', `The check digit of the airline ${numeric} is not ${digit}. Check the airline.`)
  }
  return numeric
}
