import { sumOf } from './any.ts'
import { FILED_IN, PTCS } from './ndc.ts'
import { type Charge, escaped, tag, totalOf } from './order.ts'
import { COUPONS_OF_A_TICKET, isRecord, type Traveller, type UniversalOrder } from './universal-order.ts'

export const AGENT = 'UAPI0000000001'
export const OFFICE = '0TR0'
export const IATA = '88000004'
const CALCULATION = 'IST TK FRA 100.00 NUC100.00END ROE1.0'
export const ENDORSEMENT = 'NONREF/CHANGE FEE APPLIES'
const CITY_OFFSET = '+03:00'

/** An element without content; attributes that are null are not printed. */
const lone = (name: string, attributes: Readonly<Record<string, string | number | null | undefined>>): string => {
  const printed = Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [`${key}="${escaped(String(value))}"`],
  )
  return `<${[name, ...printed].join(' ')}/>`
}
const opened = (name: string, attributes: Parameters<typeof lone>[1]): string => lone(name, attributes).slice(1, -2)

export const calculationOf = ({ mark }: UniversalOrder): string =>
  mark ? `IST TK FRA M/${mark} END ROE1.0` : CALCULATION

/** `10MAY31`, the form of a day in airline messages. */
function messageDay(day: string): string {
  const month = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'][
    Number(day.slice(5, 7)) - 1
  ]
  return `${day.slice(8)}${month}${day.slice(2, 4)}`
}

const keyOf = (at: number): string => `traveller${at}==`

function traveller(person: Traveller, at: number, order: UniversalOrder): string {
  const { title, isGlued, first, last, type, born, passport, email, seat } = person
  const name = lone('common:BookingTravelerName', {
    Prefix: isGlued ? null : title,
    First: isGlued && title ? `${first}${title}` : first,
    Last: last,
  })
  const docs = passport
    ? lone('common:SSR', {
        Type: 'DOCS',
        Status: 'HK',
        Carrier: order.airline.code,
        FreeText: `P/${passport.country}/${passport.number}/TR/01JAN80/F/${messageDay(passport.expiresOn ?? '')}/A/B -1A/B`,
      })
    : ''
  return tag(
    opened('common:BookingTraveler', { Key: keyOf(at), TravelerType: PTCS[type], DOB: born }),
    name,
    email ? lone('common:Email', { Key: `mail${at}`, EmailID: email }) : '',
    docs,
    isRecord(order) && seat ? lone('common:AirSeatAssignment', { Seat: seat, SegmentRef: 'segment0' }) : '',
  )
}

/** The amounts that a ticket record and its pricing both contain. */
function amounts({ filed, currency, mark }: UniversalOrder, sold: Traveller) {
  const isFiled = filed !== null && currency !== FILED_IN
  return {
    TotalPrice: mark ? null : `${currency}${totalOf(sold)}`,
    BasePrice: mark ? `${currency}0` : isFiled ? `${FILED_IN}${filed}` : `${currency}${sold.fare}`,
    EquivalentBasePrice: isFiled && !mark ? `${currency}${sold.fare}` : null,
    Taxes: sold.taxes.length > 0 ? `${currency}${sumOf(sold.taxes.map(({ amount }) => amount))}` : `${currency}0`,
  }
}

const taxInfo = ({ code, amount }: Charge, currency: string): string =>
  lone('air:TaxInfo', { Category: code, Amount: `${currency}${amount}` })

function pricing(order: UniversalOrder, sold: Traveller, at: number): string {
  const fares = order.flights.map((flight, nth) =>
    tag(
      opened('air:FareInfo', {
        Key: `fare${at}.${nth}`,
        FareBasis: flight.fareBasis,
        PassengerTypeCode: PTCS[sold.type],
        Origin: flight.from,
        Destination: flight.to,
        TourCode: isRecord(order) ? order.tourCode : null,
      }),
      lone('common:Endorsement', { Value: ENDORSEMENT }),
      tag('air:BaggageAllowance', tag('air:NumberOfPieces', '1')),
    ),
  )
  const bookings = order.flights.map((flight, nth) =>
    lone('air:BookingInfo', {
      BookingCode: flight.bookingClass,
      CabinClass: 'Economy',
      FareInfoRef: `fare${at}.${nth}`,
      SegmentRef: isRecord(order) ? `segment${nth}` : null,
    }),
  )
  return tag(
    opened('air:AirPricingInfo', { Key: `pricing${at}`, ...amounts(order, sold) }),
    ...fares,
    ...bookings,
    ...(order.hasTaxList ? sold.taxes.map((tax) => taxInfo(tax, order.currency)) : []),
    tag('air:FareCalc', calculationOf(order)),
    lone('air:PassengerType', { Code: PTCS[sold.type], BookingTravelerRef: keyOf(at) }),
    lone('common:BookingTravelerRef', { Key: keyOf(at) }),
    isRecord(order) ? lone('air:PaymentRef', { Key: `payment${at}` }) : '',
    lone('air:TicketingModifiersRef', { Key: 'modifiers' }),
  )
}

