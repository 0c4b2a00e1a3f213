import fc from 'fast-check'
import {
  BLANK_DOCUMENT,
  BLANK_FILE,
  BLANK_LEG,
  BLANK_PASSENGER,
  BLANK_REFUND,
} from '../../../src/features/ticket-printer/formats/blank.ts'
import {
  type Fare,
  NO_FARE,
  type TicketDocument,
  type TicketFile,
  type TicketLeg,
} from '../../../src/features/ticket-printer/ticket-file.ts'
import { after, anyAmount, sumOf } from './any.ts'
import { anyOrder, escaped, type Flight, type Order, type Sold, tag, taxesOf, totalOf } from './order.ts'

const OPERATIONS = {
  issue: { OPTYPE: 'SALE', TRANS_TYPE: 'SALE' },
  refund: { OPTYPE: 'REFUND', TRANS_TYPE: 'REFUND' },
  void: { OPTYPE: 'REFUND', TRANS_TYPE: 'CANCEL' },
  exchange: { OPTYPE: 'SALE', TRANS_TYPE: 'EXCHANGE' },
} as const
const TYPES: Readonly<Record<string, string>> = { adult: 'ААА', child: 'РБГ', infant: 'РМГ' }
const RATE = '30.1547'
const EMAIL = 'AYSE@EXAMPLE.COM'
const PHONE = '+90 555 000 00 00'
const REMARK = "ПАСС.#1 ПРЕДЛ.ТАР. 'YRT'"

/** An order at Sirena, in one file. */
export type SirenaOrder = Order & {
  readonly version: '1.7' | '2.3'
  readonly action: keyof typeof OPERATIONS
  /** The fare in the currency of its filing, if that differs. */
  readonly filed: string | null
  /** How a form number is printed: complete, or the serial with a series before it. */
  readonly form: 'whole' | 'letter' | 'apart'
  readonly baggage: string | null
  readonly inventory: string | null
  readonly commission: string | null
}

export const anySirena: fc.Arbitrary<SirenaOrder> = fc
  .record({
    order: anyOrder,
    version: fc.constantFrom('1.7', '2.3'),
    action: fc.constantFrom('issue', 'refund', 'void', 'exchange'),
    filed: fc.option(anyAmount(2)),
    form: fc.constantFrom('whole', 'letter', 'apart'),
    baggage: fc.option(fc.constantFrom('20K', '1PC')),
    inventory: fc.option(fc.constantFrom('R8BLC', 'X1Y2Z3')),
    commission: fc.option(fc.constantFrom('3.00', '0.5')),
  })
  .map(({ order, ...sirena }) => ({
    ...order,
    ...sirena,
    flights: order.flights.map((flight) => ({ ...flight, operatingAirline: flight.airline })),
  }))

const dayOf = (day: string): string => day.split('-').toReversed().join('')
const serialOf = (number: string): string => number.slice(3)
const formOf = (number: string, { form }: SirenaOrder): string =>
  form === 'whole' ? number : form === 'letter' ? `Э${serialOf(number)}` : `${number.slice(0, 3)} ${serialOf(number)}`
/** Each flight is on its own number while there are enough. */
const numberOf = ({ ticket, further }: Sold, at: number): string => [ticket, ...further][at] ?? ticket
/** Version 1 prints a fare for each flight. */
const fareOf = ({ fare }: Sold, { version, flights }: SirenaOrder): string =>
  version === '1.7' ? sumOf(flights.map(() => fare)) : fare
const filedOf = ({ filed, version, flights }: SirenaOrder): string | null =>
  filed === null ? null : version === '1.7' ? sumOf(flights.map(() => filed)) : filed
const paidOf = (sold: Sold, order: SirenaOrder): string => totalOf({ fare: fareOf(sold, order), taxes: sold.taxes })
const originalOf = ({ ticket }: Sold): string => `${ticket.slice(0, 3)}9${ticket.slice(4)}`
const filedCurrency = ({ version }: SirenaOrder): string => (version === '1.7' ? 'NUC' : 'USD')

