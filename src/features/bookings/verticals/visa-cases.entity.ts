import { money } from '../../../catalogue/amounts.ts'
import { pii, required } from '../../../catalogue/entity.ts'
import { boolean, date, datetime, oneOf, string } from '../../../catalogue/kinds.ts'
import { list } from '../../../catalogue/lists.ts'
import type { Values } from '../../../catalogue/read-cells.ts'
import { defineBooking } from '../define-booking.ts'
import { personItems } from '../person-items.ts'
import { type OwnLine, PLAIN_LINE } from '../pricing.ts'
import { forward } from '../status.ts'
import { textOrNull } from '../travel.ts'

const STATUSES = [
  'draft',
  'documents_pending',
  'ready',
  'submitted',
  'appointment_scheduled',
  'in_process',
  'approved',
  'rejected',
  'delivered',
  'closed',
  'cancelled',
] as const
const fee = { ...money(), sees: 'money' } as const

/** A visa application: created only in the application. */
export const visaCases = defineBooking({
  key: 'visa_cases',
  label: 'Visa cases',
  model: 'VisaCase',
  dependencyOrder: 3,
  readOnly: true,
  statuses: STATUSES,
  moves: forward(...STATUSES),
  without: ['travelers'],
  travelersIn: 'applicants',
  priceFields: ['fee_amount', 'service_fee_amount'],
  fields: {
    destination_country: string(60),
    visa_type: oneOf('tourist', 'business', 'student', 'work', 'transit', 'family', 'medical', 'other'),
    entry_type: oneOf('single', 'double', 'multiple'),
    travel_on: date,
    return_on: date,
    submitted_on: date,
    appointment_at: datetime,
    decided_on: date,
    visa_number: pii(string(40)),
    valid_from: date,
    valid_until: date,
    fee_amount: { ...fee, note: 'Fee of the consulate; passed on to the customer at cost.' },
    service_fee_amount: fee,
    applicants: pii(
      list({
        ...personItems,
        first_name: required(personItems.first_name),
        last_name: required(personItems.last_name),
      }),
    ),
    documents: list({ name: required(string(200)), required: boolean, status: string(40) }),
  },
  travel: ({ travel_on, destination_country }) => ({ on: textOrNull(travel_on), to: textOrNull(destination_country) }),
  rules: () => ({ lines: feeLines }),
  sample: {
    rows: [
      {
        external_id: 'V-1',
        destination_country: 'GB',
        visa_type: 'tourist',
        entry_type: 'multiple',
        travel_on: '2026-06-12',
        return_on: '2026-06-19',
        customer_external_id: 'C-1001',
        currency: 'EUR',
        transaction_date: '2026-03-02',
        fee_amount: '135.00',
        service_fee_amount: '60.00',
        status: 'documents_pending',
        applicants: [{ first_name: 'Ayşe', last_name: 'Yılmaz', nationality: 'TR', passport_number: 'U12345678' }],
        documents: [{ name: 'Passport', required: true, status: 'received' }],
      },
    ],
  },
})

function feeLines({ fee_amount, service_fee_amount }: Values): { sell: OwnLine[]; cost: OwnLine[] } {
  const line = (kind: string, amount: unknown): OwnLine[] =>
    typeof amount === 'string' ? [{ ...PLAIN_LINE, origin: 'fee', kind, amount }] : []
  const consulate = line('visa_fee', fee_amount)
  return { sell: [...consulate, ...line('service_fee', service_fee_amount)], cost: consulate }
}