const commission = ({ commission: rate }: UniversalOrder): string =>
  rate === null ? '' : lone('common:Commission', { Level: 'Fare', Type: 'PercentBase', Percentage: rate })
const payment = (at: number): string =>
  lone('common:Payment', { Key: `payment${at}`, Type: 'Itinerary', Amount: 'TRY0', FormOfPaymentRef: 'cash' })
const CASH = lone('common:FormOfPayment', { Key: 'cash', Type: 'Cash', Reusable: 'false' })
const given = (number: string | null): string => (number ? lone('air:ExchangedTicketInfo', { Number: number }) : '')

const segment = (
  { airline, operatingAirline, flight, from, to, departure, arrival, bookingClass }: UniversalOrder['flights'][number],
  at: number,
): string =>
  tag(
    opened('air:AirSegment', {
      Key: `segment${at}`,
      Carrier: airline,
      CabinClass: 'Economy',
      FlightNumber: flight,
      Origin: from,
      Destination: to,
      DepartureTime: `${departure}:00.000${CITY_OFFSET}`,
      ArrivalTime: `${arrival}:00.000${CITY_OFFSET}`,
      ClassOfService: bookingClass,
      Status: 'HK',
    }),
    lone('air:CodeshareInfo', { OperatingCarrier: operatingAirline }),
    lone('air:FlightDetails', { Equipment: '32N', OriginTerminal: '1' }),
  )

function record(order: UniversalOrder): string {
  const tickets = order.passengers.map((sold, at) =>
    tag(
      opened('air:TicketInfo', {
        Number: sold.ticket,
        Status: order.status,
        BookingTravelerRef: keyOf(at),
        AirPricingInfoRef: `pricing${at}`,
      }),
      lone('common:Name', { First: sold.first, Last: sold.last }),
      ...sold.further.map((number) => lone('air:ConjunctedTicketInfo', { Number: number, Status: order.status })),
      given(sold.given),
    ),
  )
  const old = order.passengers.map((sold, at) =>
    sold.given ? lone('air:TicketInfo', { Number: sold.given, Status: 'X', BookingTravelerRef: keyOf(at) }) : '',
  )
  return tag(
    'universal:UniversalRecord LocatorCode="UNI123" Status="Active"',
    ...order.passengers.map((person, at) => traveller(person, at, order)),
    lone('universal:ProviderReservationInfo', {
      Key: 'provider',
      ProviderCode: order.provider,
      LocatorCode: order.locator,
      OwningPCC: OFFICE,
    }),
    tag(
      'air:AirReservation LocatorCode="AIR123"',
      lone('common:SupplierLocator', { SupplierCode: order.airline.code, SupplierLocatorCode: 'LOC777' }),
      tag('air:DocumentInfo', ...old, ...tickets),
      ...order.flights.map(segment),
      ...order.passengers.map((sold, at) => pricing(order, sold, at)),
      ...order.passengers.map((_, at) => payment(at)),
      tag(
        opened('air:TicketingModifiers', { Key: 'modifiers', PlatingCarrier: order.airline.code }),
        commission(order),
      ),
    ),
    order.remark ? tag('common:GeneralRemark TypeInGds="Basic"', tag('common:RemarkData', escaped(order.remark))) : '',
    tag('common:GeneralRemark Category="Vendor" Direction="Incoming"', tag('common:RemarkData', 'ADTK BY TOMORROW')),
    tag(
      'common:AgencyInfo',
      lone('common:AgentAction', {
        ActionType: 'Created',
        AgentCode: AGENT,
        EventTime: `${order.day}T00:01:00.000+00:00`,
      }),
      lone('common:AgentAction', {
        ActionType: 'Ticketed',
        AgentCode: AGENT,
        EventTime: `${order.day}T${order.time}:00.000+00:00`,
      }),
    ),
    CASH,
  )
}

