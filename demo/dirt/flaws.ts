import type { Agency, EntityKey } from '../make-agency.ts'
import type { Row } from '../pieces/row.ts'
import type { Random } from '../random.ts'

/** The context of a flaw: the agency, and the earlier imported rows of the same file. */
export type FlawContext = { readonly agency: Agency; readonly before: readonly Row[]; readonly random: Random }
/** Spoils a row so that it fails with the code, and with no other. */
export type Flaw = { readonly code: string; readonly spoil: (row: Row, context: FlawContext) => Row }

const flaw = (code: string, spoil: Flaw['spoil']): Flaw => ({ code, spoil })
const set = (code: string, cells: Row): Flaw => flaw(code, (row) => ({ ...row, ...cells }))
const lacks = (name: string): Flaw =>
  flaw('required', (row) => Object.fromEntries(Object.entries(row).filter(([key]) => key !== name)))
const passenger = (code: string, cells: Row): Flaw =>
  flaw(code, (row) => {
    const [first, ...others] = row.passengers as Row[]
    return { ...row, passengers: [{ ...first, ...cells }, ...others] }
  })
const leg = (code: string, cells: Row): Flaw => set(code, { legs: [{ ...LEG, ...cells }] })
const LEG = { airline_code: 'TK', flight_number: '1985', departure_airport: 'IST', arrival_airport: 'LHR' }
const line = (more: Row) => [{ kind: 'package_price', amount: '100.00', ...more }]

/** A row that the flawed one can come into conflict with. */
function other({ before, random }: FlawContext, fits: (row: Row) => boolean): Row {
  const found = before.filter(fits)
  if (found.length === 0) throw new Error('No row before this one fits the flaw.')
  return random.pick(found)
}

const LONG_PAST = '2020-01-01'
const NO_AMOUNTS = { net_amount: null, vat_amount: null, withholding_amount: null, paid_amount: null, lines: null }

