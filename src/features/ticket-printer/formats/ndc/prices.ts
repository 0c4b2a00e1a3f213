import { fixed } from '../../../../platform/money.ts'
import { type Fare, NO_FARE } from '../../ticket-file.ts'
import { printedRate } from '../printed.ts'
import { descendants, element, elements, firstTextAt, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { chargesIn, isAmountSpoilt, moneyInElement, taxesOfPrice, totalIn } from './amounts.ts'
import { PASSENGER_REFS, refsOf, SEGMENT_REFS } from './references.ts'
import { SERVICE_REFS, type ServiceDefinition, servicesIn } from './services.ts'

/** A price in an order, for each of its passengers. */
export type OrderPrice = {
  readonly passengers: readonly string[]
  /** What is priced: flights, which belong to a ticket, or a service, which does not; null if unknown. */
  readonly kind: 'flights' | 'service' | null
  readonly fare: Fare
  readonly fareCalculation: string | null
  readonly tourCode: string | null
  /** The airline of the item. */
  readonly owner: string | null
  /** The ids of the services and flights of its item, to which coupons can refer. */
  readonly serviceIds: readonly string[]
  readonly segments: readonly string[]
  /** What is sold besides flights. */
  readonly services: readonly ServiceDefinition[]
  /** Whether it could also be the sum over its passengers; the order does not decide this. */
  readonly unclear: boolean
  /** Whether one of its amounts cannot be parsed. */
  readonly spoilt: boolean
}

/** The values shared by all prices of an item. */
type Item = Pick<OrderPrice, 'kind' | 'services' | 'serviceIds' | 'owner'> & { readonly isSum: boolean }

/** The names of references to the flights of a service, in versions 17.2 to 21.3. */
const FLIGHTS = ['SegmentRef', 'SegmentRefs', 'FlightRefs', 'PaxSegmentRefID', 'PaxJourneyRefID'] as const
/** States of items that were removed from the order. */
const CANCELLED = /^(?:CANCELL?ED|XX|HX|XL)$/i

export function pricesOf(
  response: TicketXmlElement,
  definitions: ReadonlyMap<string, ServiceDefinition>,
): readonly OrderPrice[] {
  return descendants(response, 'OrderItem')
    .filter((item) => !CANCELLED.test(firstTextAt(item, 'ItemStatus', 'StatusCode') ?? ''))
    .flatMap((item) => pricesOfItem(item, definitions))
}

function pricesOfItem(
  item: TicketXmlElement,
  definitions: ReadonlyMap<string, ServiceDefinition>,
): readonly OrderPrice[] {
  const details = elements(item, 'FareDetail').filter(
    (detail) => passengersOf(detail).length > 0 || element(detail, 'FareComponent'),
  )
  const passengers = [...new Set([item, ...elements(item, 'Service'), ...details].flatMap(passengersOf))]
  const sold = {
    kind: kindWithoutComponents(item),
    services: servicesIn(item, definitions),
    serviceIds: elements(item, 'Service').flatMap(
      (service) => service.attributes.ServiceID ?? textAt(service, 'ServiceID') ?? [],
    ),
    owner: airlineIn(item.attributes.Owner ?? textAt(item, 'OwnerCode')),
    isSum: isSumOfPassengers(item, details),
  }
  if (details.some(priceIn))
    return details.map((detail) => {
      const own = passengersOf(detail)
      return priceOf(detail, own.length > 0 ? own : passengers, sold)
    })
  // Without prices per passenger, the item has one price for all its passengers.
  const price = element(item, 'Price') ?? element(item, 'PriceDetail')
  return price && passengers.length > 0 ? [priceOf(item, passengers, { ...sold, isSum: true })] : []
}

export const airlineIn = (printed: string | null | undefined): string | null =>
  printed && /^(?!1[A-Z]$)[A-Z\d]{2}$/.test(printed) ? printed : null

function priceOf(detail: TicketXmlElement, passengers: readonly string[], item: Item): OrderPrice {
  const components = descendants(detail, 'FareComponent')
  const kind = components.length > 0 ? 'flights' : item.kind
  return {
    passengers,
    kind,
    ...pricedIn(detail),
    owner: item.owner,
    serviceIds: item.serviceIds,
    segments: components.flatMap((component) => refsOf(component, ...SEGMENT_REFS)),
    services: kind === 'flights' ? [] : item.services,
    unclear: item.isSum && passengers.length > 1,
  }
}

/**
 * What is priced in an item without fare components, which not every airline prints. An item of flights can include
 * services, such as a free bag, so only an item with flights alone, or services alone, is certain.
 */
function kindWithoutComponents(item: TicketXmlElement): OrderPrice['kind'] {
  if (elements(item, 'FareDetail', 'FareComponent').length > 0) return null
  const services = hasAny(item, [...SERVICE_REFS, 'Seat'])
  const flights = elements(item, 'Service').some(
    (each) => !hasAny(each, [...SERVICE_REFS, 'Seat']) && hasAny(each, FLIGHTS),
  )
  if (services === flights) return null
  return services ? 'service' : 'flights'
}

const hasAny = (within: TicketXmlElement, names: readonly string[]): boolean =>
  names.some((name) => descendants(within, name).length > 0)

const passengersOf = (detail: TicketXmlElement): readonly string[] => refsOf(detail, ...PASSENGER_REFS)

/** The price in an item or a part of it; beside a document, version 17.2 has the amounts directly. */
const priceIn = (detail: TicketXmlElement): TicketXmlElement | undefined =>
  element(detail, 'Price') ??
  element(detail, 'FarePriceType', 'Price') ??
  element(detail, 'PriceDetail') ??
  (detail.name === 'FareInfo' ? detail : undefined)

/** The price of an item, or of a part of it, with the values printed beside it. */
export const pricedIn = (
  detail: TicketXmlElement,
): Pick<OrderPrice, 'fare' | 'fareCalculation' | 'tourCode' | 'spoilt'> => ({
  fare: fareIn(detail),
  fareCalculation: firstTextAt(
    detail,
    'FareCalculationInfo/AddlInfoText',
    'FareDetail/FareCalculationInfo/AddlInfoText',
  ),
  tourCode: firstTextAt(detail, 'TourCode', 'FareDetail/TourCode'),
  spoilt: isAmountSpoilt(priceIn(detail)),
})

function fareIn(detail: TicketXmlElement): Fare {
  const price = priceIn(detail)
  if (!price) return NO_FARE
  const base = element(price, 'BaseAmount') ?? element(price, 'BaseFare', 'Amount')
  const sold = moneyInElement(element(price, 'EquivAmount') ?? element(price, 'EquivFare', 'Amount') ?? base)
  const filed = moneyInElement(element(price, 'FareFiledIn', 'BaseAmount') ?? base)
  const isInAnother = filed !== null && sold !== null && filed.currency !== sold.currency
  const [taxes, total] = [taxesOfPrice(price), totalIn(price)]
  return {
    ...NO_FARE,
    base: isInAnother ? filed : sold,
    equivalent: isInAnother ? sold : null,
    rate: isInAnother ? printedRate(textAt(price, 'FareFiledIn', 'ExchangeRate')) : null,
    taxes: [...taxes, ...chargesIn(price, sold, taxes, total)],
    total,
  }
}

/**
 * A price for several passengers is what each of them pays, unless the total of the item is the sum of its prices as
 * they are.
 */
function isSumOfPassengers(item: TicketXmlElement, details: readonly TicketXmlElement[]): boolean {
  const total = totalIn(element(item, 'PriceDetail') ?? element(item, 'Price'))
  if (!total || !details.some((detail) => passengersOf(detail).length > 1)) return false
  const totals = details.map((detail) => totalIn(priceIn(detail)))
  const sum = totals.reduce((all, each) => all + fixed(each?.amount ?? '0'), 0n)
  return totals.every((each) => each?.currency === total.currency) && sum === fixed(total.amount)
}