function ticketRecord(order: UniversalOrder, sold: Traveller, at: number): string {
  const coupons = order.flights.map((flight, nth) =>
    lone('air:Coupon', {
      CouponNumber: (nth % COUPONS_OF_A_TICKET) + 1,
      MarketingCarrier: flight.airline,
      MarketingFlightNumber: flight.flight,
      Origin: flight.from,
      Destination: flight.to,
      DepartureTime: `${flight.departure}:00.000${CITY_OFFSET}`,
      StopoverCode: 'true',
      BookingClass: flight.bookingClass,
      FareBasis: flight.fareBasis,
      NotValidAfter: order.day,
      Status: order.status === 'N' ? 'O' : order.status,
    }),
  )
  const tickets = [sold.ticket, ...sold.further].map((number, nth) =>
    tag(
      opened('air:Ticket', { TicketNumber: number, TicketStatus: order.status }),
      ...coupons.slice(nth * COUPONS_OF_A_TICKET, (nth + 1) * COUPONS_OF_A_TICKET),
      nth === 0 ? given(sold.given) : '',
    ),
  )
  return tag(
    opened('air:ETR', {
      ...amounts(order, sold),
      TourCode: order.tourCode,
      IssuedDate: `${order.day}T00:00:00.000${CITY_OFFSET}`,
      ProviderCode: order.provider,
      ProviderLocatorCode: order.locator,
      IATANumber: IATA,
      PseudoCityCode: OFFICE,
      PlatingCarrier: order.airline.code,
    }),
    tag('common:AgencyInfo', lone('common:AgentAction', { ActionType: 'Created', AgentCode: AGENT })),
    traveller(sold, at, order),
    CASH,
    payment(at),
    lone('common:SupplierLocator', { SupplierCode: order.airline.code, SupplierLocatorCode: 'LOC777' }),
    tag('air:FareCalc', calculationOf(order)),
    ...tickets,
    commission(order),
    pricing(order, sold, at),
  )
}

function miscellaneous({ provider, locator, airline, currency, day, status }: UniversalOrder, sold: Traveller): string {
  const { extra } = sold
  if (!extra) return ''
  return tag(
    opened('air:EMDInfo', { ProviderCode: provider, ProviderLocatorCode: locator }),
    tag(
      opened('air:EMDTravelerInfo', { TravelerType: PTCS[sold.type] }),
      lone('air:NameInfo', { First: sold.first, Last: sold.last }),
    ),
    tag(
      opened('air:ElectronicMiscDocument', {
        IssueDate: `${day}T09:27:09.000+00:00`,
        Number: extra.number,
        Status: status === 'V' ? 'Void' : status === 'R' ? 'Refunded' : 'Open',
        AssociatedTicketNumber: sold.ticket,
        PlatingCarrier: airline.code,
      }),
      lone('air:EMDCoupon', {
        Number: 1,
        Status: 'Open',
        SvcDescription: extra.name,
        RFIC: 'G',
        RFISC: '018',
        Origin: 'IST',
        Destination: 'FRA',
      }),
    ),
    lone('common:Payment', { Key: 'paid', Amount: `${currency}${extra.amount}`, FormOfPaymentRef: 'cash' }),
    CASH,
    lone('air:EMDPricingInfo', {
      BaseFare: `${currency}${extra.amount}`,
      TotalFare: `${currency}${extra.amount}`,
      TotalTax: `${currency}0`,
    }),
  )
}

/** Writes an answer of the Universal API, in an envelope. */
export function writeUniversalRecord(order: UniversalOrder): string {
  const { message, schema } = order
  const domain = message.startsWith('Universal') ? 'universal' : 'air'
  const content = isRecord(order)
    ? [record(order)]
    : message === 'EMDRetrieveRsp'
      ? order.passengers.map((sold) => miscellaneous(order, sold))
      : order.passengers.map((sold, at) => ticketRecord(order, sold, at))
  const space = (name: string) => `xmlns:${name}="http://www.travelport.com/schema/${name}_v${schema}"`
  const spaces = [space(domain), space('common'), ...(domain === 'air' ? [] : [space('air')])].join(' ')
  const body =
    message === 'UniversalRecord'
      ? (content[0] ?? '').replace('<universal:UniversalRecord', `<universal:UniversalRecord ${spaces}`)
      : tag(`${domain}:${message} ${spaces} TransactionId="0"`, ...content)
  return tag('SOAP:Envelope xmlns:SOAP="http://schemas.xmlsoap.org/soap/envelope/"', tag('SOAP:Body', body))
}
