import { BLANK_DOCUMENT, BLANK_LEG, BLANK_PASSENGER } from '../../../src/features/ticket-printer/formats/blank.ts'
import {
  NO_FARE,
  type Passenger,
  type Tax,
  type TicketDocument,
  type TicketFile,
  type TicketLeg,
} from '../../../src/features/ticket-printer/ticket-file.ts'
import { added, calculationOf, type IurEmd, type IurFlight, type IurScenario, type IurTicket, OF_EMDS } from './iur.ts'

const PASSENGER_TYPES: Readonly<Record<string, Passenger['type']>> = { ADT: 'adult', C08: 'child', INF: 'infant' }

/** The expected result of parsing an IUR of this scenario. */
export function meaningOf(scenario: IurScenario): TicketFile {
  const { made, time, pnr, iata, office, agent, customer } = scenario
  const isVoid = scenario.type === 'F' || scenario.type === 'G'
  const documents = [
    ...scenario.tickets.map((ticket) => ticketMeaning(ticket, scenario)),
    ...scenario.emds.map((emd) => emdMeaning(emd, scenario.flights)),
  ]
  const seats = [...new Set(documents.map(({ passenger }) => passenger))]
  const first = documents[0]
  return {
    remarks: scenario.remarks,
    provider: 'sabre',
    format: 'iur',
    version: '17',
    action: actionOf(scenario),
    training: false,
    made: { day: made, time, zone: 'America/Chicago' },
    part: null,
    pnr,
    airlineLocators: [
      ...new Map(scenario.flights.map(({ airline, locator }) => [airline + locator, { airline, locator }])).values(),
    ],
    bookingOffice: office,
    ticketingOffice: office,
    bookingAgent: agent,
    ticketingAgent: agent,
    iataNumber: iata,
    clientAccount: customer || null,
    issuedOn: isVoid || !first ? null : (first.issuedOn ?? null),
    ticketingDeadline: null,
    bsp: documents.length > 0,
    validatingAirline: first ? { code: first.airline, numeric: first.number.slice(0, 3), name: null } : null,
    passengers: (first ? seats : scenario.passengers.map((_, at) => at)).map((at) => passengerMeaning(scenario, at)),
    legs: flownIn(scenario).map((flight) => legMeaning(flight, scenario.tickets.length > 0)),
    documents: documents.map((document) => ({
      ...(isVoid ? outline(document) : document),
      passenger: seats.indexOf(document.passenger),
    })),
    warnings: [],
  }
}

/** A file with only EMDs has the flights that they are for. */
const flownIn = ({ type, flights, emds }: IurScenario): IurFlight[] =>
  OF_EMDS.includes(type)
    ? flights.filter((_, at) => emds.some(({ coupons }) => coupons.some(({ flight }) => flight === at)))
    : flights

function actionOf({ type, tickets }: IurScenario): TicketFile['action'] {
  if (type === '3') return 'itinerary'
  if (type === 'F' || type === 'G') return 'void'
  return tickets.some(({ exchange }) => exchange) ? 'exchange' : 'issue'
}

const outline = ({ number, kind, conjunctions, passenger, airline }: TicketDocument): TicketDocument => ({
  ...BLANK_DOCUMENT,
  number,
  kind,
  conjunctions,
  passenger,
  airline,
  issuedOn: null,
  fare: NO_FARE,
  commission: null,
  formOfPayment: null,
  tourCode: null,
  endorsement: null,
})

const taxesIn = (currency: string, taxes: readonly { code: string; amount: string }[]): Tax[] =>
  taxes.map(({ code, amount }) => ({ code, currency, amount, nature: null }))

const MARKS = { '': null, B: 'bulk', I: 'inclusive_tour' } as const

