import { currencyDigits } from '../platform/money.ts'
import { type Random, seeded } from './random.ts'
import {
  ADDRESSES,
  COMPANIES,
  COMPANY_FORMS,
  NOTES,
  OTHER_SUPPLIERS,
  PEOPLE,
  PHONES,
  PLACES,
  ROOM_TYPES,
  TAX_OFFICES,
} from './vocabulary.ts'

export type Row = Record<string, unknown>
export type AgencySize = { readonly customers: number; readonly suppliers: number; readonly stays: number }
export type Agency = { readonly customers: Row[]; readonly suppliers: Row[]; readonly hotel_stays: Row[] }
type Place = (typeof PLACES)[number]

const LATIN: Readonly<Record<string, string>> = {
  ı: 'i',
  İ: 'i',
  ş: 's',
  ğ: 'g',
  ç: 'c',
  ö: 'o',
  ü: 'u',
  ß: 'ss',
  "'": '',
}

/**
 * A travel agency's year, as it is on a day of it: customers, suppliers and hotel stays as import rows, the same for the same seed. Every row
 * imports, and every reference finds its record; `add-dirt.ts` makes real exports of them.
 */
export function makeAgency({
  seed,
  today,
  ...size
}: AgencySize & { readonly seed: number; readonly today: string }): Agency {
  const random = seeded(seed)
  const suppliers = Array.from({ length: size.suppliers }, (_, at) => makeSupplier(random, at))
  const customers = Array.from({ length: size.customers }, (_, at) => makeCustomer(random, at))
  const hotels = suppliers.filter(({ place }) => place !== null)
  const hotel_stays = Array.from({ length: size.stays }, (_, at) => {
    const { row, place } = random.pick(hotels)
    return makeStay(random, at, today, random.pick(customers), row, place as Place)
  })
  return {
    customers: customers.map(withoutUndefined),
    suppliers: suppliers.map(({ row }) => withoutUndefined(row)),
    hotel_stays,
  }
}

