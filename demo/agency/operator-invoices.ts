import { addUp, demoMoney, minus } from '../pieces/amounts.ts'
import { type Booked, makeTerms, nameOfBooking } from '../pieces/documents.ts'
import { type Row, repeat, withoutUndefined } from '../pieces/row.ts'
import { supplierOf, type World } from '../pieces/world.ts'
import { NOTES } from '../vocabulary.ts'

/** What a trip is worth in its currency, about. */
const GROSS: Readonly<Record<string, number>> = { TRY: 42000, JPY: 260000, KWD: 290, JOD: 680 }
const USUAL_GROSS = 1150

/** Most invoices of operators name the booking that they are for. */
export function makeOperatorInvoices(world: World, bookings: readonly Booked[], count: number): Row[] {
  const named = bookings.filter(({ row }) => row.status !== 'draft' && row.supplier_external_id !== undefined)
  return repeat(count, (at) => {
    const booking = named.length > 0 && world.random.chance(0.7) ? world.random.pick(named) : null
    return makeInvoice(world, booking, at)
  })
}

function makeInvoice(world: World, booking: Booked | null, at: number): Row {
  const { random } = world
  const supplier = booking?.row.supplier_external_id ?? supplierOf(world, 'tour_operator', 'dmc').row.external_id
  const currency = String(booking?.row.currency ?? random.pick(['TRY', 'EUR', 'EUR', 'USD']))
  const amount = (GROSS[currency] ?? USUAL_GROSS) * (0.4 + random.next() * 2)
  const [gross, commission] = [demoMoney(amount, currency), demoMoney(amount * 0.1, currency)]
  const commissionVat = demoMoney(Number(commission) * 0.2, currency)
  const net = addUp(currency, gross, minus(commission), minus(commissionVat))
  return withoutUndefined({
    external_id: `OI-${70001 + at}`,
    invoice_number: `TO-2026-${String(117 + at).padStart(5, '0')}`,
    document_type: random.chance(0.05) ? 'credit_note' : 'invoice',
    supplier_external_id: supplier,
    ...(booking ? forBooking(booking) : { pax_count: random.int(1, 4) }),
    operator_reference: random.chance(0.5) ? `OP${random.digits(6)}` : undefined,
    currency,
    gross_amount: gross,
    commission_rate: random.chance(0.3) ? '10' : undefined,
    commission_amount: commission,
    commission_vat_amount: commissionVat,
    net_amount: net,
    total_amount: net,
    ...makeTerms(world, Number(net), currency),
    lines: random.chance(0.3) ? [{ description: 'Paket tur', quantity: 1, amount: gross, vat_rate: '20' }] : undefined,
    notes: random.chance(0.1) ? random.pick(NOTES) : undefined,
  })
}

/** What the invoice repeats of its booking. */
function forBooking(booking: Booked): Row {
  const { row } = booking
  const [traveler] = (row.travelers ?? []) as Row[]
  return {
    ...nameOfBooking(booking),
    customer_external_id: row.customer_external_id,
    departure_on: row.check_in_on ?? row.embark_on,
    return_on: row.check_out_on ?? row.disembark_on,
    lead_passenger_name: traveler && `${traveler.first_name} ${traveler.last_name}`,
    pax_count: row.guest_count,
  }
}
