import { airlineOfNumber, numericCodeOf } from '../../airline-numbers.ts'
import { checkDigitHolds } from '../printed.ts'
import type { Warn } from '../warnings.ts'
import { cutRecord, EMD, FEE } from './columns.ts'
import { type IurFile, iurRecords } from './records.ts'

/** `SSR TKNE SU HK1 SVOCDG2450N20MAR/5556563641694C1`: from, to, flight, class and day; `INF` is before an infant's. */
const TKNE = /\bTKNE \S+ \S+ (\w{6,24})\/(?:INF)?(\d{13})C\d/
/** A service message is no longer. */
const MESSAGE_LENGTH = 200
const SERIAL = /^\d{10}$/
const NUMBER = /^\d{13}$/
const AIRLINE = /^[A-Z\d]{2}$/
const THREE_DIGITS = /^\d{3}$/

/** The tickets of flights by the service messages of the airlines. */
export const ticketMessages = (file: IurFile): { sector: string; number: string }[] =>
  iurRecords(file, 'M9').flatMap(({ line }) => {
    const [, sector, number] = TKNE.exec(line.slice(0, MESSAGE_LENGTH)) ?? []
    return sector && number ? [{ sector, number }] : []
  })

/** The 13 digits of a document by its airline and 10 digits; null, with a warning, where they are not known. */
export type NumberOf = (airline: string, serial: string) => string | null

/** Tickets are printed without the airline's digits: service messages and fees have them, else the airline's code. */
export function numbersOf(file: IurFile, warn: Warn): NumberOf {
  const whole = [
    ...ticketMessages(file).map(({ number }) => number),
    ...iurRecords(file, 'MA').map(({ line }) => cutRecord(line, FEE).ticket),
    ...iurRecords(file, 'MG')
      .map(({ line }) => cutRecord(line, EMD))
      .map((emd) => emd.airlineNumber + emd.serial),
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

/** The 13 digits where the airline's three are printed as well. */
export function printedNumber(airlineNumber: string, serial: string, checkDigit: string, warn: Warn): string | null {
  if (!THREE_DIGITS.test(airlineNumber) || !SERIAL.test(serial)) return null
  const number = airlineNumber + serial
  checkNumber(number, number, checkDigit, warn)
  return number
}

/** The ticket that an EMD belongs to, whose check digit leaves the airline out. */
export function associatedNumber(printed: string, checkDigit: string, warn: Warn): string | null {
  if (!NUMBER.test(printed)) return null
  checkNumber(printed, printed.slice(3), checkDigit, warn)
  return printed
}

function checkNumber(number: string, checked: string, digit: string, warn: Warn): void {
  if (!/^\d$/.test(digit) || checkDigitHolds(checked, digit)) return
  warn('check_digit', `The check digit ${digit} of document ${number} is wrong. Check the number.`)
}

/** The airline that is printed, else that of the number. */
export const airlineFor = (printed: string, number: string): string | null =>
  AIRLINE.test(printed) ? printed : airlineOfNumber(number)