function segmentOf(order: SirenaOrder, sold: Sold, flight: Flight, at: number): string {
  const [departure, arrival] = [flight.departure.split('T'), flight.arrival.split('T')]
  const { baggage } = order
  return tag(
    'SEGMENT',
    tag('SEGNO', String(at + 1)),
    tag('SEG_BSONUM', numberOf(sold, at)),
    tag('COUPON_NO', String((at % 4) + 1)),
    tag('IS_VOID', 'F'),
    tag('STPO', '0'),
    tag('CITY1CODE', flight.from),
    tag('CITY2CODE', flight.to),
    tag('PORT1CODE', at === 0 ? '' : flight.from),
    tag('PORT2CODE', flight.to),
    tag('TERM1', 'E'),
    tag('TERM2', ''),
    tag('CARRIER', flight.airline),
    tag('CLASS', flight.bookingClass),
    tag('REIS', flight.flight),
    tag('FLYDATE', dayOf(departure[0] ?? '')),
    tag('FLYTIME', (departure[1] ?? '').replace(':', '')),
    tag('ARRDATE', dayOf(arrival[0] ?? '')),
    tag('ARRTIME', (arrival[1] ?? '').replace(':', '')),
    tag('BASICFARE', flight.fareBasis),
    ...(order.version === '1.7' ? [tag('FARE', sold.fare), tag('NFARE', order.filed ?? sold.fare)] : []),
    baggage ? `<BAGGAGE number="${Number.parseInt(baggage, 10)}" qualifier="${baggage.replace(/^\d+/, '')}"/>` : '',
    '<FFP_INFO number="1234567890"/>',
  )
}

/** The agency: elements in version 1, attributes in version 2. */
const agencyOf = ({ version }: SirenaOrder): string =>
  [
    '<BOOK agency="02ИСТ" disp="ТКП02ИСТ232" stamp="88990000"/>',
    version === '1.7'
      ? tag('DISP', 'ТКП36МОС0465') + tag('STAMP', '88990011')
      : '<DEAL agency="36МОС" disp="ТКП36МОС0465" stamp="88990011"/>',
  ].join('')

function fareElements(order: SirenaOrder, sold: Sold): string {
  const other = order.filed === null ? order.currency : filedCurrency(order)
  return [
    tag('CURRENCY', order.currency),
    tag('OCURRENCY', other),
    tag('OPRATE', RATE),
    tag('NCURRENCY', other),
    tag('NRATE', RATE),
    order.version === '2.3' ? tag('FARE', sold.fare) + tag('OFARE', order.filed ?? sold.fare) : '',
  ].join('')
}

function ticketOf(order: SirenaOrder, sold: Sold): string {
  const { OPTYPE, TRANS_TYPE } = OPERATIONS[order.action]
  const isFull = order.version === '2.3'
  return tag(
    'TICKET',
    tag('TYPE', 'ETICKET'),
    tag('OPTYPE', OPTYPE),
    tag('TRANS_TYPE', TRANS_TYPE),
    tag('MCO_TYPE', ''),
    tag('DEALDATE', dayOf(order.day)),
    tag('DEALTIME', order.time.replace(':', '')),
    tag('SALEDATE', order.action === 'refund' ? dayOf(after(order.day, -3)) : ''),
    tag('BSONUM', formOf(sold.ticket, order)),
    tag('EX_BSONUM', order.action === 'exchange' ? formOf(originalOf(sold), order) : ''),
    tag('FIO', `${escaped(sold.last)}/${escaped(sold.first)} MR`),
    tag('PASS', 'ПСПU12345678'),
    tag('PASSENGER_TYPE', TYPES[sold.type] ?? ''),
    sold.born ? tag('BIRTH_DATE', dayOf(sold.born)) : '',
    isFull ? tag('SURNAME', escaped(sold.last)) + tag('NAME', escaped(sold.first)) : '',
    tag('GENERAL_CARRIER', order.airline.numeric),
    tag('TOURCODE', 'IT6TK'),
    tag('ENDORS_RESTR', 'NONREF'),
    tag('FARECALC', 'IST TK FRA100.00END'),
    tag('PNR', 'Ю05М3К'),
    tag('PNR_LAT', order.locator),
    tag('INV_PNR', order.inventory ?? ''),
    order.commission ? `<COMISSION type="percent" rate="${order.commission}"/>` : '<COMISSION/>',
    agencyOf(order),
    fareElements(order, sold),
    tag('SEGMENTS', ...order.flights.map((flight, at) => segmentOf(order, sold, flight, at))),
    tag('TAXES', ...sold.taxes.map(({ code, amount }) => tag('TAX', tag('CODE', code), tag('AMOUNT', amount)))),
    tag(
      'FOPS',
      tag(
        'FOP',
        tag('TYPE', 'CC'),
        tag('ORG', 'VI'),
        tag('DOCNUM', '4000000000000002'),
        tag('AMOUNT', paidOf(sold, order)),
      ),
    ),
    tag('CONTACTS', tag('CONTACT', PHONE), tag('CONTACT', EMAIL), tag('CONTACT', escaped(REMARK))),
  )
}

