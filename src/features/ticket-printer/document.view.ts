import type { Policies } from '../../platform/access/policies.ts'
import type { ViewField } from '../../platform/db/view.ts'
import { namesRestrictedSql } from '../customers/reads/restricted.ts'
import {
  booleanPart,
  choicePart,
  forRolesWith,
  integerPart,
  type JsonPart,
  listPart,
  objectPart,
  textPart,
} from './json-shape.ts'
import { DOCUMENT_ACTIONS, FORMATS, PROVIDERS } from './ticket-file.ts'

const code = textPart(60)
const words = textPart(300)
const day = textPart(10)
const localTime = textPart(16)
const decimal = textPart(40)
const number = textPart(20)

const ofMoney = (part: JsonPart): JsonPart => forRolesWith(['view_money'], part)
const ofCosts = (part: JsonPart): JsonPart => forRolesWith(['view_money', 'view_costs'], part)
const personal = (part: JsonPart): JsonPart => forRolesWith(['view_personal_data'], part)

const amount = objectPart({ currency: code, amount: decimal })
const taxes = listPart('tax', objectPart({ code, nature: code, currency: code, amount: decimal }))
const fare = objectPart({
  base: amount,
  equivalent: amount,
  rate: decimal,
  taxes,
  paid_taxes: taxes,
  exempt: listPart('exempt', code),
  fees: taxes,
  total: amount,
})
const commission = objectPart({ rate: decimal, amount: decimal })

const passenger = objectPart({
  last_name: words,
  first_name: words,
  title: code,
  type: choicePart('adult', 'child', 'infant', 'senior', 'youth'),
  ptc: code,
  date_of_birth: day,
  gender: code,
  nationality: words,
  passport: objectPart({ number: words, country: words, expires_on: day }),
  email: words,
  phone: words,
  frequent_flyer: words,
  seats: listPart('seat', objectPart({ leg: integerPart, seat: code })),
})

const leg = objectPart({
  airline: code,
  flight: code,
  operating_airline: words,
  from: code,
  to: code,
  departure: localTime,
  arrival: localTime,
  departure_terminal: words,
  arrival_terminal: words,
  booking_class: code,
  cabin: choicePart('economy', 'premium_economy', 'business', 'first'),
  fare_basis: words,
  status: code,
  baggage: words,
  stops: integerPart,
  equipment: words,
  stopover: booleanPart,
  airline_locator: code,
  not_valid_before: day,
  not_valid_after: day,
})

const exchange = objectPart({
  originals: listPart('original', objectPart({ number, coupons: words })),
  additional_collection: ofMoney(amount),
  fare_difference: ofMoney(amount),
  residual: ofMoney(amount),
  penalty: ofMoney(amount),
})
const refund = objectPart({
  gross: ofMoney(amount),
  used: ofMoney(amount),
  refundable: ofMoney(amount),
  penalty: ofMoney(amount),
  other_fees: ofMoney(amount),
  taxes: ofMoney(taxes),
  tax_total: ofMoney(amount),
  commission_recall: ofCosts(commission),
  total: ofMoney(amount),
  coupons: words,
  originally_issued_on: day,
})
const service = objectPart({ coupon: integerPart, rfic: code, rfisc: code, text: words, from: code, to: code })

/** `passenger` is the index of the traveller in `passengers`. */
const ticketDocument = objectPart({
  number,
  kind: choicePart('ticket', 'emd', 'mco'),
  conjunctions: listPart('conjunction', number),
  coupons: listPart('coupon', objectPart({ number: integerPart, status: code })),
  passenger: integerPart,
  airline: code,
  issued_on: day,
  fare: ofMoney(fare),
  fare_calculation: ofMoney(textPart(5000)),
  fare_mark: choicePart('bulk', 'inclusive_tour'),
  net_fare: ofCosts(fare),
  selling_fare: ofMoney(fare),
  commission: ofCosts(commission),
  service_fee: ofMoney(amount),
  form_of_payment: objectPart({
    kind: choicePart('cash', 'card', 'invoice', 'miles', 'mixed'),
    text: ofMoney(words),
  }),
  tour_code: words,
  endorsement: textPart(1000),
  services: listPart('service', service),
  associated_with: number,
  exchange,
  refund,
})

/** A parsed ticket file (`TicketFile`) without its warnings, which belong to the capture. */
const ticketFile = objectPart({
  provider: choicePart(...PROVIDERS),
  format: choicePart(...FORMATS),
  version: words,
  action: choicePart(...DOCUMENT_ACTIONS),
  training: booleanPart,
  made: objectPart({ day, time: code, zone: words }),
  part: objectPart({ number: integerPart, of: integerPart, sequence: code }),
  pnr: code,
  airline_locators: listPart('locator', objectPart({ airline: code, locator: code })),
  booking_office: words,
  ticketing_office: words,
  booking_agent: words,
  ticketing_agent: words,
  iata_number: code,
  client_account: words,
  issued_on: day,
  ticketing_deadline: day,
  bsp: booleanPart,
  validating_airline: objectPart({ code, numeric: code, name: words }),
  passengers: personal(listPart('passenger', passenger)),
  legs: listPart('leg', leg),
  documents: personal(listPart('document', ticketDocument)),
  paid: ofMoney(amount),
  remarks: personal(ofCosts(listPart('remark', textPart(1000)))),
})

/** A capture of bytes that were captured before has no document of its own. */
const STORED = `coalesce(t.document, (select k.document from ticket_captures k where k.account_id = t.account_id
  and k.sha256 = t.sha256 and k.document is not null order by k.created_at, k.id limit 1))`
/** Whether the sale's customer is hidden from a role. Names in the file of a capture `t` are then hidden too. */
export const OF_RESTRICTED = `exists (select from bookings b where b.account_id = t.account_id and b.id = t.ticket_sale_id
  and ${namesRestrictedSql('b', 'b.customer_id')})`

function shownSql(policies: Policies): string {
  const shownTo = (of: Policies): string => ticketFile.sql('stored.document', of)
  const isGuarded = policies.has('view_personal_data') && !policies.has('view_restricted_customers')
  const anonymous = new Set([...policies].filter((policy) => policy !== 'view_personal_data'))
  const shown = isGuarded
    ? `case when ${OF_RESTRICTED} then ${shownTo(anonymous)} else ${shownTo(policies)} end`
    : shownTo(policies)
  return `(select ${shown} from (select ${STORED} as document) stored)`
}

/** The parsed content of a capture `t`; null if it could not be parsed. */
export const documentField: ViewField = { sql: shownSql, schema: ticketFile.schema }
