import { sumOf } from './any.ts'
import { DETAILS, extrasOf, flightPrices, idOf, type NdcOrder, PTCS, printedAmount, timestampOf } from './ndc.ts'
import { escaped, type Flight, type Sold, tag, totalOf } from './order.ts'

type Priced = Pick<Sold, 'fare' | 'taxes'>

const money = (order: NdcOrder, name: string, amount: string): string =>
  tag(`${name} CurCode="${order.currency}"`, printedAmount(order, amount))

function priceOf(order: NdcOrder, { fare, taxes }: Priced): string {
  const listed = taxes.map(({ code, amount }) => tag('Tax', money(order, 'Amount', amount), tag('TaxCode', code)))
  return tag(
    'Price',
    money(order, 'BaseAmount', fare),
    listed.length > 0 ? tag('TaxSummary', ...listed) : '',
    money(order, 'TotalAmount', totalOf({ fare, taxes })),
  )
}

const component =
  ({ isDetailed }: NdcOrder) =>
  ({ fareBasis, bookingClass }: Flight, at: number): string =>
    tag(
      'FareComponent',
      isDetailed ? tag('CabinType', tag('CabinTypeCode', '5')) : '',
      tag('FareBasisCode', fareBasis),
      tag('PaxSegmentRefID', `SEG${at}`),
      tag('RBD', tag('RBD_Code', bookingClass)),
    )

const detailOf = (order: NdcOrder, priced: Priced, payers: readonly string[], components: readonly string[]): string =>
  tag(
    'FareDetail',
    order.isDetailed && components.length > 0
      ? tag('FareCalculationInfo', tag('AddlInfoText', DETAILS.fareCalculation))
      : '',
    ...components,
    tag('FarePriceType', tag('FarePriceTypeCode', '70J'), priceOf(order, priced)),
    ...payers.map((id) => tag('PaxRefID', id)),
  )

/** The seats of the first flight, and its included bag. */
const includedIn = ({ isDetailed, passengers }: NdcOrder): string[] =>
  passengers.flatMap((_, at) => {
    const seat = tag('Seat', tag('ColumnID', DETAILS.column), tag('RowNumber', DETAILS.row))
    const free = tag('ServiceDefinitionRef', tag('PaxSegmentRefID', 'SEG0'), tag('ServiceDefinitionRefID', 'FREE'))
    const service = (what: string) => tag('Service', tag('OrderServiceAssociation', what), tag('PaxRefID', idOf(at)))
    return isDetailed ? [service(tag('SeatOnLeg', seat, tag('PaxSegmentRefID', 'SEG0'))), service(free)] : []
  })

/** The price of one passenger, whom only the services name. */
const itemOfPassenger = (order: NdcOrder, { sold, at }: { sold: Sold; at: number }): string =>
  tag(
    'OrderItem',
    tag('FareDetail', tag('FareRefText', 'Base Fare'), tag('Price', money(order, 'TotalAmount', sold.fare))),
    tag('OrderItemID', `OI${at}`),
    tag('OwnerCode', order.airline.code),
    priceOf(order, sold),
    tag(
      'Service',
      tag('OrderServiceAssociation', tag('PaxSegmentRef', tag('PaxSegmentRefID', 'SEG0'))),
      tag('PaxRefID', idOf(at)),
    ),
  )

/** A price that several passengers share is what each of them pays; the item's is the sum. */
const flightItems = (order: NdcOrder): string[] =>
  order.isPricedByItem
    ? order.passengers.map((sold, at) => itemOfPassenger(order, { sold, at }))
    : [
        tag(
          'OrderItem',
          ...flightPrices(order).map(({ sold, payers }) =>
            detailOf(order, sold, payers, order.hasComponents ? order.flights.map(component(order)) : []),
          ),
          tag('OrderItemID', 'OI1'),
          tag('Price', money(order, 'TotalAmount', sumOf(order.passengers.map(totalOf)))),
          ...includedIn(order),
        ),
      ]

const itemsOf = (order: NdcOrder): string[] => [
  ...flightItems(order),
  ...extrasOf(order).map(({ amount, passenger }) =>
    tag(
      'OrderItem',
      detailOf(order, { fare: amount, taxes: [] }, [idOf(passenger)], []),
      tag('OrderItemID', `OI${passenger + 2}`),
      tag(
        'Service',
        tag('PaxRefID', idOf(passenger)),
        tag('ServiceAssociations', tag('ServiceDefinitionRef', tag('ServiceDefinitionRefID', `SVD${passenger}`))),
      ),
    ),
  ),
]

