import { exchangeRate, money, percent } from '../../../../catalogue/amounts.ts'
import { addedLater, required } from '../../../../catalogue/entity.ts'
import { type Field, type Kind, Refusal, refuse } from '../../../../catalogue/kind.ts'
import {
  boolean,
  currency,
  date,
  email,
  integer,
  localTime,
  oneOf,
  phone,
  string,
} from '../../../../catalogue/kinds.ts'
import { list, textList } from '../../../../catalogue/lists.ts'
import { identityNumber } from '../../person-items.ts'

/** A kind of uppercase text with the form of a code. */
function code(pattern: RegExp, maximum: number, example: string, message: string): Kind<string> {
  const text = string(maximum)
  return {
    ...text,
    isWhole: true,
    read(cell, context) {
      const value = text.read(cell, context)
      if (value instanceof Refusal) return value
      const capitals = value.toUpperCase()
      return pattern.test(capitals) ? capitals : refuse('invalid_string', message)
    },
    example,
    bad: [...text.bad, '?'],
  }
}
const airport = code(/^[A-Z]{3}$/, 3, 'IST', 'Send a three-letter IATA code such as IST.')
/** Fares can be filed in units that are not currencies, such as NUC. */
const fareCurrency = code(/^[A-Z]{3}$/, 3, 'EUR', 'Send a three-letter code such as EUR or NUC.')
const airline = code(/^[A-Z0-9]{2,3}$/, 3, 'TK', 'Send an airline code such as TK.')

const NUMBER = /^\d{13}$/
const writtenNumber = string(20)
/** A 3-digit airline code and 10 digits; hyphens and spaces are dropped. */
const ticketNumber: Kind<string> = {
  ...writtenNumber,
  isWhole: true,
  read(cell, context) {
    const text = writtenNumber.read(cell, context)
    if (text instanceof Refusal) return text
    const digits = text.replace(/[\s-]/g, '')
    return NUMBER.test(digits)
      ? digits
      : refuse('invalid_string', 'Send the 3-digit airline code and 10 digits, e.g. 235-2403123456.')
  },
  example: '235-2403123456',
  bad: [2352403123456, '2403123456', '235-24031234567', 'TK2403123456', {}],
}

export const legItems = {
  airline_code: required(airline),
  flight_number: required(string(8)),
  operating_airline_code: airline,
  departure_airport: required(airport),
  arrival_airport: required(airport),
  scheduled_departure: { ...localTime, note: 'Local time at the airport, without an offset.' },
  scheduled_arrival: { ...localTime, note: 'Local time at the airport, without an offset.' },
  departure_terminal: string(10),
  arrival_terminal: string(10),
  booking_class: string(2),
  cabin: oneOf('economy', 'premium_economy', 'business', 'first'),
  fare_basis: string(30),
  status: string(10),
  baggage: string(30),
  seat: string(10),
  stops: integer(0, 20),
  equipment: string(20),
  stopover: boolean,
  operating_airline_name: addedLater({
    ...string(100),
    note: 'If the operating airline is named without its code.',
  }),
  airline_locator: addedLater({ ...string(20), note: 'Record locator of the airline.' }),
  not_valid_before: addedLater(date),
  not_valid_after: addedLater(date),
} satisfies Record<string, Field>

const MOST_COUPONS = 99
const amount = { ...money(), sees: 'money' } as const
const cost = { sees: 'costs' } as const
const coupons = list({
  number: required(integer(1, MOST_COUPONS)),
  status: { ...required(string(20)), note: 'As the ticket file prints it.' },
})
const services = list({
  coupon: integer(1, MOST_COUPONS),
  rfic: { ...string(2), note: 'Reason for issuance code.' },
  rfisc: { ...string(10), note: 'Reason for issuance sub-code.' },
  description: string(200),
  departure_airport: airport,
  arrival_airport: airport,
})
const seats = list({
  airline_code: airline,
  flight_number: string(8),
  departure_airport: airport,
  arrival_airport: airport,
  seat: required(string(10)),
})
const taxes = { ...list({ code: required(string(10)), amount: required(money()) }), sees: 'money' } as const

