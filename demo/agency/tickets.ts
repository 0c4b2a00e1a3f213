import { GDS, LOCAL_CURRENCIES } from '../air-vocabulary.ts'
import { amountIn, demoMoney } from '../pieces/amounts.ts'
import { LAST_DAY } from '../pieces/calendar.ts'
import { type Person, personName } from '../pieces/people.ts'
import { type Row, repeat, withoutUndefined } from '../pieces/row.ts'
import { type Lifecycle, makeSale, type Sale } from '../pieces/sale.ts'
import { type Customer, party, supplierOf, type World } from '../pieces/world.ts'
import type { Random } from '../random.ts'
import { type Itinerary, makeItinerary } from './ticket-legs.ts'
import {
  fareOf,
  isAbroad,
  makeAmounts,
  makeDocument,
  makePassenger,
  type Numbers,
  numbersFrom,
} from './ticket-passengers.ts'

const often = (state: string, times: number): string[] => repeat(times, () => state)
const ISSUED = [...often('issued', 16), 'void', 'partly_voided', 'refunded', 'exchanged', 'cancelled']
const TICKET: Lifecycle = {
  before: [...often('draft', 2), ...often('option', 4), ...ISSUED],
  during: ISSUED,
  after: ISSUED,
}
const WITHOUT_DOCUMENTS = ['draft', 'option']
/** The statuses of a sale's documents. */
const DOCUMENT_STATUS: Readonly<Record<string, string>> = {
  void: 'void',
  refunded: 'refunded',
  exchanged: 'exchanged',
  cancelled: 'void',
}
const FIRST_TICKET = 2_400_000_000
const FIRST_EMD = 1_800_000_000
const NUMBERS_OF_A_SERIES = 1_000_000

/** The numbers that are still to give, and the tickets that their customers exchange for the next sale. */
type Desk = { tickets: Numbers; emds: Numbers; exchanged: { customer: Customer; number: unknown }[] }

export function makeTickets(world: World, count: number): Row[] {
  const before = world.series * NUMBERS_OF_A_SERIES
  const desk: Desk = {
    tickets: numbersFrom(FIRST_TICKET + before),
    emds: numbersFrom(FIRST_EMD + before),
    exchanged: [],
  }
  return repeat(count, (at) => makeTicketSale(world, desk, at))
}

function makeTicketSale(world: World, desk: Desk, at: number): Row {
  const { random, day } = world
  const itinerary = makeItinerary(random, day, random.int(0, LAST_DAY))
  const { airline, legs } = itinerary
  const channel = channelOf(random, itinerary)
  const supplier = supplierOf(world, channel === 'consolidator' ? 'consolidator' : 'airline')
  const reissued = desk.exchanged.shift()
  const sale = makeSale(world, supplier, itinerary, TICKET, reissued?.customer)
  const { customer, parties, terms } = sale
  const people = party(world, customer, random.pick([1, 1, 1, 2, 2, 3, 4]))
  const status = sale.status === 'partly_voided' && people.length === 1 ? 'void' : sale.status
  const currency = currencyOf(random, itinerary)
  const isEmd = status === 'issued' && !reissued && random.chance(0.05)
  const passengers = isEmd
    ? people.slice(0, 1).map((person) => makeEmd(world, desk, itinerary, person, sale, currency))
    : makePassengers(world, desk, itinerary, people, { ...sale, status }, currency)
  if (reissued && passengers[0]?.ticket_number) passengers[0].exchanged_ticket_number = reissued.number
  if (status === 'exchanged') desk.exchanged.push({ customer, number: passengers[0]?.ticket_number })
  const miles = passengers.some(({ form_of_payment }) => form_of_payment === 'miles')
  return withoutUndefined({
    external_id: `TK-${60001 + at}`,
    pnr: recordLocator(random),
    gds_pnr: airline.lowCost ? undefined : recordLocator(random),
    ...parties,
    settlement_channel: channel,
    fare_type: random.chance(0.7)
      ? random.pick(['published', 'published', 'private', 'corporate', 'Group'])
      : undefined,
    miles_used: miles ? random.int(8, 60) * 1000 : undefined,
    reservation_giver_name: random.chance(0.15) ? personName(people[0] as Person) : undefined,
    issuing_system: airline.lowCost ? undefined : random.pick(GDS),
    ...(!airline.lowCost && OFFICE),
    // A draft or an option may omit its status; the ticketing deadline determines it.
    status: WITHOUT_DOCUMENTS.includes(status) && random.chance(0.3) ? undefined : status,
    currency,
    ...terms,
    ...(!isEmd && { legs }),
    passengers,
  })
}

function channelOf(random: Random, { airline }: Itinerary): string {
  if (airline.lowCost) return random.pick(['web', 'web', 'card', 'direct', 'prepaid'])
  return random.pick(['bsp', 'bsp', 'bsp', 'bsp', 'consolidator', 'card', 'direct'])
}

