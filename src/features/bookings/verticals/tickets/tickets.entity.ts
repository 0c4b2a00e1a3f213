import { pii, required } from '../../../../catalogue/entity.ts'
import { boolean, date, integer, oneOf, string, term } from '../../../../catalogue/kinds.ts'
import { list } from '../../../../catalogue/lists.ts'
import type { Values } from '../../../../catalogue/read-cells.ts'
import { defineBooking } from '../../define-booking.ts'
import { itineraryOf, travelOfLegs } from './itinerary.ts'
import { exchangeItems, legItems, passengerItems, refundItems } from './ticket-items.ts'
import { oddAmounts, ticketLines } from './ticket-lines.ts'
import { findHolders, freeNumbers, keepNumbers, takeNumbers } from './ticket-numbers.store.ts'

const SETTLEMENT_CHANNELS = ['bsp', 'direct', 'web', 'card', 'consolidator', 'prepaid'] as const
const ITINERARY_TYPES = ['one_way', 'round_trip', 'multi_city'] as const
const REMARKS_MAXIMUM = 10_000
const fareType = term(
  'fare_type',
  ['published', 'private', 'negotiated', 'corporate', 'group', 'charter', 'tour', 'student', 'award', 'other'],
  'string',
)

export const tickets = defineBooking({
  key: 'tickets',
  label: 'Tickets',
  model: 'TicketSale',
  dependencyOrder: 3,
  statuses: ['draft', 'option', 'issued', 'partly_voided', 'void', 'refunded', 'exchanged', 'cancelled'],
  moves: {
    draft: ['option', 'issued', 'cancelled', 'partly_voided', 'void', 'refunded', 'exchanged'],
    option: ['draft', 'issued', 'cancelled', 'partly_voided', 'void', 'refunded', 'exchanged'],
    issued: ['partly_voided', 'void', 'refunded', 'exchanged', 'cancelled'],
    partly_voided: ['void', 'refunded', 'cancelled'],
  },
  /** A sale with a ticketing deadline starts as an option. */
  opening: ({ option_date }) => (option_date ? 'option' : 'draft'),
  without: ['rate_basis', 'margin_mode', 'cost_lines', 'sell_lines', 'travelers'],
  fields: {
    pnr: string(20),
    gds_pnr: string(20),
    settlement_channel: { ...oneOf(...SETTLEMENT_CHANNELS), note: 'Channel through which the airline is paid.' },
    fare_type: fareType,
    miles_used: integer(0),
    reservation_giver_name: pii(string(200)),
    issuing_system: string(60),
    booking_office: { ...string(20), note: 'Office id or pseudo city code that booked in the GDS.' },
    ticketing_office: { ...string(20), note: 'Office id or pseudo city code that issued the documents.' },
    iata_number: { ...string(20), note: 'IATA number of the ticketing office.' },
    booking_agent: { ...string(20), note: 'Sign of the GDS agent who booked.' },
    ticketing_agent: { ...string(20), note: 'Sign of the GDS agent who issued the documents.' },
    ticketing_deadline: {
      ...date,
      note: 'As the airline or GDS printed it. Unlike option_date it does not make the sale an option.',
    },
    remarks: {
      ...pii(string(REMARKS_MAXIMUM)),
      sees: 'costs',
      note: 'Remarks of the reservation, one per line. They may quote prices, costs and persons.',
    },
    legs: { ...list(legItems), note: 'Itinerary shared by all passengers, in order.' },
    passengers: {
      ...required(pii(list(passengerItems))),
      note: 'One ticket each. Passengers are saved to the traveller directory of the customer. The lines of the sale are derived from their amounts.',
    },
  },
  derived: {
    itinerary_type: { ...oneOf(...ITINERARY_TYPES), note: 'Derived from the legs.' },
    international: {
      ...boolean,
      note: 'Whether the airports are in different countries; null if an airport is unknown.',
    },
    refunds: { ...list(refundItems), note: 'Refunds captured from the ticket printer. They do not change the price.' },
    exchanges: { ...list(exchangeItems), note: 'Exchanges of the documents of the sale.' },
  },
  travelersIn: 'passengers',
  travel: ({ legs }) => travelOfLegs(legs),
  check({ passengers }) {
    if (!Array.isArray(passengers) || passengers.length > 0) return []
    return [{ at: 'passengers', code: 'required', message: 'A sale has at least one passenger.' }]
  },
  async rules(tx, rows, { policies, currency }) {
    const holders = await findHolders(tx, rows, policies)
    return {
      lines: ticketLines,
      inspect: (record, stored) => ({
        ...takeNumbers(holders, record, stored),
        warnings: stored === null ? oddAmounts({ ...record, currency: record.currency ?? currency }) : [],
        columns: changedOf({ ...itineraryOf(legsOf(record)), ...issuesOf(record) }, stored),
      }),
    }
  },
  afterWrite: keepNumbers,
  release: freeNumbers,
  sample: {
    rows: [
      {
        external_id: 'TK-5001',
        pnr: 'K7QW2M',
        customer_external_id: 'C-1001',
        supplier_external_id: 'S-501',
        settlement_channel: 'bsp',
        fare_type: 'published',
        currency: 'EUR',
        transaction_date: '2026-03-02',
        status: 'issued',
        legs: [
          {
            airline_code: 'TK',
            flight_number: '1985',
            departure_airport: 'IST',
            arrival_airport: 'LHR',
            scheduled_departure: '2026-06-12T15:10',
            scheduled_arrival: '2026-06-12T17:15',
            booking_class: 'M',
            cabin: 'economy',
            fare_basis: 'MLRTR',
            baggage: '1PC',
          },
          {
            airline_code: 'TK',
            flight_number: '1972',
            departure_airport: 'LHR',
            arrival_airport: 'IST',
            scheduled_departure: '2026-06-19T11:35',
            scheduled_arrival: '2026-06-19T17:30',
            booking_class: 'M',
            cabin: 'economy',
            fare_basis: 'MLRTR',
            baggage: '1PC',
          },
        ],
        passengers: [
          {
            first_name: 'Ayşe',
            last_name: 'Yılmaz',
            title: 'Ms',
            passenger_type: 'adult',
            date_of_birth: '1987-04-23',
            nationality: 'TR',
            ticket_number: '235-2403123456',
            document_type: 'ticket',
            airline_code: 'TK',
            issued_on: '2026-03-02',
            form_of_payment: 'invoice',
            base_fare: '240.00',
            taxes: [
              { code: 'YR', amount: '60.00' },
              { code: 'TR', amount: '18.40' },
            ],
            commission_amount: '7.20',
            service_fee: '25.00',
            total: '318.40',
          },
        ],
      },
    ],
  },
})

/** The derived fields that differ from the stored ones. */
const changedOf = (derived: Values, stored: Values | null): Values =>
  Object.fromEntries(Object.entries(derived).filter(([name, value]) => value !== (stored?.[name] ?? null)))

const legsOf = ({ legs }: Values) => (legs ?? []) as Parameters<typeof itineraryOf>[0]

/** The issue dates of the first and the last document of a sale. */
function issuesOf({ passengers }: Values): Values {
  const days = ((passengers ?? []) as Values[])
    .flatMap(({ issued_on }) => (issued_on ? [String(issued_on)] : []))
    .sort()
  return { first_issued_on: days[0] ?? null, last_issued_on: days.at(-1) ?? null }
}
