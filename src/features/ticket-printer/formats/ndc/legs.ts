import type { FileWarning, TicketLeg } from '../../ticket-file.ts'
import { BLANK_LEG } from '../blank.ts'
import { printedTime } from '../iso-times.ts'
import { descendants, element, elements, firstTextAt, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { bookingClassOf, cabinOf, fareBasisOf } from './cabins.ts'
import { type Coupon, couponsBySegment } from './coupons.ts'
import type { ListedDocument } from './documents.ts'
import type { Locators } from './locators.ts'
import { listedById, refsOf, SEGMENT_REFS } from './references.ts'

type Flights = {
  readonly legs: readonly TicketLeg[]
  /** The ids of the legs, in order. */
  readonly segments: readonly string[]
  readonly warnings: readonly FileWarning[]
}

/** What the flights of an order refer to, by id. */
type Lists = {
  readonly marketed: ReadonlyMap<string, TicketXmlElement>
  readonly operated: ReadonlyMap<string, TicketXmlElement>
  readonly flown: ReadonlyMap<string, TicketXmlElement>
  readonly components: ReadonlyMap<string, TicketXmlElement>
  readonly coupons: ReadonlyMap<string, Coupon>
  readonly baggage: ReadonlyMap<string, string>
  readonly locators: Locators
}

/** The flights of an order. Version 21.3 has separate lists of times, airlines and aircraft. */
export function ndcLegs(
  response: TicketXmlElement,
  documents: readonly ListedDocument[],
  { baggage, locators }: Pick<Lists, 'baggage' | 'locators'>,
): Flights {
  const list = (name: string, item: string) => elements(response, 'DataLists', name, item)
  const segments = [...list('FlightSegmentList', 'FlightSegment'), ...list('PaxSegmentList', 'PaxSegment')]
  const lists: Lists = {
    marketed: listedById(list('DatedMarketingSegmentList', 'DatedMarketingSegment'), '', 'DatedMarketingSegmentId'),
    operated: listedById(list('DatedOperatingSegmentList', 'DatedOperatingSegment'), '', 'DatedOperatingSegmentId'),
    flown: listedById(list('DatedOperatingLegList', 'DatedOperatingLeg'), '', 'DatedOperatingLegID'),
    components: componentsBySegment(response),
    coupons: couponsBySegment(
      documents.filter(({ kind }) => kind === 'ticket').map(({ coupons }) => coupons),
      segments.map(segmentId),
    ),
    baggage,
    locators,
  }
  const printed = segments.map((segment) => ({ id: segmentId(segment), leg: legOf(segment, response, lists) }))
  const known = printed.filter(({ leg }) => leg !== null)
  const missing = printed.length - known.length
  const message = `${missing} of the flights have no airline, number or airports and were left out. Check the itinerary.`
  return {
    legs: known.flatMap(({ leg }) => leg ?? []),
    segments: known.map(({ id }) => id),
    warnings: missing > 0 ? [{ code: 'leg', message }] : [],
  }
}

const segmentId = (segment: TicketXmlElement): string =>
  segment.attributes.SegmentKey ?? firstTextAt(segment, 'PaxSegmentID', 'SegmentKey') ?? ''

/** The fare component of each segment, by the segment's id; that of the first passenger if they differ. */
function componentsBySegment(response: TicketXmlElement): ReadonlyMap<string, TicketXmlElement> {
  const found = new Map<string, TicketXmlElement>()
  for (const component of descendants(response, 'FareComponent')) {
    for (const id of refsOf(component, ...SEGMENT_REFS)) if (!found.has(id)) found.set(id, component)
  }
  return found
}

function legOf(segment: TicketXmlElement, response: TicketXmlElement, lists: Lists): TicketLeg | null {
  const marketed = lists.marketed.get(textAt(segment, 'DatedMarketingSegmentRefId') ?? '') ?? segment
  const departure = element(marketed, 'Departure') ?? element(marketed, 'Dep')
  const arrival = element(marketed, 'Arrival')
  const carrier = element(marketed, 'MarketingCarrier') ?? element(marketed, 'MarketingCarrierInfo') ?? marketed
  const airline = firstTextAt(carrier, 'AirlineID', 'CarrierDesigCode')
  const flight = firstTextAt(carrier, 'FlightNumber', 'MarketingCarrierFlightNumberText')
  const [from, to] = [airportOf(departure), airportOf(arrival)]
  if (airline === null || flight === null || from === null || to === null) return null
  const operated = lists.operated.get(textAt(marketed, 'DatedOperatingSegmentRefId') ?? '')
  const operating = operatedBy(segment, operated)
  const component = lists.components.get(segmentId(segment))
  const coupon = lists.coupons.get(segmentId(segment))
  return {
    ...BLANK_LEG,
    airline,
    flight,
    operatingAirline: operating === airline ? null : operating,
    from,
    to,
    departure: timeOf(departure),
    arrival: timeOf(arrival),
    departureTerminal: terminalOf(departure),
    arrivalTerminal: terminalOf(arrival),
    bookingClass: bookingClassOf(component, segment),
    cabin: cabinOf(component, segment, response),
    fareBasis: fareBasisOf(component) ?? coupon?.fareBasis ?? null,
    notValidBefore: coupon?.notValidBefore ?? null,
    notValidAfter: coupon?.notValidAfter ?? null,
    baggage: lists.baggage.get(segmentId(segment)) ?? null,
    equipment: equipmentOf(segment) ?? equipmentOf(lists.flown.get(textAt(operated, 'DatedOperatingLegRefID') ?? '')),
    airlineLocator: lists.locators.find((each) => each.airline === airline)?.locator ?? null,
  }
}

const equipmentOf = (segment: TicketXmlElement | undefined): string | null =>
  firstTextAt(
    segment,
    'Equipment/AircraftCode',
    'DatedOperatingLeg/CarrierAircraftType/CarrierAircraftTypeCode',
    'CarrierAircraftType/CarrierAircraftTypeCode',
  )

const airportOf = (end: TicketXmlElement | undefined): string | null =>
  firstTextAt(end, 'AirportCode', 'IATA_LocationCode')

const terminalOf = (end: TicketXmlElement | undefined): string | null =>
  firstTextAt(end, 'Terminal/Name', 'TerminalName')

const timeOf = (end: TicketXmlElement | undefined): string | null =>
  printedTime(textAt(end, 'AircraftScheduledDateTime') ?? `${textAt(end, 'Date')}T${textAt(end, 'Time')}`)

const operatedBy = (segment: TicketXmlElement, operated: TicketXmlElement | undefined): string | null =>
  firstTextAt(segment, 'OperatingCarrier/AirlineID', 'OperatingCarrierInfo/CarrierDesigCode') ??
  textAt(operated, 'CarrierDesigCode')
