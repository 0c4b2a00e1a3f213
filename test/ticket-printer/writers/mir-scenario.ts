/** The content of a MIR. Amounts are texts as printed. */
export type Amount = { readonly currency: string; readonly amount: string }
export type Box = { readonly code: string; readonly amount: string }

export type MirPassenger = {
  readonly last: string
  readonly first: string
  readonly title?: string
  /** The title follows the first name without a blank. */
  readonly isGlued?: boolean
  readonly ptc?: string
  /** Ten digits; missing if no ticket was issued. */
  readonly serial?: string
  readonly books?: number
  readonly fare?: number
  readonly exchange?: number
  readonly moreFiles?: boolean
  readonly born?: string
  readonly ticketedOn?: string
  readonly flyer?: { readonly airline: string; readonly number: string }
  readonly document?: {
    readonly country: string
    readonly number: string
    readonly nationality: string
    readonly born: string
    readonly sex: string
    readonly expires: string
  }
  readonly email?: string
  readonly phone?: string
  /** The section with the travel document, the e-mail address and the phone number. */
  readonly requestsIn?: 'A14' | 'A15' | 'A20'
  readonly seats?: readonly { readonly leg: number; readonly seat: string; readonly isPending?: boolean }[]
}
export type MirLeg = {
  readonly airline: string
  readonly numeric: string
  readonly flight: string
  readonly from: string
  readonly to: string
  /** YYYY-MM-DDTHH:MM; missing for an open leg. */
  readonly departure?: string
  readonly arrival?: string
  readonly fareBasis?: string
  readonly baggage?: string
  readonly terminal?: string
  readonly stopover?: boolean
  /** Times with `A`, `P`, `N` and `M`. */
  readonly halfDays?: boolean
  readonly fullDay?: boolean
  readonly notValidBefore?: string
  readonly notValidAfter?: string
  /** The name of the operating airline. */
  readonly operator?: string
}
export type MirFare = {
  readonly base?: Amount
  readonly equivalent?: Amount
  readonly total: Amount
  readonly taxes: readonly Box[]
  readonly exempt?: string
  readonly endorsements?: readonly string[]
  readonly carrierFee?: Amount
  readonly calculation?: string
  /** Instead of the base amount. */
  readonly mark?: 'IT' | 'BT'
  /** The selling fare, without taxes and with them. */
  readonly selling?: { readonly base: Amount; readonly total: Amount }
  /** Apollo's net fare. */
  readonly netInLine?: string
}
export type MirPayment = {
  readonly type: string
  readonly amount: string
  readonly card?: {
    readonly company: string
    readonly number: string
    readonly expires: string
    readonly approval: string
  }
  readonly passengers?: readonly number[]
  readonly text?: string
  readonly isRefund?: boolean
}
export type MirExchange = {
  readonly original: string
  readonly checkDigit?: string
  readonly coupons: string
  readonly day: string
  readonly type: 'A' | 'R' | 'E'
  readonly currency: string
  /** Digits without a decimal point. */
  readonly base: string
  readonly total: string
  readonly difference: string
  readonly penalty?: string
  readonly taxes: readonly Box[]
}
export type MirRefund = {
  readonly number: string
  readonly checkDigit: string
  readonly last?: string
  readonly name: string
  readonly issuedOn: string
  readonly coupons: string
  readonly currency: string
  readonly base: string
  readonly taxes: readonly Box[]
  readonly commission?: { readonly rate: string; readonly amount: string }
  readonly penalty: string
  readonly used: string
  readonly total: string
  /** The detail has all taxes without a box, and their box is blank. */
  readonly isBoxBlank?: boolean
  readonly paidBack?: { readonly type: string; readonly number: string }
  readonly authority?: string
}
export type MirEmd = {
  readonly number: string
  readonly name: string
  readonly passenger: number
  readonly segment: number
  readonly service: string
  readonly isStandalone?: boolean
  readonly rfic: string
  readonly airline: string
  readonly base: Amount
  readonly equivalent?: Amount
  readonly tax?: Amount
  readonly total: Amount
  readonly rate?: string
  readonly payment: string
  readonly endorsement?: string
  readonly related?: string
  readonly coupons: readonly {
    readonly segment: number
    readonly rfisc: string
    readonly text: string
    readonly from: string
    readonly total: Amount
    readonly taxes?: readonly Box[]
    readonly ticket?: string
  }[]
}
export type MirScenario = {
  readonly apollo?: boolean
  readonly command: string
  /** YYYY-MM-DD and HH:MM. */
  readonly day: string
  readonly time: string
  readonly airline: { readonly code: string; readonly numeric: string; readonly name: string }
  readonly firstTravel?: string
  readonly bookingOffice: string
  readonly ticketingOffice: string
  readonly iataNumber: string
  readonly pnr: string
  readonly bookingAgent: string
  readonly ticketingAgent: string
  readonly currency: string
  readonly decimals: number
  /** Digits without a decimal point. */
  readonly partyFare?: string
  readonly commission?: string
  readonly commissionRate?: string
  readonly tourCode?: string
  readonly resent?: boolean
  readonly account?: string
  readonly passengers: readonly MirPassenger[]
  readonly legs?: readonly MirLeg[]
  readonly otherLegs?: readonly MirLeg[]
  readonly surfaceAfter?: number
  readonly fares?: readonly MirFare[]
  readonly exchanges?: readonly MirExchange[]
  readonly apolloExchange?: {
    readonly original: string
    readonly books: number
    readonly type: 'A' | 'R' | 'E'
    readonly currency: string
    readonly total: string
    readonly penalty: string
  }
  readonly payments?: readonly MirPayment[]
  readonly locators?: readonly { readonly airline: string; readonly locator: string }[]
  /** In the header. */
  readonly otherLocator?: { readonly airline: string; readonly locator: string }
  readonly remarks?: readonly string[]
  readonly contact?: { readonly email?: string; readonly phone?: string }
  readonly agreement?: string
  readonly mco?: { readonly to: string; readonly reason: string; readonly endorsement: string; readonly ticket: string }
  readonly net?: Amount
  readonly refunds?: readonly MirRefund[]
  readonly emds?: readonly MirEmd[]
  readonly serviceFees?: readonly { readonly name: string; readonly number: string; readonly fee: Amount }[]
}

/** `YILMAZ/AYSE MRS` */
export const nameOf = ({ last, first, title = '', isGlued }: MirPassenger): string =>
  `${last}/${first}${title && !isGlued ? ' ' : ''}${title}`

/** The number of a passenger in the reservation, from the forms of payment if they name every passenger. */
export function numberOf({ passengers, payments = [] }: MirScenario, at: number): number {
  const payers = [...new Set(payments.flatMap((payment) => payment.passengers ?? []))].sort((one, other) => one - other)
  return (payers.length === passengers.length ? payers[at] : undefined) ?? at + 1
}