/** A document sold besides the ticket, with the ticket's flights and the value of its coupon. */
const emdOf = (order: SirenaOrder, sold: Sold): string =>
  sold.extra
    ? tag(
        'TICKET',
        tag('TYPE', 'EMD'),
        tag('OPTYPE', 'SALE'),
        tag('TRANS_TYPE', 'SALE'),
        tag('MCO_TYPE rfic="C" rfisc="0C3"', 'EXC_BAGG'),
        tag('DEALDATE', dayOf(order.day)),
        tag('BSONUM', sold.extra.number),
        tag('TO_BSONUM', formOf(sold.ticket, order)),
        tag('FIO', `${escaped(sold.last)}/${escaped(sold.first)} MR`),
        tag('GENERAL_CARRIER', order.airline.numeric),
        tag('CURRENCY', order.currency),
        tag('FARE', sold.extra.amount),
        tag('EMDCOUPONS', tag('EMDCOUPON', tag('COUPON_NO', '1'), tag('REASON', escaped(sold.extra.name)))),
        tag('FOPS', tag('FOP', tag('TYPE', 'НА'), tag('AMOUNT', sold.extra.amount))),
      )
    : ''

const hasEmds = ({ action }: SirenaOrder): boolean => action === 'issue' || action === 'exchange'

export function writeSirena(order: SirenaOrder): string {
  const tickets = order.passengers.flatMap((sold) => [
    ticketOf(order, sold),
    ...(hasEmds(order) ? [emdOf(order, sold)] : []),
  ])
  return `<?xml version="1.0" encoding="UTF-8"?>\n${tag(`TICKETS version="${order.version}"`, ...tickets)}`
}

const legOf = (order: SirenaOrder, { operatingAirline: _, ...flight }: Flight): TicketLeg => ({
  ...BLANK_LEG,
  ...flight,
  departureTerminal: 'E',
  baggage: order.baggage,
  stopover: true,
  airlineLocator: flight.airline === locatorAirline(order) ? order.inventory : null,
})

/** The airline of a locator: that of all flights, otherwise that of the tickets. */
function locatorAirline({ flights, airline }: SirenaOrder): string {
  const [only, ...others] = new Set(flights.map((flight) => flight.airline))
  return only !== undefined && others.length === 0 ? only : airline.code
}

function fareMeaning(order: SirenaOrder, sold: Sold): Fare {
  const filed = filedOf(order)
  const fare = { currency: order.currency, amount: fareOf(sold, order) }
  const isInAnother = filed !== null && filedCurrency(order) !== order.currency
  return {
    ...NO_FARE,
    base: isInAnother ? { currency: filedCurrency(order), amount: filed } : fare,
    equivalent: isInAnother ? fare : null,
    rate: isInAnother ? RATE : null,
    taxes: taxesOf(sold.taxes, order.currency),
    total: { currency: order.currency, amount: paidOf(sold, order) },
  }
}

