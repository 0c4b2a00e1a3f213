import { addUp, demoMoney, minus } from '../pieces/amounts.ts'
import { type Booked, makeTerms, nameOfBooking } from '../pieces/documents.ts'
import { type Row, repeat, withoutUndefined } from '../pieces/row.ts'
import { supplierOf, type World } from '../pieces/world.ts'
import { NOTES } from '../vocabulary.ts'

/** What a line of a bill is worth in its currency, about. */
const AMOUNTS: Readonly<Record<string, number>> = { TRY: 8200, JPY: 41000, KWD: 55, JOD: 130 }
const USUAL_AMOUNT = 210
const WITHHELD_PERCENT = 10

export function makeSupplierBills(world: World, bookings: readonly Booked[], count: number): Row[] {
  const named = bookings.filter(({ row }) => row.supplier_external_id !== undefined)
  return repeat(count, (at) => {
    const booking = named.length > 0 && world.random.chance(0.6) ? world.random.pick(named) : null
    return makeBill(world, booking, at)
  })
}

function makeBill(world: World, booking: Booked | null, at: number): Row {
  const { random } = world
  const supplier = booking?.row.supplier_external_id ?? supplierOf(world, ...OVERHEAD).row.external_id
  const currency = String(booking?.row.currency ?? 'TRY')
  const vat = random.pick([0, 10, 20])
  const lines = repeat(random.int(1, 3), (nth) => makeLine(world, nth === 0 ? booking : null, vat, currency))
  const total = addUp(currency, ...lines.flatMap(({ amount, quantity }) => repeat(quantity, () => amount)))
  const net = demoMoney(Number(total) / (1 + vat / 100), currency)
  const terms = makeTerms(world, Number(total), currency)
  return withoutUndefined({
    external_id: `SB-${80001 + at}`,
    bill_number: `${random.pick(['GER', 'FTR', 'INV', 'ABC2026'])}-${4471 + at}`,
    supplier_external_id: supplier,
    document_type: random.chance(0.05) ? 'credit_note' : 'invoice',
    ...terms,
    received_on: random.chance(0.5) ? terms.issued_on : undefined,
    currency,
    net_amount: net,
    vat_amount: addUp(currency, total, minus(net)),
    withholding_amount: random.chance(0.06) ? demoMoney((Number(net) * WITHHELD_PERCENT) / 100, currency) : undefined,
    total_amount: total,
    lines: random.chance(0.8) ? lines : undefined,
    notes: random.chance(0.1) ? random.pick(NOTES) : undefined,
  })
}

/** Creditors of an agency, besides those of its bookings. */
const OVERHEAD = ['insurance', 'transfer', 'car_rental', 'dmc']
const DESCRIPTIONS = ['Konaklama', 'Transfer hizmeti', 'Rehberlik', 'Poliçe bedeli', 'Double room', 'Service charge']

type Line = { readonly quantity: number; readonly amount: string } & Row
function makeLine({ random }: World, booking: Booked | null, vat: number, currency: string): Line {
  const amount = (AMOUNTS[currency] ?? USUAL_AMOUNT) * (0.4 + random.next() * 2)
  return {
    description: random.pick(DESCRIPTIONS),
    quantity: random.int(1, 5),
    amount: demoMoney(amount, currency),
    vat_rate: String(vat),
    ...(booking && nameOfBooking(booking)),
  }
}
