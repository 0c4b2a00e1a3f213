import {
  NO_FARE,
  type Passenger,
  type Refund,
  type TicketDocument,
  type TicketFile,
  type TicketLeg,
} from '../ticket-file.ts'

/** An empty file, for formats that have only some of its fields. */
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
  remarks: [],
  warnings: [],
}

/** An empty document. */
export const BLANK_DOCUMENT: Omit<TicketDocument, 'number' | 'kind' | 'passenger'> = {
  conjunctions: [],
  coupons: [],
  airline: null,
  issuedOn: null,
  fare: NO_FARE,
  fareCalculation: null,
  fareMark: null,
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

/** An empty passenger, except for the name. */
export const BLANK_PASSENGER: Omit<Passenger, 'lastName' | 'firstName'> = {
  title: null,
  type: 'adult',
  ptc: null,
  dateOfBirth: null,
  gender: null,
  nationality: null,
  passport: null,
  email: null,
  phone: null,
  frequentFlyer: null,
  seats: [],
}

/** An empty flight, except for its number and airports. */
export const BLANK_LEG: Omit<TicketLeg, 'airline' | 'flight' | 'from' | 'to'> = {
  operatingAirline: null,
  departure: null,
  arrival: null,
  departureTerminal: null,
  arrivalTerminal: null,
  bookingClass: null,
  cabin: null,
  fareBasis: null,
  status: null,
  baggage: null,
  stops: null,
  equipment: null,
  stopover: null,
  airlineLocator: null,
  notValidBefore: null,
  notValidAfter: null,
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
