export const PROVIDERS = [
  'amadeus',
  'sabre',
  'galileo',
  'apollo',
  'worldspan',
  'pegasus',
  'sirena',
  'ndc',
  'unknown',
] as const
export type Provider = (typeof PROVIDERS)[number]
export const FORMATS = ['air', 'iur', 'mir', 'tair', 'ndc_orderview', 'xml', 'tkt', 'unknown'] as const
export type TicketFileFormat = (typeof FORMATS)[number]
export const DOCUMENT_ACTIONS = [
  'issue',
  'void',
  'refund',
  'exchange',
  'restore',
  'refund_cancel',
  'itinerary',
] as const
/** `restore` reverses a void, `refund_cancel` a refund; an `itinerary` has no document. */
export type DocumentAction = (typeof DOCUMENT_ACTIONS)[number]

/**
 * An amount as printed: digits with at most one decimal point and without a meaningless sign, and the ISO 4217 code
 * beside it.
 */
export type PrintedMoney = { readonly currency: string; readonly amount: string }
/** `code` as printed (YQ, TR, XT …); `nature` is the two-letter code behind it, in formats that have one. */
export type Tax = PrintedMoney & { readonly code: string; readonly nature: string | null }

/** The price of one document for the traveller. */
export type Fare = {
  /** In the currency in which the fare was filed. */
  readonly base: PrintedMoney | null
  /** The fare in the currency of the sale, if the base fare is in another one. */
  readonly equivalent: PrintedMoney | null
  /** From the currency of the base fare to that of the sale, as printed. */
  readonly rate: string | null
  /** Every new tax; a code can appear several times. */
  readonly taxes: readonly Tax[]
  /** Taxes already paid with the exchanged document. The total does not include them. */
  readonly paidTaxes: readonly Tax[]
  /** Codes of taxes from which the traveller is exempt. */
  readonly exempt: readonly string[]
  /** The airline's fees that the total does not include (OB and similar). */
  readonly fees: readonly Tax[]
  readonly total: PrintedMoney | null
}
export const NO_FARE: Fare = {
  base: null,
  equivalent: null,
  rate: null,
  taxes: [],
  paidTaxes: [],
  exempt: [],
  fees: [],
  total: null,
}

export type Commission = {
  /** Percent of the fare. */
  readonly rate: string | null
  /** In the currency of the sale. */
  readonly amount: string | null
}
export type FormOfPayment = {
  readonly kind: 'cash' | 'card' | 'invoice' | 'miles' | 'mixed' | null
  /** As printed, with card numbers masked to their last four digits and approval codes to their last two characters. */
  readonly text: string
}
/** A coupon of an EMD or MCO: the service that it pays for. */
export type TicketService = {
  readonly coupon: number
  /** Reason for issuance code and sub-code. */
  readonly rfic: string | null
  readonly rfisc: string | null
  readonly text: string | null
  readonly from: string | null
  readonly to: string | null
}
export type Exchange = {
  /** The documents given in, 13 digits each, with the coupons used (`12`), or null if they are not printed. */
  readonly originals: readonly { readonly number: string; readonly coupons: string | null }[]
  /** What the traveller paid on top; zero in an even exchange. */
  readonly additionalCollection: PrintedMoney | null
  /** The part of it that is fare, if the file prints a balance of fares. */
  readonly fareDifference: PrintedMoney | null
  /** The remaining value of the old document. */
  readonly residual: PrintedMoney | null
  readonly penalty: PrintedMoney | null
}
export type Refund = {
  /** The fare paid, the part of it that was used, and the part that is refunded. */
  readonly gross: PrintedMoney | null
  readonly used: PrintedMoney | null
  readonly refundable: PrintedMoney | null
  readonly penalty: PrintedMoney | null
  readonly otherFees: PrintedMoney | null
  readonly taxes: readonly Tax[]
  readonly taxTotal: PrintedMoney | null
  /** The part of its commission that the agency returns. */
  readonly commissionRecall: Commission | null
  /** The amount that the traveller receives. */
  readonly total: PrintedMoney | null
  /** The refunded coupons (`12`); null if they are not printed. */
  readonly coupons: string | null
  readonly originallyIssuedOn: string | null
}

/** A ticket, EMD or MCO of one passenger. A void has little more than its number. */
export type TicketDocument = {
  /** The airline's 3 digits and 10 more. */
  readonly number: string
  readonly kind: 'ticket' | 'emd' | 'mco'
  /** The numbers that continue it, in order. They carry no amounts. */
  readonly conjunctions: readonly string[]
  /** The coupons, from 1, with the printed status of each (`OPEN`, `OK`, `RFND` …). */
  readonly coupons: readonly { readonly number: number; readonly status: string }[]
  /** The index of the traveller in `passengers`. */
  readonly passenger: number
  /** Two characters. */
  readonly airline: string | null
  /** YYYY-MM-DD */
  readonly issuedOn: string | null
  readonly fare: Fare
  /** The linear fare calculation. */
  readonly fareCalculation: string | null
  /** What the ticket prints instead of its fare. */
  readonly fareMark: 'bulk' | 'inclusive_tour' | null
  /** The fare that the agency owes, if it differs from the traveller's. */
  readonly netFare: Fare | null
  readonly sellingFare: Fare | null
  readonly commission: Commission | null
  /** The agency's own fee for this document. */
  readonly serviceFee: PrintedMoney | null
  readonly formOfPayment: FormOfPayment | null
  readonly tourCode: string | null
  readonly endorsement: string | null
  readonly services: readonly TicketService[]
  /** The ticket that an EMD belongs to. */
  readonly associatedWith: string | null
  readonly exchange: Exchange | null
  readonly refund: Refund | null
}

