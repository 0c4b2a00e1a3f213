import {
  DETAILS,
  extrasOf,
  FILED_IN,
  flightPrices,
  idOf,
  type NdcOrder,
  PTCS,
  printedAmount,
  RATE,
  timestampOf,
} from './ndc.ts'
import { escaped, type Flight, type Sold, tag, totalOf } from './order.ts'

type Priced = Pick<Sold, 'fare' | 'taxes'>

const money = (order: NdcOrder, name: string, amount: string, currency = order.currency): string =>
  tag(`${name} Code="${currency}" Taxable="false"`, printedAmount(order, amount))

function priceOf(order: NdcOrder, { fare, taxes }: Priced, filed: string | null): string {
  const listed = taxes.map(({ code, amount }) => tag('Tax', money(order, 'Amount', amount), tag('TaxCode', code)))
  return tag(
    'Price',
    tag('TotalAmount', money(order, 'SimpleCurrencyPrice', totalOf({ fare, taxes }))),
    money(order, 'BaseAmount', fare),
    filed === null ? '' : tag('FareFiledIn', money(order, 'BaseAmount', filed, FILED_IN), tag('ExchangeRate', RATE)),
    tag('Taxes', listed.length > 0 ? tag('Breakdown', ...listed) : money(order, 'Total', '0')),
  )
}

const component =
  ({ isDetailed }: NdcOrder) =>
  ({ fareBasis, bookingClass }: Flight, at: number): string =>
    tag(
      'FareComponent',
      tag(
        'FareBasis',
        tag('FareBasisCode', tag('Code', fareBasis)),
        tag('RBD', bookingClass),
        isDetailed ? tag('CabinType', tag('CabinTypeCode', 'Y'), tag('CabinTypeName', 'Economy')) : '',
      ),
      tag('SegmentRefs', `SEG${at}`),
    )

/** The seats of the first flight, and its included bag. */
const includedIn = ({ isDetailed, passengers }: NdcOrder): string[] =>
  passengers.flatMap((_, at) => {
    const seat = tag('SelectedSeat', tag('Seat', tag('Row', DETAILS.row), tag('Column', DETAILS.column)))
    const who = tag('PassengerRef', idOf(at))
    if (!isDetailed) return []
    return [
      tag('Service', who, seat, tag('SegmentRef', 'SEG0')),
      tag('Service', who, tag('ServiceDefinitionRef SegmentRef="SEG0"', 'FREE')),
    ]
  })

const itemsOf = (order: NdcOrder): string[] => [
  tag(
    `OrderItem OrderItemID="OI1" Owner="${order.airline.code}"`,
    ...includedIn(order),
    ...flightPrices(order).map(({ sold, payers }) =>
      tag(
        'FareDetail',
        tag('PassengerRefs', payers.join(' ')),
        priceOf(order, sold, order.filed),
        ...(order.hasComponents ? order.flights.map(component(order)) : []),
      ),
    ),
  ),
  ...extrasOf(order).map(({ amount, passenger }) =>
    tag(
      `OrderItem Owner="${order.airline.code}"`,
      tag('FareDetail', tag('PassengerRefs', idOf(passenger)), priceOf(order, { fare: amount, taxes: [] }, null)),
      tag('Service', tag('ServiceDefinitionRef', `SVD${passenger}`)),
    ),
  ),
]

const VALIDITY = tag(
  'CouponValid',
  tag(
    'EffectiveDatePeriod',
    tag('Effective', DETAILS.validity.notValidBefore),
    tag('Expiration', DETAILS.validity.notValidAfter),
  ),
)

function documentsOf(order: NdcOrder): string[] {
  const info = (passenger: number, number: string, type: string, books: number, ...more: string[]) =>
    tag(
      'TicketDocInfo',
      tag(
        'TicketDocument',
        tag('TicketDocNbr', number),
        tag('Type', type),
        tag('NumberofBooklets', String(books)),
        tag('DateOfIssue', order.day),
        tag('TimeOfIssue', order.time),
        tag('ReportingType', order.reporting),
        ...more,
      ),
      order.isDetailed ? tag('Endorsements', tag('Endorsement', DETAILS.endorsement)) : '',
      tag('PassengerReference', idOf(passenger)),
    )
  const coupon = (...more: string[]) =>
    order.isDetailed ? tag('CouponInfo', tag('CouponNumber', '1'), tag('Status', tag('Code', 'I')), ...more) : ''
  const reason = tag('ReasonForIssuance', tag('RFIC', tag('Code', DETAILS.rfic)), tag('Code', DETAILS.rfisc))
  return order.passengers.flatMap(({ ticket, further, extra }, at) => [
    info(at, ticket, 'T', further.length + 1, coupon(tag('CouponReference', 'SEG0'), VALIDITY)),
    ...(extra ? [info(at, extra.number, 'J', 1, tag('InConnectionDocNbr', ticket), coupon(reason))] : []),
  ])
}

const identityOf = ({ airline }: NdcOrder): string[] => [
  tag(
    'IdentityDocument',
    tag('IdentityDocumentNumber', DETAILS.passport.number),
    tag('IdentityDocumentType', 'PT'),
    tag('IssuingCountryCode', DETAILS.passport.country),
    tag('ExpiryDate', DETAILS.passport.expiresOn),
  ),
  tag('ContactInfoRef', 'CTC1'),
  tag(
    'LoyaltyProgramAccount',
    tag('Airline', tag('AirlineDesignator', airline.code)),
    tag('AccountNumber', DETAILS.account),
  ),
]

