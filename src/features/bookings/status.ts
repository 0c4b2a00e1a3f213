import type { Issue } from '../../catalogue/kind.ts'
import type { Values } from '../../catalogue/read-cells.ts'

/** The states of a booking and the moves between them; every other move is refused. */
export type Machine = {
  readonly moves: Readonly<Record<string, readonly string[]>>
  /** The states in which a booking with an invoice date is invoiced: confirmed, and whatever comes after. */
  readonly firm: ReadonlySet<string>
}
export const CANCELLED = 'cancelled'

/** Why a state cannot be reached from another, with those that can. */
export function moveRefused(moves: Machine['moves'], from: string, to: string, at: string): Issue[] {
  const allowed = moves[from] ?? []
  if (allowed.includes(to)) return []
  return [{ at, code: 'invalid_transition', message: `What is ${from} cannot become ${to}.`, allowed }]
}

/** The states of a service that takes place: a transfer, a tour. */
export const inProgress = {
  statuses: ['draft', 'option', 'confirmed', 'in_progress', 'completed', 'cancelled', 'no_show'],
  machine: {
    moves: {
      draft: ['option', 'confirmed', 'cancelled'],
      option: ['draft', 'confirmed', 'cancelled'],
      confirmed: ['in_progress', 'cancelled', 'no_show'],
      in_progress: ['completed'],
    },
    firm: new Set(['confirmed', 'in_progress', 'completed', 'no_show']),
  },
} satisfies { statuses: readonly [string, ...string[]]; machine: Machine }

/** The moves of what goes forward in the listed order, and to cancelled from any state but the last. */
export function forward(...states: readonly string[]): Machine['moves'] {
  const open = states.filter((state) => state !== CANCELLED)
  return Object.fromEntries(open.slice(0, -1).map((state, at) => [state, [...open.slice(at + 1), CANCELLED]] as const))
}

export type Invoicing = 'invoiced' | 'open' | 'no_customer'

/** Whether a booking is invoiced: firm, with an invoice date, and with somebody to invoice. */
export function invoicing({ firm }: Machine, booking: Values): Invoicing {
  if (!firm.has(String(booking.status)) || !booking.invoice_date) return 'open'
  return booking.customer_id ? 'invoiced' : 'no_customer'
}

const issue = (at: string, message: string): Issue => ({ at, code: 'not_invoiced', message })
/** What keeps a booking with an invoice date, or its cost, from being invoiced. */
export function notInvoiced(state: Invoicing, { supplier_id, cost_total }: Values): Issue[] {
  if (state === 'no_customer')
    return [issue('customer_external_id', 'The booking has an invoice date and no customer to invoice.')]
  const costs = cost_total === null || Number(cost_total) !== 0 // unknown for want of a rate
  return state === 'invoiced' && !supplier_id && costs
    ? [
        issue(
          'supplier_external_id',
          'The customer is invoiced; the cost has no supplier, so no supplier bill is posted.',
        ),
      ]
    : []
}