const withoutUndefined = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
const latin = (text: string) =>
  [...text.toLowerCase()]
    .map((letter) => LATIN[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '')

function makeCustomer(random: Random, at: number): Row {
  const corporate = random.chance(0.12)
  const people = random.chance(0.7) ? PEOPLE[0] : random.pick(PEOPLE)
  const [first, last] = [random.pick(people.first), random.pick(people.last)]
  const address = random.pick(ADDRESSES)
  const company = `${random.pick(COMPANIES)} ${at}`
  const mailbox = corporate ? `seyahat.${at}` : `${latin(`${first}`) || 'guest'}.${latin(last) || 'x'}.${at}`
  const domain = random.pick(['example.com', 'example.org', 'example.net', 'posta.example', 'mail.example'])
  return {
    external_id: `C-${1001 + at}`,
    name: corporate ? company : `${first} ${last}`,
    customer_type: corporate ? 'corporate' : 'individual',
    email: random.chance(0.93) ? `${mailbox}@${domain}` : undefined,
    phone: random.chance(0.88) ? random.pick(PHONES[people.country] ?? [])(random.digits(9)) : undefined,
    legal_name: corporate ? `${company} ${random.pick(COMPANY_FORMS)}` : undefined,
    tax_number: corporate ? vkn(random) : random.chance(0.3) && people.country === 'TR' ? tckn(random) : undefined,
    tax_office: corporate ? random.pick(TAX_OFFICES) : undefined,
    ...(random.chance(0.8) && {
      address_line: `${random.pick(address.streets)} ${random.int(1, 220)}`,
      address_district: random.pick(address.districts),
      address_city: address.city,
      address_zip: `${address.zip}${random.digits(3)}`,
    }),
    preferred_currency: random.chance(0.5) ? random.pick(['TRY', 'TRY', 'EUR', 'USD']) : undefined,
    code: corporate ? `K${1001 + at}` : undefined,
    notes: random.chance(0.25) ? random.pick(NOTES) : undefined,
  }
}

function makeSupplier(random: Random, at: number): { row: Row; place: Place | null } {
  const place = at < 3 || random.chance(0.75) ? random.pick(PLACES) : null
  const other = random.pick(OTHER_SUPPLIERS)
  const name = `${random.pick(place ? place.names : other.names)} ${at + 1}`
  const row = {
    external_id: `S-${501 + at}`,
    name,
    supplier_type: place ? 'hotel' : other.type,
    code: `${latin(name).slice(0, 3).toUpperCase()}${501 + at}`,
    email: `rezervasyon@${latin(name)}.example`,
    phone: random.chance(0.8) ? random.pick(PHONES.TR ?? [])(random.digits(9)) : undefined,
    country_code: place?.country ?? 'TR',
    tax_number: (place?.country ?? 'TR') === 'TR' ? vkn(random) : undefined,
    address_city: place?.city ?? 'İstanbul',
    website: random.chance(0.6) ? `https://${latin(name)}.example` : undefined,
  }
  return { row, place }
}

function makeStay(random: Random, at: number, today: string, customer: Row, supplier: Row, place: Place): Row {
  const year = Number(today.slice(0, 4))
  const checkIn = random.int(0, 364)
  const nights = random.int(1, 10)
  const adults = random.int(1, 4)
  const booked = checkIn - random.int(3, 120)
  const amount = (factor: number) => money(place.night * factor * (0.8 + random.next() * 0.5), place.currency)
  const [from, to] = [day(year, checkIn), day(year, checkIn + nights)]
  const status = random.pick(statusesOn(today, from, to))
  return withoutUndefined({
    external_id: `H-${9001 + at}`,
    customer_external_id: random.chance(0.9) ? customer.external_id : (customer.email ?? customer.external_id),
    supplier_external_id: random.chance(0.85) ? supplier.external_id : supplier.code,
    check_in_on: from,
    check_out_on: to,
    guest_count: adults,
    status,
    currency: place.currency,
    transaction_date: day(year, booked),
    option_date: status === 'option' ? day(year, booked + 2) : undefined,
    invoice_date: ['confirmed', 'in_house', 'checked_out'].includes(status) && random.chance(0.5) ? from : undefined,
    ...pricing(random, nights, adults, amount),
    travelers: random.chance(0.6) ? Array.from({ length: adults }, () => traveler(random, year)) : undefined,
    notes: random.chance(0.2) ? random.pick(NOTES) : undefined,
  })
}

/** The states that a stay of these days can be in on a day. */
function statusesOn(today: string, from: string, to: string): readonly string[] {
  if (to <= today) return ['checked_out', 'checked_out', 'checked_out', 'checked_out', 'no_show', 'cancelled']
  if (from <= today) return ['in_house', 'in_house', 'in_house', 'cancelled']
  return ['draft', 'option', 'confirmed', 'confirmed', 'confirmed', 'cancelled']
}

/** The ways in which agencies price a stay: by its rooms, by its cost and a margin, by its price less a commission, or with both sides given. */
function pricing(random: Random, nights: number, guests: number, amount: (factor: number) => string): Row {
  const way = random.int(0, 3)
  const vat = random.chance(0.7) ? { vat_rate: '10', tax_inclusive: random.chance(0.8) } : {}
  const cost = { kind: 'room_rate', amount: amount(0.82), quantity: nights, ...vat }
  const fee = random.chance(0.4) ? [{ kind: 'service_fee', amount: amount(0.1), vat_rate: '20' }] : []
  if (way === 0) {
    const room = {
      name: random.pick(ROOM_TYPES),
      capacity: Math.max(2, guests),
      occupancy: guests,
      nightly_rate: amount(1),
    }
    return {
      rooms: [guests === 1 ? { ...room, single_supplement_amount: amount(0.2) } : room],
      cost_lines: [cost],
      ...(fee.length > 0 && { sell_lines: fee }),
    }
  }
  if (way === 1) {
    const margin = random.chance(0.7)
      ? { margin_mode: 'percent', margin_value: random.pick(['8', '10', '12.5', '15']) }
      : { margin_mode: 'amount', margin_value: amount(0.3) }
    return { rate_basis: 'net', ...margin, cost_lines: [cost] }
  }
  const sell = { kind: 'package_price', amount: amount(nights), ...vat }
  if (way === 2)
    return {
      rate_basis: 'commissionable',
      margin_mode: 'percent',
      margin_value: random.pick(['8', '10', '12']),
      sell_lines: [sell],
    }
  return { sell_lines: [sell, ...fee], cost_lines: [cost] }
}

function traveler(random: Random, year: number): Row {
  const people = random.chance(0.7) ? PEOPLE[0] : random.pick(PEOPLE)
  return {
    first_name: random.pick(people.first),
    last_name: random.pick(people.last),
    nationality: people.country,
    passport_number: `${random.pick(['U', 'C', 'P'])}${random.digits(8)}`,
    passport_country: people.country,
    passport_expiry: day(year + random.int(2, 9), random.int(0, 364)),
    date_of_birth: day(year - random.int(2, 75), random.int(0, 364)),
    gender: random.pick(['female', 'male']),
  }
}

/** The day of a year, counted from 0; beyond its end or before its beginning in the years beside it. */
const day = (year: number, nth: number): string => new Date(Date.UTC(year, 0, 1 + nth)).toISOString().slice(0, 10)

const money = (amount: number, currency: string): string => {
  const text = amount.toFixed(currencyDigits(currency))
  return currencyDigits(currency) === 0 ? `${Math.round(amount / 10) * 10}` : text
}

/** A Turkish company's tax number whose check digit holds. */
function vkn(random: Random): string {
  const body = `${random.int(1, 9)}${random.digits(8)}`
  let sum = 0
  for (let at = 0; at < 9; at++) {
    const shifted = (Number(body[at]) + 9 - at) % 10
    const mixed = (shifted * 2 ** (9 - at)) % 9
    sum += shifted !== 0 && mixed === 0 ? 9 : mixed
  }
  return `${body}${(10 - (sum % 10)) % 10}`
}

/** A Turkish identity number whose check digits hold. */
function tckn(random: Random): string {
  const digits = [random.int(1, 9), ...Array.from({ length: 8 }, () => random.int(0, 9))]
  const sum = (from: number) =>
    digits.filter((_, at) => at % 2 === from && at < 9).reduce((total, digit) => total + digit, 0)
  digits.push((((sum(0) * 7 - sum(1)) % 10) + 10) % 10)
  digits.push(digits.reduce((total, digit) => total + digit, 0) % 10)
  return digits.join('')
}
