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
/** `restore` takes a void back, `refund_cancel` a refund; an `itinerary` has no document. */
export type DocumentAction = (typeof DOCUMENT_ACTIONS)[number]

/** An amount as printed: digits with at most one point, never a sign that says nothing; and the ISO 4217 code beside it. */
export type PrintedMoney = { readonly currency: string; readonly amount: string }
/** `code` as printed (YQ, TR, XT …); `nature` is the two letters behind it, where the format has them. */
export type Tax = PrintedMoney & { readonly code: string; readonly nature: string | null }

/** What a traveller pays for one document. */
export type Fare = {
  /** In the currency of the fare's filing. */
  readonly base: PrintedMoney | null
  /** The fare in the currency of the sale, where the base is in another. */
  readonly equivalent: PrintedMoney | null
  /** From the base's currency to the sale's, as printed. */
  readonly rate: string | null
  /** Every new tax; a code may come several times. */
  readonly taxes: readonly Tax[]
  /** Taxes already paid with the document that is exchanged. They are no part of the total. */
  readonly paidTaxes: readonly Tax[]
  /** Codes of taxes that the traveller is exempt from. */
  readonly exempt: readonly string[]
  /** The airline's fees beside the total (OB and the like). */
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
  /** As printed, card numbers masked to their last four digits and approval codes to their last two characters. */
  readonly text: string
}
/** A coupon of an EMD or MCO: what it pays for. */
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
  /** The documents given in, 13 digits each, with the coupons that were (`12`); null is not told. */
  readonly originals: readonly { readonly number: string; readonly coupons: string | null }[]
  /** What the traveller paid on top; of no amount in an even exchange. */
  readonly additionalCollection: PrintedMoney | null
  /** The part of it that is fare, where the file prints the balance of the fares. */
  readonly fareDifference: PrintedMoney | null
  /** What is left of the old document's value. */
  readonly residual: PrintedMoney | null
  readonly penalty: PrintedMoney | null
}
export type Refund = {
  /** The fare that was paid, what of it was used, and what of it comes back. */
  readonly gross: PrintedMoney | null
  readonly used: PrintedMoney | null
  readonly refundable: PrintedMoney | null
  readonly penalty: PrintedMoney | null
  readonly otherFees: PrintedMoney | null
  readonly taxes: readonly Tax[]
  readonly taxTotal: PrintedMoney | null
  /** What the agency gives back of its commission. */
  readonly commissionRecall: Commission | null
  /** What the traveller gets. */
  readonly total: PrintedMoney | null
  /** The refunded coupons (`12`); null is not told. */
  readonly coupons: string | null
  readonly originallyIssuedOn: string | null
}

/** A ticket, EMD or MCO of one passenger. A void has little more than the number. */
export type TicketDocument = {
  /** The airline's 3 digits and 10 more. */
  readonly number: string
  readonly kind: 'ticket' | 'emd' | 'mco'
  /** The numbers that continue it, in their order; they carry no money. */
  readonly conjunctions: readonly string[]
  /** The coupons, from 1, with the status that the file prints beside each (`OPEN`, `OK`, `RFND` …). */
  readonly coupons: readonly { readonly number: number; readonly status: string }[]
  /** The index of whom it is for, in `passengers`. */
  readonly passenger: number
  /** Two characters. */
  readonly airline: string | null
  /** YYYY-MM-DD */
  readonly issuedOn: string | null
  readonly fare: Fare
  /** The linear fare calculation. */
  readonly fareCalculation: string | null
  /** What the ticket prints in place of its fare. */
  readonly fareMark: 'bulk' | 'inclusive_tour' | null
  /** What the agency owes where that is another fare than the traveller's; what it sells for, where it is told beside it. */
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
  /** As printed; null where nothing is, which means an adult. */
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

/** A ticketed flight. Surface sectors are none; the sector of an open ticket has no times and the flight `OPEN`. */
export type TicketLeg = {
  readonly airline: string
  readonly flight: string
  readonly operatingAirline: string | null
  readonly from: string
  readonly to: string
  /** On the airport's clock, YYYY-MM-DDTHH:MM. */
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

/** What a file of the ticket printer says, whatever its format. Text is trimmed; what is empty is null. */
export type TicketFile = {
  readonly provider: Provider
  readonly format: TicketFileFormat
  /** Of the format, as printed. */
  readonly version: string | null
  readonly action: DocumentAction
  /** A practice file: never a sale. */
  readonly training: boolean
  /** When the file was made by its own header: YYYY-MM-DD, HH:MM, and an IANA zone; null is the office's own clock. */
  readonly made: { readonly day: string; readonly time: string | null; readonly zone: string | null } | null
  /** Of one transaction that comes in several files, 1 to 999. `sequence`, of up to 20 characters, is the same in all of them. */
  readonly part: { readonly number: number; readonly of: number; readonly sequence: string } | null
  /** The GDS's record locator, and those of the airlines. */
  readonly pnr: string | null
  readonly airlineLocators: readonly { readonly airline: string; readonly locator: string }[]
  /** GDS offices (office id or PCC), and the agents' signs. */
  readonly bookingOffice: string | null
  readonly ticketingOffice: string | null
  readonly bookingAgent: string | null
  readonly ticketingAgent: string | null
  /** Of the ticketing office: 8 digits. */
  readonly iataNumber: string | null
  /** The agency's own code of the customer. */
  readonly clientAccount: string | null
  /** YYYY-MM-DD */
  readonly issuedOn: string | null
  /** Ticketing deadline of the reservation. An AIR may contain one beside its documents. */
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
  /** Remarks of the agents, as printed, card numbers masked. */
  readonly remarks: readonly string[]
  /** What a human should look at. */
  readonly warnings: readonly FileWarning[]
}
export type FileWarning = { readonly code: string; readonly message: string }

/** `unknown_kind`: of a known format, but not of the issue or change of a document, or it does not say of which. */
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

/** Why nothing can be made of a file, in words that an agency can act on, and as one of the causes. */
export class Unreadable {
  readonly reason: string
  readonly cause: (typeof UNREADABLE_CAUSES)[number]
  constructor(reason: string, cause: Unreadable['cause']) {
    this.reason = reason
    this.cause = cause
  }
}

/** Reads a file whose format is known. `today` is the day of the capture, which years that are not printed follow from. */
export type ReadTicketFile = (text: string, today: string) => TicketFile | Unreadable
