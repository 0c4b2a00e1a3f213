import { notBefore } from '../../../catalogue/checks.ts'
import { count } from '../../../catalogue/count.ts'
import { date, string } from '../../../catalogue/kinds.ts'
import { defineBooking } from '../define-booking.ts'
import { OFFERED } from '../status.ts'
import { textOrNull } from '../travel.ts'

export const cruises = defineBooking({
  key: 'cruises',
  label: 'Cruises',
  model: 'Cruise',
  dependencyOrder: 3,
  statuses: ['draft', 'option', 'confirmed', 'sailing', 'completed', 'cancelled'],
  moves: {
    ...OFFERED,
    confirmed: ['sailing', 'cancelled'],
    sailing: ['completed'],
  },
  fields: {
    ship_name: string(200),
    embark_on: date,
    disembark_on: date,
    cabin_count: count,
    guest_count: count,
    cabin_category: string(100),
  },
  priceFrom: ['embark_on', 'disembark_on'],
  travel: ({ embark_on }) => ({ on: textOrNull(embark_on), to: null }),
  check: notBefore('embark_on', 'disembark_on', 'Disembarking cannot be before embarking.'),
  sample: {
    rows: [
      {
        external_id: 'CR-3001',
        customer_external_id: 'C-1001',
        supplier_external_id: 'S-501',
        ship_name: 'Ege Yıldızı',
        embark_on: '2026-08-01',
        disembark_on: '2026-08-08',
        cabin_count: 1,
        guest_count: 2,
        cabin_category: 'Balcony',
        status: 'confirmed',
        currency: 'EUR',
        transaction_date: '2026-03-02',
        rate_basis: 'commissionable',
        margin_mode: 'percent',
        margin_value: '12',
        sell_lines: [
          { kind: 'cabin_fare', amount: '1450.00', label: 'Balcony cabin', tax_inclusive: true, quantity: 2 },
        ],
        travelers: [{ first_name: 'Ayşe', last_name: 'Yılmaz', nationality: 'TR', date_of_birth: '1987-04-23' }],
      },
    ],
  },
})
