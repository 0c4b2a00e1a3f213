import { elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

const SERIAL_DIGITS = 10
/** A number can be preceded by its airline, or by the series of its form, which is letters or two digits. */
const FORM = /^(?:[^\d\s]{1,4}|\d{0,3})\s*(\d{10})$/

/** The numbers of a document and its conjunctions; `problem` is the reason if there are none. */
export type SirenaNumbers = { readonly number: string; readonly conjunctions: readonly string[] } | { problem: string }

/**
 * The form number has 13 digits, or the last ten with a series before them. The flights have the whole number, and the
 * airline's three digits are printed beside it.
 */
export function sirenaNumbersOf(ticket: TicketXmlElement): SirenaNumbers {
  const form = textAt(ticket, 'BSONUM') ?? ''
  const serial = FORM.exec(form)?.[1]
  const inFlights = flightNumbers(ticket)
  const candidates = new Set([
    ...(/^\d{13}$/.test(form.replace(/\s/g, '')) ? [form.replace(/\s/g, '')] : []),
    ...inFlights.filter((number) => number.endsWith(serial ?? 'none')),
  ])
  const airline = airlineDigits(ticket)
  if (candidates.size === 0 && serial !== undefined && airline !== null) candidates.add(airline + serial)
  const [number, ...others] = candidates
  if (number === undefined) return { problem: `The form number "${form}" does not form a document number.` }
  if (others.length > 0)
    return { problem: `The document has two numbers, ${number} and ${others[0]}. It is not known which is right.` }
  return { number, conjunctions: inFlights.filter((each) => each !== number) }
}

const flightNumbers = (ticket: TicketXmlElement): readonly string[] => [
  ...new Set(
    elements(ticket, 'SEGMENTS', 'SEGMENT')
      .map((segment) => textAt(segment, 'SEG_BSONUM') ?? '')
      .filter((number) => /^\d{13}$/.test(number)),
  ),
]

const airlineDigits = (ticket: TicketXmlElement): string | null =>
  /^\d{3}$/.exec(textAt(ticket, 'GENERAL_CARRIER') ?? '')?.[0] ?? null

/** Another document that an element names; of the same airline if none is printed. */
export function otherNumber(ticket: TicketXmlElement, name: string): string | null {
  const printed = textAt(ticket, name) ?? ''
  const whole = printed.replace(/\s/g, '')
  if (/^\d{13}$/.test(whole)) return whole
  const [serial, airline] = [FORM.exec(printed)?.[1], airlineDigits(ticket)]
  return serial?.length === SERIAL_DIGITS && airline !== null ? airline + serial : null
}
