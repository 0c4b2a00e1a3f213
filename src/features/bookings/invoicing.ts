import type { Issue } from '../../catalogue/kind.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import { stateMeaning } from './reads/booking-states.ts'

export type Invoicing = 'invoiced' | 'open' | 'no_customer'

/** Whether a booking is invoiced: sold, with an invoice date and a customer. */
export function invoicing(booking: Values): Invoicing {
  if (stateMeaning(String(booking.status))?.sale !== 'sold' || !booking.invoice_date) return 'open'
  return booking.customer_id ? 'invoiced' : 'no_customer'
}

const issue = (at: string, message: string): Issue => ({ at, code: 'not_invoiced', message })
/** Why a booking with an invoice date, or its cost, is not invoiced. */
export function notInvoiced(state: Invoicing, { supplier_id, cost_total }: Values): Issue[] {
  if (state === 'no_customer')
    return [issue('customer_external_id', 'The booking has an invoice date but no customer, so it was not invoiced.')]
  const costs = cost_total === null || Number(cost_total) !== 0 // unknown without a rate
  return state === 'invoiced' && !supplier_id && costs
    ? [
        issue(
          'supplier_external_id',
          'The customer was invoiced, but no supplier bill was posted, because the booking has no supplier.',
        ),
      ]
    : []
}