export const passengerItems = {
  first_name: required(string(100)),
  last_name: required(string(100)),
  title: string(20),
  passenger_type: oneOf('adult', 'child', 'infant', 'senior', 'youth'),
  date_of_birth: date,
  gender: string(20),
  nationality: string(60),
  national_id: identityNumber,
  passport_number: identityNumber,
  passport_country: string(60),
  passport_expiry: date,
  frequent_flyer_number: string(40),
  email,
  phone,
  ticket_number: ticketNumber,
  conjunction_ticket_numbers: textList(ticketNumber),
  document_type: oneOf('ticket', 'emd', 'mco'),
  airline_code: airline,
  issued_on: date,
  form_of_payment: oneOf('cash', 'card', 'invoice', 'miles', 'mixed'),
  tour_code: string(30),
  endorsement: string(300),
  exchanged_ticket_number: ticketNumber,
  document_status: oneOf('open', 'void', 'refunded', 'exchanged'),
  base_fare: { ...money('base_fare_currency'), sees: 'money' },
  equivalent_fare: { ...amount, note: 'Fare in the currency of the sale, if the base fare is in another currency.' },
  taxes,
  commission_rate: { ...percent, ...cost, note: 'Percent of the fare.' },
  commission_amount: { ...money(), ...cost },
  service_fee: amount,
  discount: amount,
  penalty: amount,
  total: { ...amount, note: 'Fare plus taxes; calculated if omitted.' },
  passenger_type_code: addedLater({ ...string(10), note: 'Passenger type as the airline codes it, such as CNN.' }),
  phone_text: addedLater({
    ...string(60),
    note: 'Phone number as printed in the file, if it is not a number that can be dialled.',
  }),
  coupons: addedLater(coupons),
  associated_ticket_number: addedLater({ ...ticketNumber, note: 'The ticket that an EMD belongs to.' }),
  services: addedLater({ ...services, note: 'What an EMD or MCO pays for.' }),
  seats: addedLater({ ...seats, note: 'The passenger’s seat on each flight.' }),
  base_fare_currency: addedLater({
    ...fareCurrency,
    sees: 'money',
    note: 'Currency of base_fare; that of the sale if omitted.',
  }),
  exchange_rate: addedLater({
    ...exchangeRate,
    sees: 'money',
    note: 'Rate from the base fare to the equivalent fare, as printed.',
  }),
  paid_taxes: addedLater({
    ...taxes,
    note: 'Taxes already paid with the exchanged document. They are no part of the price.',
  }),
  airline_fees: addedLater({
    ...taxes,
    note: 'Fees of the airline, such as OB fees. Only those that are in taxes too are part of the price.',
  }),
  exempt_taxes: addedLater({ ...textList(string(10)), note: 'Codes of taxes that the passenger is exempt from.' }),
  fare_calculation: addedLater({ ...string(2000), sees: 'money' }),
  fare_mark: addedLater({
    ...oneOf('bulk', 'inclusive_tour'),
    note: 'What the ticket prints in place of its fare.',
  }),
  form_of_payment_text: addedLater({
    ...string(300),
    sees: 'money',
    note: 'As printed, with masked card numbers and approval codes.',
  }),
} satisfies Record<string, Field>

const REFUND_STATUSES = ['draft', 'cancelled'] as const
/** The airline's refund of a document, before its settlement. Amounts are in the currency of the item. */
export const refundItems = {
  ticket_number: ticketNumber,
  status: oneOf(...REFUND_STATUSES),
  refunded_on: date,
  originally_issued_on: date,
  coupons: string(40),
  currency,
  gross: { ...amount, note: 'The fare that was paid.' },
  used: { ...amount, note: 'Fare of the flown coupons.' },
  penalty: amount,
  other_fees: amount,
  taxes,
  tax_total: amount,
  commission_recall: { ...money(), ...cost, note: 'Commission that the agency pays back.' },
  commission_recall_rate: { ...percent, ...cost },
  total: { ...amount, note: 'Amount refunded to the traveller.' },
  refundable: addedLater({ ...amount, note: 'Fare that is paid back.' }),
} satisfies Record<string, Field>

/** The cost of an exchanged document beyond the value of the documents given in for it. */
export const exchangeItems = {
  ticket_number: ticketNumber,
  exchanged_ticket_numbers: textList(ticketNumber),
  coupons: string(40),
  currency,
  additional_collection: { ...amount, note: 'Additional collection paid by the traveller, including the penalty.' },
  penalty: amount,
  residual: { ...amount, note: 'Residual value of the old document.' },
  fare_difference: addedLater({ ...amount, note: 'The part of the additional collection that is fare.' }),
} satisfies Record<string, Field>
