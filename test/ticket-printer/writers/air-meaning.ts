import { BLANK_DOCUMENT } from '../../../src/features/ticket-printer/formats/blank.ts'
import {
  type DocumentAction,
  NO_FARE,
  type Refund,
  type TicketDocument,
  type TicketFile,
  type TicketLeg,
} from '../../../src/features/ticket-printer/ticket-file.ts'
import type { AirDocument, AirPassenger, AirScenario } from './air-scenarios.ts'

const CHANGES: Readonly<Record<string, DocumentAction>> = { VOID: 'void', RSTD: 'restore', TRFX: 'refund_cancel' }

/** The expected result of parsing what `writeAir` writes for a scenario. */
export function meaningOf(scenario: AirScenario): TicketFile {
  const { office, days, change, part, airline } = scenario
  const documents = scenario.passengers.flatMap((holder, at) =>
    holder.documents.map((document, nth) => documentOf(scenario, holder, document, at, nth)),
  )
  const day = days?.made ?? change?.day ?? null
  const isPrintedAgain = ['IA', 'IB', 'IM'].includes(scenario.option)
  return {
    provider: 'amadeus',
    format: 'air',
    version: scenario.version,
    action: actionOf(scenario),
    training: scenario.training,
    made: day ? { day, time: null, zone: null } : null,
    part: part ? { ...part, sequence: scenario.sequence } : null,
    pnr: scenario.pnr,
    airlineLocators: scenario.locators,
    bookingOffice: office.id,
    ticketingOffice: office.id,
    bookingAgent: scenario.agents?.booking ?? null,
    ticketingAgent: scenario.agents?.ticketing ?? change?.sign ?? null,
    iataNumber: office.iata,
    clientAccount: scenario.account,
    issuedOn: isPrintedAgain ? (days?.changed ?? null) : day,
    ticketingDeadline: scenario.deadline,
    bsp: office.iata !== null && documents.length > 0,
    validatingAirline: airline ?? airlineOfDocuments(scenario, documents),
    passengers: scenario.passengers.map(({ passenger }) => passenger),
    legs: [...flownOf(scenario), ...paidForIn(scenario)].map((leg) => ({
      ...leg,
      airlineLocator: scenario.locators.find(({ airline }) => airline === leg.airline)?.locator ?? null,
    })),
    documents: scenario.option === 'IM' ? [] : documents,
    remarks: scenario.remarks,
    warnings: [],
  }
}

const flownOf = ({ segments }: AirScenario): TicketLeg[] =>
  segments.flatMap((segment) => (segment.kind === 'surface' ? [] : [segment.leg]))
/** The first coupon of an EMD is for the first of these flights. */
const paidForIn = ({ unticketed, emds }: AirScenario): readonly TicketLeg[] =>
  unticketed.slice(0, Math.max(0, ...emds.map(({ services }) => services.length)))

function actionOf({ option, change, passengers }: AirScenario): DocumentAction {
  if (option === 'IM') return 'itinerary'
  if (option === 'RF') return 'refund'
  if (option === 'MA') return CHANGES[change?.action ?? ''] ?? 'void'
  return passengers.some(({ exchange }) => exchange) ? 'exchange' : 'issue'
}

function airlineOfDocuments(
  { emds, mcos, change, refund }: AirScenario,
  documents: readonly TicketDocument[],
): TicketFile['validatingAirline'] {
  const numeric = documents[0]?.number.slice(0, 3)
  if (!numeric) return null
  const listed = !change && !refund ? (emds[0] ?? mcos[0]) : undefined
  return { code: listed?.carrier ?? 'TK', numeric, name: listed ? 'AIRLINE OF TEST' : null }
}

function documentOf(
  scenario: AirScenario,
  holder: AirPassenger,
  document: AirDocument,
  passenger: number,
  nth: number,
): TicketDocument {
  const { option } = scenario
  const bare: TicketDocument = {
    ...BLANK_DOCUMENT,
    number: document.number,
    kind: document.kind,
    conjunctions: document.conjunctions,
    passenger,
    airline: null,
    issuedOn: null,
    fare: NO_FARE,
    netFare: null,
    sellingFare: null,
    commission: null,
    serviceFee: null,
    formOfPayment: null,
    tourCode: null,
    endorsement: null,
    services: [],
    associatedWith: null,
    exchange: null,
    refund: null,
  }
  if (option === 'MA') return bare
  const paid = { ...bare, formOfPayment: holder.payment?.read ?? null }
  const { tourCode, endorsement } = holder
  if (option === 'RF') return { ...paid, tourCode, endorsement, refund: refundOf(scenario, holder) }
  const issued = {
    ...paid,
    issuedOn: scenario.days?.made ?? null,
    serviceFee: nth === 0 ? holder.serviceFee : null,
  }
  return document.kind === 'ticket'
    ? { ...issued, ...ticketOf(scenario, holder) }
    : { ...issued, ...otherOf(scenario, document) }
}

function ticketOf(scenario: AirScenario, holder: AirPassenger): Partial<TicketDocument> {
  const { K, KS, KN } = scenario.fares
  const first = K ?? KS ?? KN
  const { arithmetic } = scenario
  const fare = first?.fare ?? NO_FARE
  return {
    airline: scenario.airline?.code ?? null,
    coupons: flownOf(scenario).flatMap(({ status }, at) => (status ? [{ number: at + 1, status }] : [])),
    fareCalculation: scenario.fareCalculation,
    fareMark: markOf(scenario),
    fare,
    netFare: KN && KN !== first ? KN.fare : null,
    sellingFare: KS && KS !== first ? KS.fare : null,
    commission: holder.commission,
    tourCode: holder.tourCode,
    endorsement: holder.endorsement,
    exchange: holder.exchange && {
      originals: holder.exchange.originals,
      additionalCollection: arithmetic?.collected ?? (fare.paidTaxes.length > 0 ? fare.total : null),
      fareDifference: arithmetic?.fareDifference ?? null,
      residual: arithmetic?.residual ?? null,
      penalty: arithmetic?.penalty ?? null,
    },
  }
}

/** By the identifiers of the traveller's fare and the others, or by SIA. */
function markOf({ fares: { K, KS, KN }, mark }: AirScenario): TicketDocument['fareMark'] {
  const found = [K?.id, KS?.id, KN?.id, mark].find((id) => id === 'B' || id === 'W' || id === 'I')
  if (!found) return null
  return found === 'I' ? 'inclusive_tour' : 'bulk'
}

function otherOf(scenario: AirScenario, { reference }: AirDocument): Partial<TicketDocument> {
  const emd = scenario.emds.find((each) => each.reference === reference)
  if (emd) {
    const { carrier: airline, fare, fareCalculation, services, ticket: associatedWith } = emd
    return { airline, fare, fareCalculation, services, associatedWith }
  }
  const mco = scenario.mcos.find((each) => `L${each.element}` === reference)
  if (!mco) return {}
  const service = { coupon: 1, rfic: mco.reason, rfisc: null, text: mco.text, from: null, to: null }
  return { airline: mco.carrier, fare: mco.fare, services: [service] }
}

function refundOf({ refund }: AirScenario, { commission, coupons }: AirPassenger): Refund | null {
  return refund && { ...refund, commissionRecall: commission, coupons }
}