const referenceOf = (entity: string, locator: string): string =>
  tag('BookingRef', tag('BookingEntity', entity), tag('BookingID', locator))
const ownReference = ({ airline, locator }: NdcOrder): string =>
  referenceOf(tag('Carrier', tag('AirlineDesigCode', airline.code)), locator)

function documentsOf(order: NdcOrder): string[] {
  const document = (number: string, type: string, ...more: string[]) =>
    tag(
      'Ticket',
      tag(
        'Coupon',
        tag('CouponNumber', '1'),
        tag('CouponStatusCode', 'I'),
        ...(order.isDetailed && type === 'J' ? [tag('RFIC', DETAILS.rfic), tag('RFISC', DETAILS.rfisc)] : []),
      ),
      ...more,
      tag('ReportingTypeCode', order.reporting),
      tag('TicketDocTypeCode', type),
      tag('TicketNumber', number),
    )
  const info = (passenger: number, ...documents: string[]) =>
    tag(
      'TicketDocInfo',
      ownReference(order),
      order.isDetailed ? tag('EndorsementText', DETAILS.endorsement) : '',
      tag('PaxRefID', idOf(passenger)),
      ...documents,
    )
  return order.passengers.flatMap(({ ticket, further, extra }, at) => [
    info(at, tag('BookletQty', String(further.length + 1)), document(ticket, 'T')),
    ...(extra ? [info(at, document(extra.number, 'J', tag('ConnectedDocNumber', ticket)))] : []),
  ])
}

const identityOf = ({ airline }: NdcOrder): string[] => [
  tag('CitizenshipCountryCode', DETAILS.nationality),
  tag('ContactInfoRefID', 'CONT1'),
  tag(
    'IdentityDoc',
    tag('ExpiryDate', DETAILS.passport.expiresOn),
    tag('IdentityDocID', DETAILS.passport.number),
    tag('IdentityDocTypeCode', 'PT'),
    tag('IssuingCountryCode', DETAILS.passport.country),
  ),
  tag(
    'LoyaltyProgramAccount',
    tag('AccountNumber', DETAILS.account),
    tag('LoyaltyProgram', tag('Carrier', tag('AirlineDesigCode', airline.code))),
  ),
]

const passengerOf =
  (order: NdcOrder) =>
  ({ type, born, first, last }: Sold, at: number): string =>
    tag(
      'Pax',
      born ? tag('Birthdate', born) : '',
      ...(order.isDetailed ? identityOf(order) : []),
      tag(
        'Individual',
        order.isDetailed ? tag('GenderCode', 'F') : '',
        tag('GivenName', escaped(first)),
        tag('Surname', escaped(last)),
        order.isDetailed ? tag('TitleName', DETAILS.title) : '',
      ),
      tag('PaxID', idOf(at)),
      tag('PTC', PTCS[type] ?? ''),
    )

/** The lists to which passengers and services of a detailed order refer. */
const listsOf = ({ isDetailed }: NdcOrder): string[] =>
  isDetailed
    ? [
        tag(
          'BaggageAllowanceList',
          tag(
            'BaggageAllowance',
            tag('BaggageAllowanceID', 'BAG1'),
            tag('PieceAllowance', tag('TotalQty', DETAILS.pieces)),
            tag('TypeCode', 'Checked'),
          ),
        ),
        tag(
          'ContactInfoList',
          tag(
            'ContactInfo',
            tag('ContactInfoID', 'CONT1'),
            tag('EmailAddress', tag('EmailAddressText', DETAILS.email)),
            tag('Phone', tag('PhoneNumber', DETAILS.phone)),
          ),
        ),
      ]
    : []

const FREE_BAG = tag(
  'ServiceDefinition',
  tag('Name', 'Free baggage'),
  tag('ServiceDefinitionAssociation', tag('BaggageAllowanceRef', tag('BaggageAllowanceRefID', 'BAG1'))),
  tag('ServiceDefinitionID', 'FREE'),
)

