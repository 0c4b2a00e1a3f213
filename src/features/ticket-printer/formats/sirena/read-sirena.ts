import { airlineOfNumber, numericCodeOf } from '../../airline-numbers.ts'
import {
  NO_FARE,
  type Passenger,
  type ReadTicketFile,
  type TicketDocument,
  type TicketFile,
  type TicketLeg,
  Unreadable,
} from '../../ticket-file.ts'
import { BLANK_DOCUMENT, BLANK_FILE, BLANK_PASSENGER } from '../blank.ts'
import { legsOnce } from '../legs.ts'
import { printedText, withoutLikelyCards } from '../printed.ts'
import { collectWarnings, unknownCollection, unreadableAmount } from '../warnings.ts'
import { elements, parseXml, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { agencyOf } from './agency.ts'
import { exchangeOf, type GivenIn } from './exchanges.ts'
import { commissionOf, fareMarkOf, sirenaFareOf, sirenaRefundOf } from './fares.ts'
import { isVoidCoupon, legOf, sirenaDay } from './legs.ts'
import { otherNumber, sirenaNumbersOf } from './numbers.ts'
import { kindOf, operationOf, type SirenaOperation } from './operations.ts'
import { remarksOf, sirenaPassengerOf } from './passengers.ts'
import { sirenaPaymentOf } from './payment.ts'
import { servicesOf } from './services.ts'

/** An element that is about a document that is known. */
type Entry = {
  readonly ticket: TicketXmlElement
  readonly operation: SirenaOperation
  readonly kind: TicketDocument['kind']
  readonly number: string
  readonly conjunctions: readonly string[]
}
type Notes = ReturnType<typeof collectWarnings>
type Sale = Entry & { readonly operation: TicketFile['action'] }

/** Reads the ticket XML of Sirena, versions 1.6 to 2.3: every `TICKET` is one operation on one document. */
export const readSirena: ReadTicketFile = (content) => {
  const root = parseXml(content)
  if (root instanceof Unreadable) return root
  const notes = collectWarnings()
  const entries = elements(root, 'TICKET').flatMap((ticket) => entryOf(ticket, notes))
  const given = entries.filter(({ operation }) => operation === 'given_in')
  const sales = entries.filter((entry): entry is Sale => entry.operation !== 'given_in')
  const [first] = sales
  if (!first) return new Unreadable(nothingIn(given, notes.warnings[0]?.message), 'no_document')
  const action = actionOf(sales)
  if (action === null)
    return new Unreadable('The file contains both sales and refunds. Export them into separate files.', 'several_files')
  const names = [...new Set(sales.map(({ ticket }) => textAt(ticket, 'FIO')))]
  const documents = sales.map((sale) => ({
    ...documentOf(sale, given, notes),
    passenger: names.indexOf(textAt(sale.ticket, 'FIO')),
  }))
  const locators = sales.flatMap(locatorOf)
  return {
    ...BLANK_FILE,
    provider: 'sirena',
    format: 'xml',
    action,
    version: root.attributes.version || null,
    ...agencyOf(first.ticket),
    pnr: textAt(first.ticket, 'PNR_LAT') ?? textAt(first.ticket, 'PNR'),
    airlineLocators: [...new Map(locators.map((each) => [`${each.airline} ${each.locator}`, each])).values()],
    issuedOn: documents[0]?.issuedOn ?? null,
    validatingAirline: { code: airlineOf(first), numeric: first.number.slice(0, 3), name: null },
    passengers: names.map((name) => passengerNamed(name, sales)),
    legs: legsOnce(sales.flatMap((sale) => legsOf(sale, notes))),
    documents,
    remarks: [...new Set(sales.flatMap(({ ticket }) => remarksOf(ticket)))],
    warnings: notes.warnings,
  }
}

/** A passenger's ticket tells more of them than what was sold with it. */
function passengerNamed(name: string | null, sales: readonly Sale[]): Passenger {
  const theirs = sales.filter(({ ticket }) => textAt(ticket, 'FIO') === name)
  const [first] = [...theirs.filter(({ kind }) => kind === 'ticket'), ...theirs]
  return first ? sirenaPassengerOf(first.ticket) : { ...BLANK_PASSENGER, lastName: '', firstName: '' }
}

function nothingIn(given: readonly Entry[], problem: string | undefined): string {
  if (given[0])
    return `The file contains the return of ${given[0].number} for an exchange. The exchange itself is in the file of the new ticket.`
  return `The file has no ticket that can be captured. ${problem ?? ''}`.trim()
}

function entryOf(ticket: TicketXmlElement, { warn }: Notes): Entry[] {
  const leave = (problem: string): Entry[] => {
    warn('ticket_left_out', `${problem} The document was left out.`)
    return []
  }
  const numbers = sirenaNumbersOf(ticket)
  if ('problem' in numbers) return leave(numbers.problem)
  const [kind, operation] = [kindOf(ticket), operationOf(ticket)]
  if (!kind) return leave(`${numbers.number} has the unknown type ${textAt(ticket, 'TYPE')}.`)
  if (operation) return [{ ticket, operation, kind, ...numbers }]
  const printed = [textAt(ticket, 'OPTYPE'), textAt(ticket, 'TRANS_TYPE')].filter((text) => text !== null)
  return leave(`The operation ${printed.join(', ')} of ${numbers.number} is not known.`)
}

/** A file is of one kind of operation; what is sold in an exchange beside the new ticket belongs to it. */
function actionOf(sales: readonly Sale[]): TicketFile['action'] | null {
  const actions = new Set(sales.map(({ operation }) => operation))
  if (actions.has('exchange')) actions.delete('issue')
  const [action, ...others] = actions
  return action === undefined || others.length > 0 ? null : action
}

function documentOf(sale: Sale, given: readonly Entry[], notes: Notes): TicketDocument {
  const { ticket, number, conjunctions, kind, operation } = sale
  const priced = sirenaFareOf(ticket)
  const { fare, spoilt } = priced
  const { base, equivalent, rate } = fare
  const issuedOn = sirenaDay(textAt(ticket, 'DEALDATE'))
  if (spoilt) notes.note(unreadableAmount(number))
  else if (operation !== 'void' && fare.total === null)
    notes.warn(
      'price_unknown',
      `The price of ${number} is not known: the file has no payment with an amount and a currency.`,
    )
  return {
    ...BLANK_DOCUMENT,
    number,
    kind,
    conjunctions,
    coupons: couponsOf(ticket),
    passenger: 0,
    airline: airlineOf(sale),
    issuedOn,
    // Of what comes back only the fare is told in two currencies.
    fare: operation === 'refund' ? { ...NO_FARE, base, equivalent, rate } : operation === 'void' ? NO_FARE : fare,
    fareCalculation: textAt(ticket, 'FARECALC'),
    fareMark: fareMarkOf(ticket),
    commission: operation === 'refund' ? null : commissionOf(ticket),
    formOfPayment: sirenaPaymentOf(ticket),
    tourCode: textAt(ticket, 'TOURCODE'),
    endorsement: printedText(withoutLikelyCards(textAt(ticket, 'ENDORS_RESTR') ?? '')),
    services: kind === 'ticket' ? [] : servicesOf(ticket),
    associatedWith: kind === 'ticket' ? null : otherNumber(ticket, 'TO_BSONUM'),
    exchange: operation === 'exchange' ? exchangeIn(sale, fare, given, notes) : null,
    refund: operation === 'refund' ? sirenaRefundOf(ticket, priced, sirenaDay(textAt(ticket, 'SALEDATE'))) : null,
  }
}

function couponsOf(ticket: TicketXmlElement): TicketDocument['coupons'] {
  return elements(ticket, 'SEGMENTS', 'SEGMENT').flatMap((segment) => {
    const number = Number(textAt(segment, 'COUPON_NO') ?? '')
    return isVoidCoupon(segment) && Number.isInteger(number) && number > 0 ? [{ number, status: 'VOID' }] : []
  })
}

/** The old ticket is named by the new one, or given in beside it by the same passenger. */
function exchangeIn(sale: Sale, fare: TicketDocument['fare'], given: readonly Entry[], { warn, note }: Notes) {
  const named = otherNumber(sale.ticket, 'EX_BSONUM')
  const name = textAt(sale.ticket, 'FIO')
  const beside = given.filter(({ ticket }) => name !== null && textAt(ticket, 'FIO') === name)
  const originals = named === null ? beside.map(({ number }) => number) : [named]
  const values = given.map(({ ticket, number }): GivenIn => ({ number, ...sirenaFareOf(ticket) }))
  const exchange = exchangeOf(originals, fare, values)
  if (originals.length === 0)
    warn(
      'exchanged_ticket',
      `The file does not name the ticket that was exchanged for ${sale.number}. Enter it by hand.`,
    )
  if (exchange.additionalCollection === null) note(unknownCollection(sale.number))
  return exchange
}

/** The one airline of all flights of a ticket; null where there are several. */
function flyingAirline(ticket: TicketXmlElement): string | null {
  const [only = null, ...others] = new Set(flightsOf(ticket).map(({ airline }) => airline))
  return others.length === 0 ? only : null
}

/** Numbers of airlines that are no more were given to others: an airline of which none is known flies on its own tickets. */
function airlineOf({ ticket, number }: Entry): string | null {
  const flying = flyingAirline(ticket)
  return flying !== null && numericCodeOf(flying) === null ? flying : airlineOfNumber(number)
}

/** The airline's own locator; the airline is that of the flights where they have one. */
function locatorOf(sale: Entry): TicketFile['airlineLocators'] {
  const locator = textAt(sale.ticket, 'INV_PNR')
  const airline = flyingAirline(sale.ticket) ?? airlineOf(sale)
  return locator !== null && airline !== null ? [{ airline, locator }] : []
}

const segmentsOf = (ticket: TicketXmlElement) =>
  elements(ticket, 'SEGMENTS', 'SEGMENT').filter((segment) => !isVoidCoupon(segment))
const flightsOf = (ticket: TicketXmlElement): readonly TicketLeg[] =>
  segmentsOf(ticket)
    .map(legOf)
    .filter((leg) => 'flight' in leg)

function legsOf(sale: Sale, { warn }: Notes): readonly TicketLeg[] {
  const { ticket, number } = sale
  const [own] = locatorOf(sale)
  for (const leg of segmentsOf(ticket).map(legOf))
    if ('unknown' in leg)
      warn('leg', `The flight "${leg.unknown}" of ${number} has no code of IATA and was left out. Enter it by hand.`)
  return flightsOf(ticket).map((leg) => (leg.airline === own?.airline ? { ...leg, airlineLocator: own.locator } : leg))
}
