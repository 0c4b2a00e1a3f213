import { BLANK_LEG, BLANK_PASSENGER } from '../../../src/features/ticket-printer/formats/blank.ts'
import {
  type Commission,
  type Exchange,
  type Fare,
  type FormOfPayment,
  NO_FARE,
  type Passenger,
  type PrintedMoney,
  type Refund,
  type Tax,
  type TicketDocument,
  type TicketFile,
  type TicketLeg,
  type TicketService,
} from '../../../src/features/ticket-printer/ticket-file.ts'

/** The content of an AIR. `writeAir` writes it, and `meaningOf` returns the expected result. */
export type AirScenario = {
  readonly version: '206' | '207'
  readonly option: string
  readonly training: boolean
  readonly sequence: string
  readonly part: { readonly number: number; readonly of: number } | null
  /** `VOID`, `RSTD`, `TRFX`, and the day; a refund has only the day. */
  readonly change: { readonly action: string; readonly day: string; readonly sign: string } | null
  readonly pnr: string | null
  readonly office: { readonly id: string; readonly iata: string | null }
  readonly agents: { readonly booking: string; readonly ticketing: string } | null
  readonly account: string | null
  readonly locators: TicketFile['airlineLocators']
  readonly airline: { readonly code: string; readonly numeric: string; readonly name: string } | null
  /** When the reservation was made and changed, and when the file was made. */
  readonly days: { readonly created: string; readonly changed: string; readonly made: string } | null
  readonly segments: readonly AirSegment[]
  /** Flights ticketed before: those of EMDs, in the order of their coupons, and others. */
  readonly unticketed: readonly TicketLeg[]
  readonly fareCalculation: string | null
  /** How the ticket prints its net fare, by SIA. */
  readonly mark: 'B' | 'I' | null
  readonly fares: { readonly K?: AirFare; readonly KN?: AirFare; readonly KS?: AirFare }
  readonly arithmetic: {
    readonly fareDifference: PrintedMoney | null
    readonly collected: PrintedMoney
    readonly penalty: PrintedMoney | null
    readonly residual: PrintedMoney | null
  } | null
  readonly emds: readonly AirEmd[]
  readonly mcos: readonly AirMco[]
  readonly refund: Omit<Refund, 'commissionRecall' | 'coupons'> | null
  readonly passengers: readonly AirPassenger[]
  /** Each in a line with another tag. */
  readonly remarks: readonly string[]
  readonly deadline: string | null
}
export type AirFare = { readonly id: string; readonly fare: Fare }
export type AirSegment =
  | { readonly kind: 'flight'; readonly leg: TicketLeg; readonly longDays?: boolean; readonly halfDays?: boolean }
  | { readonly kind: 'open'; readonly leg: TicketLeg }
  | { readonly kind: 'surface'; readonly from: string; readonly to: string }
export type AirEmd = {
  readonly reference: string
  readonly carrier: string
  readonly numeric: string
  readonly services: readonly TicketService[]
  readonly fare: Fare
  readonly fareCalculation: string | null
  readonly ticket: string | null
}
export type AirMco = {
  readonly element: number
  readonly carrier: string
  readonly numeric: string
  readonly reason: string
  readonly text: string
  readonly fare: Fare
}
export type AirPassenger = {
  readonly number: number
  readonly passenger: Passenger
  readonly documents: readonly AirDocument[]
  readonly commission: Commission | null
  readonly payment: AirPayment | null
  readonly tourCode: string | null
  readonly endorsement: string | null
  readonly exchange: { readonly printed: string; readonly originals: Exchange['originals'] } | null
  readonly serviceFee: PrintedMoney | null
  /** The refunded coupons. */
  readonly coupons: string | null
}
export type AirDocument = {
  readonly kind: TicketDocument['kind']
  readonly number: string
  readonly conjunctions: readonly string[]
  /** The EMD or MCO lines: `D1`, `L4`. */
  readonly reference?: string
}
export type AirPayment = { readonly printed: string; readonly read: FormOfPayment }

/** The basis of every scenario: a ticket of one passenger, Istanbul to London. */
export const BASE: AirScenario = {
  version: '207',
  option: '7A',
  training: false,
  sequence: '0500000001',
  part: null,
  change: null,
  pnr: 'ABC123',
  office: { id: 'ISTTK0000', iata: '99999992' },
  agents: { booking: '0001AASU', ticketing: '0002BBSU' },
  account: null,
  locators: [{ airline: 'TK', locator: 'XYZ789' }],
  airline: { code: 'TK', numeric: '235', name: 'TURKISH AIRLINES' },
  days: { created: '2026-03-01', changed: '2026-03-05', made: '2026-03-05' },
  segments: [],
  unticketed: [],
  fareCalculation: null,
  mark: null,
  fares: {},
  arithmetic: null,
  emds: [],
  mcos: [],
  refund: null,
  passengers: [],
  remarks: [],
  deadline: null,
}

export const money = (currency: string, amount: string): PrintedMoney => ({ currency, amount })
export const tax = (currency: string, amount: string, code: string, nature: string | null): Tax => ({
  code,
  nature,
  ...money(currency, amount),
})
export const fareOf = (fare: Partial<Fare>, id = 'F'): AirFare => ({ id, fare: { ...NO_FARE, ...fare } })

export const adult = (lastName: string, firstName: string, title: string | null): Passenger => ({
  ...BLANK_PASSENGER,
  lastName,
  firstName,
  title,
  type: 'adult',
  ptc: null,
  dateOfBirth: null,
  frequentFlyer: null,
})
export const CASH: AirPayment = { printed: 'CASH', read: { kind: 'cash', text: 'CASH' } }
export const CARD: AirPayment = {
  printed: 'CCVI0000000000001111/1229/A123456',
  read: { kind: 'card', text: 'CCVIXXXXXXXXXXXX1111/1229/XXXXX56' },
}
export const INVOICE: AirPayment = { printed: 'INVOICE', read: { kind: 'invoice', text: 'INVOICE' } }
export const MIXED: AirPayment = {
  printed: 'CASH/EUR10.00+CCVI0000000000002222/0130',
  read: { kind: 'mixed', text: 'CASH/EUR10.00+CCVIXXXXXXXXXXXX2222/0130' },
}

export const ticket = (number: string, conjunctions: readonly string[] = []): AirDocument => ({
  kind: 'ticket',
  number,
  conjunctions,
})
export const holder = (number: number, passenger: Passenger, documents: readonly AirDocument[]): AirPassenger => ({
  number,
  passenger,
  documents,
  commission: null,
  payment: CASH,
  tourCode: null,
  endorsement: null,
  exchange: null,
  serviceFee: null,
  coupons: null,
})

export const leg = (
  from: string,
  to: string,
  departure: string,
  arrival: string,
  more: Partial<TicketLeg> = {},
): TicketLeg => ({
  ...BLANK_LEG,
  airline: 'TK',
  flight: '1979',
  operatingAirline: null,
  from,
  to,
  departure,
  arrival,
  departureTerminal: 'I',
  arrivalTerminal: '2',
  bookingClass: 'Y',
  fareBasis: 'YLOWTR',
  status: 'OK',
  baggage: '1PC',
  stops: 0,
  equipment: '77W',
  stopover: true,
  ...more,
})
export const openLeg = (from: string, to: string): TicketLeg => ({
  ...leg(from, to, '', ''),
  flight: 'OPEN',
  departure: null,
  arrival: null,
  departureTerminal: null,
  arrivalTerminal: null,
  stops: null,
  equipment: null,
})
