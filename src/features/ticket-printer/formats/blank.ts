import { NO_FARE, type Refund, type TicketDocument, type TicketFile, type TicketLeg } from '../ticket-file.ts'

/** A file that tells nothing yet, for readers whose formats tell little. */
export const BLANK_FILE: Omit<TicketFile, 'provider' | 'format' | 'action'> = {
  version: null,
  training: false,
  made: null,
  part: null,
  pnr: null,
  airlineLocators: [],
  bookingOffice: null,
  ticketingOffice: null,
  bookingAgent: null,
  ticketingAgent: null,
  iataNumber: null,
  clientAccount: null,
  issuedOn: null,
  ticketingDeadline: null,
  bsp: false,
  validatingAirline: null,
  passengers: [],
  legs: [],
  documents: [],
  warnings: [],
}

/** The same of a document. */
export const BLANK_DOCUMENT: Omit<TicketDocument, 'number' | 'kind' | 'passenger'> = {
  conjunctions: [],
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

/** Of a passenger, beside the name. */
export const BLANK_PASSENGER = {
  title: null,
  type: 'adult',
  ptc: null,
  dateOfBirth: null,
  frequentFlyer: null,
} as const

/** Of a flight, beside its number and airports. */
export const BLANK_LEG: Omit<TicketLeg, 'airline' | 'flight' | 'from' | 'to'> = {
  operatingAirline: null,
  departure: null,
  arrival: null,
  departureTerminal: null,
  arrivalTerminal: null,
  bookingClass: null,
  fareBasis: null,
  status: null,
  baggage: null,
  stops: null,
  equipment: null,
  stopover: null,
}

export const BLANK_REFUND: Refund = {
  gross: null,
  used: null,
  refundable: null,
  penalty: null,
  otherFees: null,
  taxes: [],
  taxTotal: null,
  commissionRecall: null,
  total: null,
  coupons: null,
  originallyIssuedOn: null,
}
