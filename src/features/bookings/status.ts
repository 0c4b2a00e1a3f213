/** The states of a booking and the moves between them; every other move is refused. */
export type Machine = {
  readonly moves: Readonly<Record<string, readonly string[]>>
  /** The states in which a booking with an invoice date is invoiced: confirmed, and whatever comes after. */
  readonly firm: ReadonlySet<string>
}
export const CANCELLED = 'cancelled'

export const isMove = ({ moves }: Machine, from: string, to: string): boolean => moves[from]?.includes(to) ?? false

/** Whether a booking is invoiced: firm, with an invoice date, and with somebody to invoice. */
export function invoicing(
  machine: Machine,
  booking: { status: unknown; invoice_date: unknown; customer_id: unknown },
): 'invoiced' | 'no_customer' | 'open' {
  if (!machine.firm.has(String(booking.status)) || !booking.invoice_date) return 'open'
  return booking.customer_id ? 'invoiced' : 'no_customer'
}
