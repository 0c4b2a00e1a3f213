import { notBefore } from '../../../catalogue/checks.ts'
import { count } from '../../../catalogue/count.ts'
import { pii, required } from '../../../catalogue/entity.ts'
import { boolean, datetime, oneOf, phone, string } from '../../../catalogue/kinds.ts'
import { airport } from '../../../geography/airports.ts'
import { defineBooking } from '../define-booking.ts'
import { inProgress } from '../status.ts'
import { dayOfInstant, textOrNull } from '../travel.ts'

const notBeforePickup = (at: string) => notBefore('pickup_at', at, 'This cannot be before the pick-up.')

export const transfers = defineBooking({
  key: 'transfers',
  label: 'Transfers',
  model: 'Transfer',
  dependencyOrder: 3,
  ...inProgress,
  fields: {
    transfer_type: oneOf('arrival', 'departure', 'inter_hotel', 'point_to_point', 'round_trip', 'hourly'),
    service_level: oneOf('private', 'shared', 'vip', 'shuttle'),
    pickup_at: required(datetime),
    pickup_location: required(string(300)),
    dropoff_location: required(string(300)),
    pickup_address: string(500),
    dropoff_address: string(500),
    dropoff_at: datetime,
    return_pickup_at: datetime,
    flight_number: string(20),
    flight_airport: string(10),
    vehicle_class: string(100),
    vehicle_count: count,
    pax_count: count,
    adult_count: count,
    child_count: count,
    infant_count: count,
    luggage_count: count,
    child_seat_count: count,
    meet_and_greet: boolean,
    driver_name: pii(string(200)),
    driver_phone: pii(phone),
    plate_number: string(20),
    confirmation_number: string(60),
  },
  priceFrom: ['pickup_at'],
  travel: ({ pickup_at, flight_airport, dropoff_location }, timeZone) => ({
    on: dayOfInstant(pickup_at, airport(String(flight_airport).toUpperCase())?.timeZone ?? timeZone),
    to: textOrNull(dropoff_location),
  }),
  check: (record) => ['dropoff_at', 'return_pickup_at'].flatMap((at) => notBeforePickup(at)(record)),
  sample: {
    rows: [
      {
        external_id: 'T-2001',
        customer_external_id: 'C-1001',
        supplier_external_id: 'S-501',
        transfer_type: 'arrival',
        service_level: 'private',
        pickup_at: '2026-07-10T12:15:00+03:00',
        pickup_location: 'Bodrum Milas airport',
        dropoff_location: 'Grand Ege Resort',
        flight_number: 'TK2510',
        flight_airport: 'BJV',
        pax_count: 2,
        luggage_count: 3,
        meet_and_greet: true,
        status: 'confirmed',
        currency: 'EUR',
        transaction_date: '2026-03-02',
        sell_lines: [{ kind: 'transfer_fare', amount: '60.00', vat_rate: '20', tax_inclusive: true, quantity: 1 }],
        cost_lines: [{ kind: 'transfer_fare', amount: '40.00', vat_rate: '20', tax_inclusive: true, quantity: 1 }],
      },
    ],
  },
})
