import fc from 'fast-check'
import { AIRLINES, after, anyAmount, anyDay, anySerial, anyTime, CURRENCIES, lessOf, sumOf } from './any.ts'
import { anyFare, anyLeg, anyPassengers, anyTaxes } from './mir-arbitraries.ts'
import { type MirEmd, type MirScenario, nameOf } from './mir-scenario.ts'

const CARD = { company: 'VI', number: '4000000000000002', expires: '1228', approval: 'A12345' }

/** Files of tickets: one fare for each passenger, one payment for all. */
const anyIssue: fc.Arbitrary<MirScenario> = fc
  .record({ day: anyDay, time: anyTime, sold: fc.constantFrom(...CURRENCIES), airline: fc.constantFrom(...AIRLINES) })
  .chain(({ day, time, sold, airline }) =>
    fc
      .record({
        passengers: anyPassengers(day),
        legs: fc.array(anyLeg(day), { maxLength: 6 }),
        fares: fc.array(anyFare(sold), { minLength: 5, maxLength: 5 }),
        rate: fc.constantFrom('', '0500', '0125', '0001'),
        knowsTravel: fc.boolean(),
        apollo: fc.boolean(),
        surfaceAfter: fc.integer({ min: 0, max: 3 }),
        isByCard: fc.boolean(),
        remarks: fc.constantFrom([], ['COST CENTRE 4711', 'SENT BY E-MAIL']),
        contact: fc.constantFrom(undefined, { email: 'office@example.com', phone: '90 532 000 00 99' }),
        otherLocator: fc.constantFrom(undefined, { airline: 'UA', locator: 'OTH123' }),
        agreement: fc.constantFrom(undefined, 'CAR0001'),
        isPending: fc.boolean(),
      })
      .map(({ passengers, legs, fares, rate, knowsTravel, apollo, surfaceAfter, isByCard, isPending, ...others }) => {
        const theirs = fares.slice(0, passengers.length)
        const days = legs.flatMap(({ departure }) => departure?.slice(0, 10) ?? []).sort()
        return {
          command: 'H',
          apollo,
          day,
          time,
          airline,
          ...(knowsTravel && days[0] && { firstTravel: days[0] }),
          bookingOffice: '30FT',
          ticketingOffice: '7Y5X',
          iataNumber: '99999992',
          pnr: 'ABC123',
          bookingAgent: '30FTAY',
          ticketingAgent: 'AY',
          currency: sold.code,
          decimals: sold.decimals,
          partyFare: sumOf(theirs.map(({ equivalent, base }) => (equivalent ?? base)?.amount ?? '')).replace('.', ''),
          commissionRate: rate,
          passengers: passengers.map((passenger, at) => ({
            ...passenger,
            fare: at + 1,
            seats: legs.slice(0, 2).map((_, leg) => ({ leg, seat: `${12 + at}${'ACF'[leg]}`, isPending })),
          })),
          legs,
          surfaceAfter,
          fares: theirs,
          payments: [
            {
              type: isByCard ? 'CC' : 'S',
              amount: sumOf(theirs.map(({ total }) => total.amount)),
              ...(isByCard && { card: CARD }),
            },
          ],
          locators: [{ airline: airline.code, locator: 'TVSSVR' }],
          remarks: others.remarks,
          ...(others.contact && { contact: others.contact }),
          ...(others.otherLocator && { otherLocator: others.otherLocator }),
          ...(others.agreement && { agreement: others.agreement }),
        }
      }),
  )

const anyExchange: fc.Arbitrary<MirScenario> = anyIssue.chain((issue) =>
  fc
    .record({ original: anySerial, taxes: anyTaxes(issue.decimals, 6), collected: anyAmount(issue.decimals) })
    .map(({ original, taxes, collected }) => {
      const number = issue.airline.numeric + original
      const [passenger] = issue.passengers
      return {
        ...issue,
        apollo: false,
        passengers: passenger ? [{ ...passenger, exchange: 1 }] : [],
        fares: issue.fares?.slice(0, 1) ?? [],
        partyFare: '',
        exchanges: [
          {
            original: number,
            checkDigit: String(BigInt(number) % 7n),
            coupons: '1234',
            day: after(issue.day, -30),
            type: 'A' as const,
            currency: issue.currency,
            base: '100000',
            total: '100000',
            difference: '0',
            taxes,
          },
        ],
        payments: [{ type: 'S', amount: collected, passengers: [3] }],
      }
    }),
)

