import { after } from '../../../catalogue/checks.ts'
import { count } from '../../../catalogue/count.ts'
import { required } from '../../../catalogue/entity.ts'
import { date } from '../../../catalogue/kinds.ts'
import { list } from '../../../catalogue/lists.ts'
import { daysBetween } from '../../../platform/time.ts'
import { defineBooking } from '../define-booking.ts'
import { OFFERED } from '../status.ts'
import { textOrNull } from '../travel.ts'
import { roomItems, roomLines } from './rooms.ts'

export const hotelStays = defineBooking({
  key: 'hotel_stays',
  label: 'Hotel stays',
  model: 'HotelStay',
  dependencyOrder: 3,
  statuses: ['draft', 'option', 'confirmed', 'in_house', 'checked_out', 'cancelled', 'no_show'],
  moves: {
    ...OFFERED,
    confirmed: ['in_house', 'cancelled', 'no_show'],
    in_house: ['checked_out', 'cancelled'],
  },
  priceFrom: ['check_in_on', 'check_out_on', 'rooms'],
  fields: {
    check_in_on: required(date),
    check_out_on: required(date),
    guest_count: count,
    rooms: list(roomItems),
  },
  travel: ({ check_in_on }) => ({ on: textOrNull(check_in_on), to: null }),
  rules: () => ({
    lines: ({ rooms, check_in_on, check_out_on }) => ({
      sell: roomLines(rooms, daysBetween(String(check_in_on), String(check_out_on))),
      cost: [],
    }),
  }),
  check: after('check_in_on', 'check_out_on', 'Check-out must be after check-in.'),
  sample: {
    rows: [
      {
        external_id: 'H-9001',
        customer_external_id: 'C-1001',
        supplier_external_id: 'S-501',
        check_in_on: '2026-07-10',
        check_out_on: '2026-07-14',
        guest_count: 2,
        status: 'confirmed',
        currency: 'EUR',
        transaction_date: '2026-03-02',
        rooms: [{ name: 'Sea view double', room_type: 'double', capacity: 2, occupancy: 2, nightly_rate: '180.00' }],
        sell_lines: [
          { kind: 'service_fee', amount: '25.00', label: 'Handling', vat_rate: '20', tax_inclusive: true, quantity: 1 },
        ],
        cost_lines: [{ kind: 'room_rate', amount: '140.00', vat_rate: '10', tax_inclusive: true, quantity: 4 }],
        travelers: [
          {
            first_name: 'Ayşe',
            last_name: 'Yılmaz',
            nationality: 'TR',
            passport_number: 'U12345678',
            passport_country: 'TR',
            passport_expiry: '2031-05-01',
            date_of_birth: '1987-04-23',
          },
        ],
        notes: 'Late arrival.',
      },
    ],
  },
})
