import type { EntityKey } from '../make-agency.ts'
import type { Row } from '../pieces/row.ts'
import type { Random } from '../random.ts'

/** Oddities of rows that are imported nevertheless. */
type Oddity = (row: Row, random: Random, rows: readonly Row[]) => Row

/** References that lead nowhere, ids that need care in an address, capitals, columns that no entity has. */
const BOOKING: readonly Oddity[] = [
  (row, random) => ({ ...row, customer_external_id: `SILINDI-${random.digits(3)}` }),
  (row) => ({ ...row, supplier_external_id: 'ESKI-KOD' }),
  (row) => ({ ...row, ...(row.status !== undefined && { status: String(row.status).toUpperCase() }) }),
  (row) => ({ ...row, external_id: `${row.external_id}/A` }),
  (row) => ({ ...row, external_id: `ü ${row.external_id} %` }),
  (row) => ({ ...row, kampanya: 'Erken rezervasyon' }),
]
const counted: Oddity = (row) => ({ ...row, guest_count: String(row.guest_count) })

export const ODDITIES: Readonly<Record<EntityKey, readonly Oddity[]>> = {
  customers: [
    (row) => ({ ...row, name: `  ${row.name} ` }),
    (row) => ({ ...row, eski_musteri_no: 'M-17', segment: 'A' }),
    (row, random, rows) => ({ ...row, email: random.pick(rows).email ?? row.email }), // two people, one mailbox
    (row) => ({ ...row, tax_number: '1111111111' }),
    ({ phone: _, ...row }) => row,
  ],
  suppliers: [(row) => ({ ...row, iban: 'TR00' })],
  leads: [
    (row) => ({ ...row, customer_external_id: 'C-0' }),
    (row) => ({ ...row, source: 'Instagram' }), // a term that the list does not have yet
    (row) => ({ ...row, stage: String(row.stage).toUpperCase() }),
    (row) => ({ ...row, kampanya_kodu: 'YAZ26' }),
  ],
  tour_departures: [
    (row) => ({ ...row, supplier_external_id: 'ESKI-KOD' }),
    (row) => ({ ...row, inventory_state: String(row.inventory_state).toUpperCase() }),
    (row) => ({ ...row, rehber: 'Ayhan Bey' }),
  ],
  tickets: [
    ...BOOKING,
    // Totals that differ from the sum of their parts, unknown airports, and fare types defined by the agency.
    (row) => ({
      ...row,
      passengers: (row.passengers as Row[]).map((passenger) => ({ ...passenger, total: '199.90' })),
    }),
    (row) => ({
      ...row,
      ...(row.legs !== undefined && {
        legs: (row.legs as Row[]).map((leg) => ({
          ...leg,
          arrival_airport: leg.arrival_airport === 'IST' ? 'QQX' : leg.arrival_airport,
        })),
      }),
    }),
    (row) => ({ ...row, fare_type: 'Umre grubu' }),
  ],
  hotel_stays: [...BOOKING, counted],
  transfers: [...BOOKING, (row) => ({ ...row, service_level: String(row.service_level).toUpperCase() })],
  cruises: [...BOOKING, counted],
  car_rentals: [...BOOKING, ({ dropoff_location: _, ...row }) => row],
  tour_bookings: [...BOOKING, counted],
  operator_invoices: [
    (row) => ({ ...row, net_amount: '1.00' }), // is not gross less commission
    (row) => ({ ...row, customer_external_id: 'C-0' }),
    (row) => ({ ...row, booking_entity: 'cruises', booking_external_id: 'CR-0' }),
    (row) => ({ ...row, muhasebe_kodu: '320.01' }),
  ],
  supplier_bills: [
    (row) => ({ ...row, net_amount: '1.00' }),
    (row) => ({
      ...row,
      lines: [
        { description: 'Konaklama', amount: '140.00', booking_entity: 'hotel_stays', booking_external_id: 'H-0' },
      ],
    }),
    (row) => ({ ...row, masraf_yeri: 'Kadıköy' }),
  ],
}