/** Domestic flights are sold in lira, others mostly in euros and dollars. */
function currencyOf(random: Random, itinerary: Itinerary): string {
  if (!isAbroad(itinerary)) return 'TRY'
  const local = itinerary.legs.map(({ arrival_airport }) => LOCAL_CURRENCIES[String(arrival_airport)]).find(Boolean)
  return local && random.chance(0.25) ? local : random.pick(['EUR', 'EUR', 'USD', 'TRY'])
}

const LETTERS = [...'ABCDEFGHJKLMNPQRSTUVWXYZ23456789']
const recordLocator = (random: Random): string => repeat(6, () => random.pick(LETTERS)).join('')

function makePassengers(
  world: World,
  { tickets }: Desk,
  itinerary: Itinerary,
  people: readonly Person[],
  { status, sold }: Sale,
  currency: string,
): Row[] {
  const { random } = world
  const euros = fareOf(random, itinerary)
  const given = commission(random, itinerary, amountIn(euros, 'EUR', currency), currency)
  const tourCode = random.chance(0.05) ? `IT${random.digits(5)}` : undefined
  const payment = paymentOf(random, itinerary)
  return people.map((person, nth) => {
    const passenger = makePassenger(random, person, world.day(itinerary.from), isAbroad(itinerary))
    const type = String(passenger.passenger_type)
    const document = WITHOUT_DOCUMENTS.includes(status)
      ? {}
      : {
          ...makeDocument(random, tickets, itinerary),
          issued_on: world.day(sold),
          document_status: DOCUMENT_STATUS[status] ?? (status === 'partly_voided' && nth > 0 ? 'void' : 'open'),
        }
    return withoutUndefined({
      ...passenger,
      ...document,
      form_of_payment: payment,
      form_of_payment_text: PAYMENT_TEXTS[payment],
      tour_code: tourCode,
      endorsement: random.chance(0.08) ? 'NON-REF/RESTRICTED' : undefined,
      ...makeAmounts(random, itinerary, type, euros, currency),
      ...(type !== 'infant' && given),
      service_fee: random.chance(0.7) ? demoMoney(amountIn(random.int(8, 30), 'EUR', currency), currency) : undefined,
      discount: random.chance(0.04) ? demoMoney(amountIn(5, 'EUR', currency), currency) : undefined,
      penalty: ['refunded', 'exchanged'].includes(status)
        ? demoMoney(amountIn(60, 'EUR', currency), currency)
        : undefined,
    })
  })
}

/** The airline's commission as a rate or an amount, if any. */
function commission(random: Random, { airline }: Itinerary, fare: number, currency: string): Row {
  if (airline.lowCost || random.chance(0.4)) return {}
  const rate = random.pick([1, 3, 5, 7])
  return random.chance(0.5)
    ? { commission_rate: String(rate) }
    : { commission_amount: demoMoney((fare * rate) / 100, currency) }
}

function paymentOf(random: Random, { airline }: Itinerary): string {
  if (airline.lowCost) return random.pick(['card', 'card', 'cash'])
  return random.chance(0.03) ? 'miles' : random.pick(['cash', 'card', 'invoice', 'invoice', 'mixed'])
}

/** As printed by a GDS, with all but the last digits of the card masked. */
const PAYMENT_TEXTS: Readonly<Record<string, string>> = {
  cash: 'CASH',
  card: 'CCVIXXXXXXXXXXXX1111',
  invoice: 'INVOICE',
}
/** The agency's own office in a GDS. */
const OFFICE = { booking_office: 'ISTTS2100', ticketing_office: 'ISTTS2100', iata_number: '99999992' }

/** An electronic miscellaneous document: a service for a flight that was sold elsewhere. */
function makeEmd(
  { random, day }: World,
  { emds }: Desk,
  itinerary: Itinerary,
  person: Person,
  { sold }: Sale,
  currency: string,
): Row {
  const { airline } = itinerary
  const fee = demoMoney(amountIn(random.pick([15, 30, 45, 60, 120]), 'EUR', currency), currency)
  const [leg] = itinerary.legs
  return {
    ...makePassenger(random, person, day(itinerary.from), isAbroad(itinerary)),
    ticket_number: emds.next(airline.prefix),
    document_type: 'emd',
    airline_code: airline.code,
    issued_on: day(sold),
    form_of_payment: 'card',
    form_of_payment_text: PAYMENT_TEXTS.card,
    services: [
      {
        coupon: 1,
        description: random.pick(['EXCESS BAGGAGE', 'SEAT SELECTION', 'UNACCOMPANIED MINOR', 'PET IN CABIN']),
        departure_airport: leg?.departure_airport,
        arrival_airport: leg?.arrival_airport,
      },
    ],
    document_status: 'open',
    base_fare: fee,
    total: fee,
  }
}
