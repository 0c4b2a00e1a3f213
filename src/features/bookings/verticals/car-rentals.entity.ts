import { after } from '../../../catalogue/checks.ts'
import { count } from '../../../catalogue/count.ts'
import { datetime, string } from '../../../catalogue/kinds.ts'
import { defineBooking } from '../define-booking.ts'
import { OFFERED } from '../status.ts'
import { dayOfInstant, textOrNull } from '../travel.ts'

export const carRentals = defineBooking({
  key: 'car_rentals',
  label: 'Car rentals',
  model: 'CarRental',
  dependencyOrder: 3,
  statuses: ['draft', 'option', 'confirmed', 'out', 'returned', 'cancelled', 'no_show'],
  moves: {
    ...OFFERED,
    confirmed: ['out', 'cancelled', 'no_show'],
    out: ['returned'],
  },
  fields: {
    vehicle_class: string(100),
    pickup_location: string(300),
    dropoff_location: string(300),
    pickup_at: datetime,
    return_at: datetime,
    pax_count: count,
  },
  priceFrom: ['pickup_at', 'return_at'],
  travel: ({ pickup_at, pickup_location, dropoff_location }, timeZone) => ({
    on: dayOfInstant(pickup_at, timeZone),
    to: textOrNull(pickup_location) ?? textOrNull(dropoff_location),
  }),
  check: after('pickup_at', 'return_at', 'The return must be after the pick-up.'),
  sample: {
    rows: [
      {
        external_id: 'CAR-4001',
        customer_external_id: 'C-1001',
        supplier_external_id: 'S-501',
        vehicle_class: 'Compact automatic',
        pickup_location: 'Bodrum Milas airport',
        dropoff_location: 'Bodrum Milas airport',
        pickup_at: '2026-07-10T11:30:00+03:00',
        return_at: '2026-07-14T09:00:00',
        pax_count: 2,
        status: 'confirmed',
        currency: 'TRY',
        rate_basis: 'net',
        margin_mode: 'amount',
        margin_value: '900',
        cost_lines: [{ kind: 'daily_rate', amount: '1500.00', vat_rate: '20', tax_inclusive: true, quantity: 4 }],
      },
    ],
  },
})