/** Beside the answer: the seller and the payment. */
const besides = ({ isDetailed }: NdcOrder): string[] => {
  const card = tag('PaymentCard', tag('CardBrandCode', 'VI'), tag('MaskedCardID', DETAILS.card))
  const agency = tag(
    'TravelAgency',
    tag('IATA_Number', DETAILS.iata),
    tag('TravelAgent', tag('TravelAgentID', DETAILS.agent)),
  )
  return isDetailed
    ? [
        tag('Party', tag('Recipient', agency)),
        tag('ns2:PaymentFunctions', tag('PaymentProcessingSummary', tag('PaymentMethod', card), tag('TypeCode', 'CC'))),
      ]
    : []
}

/** Times are local to the airport, followed by the offset. */
const endOf = (name: string, place: string, moment: string): string =>
  tag(name, tag('AircraftScheduledDateTime', `${moment}:00.000+02:00`), tag('IATA_LocationCode', place))

function segmentsOf({ flights, hasDatedSegments }: NdcOrder): string[] {
  const ends = ({ from, to, departure, arrival }: Flight) => [
    endOf('Arrival', to, arrival),
    endOf('Dep', from, departure),
  ]
  if (!hasDatedSegments) {
    const segments = flights.map((flight, at) =>
      tag(
        'PaxSegment',
        ...ends(flight),
        tag(
          'MarketingCarrierInfo',
          tag('CarrierDesigCode', flight.airline),
          tag('MarketingCarrierFlightNumberText', flight.flight),
        ),
        tag('OperatingCarrierInfo', tag('CarrierDesigCode', flight.operatingAirline)),
        tag('PaxSegmentID', `SEG${at}`),
      ),
    )
    return [tag('PaxSegmentList', ...segments)]
  }
  const marketed = flights.map((flight, at) =>
    tag(
      'DatedMarketingSegment',
      ...ends(flight),
      tag('CarrierDesigCode', flight.airline),
      tag('DatedMarketingSegmentId', `DMS${at}`),
      tag('DatedOperatingSegmentRefId', `DOS${at}`),
      tag('MarketingCarrierFlightNumberText', flight.flight),
    ),
  )
  const operated = flights.map(({ operatingAirline }, at) =>
    tag('DatedOperatingSegment', tag('CarrierDesigCode', operatingAirline), tag('DatedOperatingSegmentId', `DOS${at}`)),
  )
  const segments = flights.map((_, at) =>
    tag('PaxSegment', tag('DatedMarketingSegmentRefId', `DMS${at}`), tag('PaxSegmentID', `SEG${at}`)),
  )
  return [
    tag('DatedMarketingSegmentList', ...marketed),
    tag('DatedOperatingSegmentList', ...operated),
    tag('PaxSegmentList', ...segments),
  ]
}

const definitionOf = ({ name, passenger }: { name: string; passenger: number }): string =>
  tag('ServiceDefinition', tag('Name', escaped(name)), tag('ServiceDefinitionID', `SVD${passenger}`))

/** Writes an order as versions 19.2 to 21.3: elements in the order of their names, a prefix only on the message. */
export function writeNdc21(order: NdcOrder): string {
  const namespace = 'http://www.iata.org/IATA/2015/EASD/00/IATA_OffersAndOrders'
  const message = tag(
    `ns2:IATA_OrderViewRS xmlns="${namespace}CommonTypes" xmlns:ns2="${namespace}Message"`,
    tag(
      'ns2:Response',
      tag(
        'DataLists',
        ...listsOf(order),
        ...segmentsOf(order),
        tag('PaxList', ...order.passengers.map(passengerOf(order))),
        tag('ServiceDefinitionList', ...extrasOf(order).map(definitionOf), order.isDetailed ? FREE_BAG : ''),
      ),
      order.isDetailed ? tag('Commission', tag('Percentage', DETAILS.commission)) : '',
      order.isDetailed ? tag('Processing', tag('Remark', tag('RemarkText', DETAILS.remark))) : '',
      tag(
        'Order',
        ownReference(order),
        order.soldAs ? referenceOf(tag('Org', tag('OrgID', 'AGENCY')), order.soldAs) : '',
        tag('OrderID', '599253'),
        ...itemsOf(order),
        tag('OwnerCode', order.airline.code),
      ),
      ...documentsOf(order),
    ),
    ...besides(order),
    tag('ns2:PayloadAttributes', tag('Timestamp', timestampOf(order)), tag('VersionNumber', order.version)),
  )
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${message}\n`
}
