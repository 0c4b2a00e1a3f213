import fc from 'fast-check'
import type { Passenger, Provider } from '../../../src/features/ticket-printer/ticket-file.ts'
import { anyAmount, anySerial } from './any.ts'
import { anyOrder, type Flight, type Order, type Sold } from './order.ts'

export const PROVIDERS: Readonly<Record<'1G' | '1V' | '1P', Provider>> = {
  '1G': 'galileo',
  '1V': 'apollo',
  '1P': 'worldspan',
}
const RECORDS = ['UniversalRecordImportRsp', 'UniversalRecordRetrieveRsp', 'UniversalRecord'] as const
const TICKETS = ['AirTicketingRsp', 'AirRetrieveDocumentRsp'] as const
export const COUPONS_OF_A_TICKET = 4

/** A traveller of a reservation at Travelport, with the data that only the reservation has. */
export type Traveller = Sold & {
  readonly title: string | null
  /** Old names have their title attached to the first name, newer ones separate. */
  readonly isGlued: boolean
  readonly passport: Passenger['passport']
  readonly email: string | null
  readonly seat: string | null
  /** The ticket given in for this one. */
  readonly given: string | null
}
/** What an agency issued, for an answer of the Universal API. */
export type UniversalOrder = Omit<Order, 'passengers'> & {
  readonly message: (typeof RECORDS)[number] | (typeof TICKETS)[number] | 'EMDRetrieveRsp'
  readonly schema: '47_0' | '52_0'
  readonly provider: keyof typeof PROVIDERS
  readonly passengers: readonly Traveller[]
  readonly status: 'N' | 'V' | 'R'
  /** The fare as filed, in another currency. */
  readonly filed: string | null
  /** Without the list of taxes only their sum is printed. */
  readonly hasTaxList: boolean
  readonly commission: string | null
  readonly tourCode: string | null
  readonly mark: 'IT' | 'BT' | null
  readonly remark: string | null
}

export const isRecord = ({ message }: UniversalOrder): boolean => (RECORDS as readonly string[]).includes(message)

/** The number of conjunctions: every ticket has four coupons. */
const furtherTickets = (ticket: string, flights: readonly Flight[]): string[] =>
  Array.from({ length: Math.ceil(flights.length / COUPONS_OF_A_TICKET) - 1 }, (_, at) => {
    const next = (BigInt(ticket.slice(3)) + BigInt(at + 1)) % 10_000_000_000n
    return ticket.slice(0, 3) + String(next).padStart(10, '0')
  })

const anyTraveller = fc.record({
  title: fc.constantFrom(null, 'MR', 'MRS'),
  isGlued: fc.boolean(),
  passport: fc.constantFrom(null, { number: 'U00000001', country: 'TR', expiresOn: '2031-05-04' }),
  email: fc.constantFrom(null, 'AYSE@EXAMPLE.COM'),
  seat: fc.constantFrom(null, '12A'),
  given: fc.option(anySerial),
})

export const anyUniversalOrder: fc.Arbitrary<UniversalOrder> = fc
  .tuple(
    anyOrder,
    fc.record({
      message: fc.constantFrom(...RECORDS, ...TICKETS, 'EMDRetrieveRsp' as const),
      schema: fc.constantFrom('47_0', '52_0'),
      provider: fc.constantFrom('1G', '1V', '1P'),
      status: fc.constantFrom('N', 'N', 'N', 'V', 'R'),
      filed: fc.option(anyAmount(2)),
      hasTaxList: fc.boolean(),
      commission: fc.constantFrom(null, '0.0', '7.5'),
      tourCode: fc.constantFrom(null, 'TR0042'),
      mark: fc.constantFrom(null, null, 'IT', 'BT'),
      remark: fc.constantFrom(null, 'SERVICE FEE 25 & TAX'),
    }),
    fc.array(anyTraveller, { minLength: 5, maxLength: 5 }),
  )
  .map(([order, answer, travellers]) => {
    const passengers = order.passengers.map((sold, at) => {
      const { given, ...traveller } = travellers[at] as (typeof travellers)[number]
      const isExchanged = given !== null && answer.status === 'N'
      const further = furtherTickets(sold.ticket, order.flights)
      return { ...sold, ...traveller, further, given: isExchanged ? `${order.airline.numeric}${given}` : null }
    })
    return { ...order, ...answer, passengers }
  })
  .filter((order) => {
    const numbers = order.passengers.flatMap(({ ticket, further, given, extra }) => [
      ticket,
      ...further,
      given ?? `no exchange into ${ticket}`,
      extra?.number ?? `no EMD beside ${ticket}`,
    ])
    return (
      new Set(numbers).size === numbers.length &&
      (order.message !== 'EMDRetrieveRsp' || order.passengers.some(({ extra }) => extra))
    )
  })