function ticketMeaning(ticket: IurTicket, { issuedOn, flights }: IurScenario): TicketDocument {
  const { base, equivalent, exchange, total } = ticket
  const { currency } = equivalent ?? base
  const collected = { currency, amount: total === 'NO ADC' ? '0' : total.replace('A', '').trim() }
  const rate = /^BSR([\d.]+)/.exec(ticket.endorsement)?.[1] ?? null
  return {
    ...BLANK_DOCUMENT,
    number: ticket.number,
    kind: 'ticket',
    conjunctions: Array.from({ length: ticket.further }, (_, at) => {
      const serial = (Number(ticket.number.slice(3)) + at + 1) % 10_000_000_000
      return ticket.number.slice(0, 3) + String(serial).padStart(10, '0')
    }),
    passenger: ticket.passenger,
    airline: ticket.airline,
    issuedOn,
    coupons: flights.map((_, at) => ({ number: at + 1, status: 'OK' })),
    fareCalculation: calculationOf(ticket),
    fareMark: MARKS[ticket.mark],
    fare: {
      base,
      equivalent,
      rate: equivalent ? rate : null,
      taxes: taxesIn(currency, ticket.taxes),
      paidTaxes: taxesIn(currency, exchange?.paid ?? []),
      exempt: [],
      fees: [],
      total: collected,
    },
    commission: { rate: ticket.commission.rate || null, amount: ticket.commission.amount },
    formOfPayment: { kind: ticket.payment.kind, text: ticket.payment.text },
    tourCode: ticket.tourCode || null,
    endorsement: ticket.endorsement || null,
    exchange: exchange && {
      originals: [{ number: exchange.number, coupons: exchange.coupons }],
      additionalCollection: exchange.indicator === 'G' ? null : collected,
      fareDifference: null,
      residual: null,
      penalty: ticket.penalty ? { currency, amount: ticket.penalty } : null,
    },
  }
}

function emdMeaning(emd: IurEmd, flights: readonly IurFlight[]): TicketDocument {
  const { currency } = emd.equivalent ?? emd.base
  const taxes = emd.coupons.filter(({ tax }) => tax !== '').map(({ taxCode: code, tax: amount }) => ({ code, amount }))
  const isTaxed = !/^[0.]*$/.test(added(taxes.map(({ amount }) => amount)))
  return {
    ...BLANK_DOCUMENT,
    number: emd.number,
    kind: 'emd',
    conjunctions: [],
    passenger: emd.passenger,
    airline: emd.airline,
    issuedOn: emd.issuedOn,
    fare: {
      ...NO_FARE,
      base: emd.base,
      equivalent: emd.equivalent,
      taxes: isTaxed ? taxesIn(currency, taxes) : [],
      total: { currency, amount: emd.total },
    },
    commission: null,
    formOfPayment: { kind: 'cash', text: 'CA' },
    tourCode: null,
    fareCalculation: emd.calculation || null,
    endorsement: emd.endorsement || null,
    services: emd.coupons.map(({ rfisc, text, flight }, at) => ({
      coupon: at + 1,
      rfic: emd.rfic,
      rfisc,
      text,
      from: flights[flight]?.from ?? null,
      to: flights[flight]?.to ?? null,
    })),
    associatedWith: emd.associated || null,
  }
}

function passengerMeaning({ passengers, tickets, emds }: IurScenario, at: number): Passenger {
  const person = passengers[at]
  if (!person) throw new Error(`The scenario has no passenger ${at}.`)
  const isHolder = [...tickets, ...emds].some(({ passenger }) => passenger === at)
  return {
    ...BLANK_PASSENGER,
    lastName: person.last,
    firstName: person.first,
    title: person.title || null,
    type: isHolder ? (PASSENGER_TYPES[person.ptc] ?? 'adult') : 'adult',
    ptc: isHolder ? person.ptc : null,
    dateOfBirth: person.born,
    ...person.identity,
    email: person.email,
    phone: person.phone,
    frequentFlyer: person.flyer,
    seats: person.seats.flatMap((seat, leg) => (seat ? [{ leg, seat }] : [])),
  }
}

/** Coupons contain the ticket's data of a flight. */
const legMeaning = (flight: IurFlight, hasCoupons: boolean): TicketLeg => ({
  ...BLANK_LEG,
  airline: flight.airline,
  flight: flight.flight,
  operatingAirline: flight.operating || null,
  from: flight.from,
  to: flight.to,
  departure: flight.departure,
  arrival: flight.arrival,
  departureTerminal: 'I',
  arrivalTerminal: '2',
  bookingClass: flight.bookingClass,
  fareBasis: hasCoupons ? flight.fareBasis : null,
  status: 'HK',
  baggage: hasCoupons ? flight.baggage : null,
  stops: 0,
  equipment: '321',
  stopover: flight.stopover === '' || !hasCoupons ? null : flight.stopover === 'O',
  airlineLocator: flight.locator,
  notValidBefore: hasCoupons ? flight.validBefore : null,
  notValidAfter: hasCoupons ? flight.validAfter : null,
})