export const FLAWS: Readonly<Record<EntityKey, readonly Flaw[]>> = {
  customers: [
    lacks('name'),
    lacks('external_id'),
    set('invalid_email', { email: 'yok' }),
    set('invalid_email', { email: 'info@@firma' }),
    set('invalid_phone', { phone: '0000' }),
    set('invalid_phone', { phone: 'sonra aranacak' }),
    set('not_allowed', { customer_type: 'vip' }),
    set('invalid_currency', { preferred_currency: 'TL' }),
  ],
  suppliers: [
    set('not_allowed', { supplier_type: 'otel' }),
    set('too_long', { country_code: 'TUR' }),
    set('required', { name: '' }),
    set('invalid_email', { email: 'rezervasyon' }),
  ],
  leads: [
    lacks('name'),
    set('invalid_email', { email: 'instagramdan' }),
    set('invalid_phone', { phone: '0 (532)' }),
    set('not_allowed', { stage: 'kazanıldı' }),
    set('invalid_money', { estimated_value: '85,000.00', currency: 'TRY' }),
    set('invalid_money', { estimated_value: '85.000,00', currency: 'TRY' }),
    set('invalid_integer', { party_size: 'dört' }),
    set('out_of_range', { party_size: '-2' }),
    set('invalid_currency', { currency: 'LIRA' }),
    set('unknown_term', { source: '???' }),
  ],
  tour_departures: [
    lacks('title'),
    set('invalid_date', { starts_on: '31.06.2026' }),
    set('inconsistent', { starts_on: '2026-10-09', ends_on: '2026-10-05' }),
    set('not_allowed', { inventory_state: 'dolu' }),
    set('invalid_integer', { max_capacity: 'yirmi' }),
  ],
  tickets: [
    lacks('passengers'),
    set('required', { passengers: [] }),
    lacks('external_id'),
    passenger('required', { last_name: '' }),
    passenger('invalid_string', { ticket_number: '2403123456' }),
    passenger('invalid_string', { ticket_number: 'TK2403123456' }),
    passenger('invalid_money', { base_fare: 240.5 }),
    passenger('invalid_money', { taxes: [{ code: 'YR', amount: '60,00' }] }),
    passenger('not_allowed', { passenger_type: 'yetişkin' }),
    passenger('invalid_date', { issued_on: '2026-02-30' }),
    leg('invalid_string', { departure_airport: '1ST' }),
    leg('required', { arrival_airport: null }),
    leg('invalid_datetime', { scheduled_departure: '12.06.2026 15:10' }),
    leg('invalid_datetime', { scheduled_departure: '2026-06-12T15:10:00+03:00' }),
    set('not_allowed', { status: 'biletlendi' }),
    set('not_allowed', { settlement_channel: 'nakit' }),
    flaw('duplicate_ticket_number', (row, context) => {
      const numberOf = ({ passengers }: Row) => (passengers as Row[])[0]?.ticket_number
      const holder = other(context, (sale) => sale.status !== 'cancelled' && numberOf(sale) !== undefined)
      const [first, ...others] = row.passengers as Row[]
      return { ...row, status: 'issued', passengers: [{ ...first, ticket_number: numberOf(holder) }, ...others] }
    }),
  ],
  hotel_stays: [
    set('invalid_date', { check_in_on: '2026-02-30' }),
    set('invalid_date', { check_out_on: '31.12.2026' }),
    flaw('inconsistent', (row) => ({ ...row, check_out_on: row.check_in_on })),
    lacks('check_in_on'),
    set('not_allowed', { status: 'booked' }),
    set('invalid_money', { sell_lines: line({ amount: 120.5 }) }),
    set('invalid_money', { sell_lines: line({ amount: '1,250.00' }) }),
    set('invalid_money', { currency: 'TRY', sell_lines: line({ amount: '1.250,00' }) }),
    lacks('external_id'),
    set('invalid_integer', { guest_count: 'iki' }),
    set('invalid_date', { travelers: [{ first_name: 'Ali', date_of_birth: '1990-13-01' }] }),
  ],
  transfers: [
    lacks('pickup_location'),
    lacks('pickup_at'),
    lacks('external_id'),
    set('invalid_datetime', { pickup_at: '14.07.2026 09:30' }),
    set('invalid_datetime', { pickup_at: '2026-07-14T25:00:00' }),
    set('inconsistent', { dropoff_at: `${LONG_PAST}T10:00:00` }),
    set('not_allowed', { transfer_type: 'karşılama' }),
    set('not_allowed', { status: 'beklemede' }),
    set('invalid_integer', { pax_count: 'iki' }),
    set('invalid_phone', { driver_phone: 'Kemal Usta' }),
    set('invalid_boolean', { meet_and_greet: 'belki' }),
    set('invalid_money', { sell_lines: line({ amount: 60 }) }),
  ],
  cruises: [
    set('invalid_date', { embark_on: '2026-11-31' }),
    set('inconsistent', { disembark_on: LONG_PAST }),
    set('not_allowed', { status: 'onaylı' }),
    set('invalid_money', { sell_lines: line({ amount: 1450 }) }),
    set('required', { cost_lines: [{ amount: '1450.00' }] }),
    set('invalid_integer', { cabin_count: '1,5' }),
    set('invalid_currency', { currency: 'EURO' }),
  ],
  car_rentals: [
    set('invalid_datetime', { pickup_at: '2026-07-10' }),
    set('invalid_datetime', { return_at: '10/07/2026 11:30' }),
    set('inconsistent', { return_at: `${LONG_PAST}T10:00:00` }),
    set('not_allowed', { status: 'dışarıda' }),
    set('invalid_decimal', { margin_value: 'yüzde on' }),
    set('out_of_range', { cost_lines: line({ vat_rate: '2000' }) }),
    set('invalid_money', { cost_lines: line({ amount: 1500 }) }),
    lacks('external_id'),
  ],
  tour_bookings: [
    set('reference_not_found', { tour_departure_external_id: 'TD-0' }),
    set('reference_not_found', { tour_departure_external_id: 'ESKI-TUR' }),
    lacks('tour_departure_external_id'),
    lacks('guest_count'),
    flaw('departure_closed', (row, { agency }) => ({
      ...row,
      tour_departure_external_id: agency.tour_departures.find(({ inventory_state: is }) => is === 'cancelled')
        ?.external_id,
      status: 'confirmed',
    })),
    set('not_allowed', { status: 'kesin' }),
    set('out_of_range', { guest_count: -1 }),
    set('invalid_money', { extras: [{ name: 'Balon turu', amount: 5500 }] }),
    set('invalid_date', { option_date: '2026-13-01' }),
  ],
  operator_invoices: [
    lacks('invoice_number'),
    lacks('supplier_external_id'),
    set('reference_not_found', { supplier_external_id: 'S-0' }),
    flaw('duplicate_number', (row, context) => {
      const { invoice_number, supplier_external_id } = other(context, ({ status }) => status !== 'void')
      return { ...row, invoice_number, supplier_external_id, status: 'open' }
    }),
    flaw('inconsistent', ({ booking_external_id: _, ...row }) => ({ ...row, booking_entity: 'cruises' })),
    set('not_allowed', { booking_entity: 'otel', booking_external_id: 'H-9001' }),
    set('not_allowed', { status: 'ödendi' }),
    set('invalid_date', { due_on: '2026/04/05' }),
    set('invalid_money', { total_amount: '1,250.00' }),
    lacks('issued_on'),
  ],
  supplier_bills: [
    lacks('bill_number'),
    lacks('issued_on'),
    set('reference_not_found', { supplier_external_id: 'ELDEN' }),
    set('inconsistent', { lines: [{ description: 'Konaklama', amount: '140.00', booking_entity: 'hotel_stays' }] }),
    // Its amounts are then read as lira, of which some would be refused as well.
    set('invalid_currency', { ...NO_AMOUNTS, currency: 'TL', total_amount: '560.00' }),
    set('invalid_money', { total_amount: 560 }),
    set('not_allowed', { document_type: 'fatura' }),
    set('invalid_integer', { lines: [{ description: 'Konaklama', quantity: 'dört' }] }),
  ],
}
