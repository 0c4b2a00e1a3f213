import { extrasOf, FILED_IN, flightPrices, idOf, type NdcOrder, PTCS, printedAmount, RATE, timestampOf } from './ndc.ts'
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

const component = ({ fareBasis, bookingClass }: Flight, at: number): string =>
  tag(
    'FareComponent',
    tag('FareBasis', tag('FareBasisCode', tag('Code', fareBasis)), tag('RBD', bookingClass)),
    tag('SegmentRefs', `SEG${at}`),
  )

const itemsOf = (order: NdcOrder): string[] => [
  tag(
    'OrderItem OrderItemID="OI1"',
    ...flightPrices(order).map(({ sold, payers }) =>
      tag(
        'FareDetail',
        tag('PassengerRefs', payers.join(' ')),
        priceOf(order, sold, order.filed),
        ...(order.hasComponents ? order.flights.map(component) : []),
      ),
    ),
  ),
  ...extrasOf(order).map(({ amount, passenger }) =>
    tag(
      'OrderItem',
      tag('FareDetail', tag('PassengerRefs', idOf(passenger)), priceOf(order, { fare: amount, taxes: [] }, null)),
      tag('Service', tag('ServiceDefinitionRef', `SVD${passenger}`)),
    ),
  ),
]

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
      tag('PassengerReference', idOf(passenger)),
    )
  return order.passengers.flatMap(({ ticket, further, extra }, at) => [
    info(at, ticket, 'T', further.length + 1),
    ...(extra ? [info(at, extra.number, 'J', 1, tag('InConnectionDocNbr', ticket))] : []),
  ])
}

const passengerOf = ({ type, born, first, last }: Sold, at: number): string =>
  tag(
    `Passenger PassengerID="${idOf(at)}"`,
    tag('PTC', PTCS[type] ?? ''),
    tag(
      'Individual',
      born ? tag('Birthdate', born) : '',
      tag('GivenName', escaped(first)),
      tag('Surname', escaped(last)),
    ),
  )

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

/** An order as version 17.2 answers it. */
export function writeNdc17(order: NdcOrder): string {
  const { airline, locator, soldAs } = order
  const message = tag(
    `OrderViewRS Version="17.2" Target="Prod" xmlns="http://www.iata.org/IATA/EDIST/2017.2" TimeStamp="${timestampOf(order)}"`,
    '<Success/>',
    tag(
      'Response',
      tag(
        `Order OrderID="ORD100001" Owner="${airline.code}"`,
        tag(
          'BookingReferences',
          tag('BookingReference', tag('ID', locator), tag('AirlineID', airline.code)),
          soldAs ? tag('BookingReference', tag('ID', soldAs), tag('OtherID', 'F1')) : '',
        ),
        tag('OrderItems', ...itemsOf(order)),
      ),
      tag('TicketDocInfos', ...documentsOf(order)),
      tag(
        'DataLists',
        tag('PassengerList', ...order.passengers.map(passengerOf)),
        tag('FlightSegmentList', ...order.flights.map(segmentOf)),
        tag('ServiceDefinitionList', ...extrasOf(order).map(definitionOf)),
      ),
    ),
  )
  const envelope = 's:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"'
  const whole = order.hasEnvelope ? tag(envelope, '<s:Header/>', tag('s:Body', message)) : message
  return `<?xml version="1.0" encoding="utf-8"?>\n${whole}\n`
}
