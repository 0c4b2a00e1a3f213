import { isDate } from '../../../../platform/time.ts'
import { type FormOfPayment, type ReadTicketFile, type Tax, type TicketLeg, Unreadable } from '../../ticket-file.ts'
import { BLANK_LEG } from '../blank.ts'
import { printedClock } from '../days.ts'
import { paidIn } from '../payments.ts'
import { moneyOf, withoutLikelyCards } from '../printed.ts'
import { sumOf } from '../sums.ts'
import { element, elements, parseXml, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { nameIn, type SirenaTicket, sirenaCurrencyOf, sirenaFile } from './tickets.ts'

const PAYMENTS: Readonly<Record<string, FormOfPayment['kind']>> = { НА: 'cash', CA: 'cash', CC: 'card', ПК: 'card' }

/** Reads the ticket XML of Sirena: every `TICKET` is one operation on one document. */
export const readSirena: ReadTicketFile = (content) => {
  const root = parseXml(content)
  if (root instanceof Unreadable) return root
  return sirenaFile('xml', root.attributes.version || null, elements(root, 'TICKET').map(ticketOf))
}

function ticketOf(ticket: TicketXmlElement): SirenaTicket {
  const fare = element(ticket, 'FARE')
  const currency = sirenaCurrencyOf(textAt(ticket, 'CURRENCY') ?? fare?.attributes.currency ?? null) ?? undefined
  const base = moneyOf(currency, fare?.text)
  const payments = elements(ticket, 'FOPS', 'FOP')
  const printed = elements(ticket, 'TAXES', 'TAX')
  const taxes = printed.flatMap((tax) => taxOf(tax, currency))
  return {
    type: textAt(ticket, 'TYPE'),
    operation: textAt(ticket, 'OPTYPE'),
    form: textAt(ticket, 'BSONUM'),
    carrier: textAt(ticket, 'GENERAL_CARRIER'),
    name: nameOfTicket(ticket),
    dateOfBirth: dayOf(textAt(ticket, 'BIRTH_DATE')),
    pnr: textAt(ticket, 'PNR_LAT') ?? textAt(ticket, 'PNR'),
    issuedOn: dayOf(textAt(ticket, 'DEALDATE')),
    fare: base,
    taxes,
    spoilt: taxes.length < printed.length || (fare?.text !== undefined && fare.text !== '' && base === null),
    total: sumOf(payments.map((payment) => moneyOf(currency, textAt(payment, 'AMOUNT') ?? undefined))),
    formOfPayment: formOfPaymentOf(payments),
    endorsement: withoutLikelyCards(textAt(ticket, 'ENDORS_RESTR') ?? '') || null,
    legs: elements(ticket, 'SEGMENTS', 'SEGMENT').flatMap(legOf),
  }
}

function taxOf(tax: TicketXmlElement, currency: string | undefined): Tax[] {
  const money = moneyOf(currency, textAt(tax, 'AMOUNT') ?? undefined)
  return money ? [{ ...money, code: textAt(tax, 'CODE') ?? 'XT', nature: null }] : []
}

function nameOfTicket(ticket: TicketXmlElement): SirenaTicket['name'] {
  const lastName = textAt(ticket, 'SURNAME')
  if (lastName === null) return nameIn(textAt(ticket, 'FIO') ?? '')
  return { lastName, firstName: textAt(ticket, 'NAME') ?? '', title: null }
}

/** Of `DDMMYYYY`. */
function dayOf(printed: string | null): string | null {
  const day = printed?.replace(/^(\d{2})(\d{2})(\d{4})$/, '$3-$2-$1') ?? ''
  return isDate(day) ? day : null
}

function formOfPaymentOf(payments: readonly TicketXmlElement[]): FormOfPayment | null {
  const ways = payments.flatMap((payment) => textAt(payment, 'TYPE') ?? [])
  return paidIn(ways.map((way) => ({ kind: PAYMENTS[way] ?? null, text: way })))
}

/** Airlines and airports that have no code but a Cyrillic one have no place in a sale: their flight is left out. */
function legOf(segment: TicketXmlElement): TicketLeg[] {
  const [airline, flight] = [textAt(segment, 'CARRIER') ?? '', textAt(segment, 'REIS') ?? '']
  const from = textAt(segment, 'PORT1CODE') ?? textAt(segment, 'CITY1CODE') ?? ''
  const to = textAt(segment, 'PORT2CODE') ?? textAt(segment, 'CITY2CODE') ?? ''
  if (!/^[A-Z\d]{2}$/.test(airline) || ![from, to].every((code) => /^[A-Z]{3}$/.test(code)) || flight === '') return []
  return [
    {
      ...BLANK_LEG,
      airline,
      flight,
      from,
      to,
      departure: timeOf(textAt(segment, 'FLYDATE'), textAt(segment, 'FLYTIME')),
      arrival: timeOf(textAt(segment, 'ARRDATE'), textAt(segment, 'ARRTIME')),
      departureTerminal: textAt(segment, 'TERM1'),
      arrivalTerminal: textAt(segment, 'TERM2'),
      bookingClass: textAt(segment, 'CLASS'),
    },
  ]
}

function timeOf(date: string | null, time: string | null): string | null {
  const [day, hour] = [dayOf(date), printedClock(time ?? '')]
  return day !== null && hour !== null ? `${day}T${hour}` : null
}
