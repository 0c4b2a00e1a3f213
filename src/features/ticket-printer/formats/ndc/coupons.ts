import type { TicketDocument, TicketService } from '../../ticket-file.ts'
import { printedDay } from '../iso-times.ts'
import { descendants, element, elements, firstTextAt, type TicketXmlElement } from '../xml/parse-xml.ts'
import { refsWithin, SEGMENT_REFS } from './references.ts'

/** A coupon of a document as an answer lists it. */
export type Coupon = {
  readonly number: number
  readonly status: string | null
  /** Reason for issuance, for an EMD. */
  readonly rfic: string | null
  readonly rfisc: string | null
  readonly text: string | null
  readonly fareBasis: string | null
  readonly notValidBefore: string | null
  readonly notValidAfter: string | null
  /** The ids of its flights, of its baggage allowance, and of its services. */
  readonly segments: readonly string[]
  readonly baggage: string | null
  /** The baggage itself, which version 17.2 prints in the coupon: `1PC` or `20K`. */
  readonly freeBaggage: string | null
  readonly services: readonly string[]
}

/** How coupons lost their value. */
const SPENT: Readonly<Record<string, 'void' | 'refunded' | 'exchanged'>> = {
  V: 'void',
  VD: 'void',
  VOID: 'void',
  RF: 'refunded',
  REFUNDED: 'refunded',
  E: 'exchanged',
  EXCHANGED: 'exchanged',
}

export const listedCoupons = (document: TicketXmlElement): readonly Coupon[] =>
  [...elements(document, 'Coupon'), ...elements(document, 'CouponInfo')].map((coupon, at) => ({
    number: Number(/^\d{1,2}$/.exec(firstTextAt(coupon, 'CouponNumber') ?? '')?.[0] ?? at + 1),
    status: firstTextAt(coupon, 'CouponStatusCode', 'Status/Code', 'Status'),
    rfic: firstTextAt(coupon, 'RFIC', 'ReasonForIssuance/RFIC/Code', 'ReasonForIssuance/RFIC'),
    rfisc: firstTextAt(coupon, 'RFISC', 'ReasonForIssuance/Code'),
    text: firstTextAt(coupon, 'RemarkText', 'ReasonForIssuance/Description', 'Remark'),
    fareBasis: firstTextAt(coupon, 'FareBasisCode/Code', 'FareBasisCode'),
    notValidBefore: printedDay(withinOf(coupon, 'NotValidBefore', 'NotValidBeforeDate', 'Effective', 'EffectiveDate')),
    notValidAfter: printedDay(withinOf(coupon, 'NotValidAfter', 'NotValidAfterDate', 'Expiration', 'ExpiryDate')),
    segments: refsWithin(coupon, ...SEGMENT_REFS, 'CouponReference'),
    baggage: firstTextAt(coupon, 'BaggageAllowanceRefID'),
    freeBaggage: freeBaggageOf(element(coupon, 'AddlBaggageInfo')),
    services: refsWithin(coupon, 'ServiceRefID', 'ServiceReferences'),
  }))

function freeBaggageOf(printed: TicketXmlElement | undefined): string | null {
  if (!printed) return null
  const pieces = element(printed, 'AllowableBag')?.attributes.Number
  const weight = element(printed, 'CheckedFree')?.attributes.MaxBagWght
  return pieces && /^\d+$/.test(pieces) ? `${pieces}PC` : (weight ?? null)
}

/** The text of the first element with one of these names, at any depth. */
const withinOf = (coupon: TicketXmlElement, ...names: readonly string[]): string | null =>
  names.flatMap((name) => descendants(coupon, name)).find(({ text }) => text !== '')?.text ?? null

/**
 * The coupons of tickets by the ids of their flights. Coupons without ids match the flights in order, if the ticket has
 * one for each.
 */
export function couponsBySegment(
  tickets: readonly (readonly Coupon[])[],
  segments: readonly string[],
): ReadonlyMap<string, Coupon> {
  const found = new Map<string, Coupon>()
  for (const coupons of tickets) {
    const inOrder = coupons.length === segments.length && coupons.every((coupon) => coupon.segments.length === 0)
    for (const [at, coupon] of coupons.entries()) {
      const ids = inOrder ? segments.slice(at, at + 1) : coupon.segments
      for (const id of ids) if (!found.has(id)) found.set(id, coupon)
    }
  }
  return found
}

/** How a document lost its value, if it is the same for all its coupons. */
export function spentAs(coupons: readonly Coupon[]): 'void' | 'refunded' | 'exchanged' | 'spent' | null {
  const ends = coupons.map(({ status }) => SPENT[status?.toUpperCase() ?? ''])
  if (ends.length === 0 || ends.some((end) => end === undefined)) return null
  const [first = 'spent', ...others] = new Set(ends)
  return others.length > 0 ? 'spent' : first
}

export const statusesOf = (coupons: readonly Coupon[]): TicketDocument['coupons'] =>
  coupons.flatMap(({ number, status }) => (status === null ? [] : [{ number, status }]))

/** The services of an EMD's coupons; the text is that of the order's service definition. */
export const servicesOfCoupons = (coupons: readonly Coupon[]): readonly TicketService[] =>
  coupons
    .filter(({ rfic, rfisc, text }) => rfic ?? rfisc ?? text)
    .map(({ number, rfic, rfisc, text }) => ({ coupon: number, rfic, rfisc, text, from: null, to: null }))
