import { airlineOfNumber, numericCodeOf } from '../../airline-numbers.ts'
import { checkDigitHolds } from '../printed.ts'
import type { Warn } from '../warnings.ts'
import { cutField, EMD, FEE } from './columns.ts'
import { type IurFile, iurRecords } from './records.ts'

/** `SSR TKNE SU HK1 SVOCDG2450N20MAR/5556563641694C1`: from, to, flight, class and day; `INF` is before an infant's. */
const TKNE = /\bTKNE \S+ \S+ (\w{6,24})\/(?:INF)?(\d{13})C\d/
/** The maximum length of a service message. */
const MESSAGE_LENGTH = 200
const SERIAL = /^\d{10}$/
const NUMBER = /^\d{13}$/
const AIRLINE = /^[A-Z\d]{2}$/
const THREE_DIGITS = /^\d{3}$/

/** The ticket numbers of flights, from the airlines' service messages. */
export const ticketMessages = (file: IurFile): { sector: string; number: string }[] =>
  iurRecords(file, 'M9').flatMap(({ line }) => {
    const [, sector, number] = TKNE.exec(line.slice(0, MESSAGE_LENGTH)) ?? []
    return sector && number ? [{ sector, number }] : []
  })

/**
 * The 13-digit number of a document by its airline and 10 digits; null, with a warning, if the airline's digits are
 * unknown.
 */
export type NumberOf = (airline: string, serial: string) => string | null

/**
 * Tickets are printed without the airline's digits. Those come from service messages and fees, otherwise from the
 * airline's code.
 */
export function numbersOf(file: IurFile, warn: Warn): NumberOf {
  const whole = [
    ...ticketMessages(file).map(({ number }) => number),
    ...iurRecords(file, 'MA').map(({ line }) => cutField(line, FEE.ticket)),
    ...iurRecords(file, 'MG').map(({ line }) => cutField(line, EMD.airlineNumber) + cutField(line, EMD.serial)),
  ].filter((number) => NUMBER.test(number))
  const seen = new Map(whole.map((number) => [number.slice(3), number]))
  return (airline, serial) => {
    if (!SERIAL.test(serial)) {
      warn(
        'unreadable_number',
        `A document of the airline ${airline || '(none)'} does not have a 10-digit number: "${serial}".`,
      )
      return null
    }
    const number = seen.get(serial) ?? withCode(airline, serial)
    if (number === null) {
      warn(
        'unknown_airline_number',
        `The accounting code of the airline ${airline || '(none)'} is not known. Enter document ${serial} by hand.`,
      )
    }
    return number
  }
}

function withCode(airline: string, serial: string): string | null {
  const code = numericCodeOf(airline)
  return code === null ? null : code + serial
}

/** The 13-digit number if the airline's three digits are printed too. */
export function printedNumber(airlineNumber: string, serial: string, checkDigit: string, warn: Warn): string | null {
  if (!THREE_DIGITS.test(airlineNumber) || !SERIAL.test(serial)) return null
  const number = airlineNumber + serial
  checkNumber(number, number, checkDigit, warn)
  return number
}

/** The ticket that an EMD belongs to. Its check digit does not cover the airline's digits. */
export function associatedNumber(printed: string, checkDigit: string, warn: Warn): string | null {
  if (!NUMBER.test(printed)) return null
  checkNumber(printed, printed.slice(3), checkDigit, warn)
  return printed
}

function checkNumber(number: string, checked: string, digit: string, warn: Warn): void {
  if (!/^\d$/.test(digit) || checkDigitHolds(checked, digit)) return
  warn('check_digit', `The check digit ${digit} of document ${number} is wrong. Check the number.`)
}

/** The printed airline, otherwise the airline of the number. */
export const airlineFor = (printed: string, number: string): string | null =>
  AIRLINE.test(printed) ? printed : airlineOfNumber(number)
