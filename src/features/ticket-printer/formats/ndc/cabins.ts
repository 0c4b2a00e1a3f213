import type { TicketLeg } from '../../ticket-file.ts'
import { element, elements, firstTextAt, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { listedById } from './references.ts'

type Cabin = TicketLeg['cabin']

const NAMES: readonly (readonly [RegExp, Cabin])[] = [
  [/premium/i, 'premium_economy'],
  [/econom|эконом|main cabin/i, 'economy'],
  [/business|бизнес/i, 'business'],
  [/first/i, 'first'],
]
/** Cabins by the letters of IATA and Amadeus, and by the numbers of version 21.3. */
const CODES: Readonly<Record<string, Cabin>> = {
  Y: 'economy',
  M: 'economy',
  W: 'premium_economy',
  C: 'business',
  J: 'business',
  F: 'first',
  1: 'first',
  2: 'business',
  3: 'economy',
  4: 'premium_economy',
  5: 'economy',
}

/** The cabin of a flight in versions 18.2 to 21.3; version 17.2 has it beside the booking class. */
const OF_SEGMENT = ['CabinType', 'CabinTypeAssociationChoice/SegmentCabinType'] as const

/** The cabin of a fare component, otherwise of its price class or of the flight. */
export function cabinOf(
  component: TicketXmlElement | undefined,
  segment: TicketXmlElement,
  response: TicketXmlElement,
): Cabin {
  const classes = listedById(
    elements(response, 'DataLists', 'PriceClassList', 'PriceClass'),
    'PriceClassID',
    'PriceClassID',
  )
  const named = firstTextAt(component, 'PriceClassRef', 'PriceClassRefID')
  const priceClass = classes.get(named ?? '')
  const sold = element(segment, 'ClassOfService', 'MarketingName')
  const flown = OF_SEGMENT.flatMap((name) => elements(segment, ...name.split('/')))[0]
  const name =
    cabinNameOf(component) ??
    firstTextAt(priceClass, 'CabinType/CabinTypeName') ??
    firstTextAt(flown, 'CabinTypeName') ??
    sold?.text
  const code = cabinCodeOf(component) ?? firstTextAt(flown, 'CabinTypeCode') ?? sold?.attributes.CabinDesignator
  return NAMES.find(([pattern]) => pattern.test(name ?? ''))?.[1] ?? CODES[code ?? ''] ?? null
}

const cabinNameOf = (component: TicketXmlElement | undefined): string | null =>
  firstTextAt(component, 'FareBasis/CabinType/CabinTypeName', 'CabinType/CabinTypeName')
const cabinCodeOf = (component: TicketXmlElement | undefined): string | null =>
  firstTextAt(component, 'FareBasis/CabinType/CabinTypeCode', 'CabinType/CabinTypeCode', 'CabinType/CabinTypeCode/Code')

export const fareBasisOf = (component: TicketXmlElement | undefined): string | null =>
  firstTextAt(component, 'FareBasis/FareBasisCode/Code', 'FareBasisCode', 'FareBasisCode/Code')

/**
 * The booking class: one letter. Some answers have it in place of the cabin code: then it is not a cabin letter, or the
 * fare basis begins with it.
 */
export function bookingClassOf(component: TicketXmlElement | undefined, segment: TicketXmlElement): string | null {
  const named = [
    textAt(segment, 'ClassOfService', 'Code'),
    firstTextAt(component, 'FareBasis/RBD', 'RBD/RBD_Code', 'RBD'),
    textAt(segment, 'MarketingCarrierRBD_Code'),
  ].find((code) => /^[A-Z]$/.test(code ?? ''))
  if (named) return named
  const code = cabinCodeOf(component)
  const fareBasis = fareBasisOf(component)
  const isClass = /^[A-Z]$/.test(code ?? '') && (!CODES[code ?? ''] || fareBasis?.startsWith(code ?? ''))
  return isClass ? code : null
}
