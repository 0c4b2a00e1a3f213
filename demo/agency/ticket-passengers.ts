import { airport } from '../../src/geography/airports.ts'
import { daysBetween } from '../../src/platform/time.ts'
import { AIRPORT_TAXES, DOMESTIC_TAXES } from '../air-vocabulary.ts'
import { addUp, amountIn, demoMoney } from '../pieces/amounts.ts'
import { latin, type Person, travelerOf } from '../pieces/people.ts'
import { type Row, repeat, withoutUndefined } from '../pieces/row.ts'
import type { Random } from '../random.ts'
import type { Itinerary } from './ticket-legs.ts'

/** Unique numbers of one document type. */
export type Numbers = { next(prefix: string): string }
export function numbersFrom(first: number): Numbers {
  let last = first
  return { next: (prefix) => `${prefix}${++last}` }
}

const COUPONS_OF_A_TICKET = 4
/** The document of a passenger, with further numbers where one has not enough coupons. */
export function makeDocument(random: Random, numbers: Numbers, { airline, legs }: Itinerary): Row {
  const written = (number: string) => (random.chance(0.15) ? `${number.slice(0, 3)}-${number.slice(3)}` : number)
  const number = written(numbers.next(airline.prefix))
  const further = Math.max(0, Math.ceil(legs.length / COUPONS_OF_A_TICKET) - 1)
  const conjunctions = repeat(further, () => numbers.next(airline.prefix))
  return {
    ticket_number: number,
    ...(further > 0 && { conjunction_ticket_numbers: conjunctions }),
    document_type: 'ticket',
    airline_code: airline.code,
  }
}

/** The person as a passenger of a day. Airlines write names in capitals without accents where they can. */
export function makePassenger(random: Random, person: Person, flies: string, abroad: boolean): Row {
  const age = ageOn(person, flies)
  const { first_name, last_name, national_id, passport_number, passport_country, passport_expiry, ...identity } =
    travelerOf(person)
  const capitals = latin(person.first) !== '' && random.chance(0.5)
  const written = (name: unknown) => (capitals ? latin(String(name)).toUpperCase() : name)
  return withoutUndefined({
    first_name: written(first_name),
    last_name: written(last_name),
    title: age < 12 ? undefined : person.gender === 'female' ? 'Ms' : 'Mr',
    passenger_type: typeOf(age),
    ...identity,
    ...(abroad ? { passport_number, passport_country, passport_expiry } : { national_id }),
    frequent_flyer_number: age > 20 && random.chance(0.12) ? `TK${random.digits(9)}` : undefined,
  })
}

const YEAR_DAYS = 365.25
const ageOn = ({ born }: Person, date: string): number => Math.floor(daysBetween(born, date) / YEAR_DAYS)

function typeOf(age: number): string {
  if (age < 2) return 'infant'
  if (age < 12) return 'child'
  return age >= 65 ? 'senior' : 'adult'
}
/** Share of an adult's fare. */
const SHARES: Readonly<Record<string, number>> = { infant: 0.1, child: 0.75, senior: 0.95 }

/** A euro fare by the way flown. */
export const fareOf = (random: Random, { km, cabin, airline }: Itinerary): number =>
  (22 + km * 0.045 * (0.7 + random.next() * 0.8)) * cabin.factor * (airline.lowCost ? 0.6 : 1)

/** Fare, taxes and their total. Of sales in lira, some fares are quoted in euros, with their equivalent in lira. */
export function makeAmounts(random: Random, itinerary: Itinerary, type: string, euros: number, currency: string): Row {
  const own = euros * (SHARES[type] ?? 1)
  const fare = demoMoney(amountIn(own, 'EUR', currency), currency)
  const taxes = type === 'infant' ? [] : taxesOf(random, itinerary, currency)
  const quoted = currency === 'TRY' && isAbroad(itinerary) && random.chance(0.5)
  return {
    ...(quoted ? { base_fare: demoMoney(own, 'EUR'), equivalent_fare: fare } : { base_fare: fare }),
    ...(taxes.length > 0 && { taxes }),
    ...(random.chance(0.85) && { total: addUp(currency, fare, ...taxes.map(({ amount }) => amount)) }),
  }
}

export const isAbroad = ({ legs }: Itinerary): boolean =>
  legs.some(({ departure_airport: from, arrival_airport: to }) => countryOf(from) !== 'TR' || countryOf(to) !== 'TR')
const countryOf = (code: unknown) => airport(String(code))?.country ?? ''

type Tax = { readonly code: string; readonly amount: string }
const LISTED = 5
/** The carrier's surcharge, then those of airports and states; what a ticket has no room for is one tax, XT. */
function taxesOf(random: Random, itinerary: Itinerary, currency: string): Tax[] {
  const abroad = isAbroad(itinerary)
  const charged = itinerary.legs.flatMap(({ departure_airport: from }) =>
    abroad ? (AIRPORT_TAXES[countryOf(from)] ?? []) : DOMESTIC_TAXES,
  )
  const surcharge = [random.pick(['YR', 'YR', 'YQ']), Math.max(6, itinerary.km * 0.012)] as const
  const amounts = new Map<string, number>()
  for (const [code, amount] of [surcharge, ...charged]) amounts.set(code, (amounts.get(code) ?? 0) + amount)
  const taxes = [...amounts].map(([code, amount]) => ({
    code,
    amount: demoMoney(amountIn(amount, 'EUR', currency), currency),
  }))
  if (taxes.length <= LISTED) return taxes
  const rest = taxes.slice(LISTED - 1).map(({ amount }) => amount)
  return [...taxes.slice(0, LISTED - 1), { code: 'XT', amount: addUp(currency, ...rest) }]
}