function documentMeaning(order: SirenaOrder, sold: Sold, passenger: number): TicketDocument {
  const { action, flights } = order
  const fare = fareMeaning(order, sold)
  const { base, equivalent, rate } = fare
  return {
    ...BLANK_DOCUMENT,
    number: sold.ticket,
    kind: 'ticket',
    passenger,
    conjunctions: sold.further.slice(0, flights.length - 1),
    airline: order.airline.code,
    issuedOn: order.day,
    fare: action === 'refund' ? { ...NO_FARE, base, equivalent, rate } : action === 'void' ? NO_FARE : fare,
    fareCalculation: 'IST TK FRA100.00END',
    commission: order.commission && action !== 'refund' ? { rate: order.commission, amount: null } : null,
    formOfPayment: { kind: 'card', text: 'CC VI XXXXXXXXXXXX0002' },
    tourCode: 'IT6TK',
    endorsement: 'NONREF',
    exchange:
      action === 'exchange'
        ? {
            originals: [{ number: originalOf(sold), coupons: null }],
            additionalCollection: null,
            fareDifference: null,
            residual: null,
            penalty: null,
          }
        : null,
    refund:
      action === 'refund'
        ? {
            ...BLANK_REFUND,
            refundable: equivalent ?? base,
            taxes: fare.taxes,
            total: fare.total,
            originallyIssuedOn: after(order.day, -3),
          }
        : null,
  }
}

function emdMeaning(order: SirenaOrder, sold: Sold, passenger: number): TicketDocument[] {
  const { extra } = sold
  if (!extra || !hasEmds(order)) return []
  const price = { currency: order.currency, amount: extra.amount }
  return [
    {
      ...BLANK_DOCUMENT,
      number: extra.number,
      kind: 'emd',
      passenger,
      airline: order.airline.code,
      issuedOn: order.day,
      fare: { ...NO_FARE, base: price, total: price },
      formOfPayment: { kind: 'cash', text: 'НА' },
      services: [{ coupon: 1, rfic: 'C', rfisc: '0C3', text: extra.name, from: null, to: null }],
      associatedWith: sold.ticket,
    },
  ]
}

export function meaningOfSirena(order: SirenaOrder): TicketFile {
  const { day, time, airline, action, inventory } = order
  const documents = order.passengers.flatMap((sold, passenger) => [
    documentMeaning(order, sold, passenger),
    ...emdMeaning(order, sold, passenger),
  ])
  return {
    ...BLANK_FILE,
    provider: 'sirena',
    format: 'xml',
    action,
    version: order.version,
    made: { day, time, zone: 'Europe/Moscow' },
    pnr: order.locator,
    airlineLocators: inventory === null ? [] : [{ airline: locatorAirline(order), locator: inventory }],
    bookingOffice: '02ИСТ',
    bookingAgent: 'ТКП02ИСТ232',
    ticketingOffice: '36МОС',
    ticketingAgent: 'ТКП36МОС0465',
    iataNumber: '88990011',
    issuedOn: day,
    validatingAirline: { ...airline, name: null },
    passengers: order.passengers.map(({ last, first, type, born }) => ({
      ...BLANK_PASSENGER,
      lastName: last,
      firstName: first,
      title: 'MR',
      type,
      ptc: TYPES[type] ?? null,
      dateOfBirth: born,
      passport: { number: 'U12345678', country: null, expiresOn: null },
      email: EMAIL,
      phone: PHONE,
      frequentFlyer: '1234567890',
    })),
    legs: order.flights.map((flight) => legOf(order, flight)),
    documents,
    remarks: [REMARK],
    warnings: order.passengers.flatMap(({ ticket }) =>
      action === 'exchange'
        ? [
            {
              code: 'additional_collection',
              message: `The file does not contain the additional collection for the exchange into ${ticket}. The price is the full value of the new document. Check it.`,
            },
          ]
        : [],
    ),
  }
}
