import { money } from '../../../catalogue/amounts.ts'
import { notBefore } from '../../../catalogue/checks.ts'
import { count } from '../../../catalogue/count.ts'
import { date, oneOf, string } from '../../../catalogue/kinds.ts'
import { list } from '../../../catalogue/lists.ts'
import { defineBooking } from '../define-booking.ts'
import { forward } from '../status.ts'
import { textOrNull } from '../travel.ts'
import { travelOfLegs } from './tickets/itinerary.ts'
import { legItems } from './tickets/ticket-items.ts'

const STATUSES = [
  'draft',
  'requested',
  'quoted',
  'option',
  'contracted',
  'confirmed',
  'operating',
  'completed',
  'cancelled',
] as const

/** A whole vehicle: created only in the application. */
export const charters = defineBooking({
  key: 'charters',
  label: 'Charters',
  model: 'Charter',
  dependencyOrder: 3,
  readOnly: true,
  statuses: STATUSES,
  moves: forward(...STATUSES),
  fields: {
    charter_type: oneOf('flight', 'yacht', 'bus', 'train'),
    starts_on: date,
    ends_on: date,
    pax_count: count,
    capacity: count,
    contract_number: string(60),
    deposit_amount: { ...money(), sees: 'money' },
    deposit_due_on: date,
    legs: list(legItems),
  },
  travel: ({ starts_on, legs }) => {
    const { on, to } = travelOfLegs(legs)
    return { on: textOrNull(starts_on) ?? on, to }
  },
  check: notBefore('starts_on', 'ends_on', 'A charter cannot end before it starts.'),
  sample: {
    rows: [
      {
        external_id: 'CH-1',
        charter_type: 'yacht',
        starts_on: '2026-07-01',
        ends_on: '2026-07-08',
        pax_count: 8,
        capacity: 10,
        customer_external_id: 'C-1001',
        currency: 'EUR',
        transaction_date: '2026-03-02',
        status: 'contracted',
        sell_lines: [{ kind: 'package_price', amount: '14000.00', vat_rate: '20' }],
      },
    ],
  },
})