const passengerOf =
  (order: NdcOrder) =>
  ({ type, born, first, last }: Sold, at: number): string =>
    tag(
      `Passenger PassengerID="${idOf(at)}"`,
      tag('PTC', PTCS[type] ?? ''),
      order.isDetailed ? tag('CitizenshipCountryCode', DETAILS.nationality) : '',
      tag(
        'Individual',
        born ? tag('Birthdate', born) : '',
        order.isDetailed ? tag('Gender', 'Female') + tag('NameTitle', DETAILS.title) : '',
        tag('GivenName', escaped(first)),
        tag('Surname', escaped(last)),
      ),
      ...(order.isDetailed ? identityOf(order) : []),
    )

/** The lists to which passengers and services of a detailed order refer. */
const listsOf = ({ isDetailed }: NdcOrder): string[] =>
  isDetailed
    ? [
        tag(
          'ContactList',
          tag(
            'ContactInformation ContactID="CTC1"',
            tag('ContactProvided', tag('Phone', tag('PhoneNumber', DETAILS.phone))),
            tag('ContactProvided', tag('EmailAddress', tag('EmailAddressValue', DETAILS.email))),
          ),
        ),
        tag(
          'BaggageAllowanceList',
          tag(
            'BaggageAllowance BaggageAllowanceID="BAG1"',
            tag('BaggageCategory', 'Checked'),
            tag('PieceAllowance', tag('TotalQuantity', DETAILS.pieces)),
          ),
        ),
      ]
    : []

const FREE_BAG = tag(
  'ServiceDefinition ServiceDefinitionID="FREE"',
  tag('Name', 'Free baggage'),
  tag('BaggageAllowanceRef', 'BAG1'),
)

/** The seller and the payment. */
const senderOf = ({ isDetailed }: NdcOrder): string =>
  isDetailed
    ? tag(
        'Party',
        tag(
          'Sender',
          tag(
            'TravelAgencySender',
            tag('IATA_Number', DETAILS.iata),
            tag('AgencyID', '***'),
            tag('AgentUser', tag('AgentUserID', DETAILS.agent)),
          ),
        ),
      )
    : ''
const card = tag('PaymentCard', tag('CardCode', 'VI'), tag('CardNumber', DETAILS.card))

const endOf = (name: string, place: string, moment: string): string =>
  tag(name, tag('AirportCode', place), tag('Date', moment.slice(0, 10)), tag('Time', moment.slice(11)))

const segmentOf = (flight: Flight, at: number): string =>
  tag(
    `FlightSegment SegmentKey="SEG${at}" ElectronicTicketInd="true"`,
    endOf('Departure', flight.from, flight.departure),
    endOf('Arrival', flight.to, flight.arrival),
    tag('MarketingCarrier', tag('AirlineID', flight.airline), tag('FlightNumber', flight.flight)),
    tag('OperatingCarrier', tag('AirlineID', flight.operatingAirline), tag('FlightNumber', flight.flight)),
    tag('ClassOfService', tag('Code', flight.bookingClass)),
  )

const definitionOf = ({ name, passenger }: { name: string; passenger: number }): string =>
  tag(`ServiceDefinition ServiceDefinitionID="SVD${passenger}"`, tag('Name', escaped(name)))

/** Writes an order as version 17.2. */
export function writeNdc17(order: NdcOrder): string {
  const { airline, locator, soldAs } = order
  const message = tag(
    `OrderViewRS Version="17.2" Target="Prod" xmlns="http://www.iata.org/IATA/EDIST/2017.2" TimeStamp="${timestampOf(order)}"`,
    senderOf(order),
    '<Success/>',
    tag(
      'Response',
      order.isDetailed ? tag('OrderViewProcessing', tag('Remarks', tag('Remark', DETAILS.remark))) : '',
      order.isDetailed ? tag('Commission', tag('Percentage', DETAILS.commission)) : '',
      tag(
        `Order OrderID="ORD100001" Owner="${order.isDetailed ? '1A' : airline.code}"`,
        tag(
          'BookingReferences',
          tag('BookingReference', tag('ID', locator), tag('AirlineID', airline.code)),
          soldAs ? tag('BookingReference', tag('ID', soldAs), tag('OtherID', 'F1')) : '',
        ),
        order.isDetailed ? tag('Payments', tag('Payment', tag('Type', 'CC'), tag('Method', card))) : '',
        tag('OrderItems', ...itemsOf(order)),
      ),
      tag('TicketDocInfos', ...documentsOf(order)),
      tag(
        'DataLists',
        tag('PassengerList', ...order.passengers.map(passengerOf(order))),
        ...listsOf(order),
        tag('FlightSegmentList', ...order.flights.map(segmentOf)),
        tag('ServiceDefinitionList', ...extrasOf(order).map(definitionOf), order.isDetailed ? FREE_BAG : ''),
      ),
    ),
  )
  const envelope = 's:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"'
  const whole = order.hasEnvelope ? tag(envelope, '<s:Header/>', tag('s:Body', message)) : message
  return `<?xml version="1.0" encoding="utf-8"?>\n${whole}\n`
}