/** Without flights there are no seats. */
const withoutFlights = ({ passengers }: MirScenario): Pick<MirScenario, 'legs' | 'passengers'> => ({
  legs: [],
  passengers: passengers.map((passenger) => ({ ...passenger, seats: [] })),
})

const anyVoid: fc.Arbitrary<MirScenario> = fc
  .tuple(anyIssue, fc.constantFrom('V', 'S', 'U'))
  .map(([issue, command]) => ({
    ...issue,
    command,
    pnr: 'ZZZZZZ',
    bookingOffice: '',
    bookingAgent: '',
    ...withoutFlights(issue),
  }))

/** The fare of each is 900.00 minus a penalty; part of it can be used. */
const anyRefund: fc.Arbitrary<MirScenario> = fc
  .tuple(
    anyVoid,
    anyTaxes(2, 6),
    anyAmount(2),
    fc.record({
      command: fc.constantFrom('R', 'C'),
      penalty: fc.constantFrom('0.00', '77.00'),
      isBoxBlank: fc.boolean(),
      paidBack: fc.constantFrom(undefined, { type: 'VI', number: '4000000000000002' }, { type: 'S', number: '' }),
      authority: fc.constantFrom(undefined, '126HQF8VABA0I'),
      hasPayments: fc.boolean(),
    }),
  )
  .map(([gone, taxes, amount, { command, penalty, isBoxBlank, paidBack, authority, hasPayments }]) => ({
    ...gone,
    command,
    payments: hasPayments ? (gone.payments ?? []) : [],
    refunds: gone.passengers.map((passenger) => {
      const number = `${gone.airline.numeric}${passenger.serial}`
      const base = sumOf(['900.00', penalty])
      return {
        number,
        checkDigit: String(BigInt(number) % 7n),
        name: nameOf(passenger),
        issuedOn: after(gone.day, -400),
        coupons: '34',
        currency: 'EUR',
        base,
        taxes,
        commission: { rate: '0.00', amount },
        penalty,
        used: amount,
        total: sumOf([lessOf('900.00', amount), ...taxes.map((tax) => tax.amount)]),
        isBoxBlank,
        ...(paidBack && { paidBack }),
        ...(authority && { authority }),
      }
    }),
  }))

const anyEmd: fc.Arbitrary<MirScenario> = fc
  .tuple(anyIssue, fc.constantFrom('F', 'Z'), fc.array(anySerial, { minLength: 5, maxLength: 5 }), anyAmount(2))
  .map(([issue, command, serials, amount]) => {
    const total = { currency: 'EUR', amount }
    const emds = issue.passengers.map((passenger, at): MirEmd => {
      const coupon = { segment: 1, rfisc: '0GO', text: 'PREPAID BAGGAGE', from: 'IST', total }
      return {
        number: `${issue.airline.numeric}${serials[at]}`,
        name: nameOf(passenger),
        passenger: at + 1,
        segment: 1,
        service: 'BAGA',
        rfic: 'C',
        airline: issue.airline.code,
        base: total,
        total,
        payment: 'IN',
        coupons: at % 2 === 0 ? [coupon] : [coupon, { ...coupon, segment: 2 }],
      }
    })
    const areApart = new Set(emds.map(({ number }) => number)).size === emds.length
    return { ...issue, command, surfaceAfter: 0, fares: [], payments: [], emds: areApart ? emds : emds.slice(0, 1) }
  })

/**
 * The file can contain the flights of the reservation; without a fare basis and a calculation they are not ticketed.
 */
const anyMco: fc.Arbitrary<MirScenario> = anyIssue.map((issue) => ({
  ...issue,
  legs: (issue.legs ?? []).map(({ fareBasis: _, ...leg }) => leg),
  fares: (issue.fares ?? []).map(({ calculation: _, ...fare }) => fare),
  mco: { to: 'TURKISH AIRLINES', reason: 'PENALTY FOR REFUND', endorsement: 'NONREF', ticket: '2352400000009' },
}))

export const anyMir: fc.Arbitrary<MirScenario> = fc.oneof(anyIssue, anyExchange, anyVoid, anyRefund, anyEmd, anyMco)
