import type { TicketLeg } from '../../ticket-file.ts'
import { BLANK_LEG } from '../blank.ts'
import { printedDay, printedTime } from '../iso-times.ts'
import { element, elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import type { LegIndex } from './travellers.ts'

export type Legs = { readonly legs: readonly TicketLeg[]; readonly bySegment: LegIndex }

const CABINS: Readonly<Record<string, TicketLeg['cabin']>> = {
  Economy: 'economy',
  PremiumEconomy: 'premium_economy',
  Business: 'business',
  PremiumBusiness: 'business',
  First: 'first',
  PremiumFirst: 'first',
}
/** Segments that the airline or the agency cancelled, and those held by another system. */
const NOT_FLOWN = /^(?:HX|UC|UN|NO|XX|XK|GK|BK|MK|PK)$/

/** The data of a flight in a pricing: the fare component, and the class in which it was sold. */
type Component = { readonly fare: TicketXmlElement | undefined; readonly booking: TicketXmlElement }

function componentsOf(pricings: readonly TicketXmlElement[]): readonly Component[] {
  return pricings.flatMap((pricing) => {
    const fares = new Map(elements(pricing, 'FareInfo').map((fare) => [fare.attributes.Key, fare]))
    return elements(pricing, 'BookingInfo').map((booking) => ({
      fare: fares.get(booking.attributes.FareInfoRef),
      booking,
    }))
  })
}

/** The flights of a reservation to which the pricings of its tickets refer; all flights if none refers to any. */
export function bookedLegs(reservations: readonly TicketXmlElement[], pricings: readonly TicketXmlElement[]): Legs {
  const components = componentsOf(pricings)
  // The flights are the same for every ticket; the fare bases are those of the first.
  const bySegment = new Map(
    components.map((component) => [component.booking.attributes.SegmentRef ?? '', component] as const).reverse(),
  )
  const segments = reservations
    .flatMap((reservation) => elements(reservation, 'AirSegment'))
    .filter(({ attributes }) => !NOT_FLOWN.test(attributes.Status ?? ''))
  const priced = segments.filter(({ attributes }) => bySegment.has(attributes.Key ?? ''))
  const flown = priced.length > 0 ? priced : segments
  const locators = locatorsIn(reservations)
  return {
    legs: flown.map((segment, at) => ({
      ...segmentLeg(segment, bySegment.get(segment.attributes.Key ?? '')),
      // A connection is printed behind the flight that arrives there.
      stopover: flown[at - 1] && element(flown[at - 1] as TicketXmlElement, 'Connection') ? false : null,
      airlineLocator: locators.get(segment.attributes.Carrier ?? '') ?? null,
    })),
    bySegment: new Map(flown.flatMap(({ attributes }, at) => (attributes.Key ? [[attributes.Key, at] as const] : []))),
  }
}

function segmentLeg(segment: TicketXmlElement, component: Component | undefined): TicketLeg {
  const { attributes } = segment
  const details = elements(segment, 'FlightDetails')
  const operator = element(segment, 'CodeshareInfo')?.attributes.OperatingCarrier
  const stops = attributes.NumberOfStops ?? (details.length > 0 ? String(details.length - 1) : '')
  return {
    ...BLANK_LEG,
    airline: attributes.Carrier ?? '',
    flight: attributes.FlightNumber ?? '',
    operatingAirline: operator && operator !== attributes.Carrier ? operator : null,
    from: attributes.Origin ?? '',
    to: attributes.Destination ?? '',
    departure: printedTime(attributes.DepartureTime ?? null),
    arrival: printedTime(attributes.ArrivalTime ?? null),
    departureTerminal: details[0]?.attributes.OriginTerminal ?? null,
    arrivalTerminal: details.at(-1)?.attributes.DestinationTerminal ?? null,
    bookingClass: attributes.ClassOfService ?? component?.booking.attributes.BookingCode ?? null,
    cabin: CABINS[attributes.CabinClass ?? component?.booking.attributes.CabinClass ?? ''] ?? null,
    status: attributes.Status ?? null,
    stops: /^\d$/.test(stops) ? Number(stops) : null,
    equipment: attributes.Equipment ?? details[0]?.attributes.Equipment ?? null,
    ...fareOfLeg(component?.fare),
  }
}

function fareOfLeg(
  fare: TicketXmlElement | undefined,
): Pick<TicketLeg, 'fareBasis' | 'baggage' | 'notValidBefore' | 'notValidAfter'> {
  const { FareBasis, NotValidBefore, NotValidAfter } = fare?.attributes ?? {}
  return {
    fareBasis: FareBasis ?? null,
    baggage: fare ? baggageOf(fare) : null,
    notValidBefore: printedDay(NotValidBefore ?? null),
    notValidAfter: printedDay(NotValidAfter ?? null),
  }
}

/** `1PC`, `20K`: pieces, or the weight with the first letter of its unit. */
function baggageOf(fare: TicketXmlElement): string | null {
  const pieces = textAt(fare, 'BaggageAllowance', 'NumberOfPieces')
  if (pieces !== null) return `${pieces}PC`
  const { Value, Unit } = element(fare, 'BaggageAllowance', 'MaxWeight')?.attributes ?? {}
  return Value ? `${Value}${Unit?.slice(0, 1) ?? ''}` : null
}

const locatorsIn = (reservations: readonly TicketXmlElement[]): ReadonlyMap<string, string> =>
  new Map(
    reservations
      .flatMap((reservation) => elements(reservation, 'SupplierLocator'))
      .map(({ attributes }) => [attributes.SupplierCode ?? '', attributes.SupplierLocatorCode ?? '']),
  )

/** The flights of electronic ticket records, from their coupons, without repetition. */
export function couponLegs(records: readonly TicketXmlElement[]): Legs {
  const legs = new Map<string, TicketLeg>()
  for (const record of records) {
    const components = componentsOf(elements(record, 'AirPricingInfo'))
    const fares = elements(record, 'AirPricingInfo').flatMap((pricing) => elements(pricing, 'FareInfo'))
    const locators = locatorsIn([record])
    for (const [at, coupon] of elements(record, 'Ticket', 'Coupon').entries()) {
      const { Origin, Destination, MarketingCarrier = '' } = coupon.attributes
      const isOfCoupon = ({ attributes }: TicketXmlElement) =>
        attributes.Origin === Origin && attributes.Destination === Destination
      const fare = fares[at] && isOfCoupon(fares[at]) ? fares[at] : fares.find(isOfCoupon)
      const booking = components.find((component) => component.fare === fare)?.booking
      const leg = { ...couponLeg(coupon, fare, booking), airlineLocator: locators.get(MarketingCarrier) ?? null }
      const key = [leg.airline, leg.flight, leg.from, leg.departure].join(' ')
      if (!legs.has(key)) legs.set(key, leg)
    }
  }
  return { legs: [...legs.values()], bySegment: new Map() }
}

function couponLeg(
  { attributes }: TicketXmlElement,
  fare: TicketXmlElement | undefined,
  booking: TicketXmlElement | undefined,
): TicketLeg {
  const ofFare = fareOfLeg(fare)
  const { StopoverCode } = attributes
  return {
    ...BLANK_LEG,
    airline: attributes.MarketingCarrier ?? '',
    flight: attributes.MarketingFlightNumber ?? '',
    operatingAirline:
      attributes.OperatingCarrier && attributes.OperatingCarrier !== attributes.MarketingCarrier
        ? attributes.OperatingCarrier
        : null,
    from: attributes.Origin ?? '',
    to: attributes.Destination ?? '',
    departure: printedTime(attributes.DepartureTime ?? null),
    arrival: printedTime(attributes.ArrivalTime ?? null),
    bookingClass: attributes.BookingClass ?? null,
    cabin: CABINS[booking?.attributes.CabinClass ?? ''] ?? null,
    stopover: StopoverCode === undefined ? null : StopoverCode === 'true',
    ...ofFare,
    fareBasis: attributes.FareBasis ?? ofFare.fareBasis,
    notValidBefore: printedDay(attributes.NotValidBefore ?? null) ?? ofFare.notValidBefore,
    notValidAfter: printedDay(attributes.NotValidAfter ?? null) ?? ofFare.notValidAfter,
  }
}
