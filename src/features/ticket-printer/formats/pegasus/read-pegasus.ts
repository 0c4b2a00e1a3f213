import { airlineOfNumber } from '../../airline-numbers.ts'
import {
  type Exchange,
  type Fare,
  type FileWarning,
  type FormOfPayment,
  NO_FARE,
  type Passenger,
  type PrintedMoney,
  type ReadTicketFile,
  type TicketDocument,
  type TicketLeg,
  Unreadable,
} from '../../ticket-file.ts'
import { BLANK_DOCUMENT, BLANK_FILE, BLANK_LEG, BLANK_PASSENGER } from '../blank.ts'
import { madeAt, printedDay, printedTime } from '../iso-times.ts'
import { legsOnce } from '../legs.ts'
import { typeOfPassenger } from '../names.ts'
import { paidIn } from '../payments.ts'
import { moneyOf } from '../printed.ts'
import { unknownCollection, unreadableAmount } from '../warnings.ts'
import { descendants, elements, parseXml, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

const PEGASUS = 'PC'
/** What a total is made of beside the fare. Its name, shortened, is all there is of a tax code. */
const CHARGES = [
  { name: 'TAX', code: 'TAX' },
  { name: 'SURCHARGE', code: 'SURCHARGE' },
  { name: 'SERVICE_FEE', code: 'SERVICE' },
  { name: 'FF_AMOUNT', code: 'FF' },
  { name: 'OTHER_AMOUNT', code: 'OTHER' },
] as const
const AMOUNTS = ['FARE', 'TOTAL_AMOUNT', ...CHARGES.map(({ name }) => name)]
const PAYMENTS: Readonly<Record<string, FormOfPayment['kind']>> = {
  INV: 'invoice',
  CA: 'cash',
  CASH: 'cash',
  CC: 'card',
}
const FLIGHT = /^([A-Z][A-Z\d]|\d[A-Z]) ?(\d{1,4})$/

/** A ticket as read, or why it was left out. */
type Good = { ticket: TicketXmlElement; document: TicketDocument; passenger: Passenger; warnings: FileWarning[] }
type Read = Good | { left: FileWarning }

/** Reads the ticket XML of Pegasus: every `TICKET` is one ticket of one passenger. */
export const readPegasus: ReadTicketFile = (text) => {
  const root = parseXml(text)
  if (root instanceof Unreadable) return root
  const read = (root.name === 'TICKET' ? [root] : descendants(root, 'TICKET')).map(ticketOf)
  const good = read.filter((each) => 'document' in each)
  const left = read.flatMap((each) => ('left' in each ? [each.left] : []))
  const first = good[0]?.ticket
  if (!first)
    return new Unreadable(`The XML has no ticket that can be captured. ${left[0]?.message ?? ''}`.trim(), 'no_document')
  const documents = good.map(({ document }, passenger) => ({ ...document, passenger }))
  return {
    ...BLANK_FILE,
    provider: 'pegasus',
    format: 'xml',
    action: documents.some(({ exchange }) => exchange) ? 'exchange' : 'issue',
    made: madeAt(textAt(first, 'TICKET_DATE')),
    pnr: textAt(first, 'PNR'),
    ticketingOffice: textAt(first, 'SR_CODE'),
    ticketingAgent: textAt(first, 'USER_CODE'),
    issuedOn: documents[0]?.issuedOn ?? null,
    validatingAirline: { ...airlineOf(first), name: null },
    passengers: good.map(({ passenger }) => passenger),
    legs: legsOnce(good.flatMap(({ ticket }) => elements(ticket, 'COUPONS', 'COUPON').flatMap(legOf))),
    documents,
    warnings: [...left, ...good.flatMap(({ warnings }) => warnings)],
  }
}

function ticketOf(ticket: TicketXmlElement): Read {
  const number = textAt(ticket, 'TICKET_NO') ?? ''
  const [status, type] = [textAt(ticket, 'TICKET_STATUS'), textAt(ticket, 'TICKET_TYPE')]
  const leave = (message: string): Read => ({ left: { code: 'ticket_left_out', message } })
  if (!/^\d{13}$/.test(number)) return leave(`"${number}" is not a 13-digit ticket number. The ticket was left out.`)
  if (status !== 'OK') return leave(`Ticket ${number} has the unknown status ${status}. It was left out.`)
  if (type !== 'FLIGHT') return leave(`${number} has the unknown type ${type}. It was left out.`)
  const exchange = exchangeOf(ticket)
  return {
    ticket,
    document: {
      ...BLANK_DOCUMENT,
      number,
      kind: 'ticket',
      passenger: 0,
      airline: airlineOf(ticket).code,
      issuedOn: printedDay(textAt(ticket, 'TICKET_DATE')),
      fare: fareOf(ticket),
      formOfPayment: formOfPaymentOf(ticket),
      exchange,
    },
    passenger: passengerOf(ticket),
    warnings: [
      ...(isSpoilt(ticket) ? [unreadableAmount(number)] : []),
      ...(exchange ? [unknownCollection(number)] : []),
    ],
  }
}

function airlineOf(ticket: TicketXmlElement): { code: string | null; numeric: string | null } {
  const printed = textAt(ticket, 'AIRLINE_CODE') ?? textAt(ticket, 'TICKET_NO')?.slice(0, 3) ?? ''
  const numeric = /^\d{3}$/.test(printed) ? printed : null
  return { code: numeric === null ? null : airlineOfNumber(numeric), numeric }
}

function passengerOf(ticket: TicketXmlElement): Passenger {
  const ptc = textAt(ticket, 'PAX_TYPE')
  return {
    ...BLANK_PASSENGER,
    lastName: textAt(ticket, 'PAX_SURNAME') ?? '',
    firstName: textAt(ticket, 'PAX_NAME') ?? '',
    type: typeOfPassenger(ptc),
    ptc,
  }
}

function fareOf(ticket: TicketXmlElement): Fare {
  const taxes = CHARGES.flatMap(({ name, code }) => {
    const charge = moneyIn(ticket, name)
    return charge && Number(charge.amount) > 0 ? [{ ...charge, code, nature: null }] : []
  })
  return { ...NO_FARE, base: moneyIn(ticket, 'FARE'), taxes, total: moneyIn(ticket, 'TOTAL_AMOUNT') }
}

const moneyIn = (ticket: TicketXmlElement, name: string): PrintedMoney | null =>
  moneyOf(textAt(ticket, 'CURRENCY') ?? undefined, textAt(ticket, name) ?? undefined)

const isSpoilt = (ticket: TicketXmlElement): boolean =>
  AMOUNTS.some((name) => textAt(ticket, name) !== null && !moneyIn(ticket, name))

function formOfPaymentOf(ticket: TicketXmlElement): FormOfPayment | null {
  const ways = elements(ticket, 'PAYMENT_TYPES', 'PAYMENT_TYPE').filter(({ text }) => text !== '')
  return paidIn(ways.map(({ text }) => ({ kind: PAYMENTS[text] ?? null, text })))
}

/** What the exchange cost is not told apart from the price. */
function exchangeOf(ticket: TicketXmlElement): Exchange | null {
  const number = textAt(ticket, 'EXCHANGE_FOR') ?? ''
  if (!/^\d{13}$/.test(number)) return null
  return {
    originals: [{ number, coupons: null }],
    additionalCollection: null,
    fareDifference: null,
    residual: null,
    penalty: null,
  }
}

function legOf(coupon: TicketXmlElement): TicketLeg[] {
  const [from, to] = [textAt(coupon, 'ORIGIN'), textAt(coupon, 'DESTINATION')]
  const printed = textAt(coupon, 'FLIGHT_NO') ?? ''
  const [, airline = PEGASUS, flight = printed] = FLIGHT.exec(printed) ?? []
  if (from === null || to === null || !/^\d{1,4}$/.test(flight)) return []
  return [
    {
      ...BLANK_LEG,
      airline,
      flight,
      from,
      to,
      departure: printedTime(textAt(coupon, 'DEP_DATE')),
      arrival: printedTime(textAt(coupon, 'ARR_DATE')),
      bookingClass: textAt(coupon, 'REZ_CLASS'),
      fareBasis: textAt(coupon, 'FAREBASIS'),
    },
  ]
}