export type Passenger = {
  readonly lastName: string
  readonly firstName: string
  readonly title: string | null
  readonly type: 'adult' | 'child' | 'infant' | 'senior' | 'youth'
  /** As printed; null means an adult. */
  readonly ptc: string | null
  /** YYYY-MM-DD */
  readonly dateOfBirth: string | null
  /** As printed: `M`, `F`, or another code of the passport. */
  readonly gender: string | null
  /** The country's code, as printed. */
  readonly nationality: string | null
  readonly passport: {
    readonly number: string
    /** The issuing country's code, as printed. */
    readonly country: string | null
    /** YYYY-MM-DD */
    readonly expiresOn: string | null
  } | null
  readonly email: string | null
  readonly phone: string | null
  readonly frequentFlyer: string | null
  /** `leg` is the index of the flight, in `legs`. */
  readonly seats: readonly { readonly leg: number; readonly seat: string }[]
}

/**
 * A ticketed flight. Surface sectors are not included; a sector of an open ticket has no times and the flight number
 * `OPEN`.
 */
export type TicketLeg = {
  readonly airline: string
  readonly flight: string
  readonly operatingAirline: string | null
  readonly from: string
  readonly to: string
  /** Local to the airport, YYYY-MM-DDTHH:MM. */
  readonly departure: string | null
  readonly arrival: string | null
  readonly departureTerminal: string | null
  readonly arrivalTerminal: string | null
  readonly bookingClass: string | null
  readonly cabin: 'economy' | 'premium_economy' | 'business' | 'first' | null
  readonly fareBasis: string | null
  readonly status: string | null
  readonly baggage: string | null
  readonly stops: number | null
  readonly equipment: string | null
  readonly stopover: boolean | null
  /** The airline's own record locator. */
  readonly airlineLocator: string | null
  /** YYYY-MM-DD */
  readonly notValidBefore: string | null
  readonly notValidAfter: string | null
}

/** The content of a ticket-printer file, whatever its format. Text is trimmed; empty text is null. */
export type TicketFile = {
  readonly provider: Provider
  readonly format: TicketFileFormat
  /** The version of the format, as printed. */
  readonly version: string | null
  readonly action: DocumentAction
  /** A practice file, which never becomes a sale. */
  readonly training: boolean
  /**
   * When the file was made, by its own header: YYYY-MM-DD, HH:MM, and an IANA zone; a null zone is the office's own.
   */
  readonly made: { readonly day: string; readonly time: string | null; readonly zone: string | null } | null
  /** For a transaction in several files, 1 to 999. `sequence`, up to 20 characters, is the same in all of them. */
  readonly part: { readonly number: number; readonly of: number; readonly sequence: string } | null
  /** The record locators of the GDS and of the airlines. */
  readonly pnr: string | null
  readonly airlineLocators: readonly { readonly airline: string; readonly locator: string }[]
  /** GDS offices (office id or PCC), and the agents' signs. */
  readonly bookingOffice: string | null
  readonly ticketingOffice: string | null
  readonly bookingAgent: string | null
  readonly ticketingAgent: string | null
  /** Of the ticketing office: 8 digits. */
  readonly iataNumber: string | null
  /** The agency's own code for the customer. */
  readonly clientAccount: string | null
  /** YYYY-MM-DD */
  readonly issuedOn: string | null
  /** The ticketing deadline of the reservation. An AIR can contain one besides its documents. */
  readonly ticketingDeadline: string | null
  /** Whether the documents are settled through the BSP: the ticketing office shows its IATA number. */
  readonly bsp: boolean
  readonly validatingAirline: {
    readonly code: string | null
    /** Three digits. */
    readonly numeric: string | null
    readonly name: string | null
  } | null
  readonly passengers: readonly Passenger[]
  readonly legs: readonly TicketLeg[]
  readonly documents: readonly TicketDocument[]
  /** What was paid for all documents together, in a file without their prices. */
  readonly paid?: PrintedMoney
  /** Remarks of the agents, as printed, card numbers masked. */
  readonly remarks: readonly string[]
  /** What a user should check. */
  readonly warnings: readonly FileWarning[]
}
export type FileWarning = { readonly code: string; readonly message: string }

/** `unknown_kind`: in a known format, but not the issue or change of a document, or without the document's number. */
export const UNREADABLE_CAUSES = [
  'empty',
  'not_a_ticket_file',
  'unknown_format',
  'wrong_encoding',
  'incomplete',
  'damaged',
  'too_large',
  'several_files',
  'unknown_kind',
  'no_document',
] as const

/** Why a file could not be processed: a text that an agency can act on, and a cause. */
export class Unreadable {
  readonly reason: string
  readonly cause: (typeof UNREADABLE_CAUSES)[number]
  constructor(reason: string, cause: Unreadable['cause']) {
    this.reason = reason
    this.cause = cause
  }
}

/**
 * Parses a file of a known format. `today` is the day of the capture, from which years that are not printed are
 * derived.
 */
export type ReadTicketFile = (text: string, today: string) => TicketFile | Unreadable
