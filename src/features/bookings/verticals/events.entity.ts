import { money } from '../../../catalogue/amounts.ts'
import { notBefore } from '../../../catalogue/checks.ts'
import { count } from '../../../catalogue/count.ts'
import { required } from '../../../catalogue/entity.ts'
import { date, oneOf, string } from '../../../catalogue/kinds.ts'
import { list } from '../../../catalogue/lists.ts'
import { defineBooking } from '../define-booking.ts'
import { forward } from '../status.ts'
import { cityIn, textOrNull } from '../travel.ts'

const STATUSES = ['lead', 'planning', 'contracted', 'operating', 'completed', 'cancelled'] as const
const amount = { ...money(), sees: 'money' } as const

/** A meeting, a conference, a wedding: created only in the application. */
export const events = defineBooking({
  key: 'events',
  label: 'Events',
  model: 'EventProject',
  dependencyOrder: 3,
  readOnly: true,
  statuses: STATUSES,
  moves: forward(...STATUSES),
  opening: () => 'lead',
  fields: {
    title: required(string(200)),
    event_type: oneOf('meeting', 'incentive', 'conference', 'exhibition', 'wedding', 'other'),
    starts_on: date,
    ends_on: date,
    venue_name: string(200),
    city: string(100),
    country_code: string(2),
    estimated_guest_count: count,
    confirmed_guest_count: count,
    budget_amount: amount,
    vendors: list({ name: required(string(200)), service: string(200), status: string(40), note: string(500) }),
  },
  travel: ({ starts_on, city, country_code }) => ({
    on: textOrNull(starts_on),
    to: cityIn(textOrNull(city), textOrNull(country_code)),
  }),
  check: notBefore('starts_on', 'ends_on', 'An event cannot end before it starts.'),
  sample: {
    rows: [
      {
        external_id: 'EV-1',
        title: 'Meridyen annual meeting',
        event_type: 'meeting',
        starts_on: '2026-10-08',
        ends_on: '2026-10-10',
        venue_name: 'Grand Ege Resort',
        city: 'Bodrum',
        country_code: 'TR',
        estimated_guest_count: 120,
        customer_external_id: 'C-1002',
        currency: 'TRY',
        status: 'planning',
        budget_amount: '900000.00',
        vendors: [{ name: 'Ege Ses ve Işık', service: 'Sound', status: 'asked' }],
      },
    ],
  },
})
