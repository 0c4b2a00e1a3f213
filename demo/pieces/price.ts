import type { Random } from '../random.ts'
import { amountIn, demoMoney } from './amounts.ts'
import type { Row } from './row.ts'

type Article = {
  readonly kind: string
  /** What one is sold for, about. */
  readonly unit: number
  readonly quantity: number
  readonly currency: string
  readonly label?: string
  readonly vat?: string
}
/** Share of the price that the agency pays. */
export const COST = 0.82
export const aboutAs = (random: Random, amount: number): number => amount * (0.8 + random.next() * 0.5)

/**
 * The pricing methods of agencies: cost plus margin, price minus commission, or both sides given. Some buy or charge in
 * a currency other than the sale's.
 */
export function priceOf(random: Random, { kind, unit, quantity, currency, label, vat }: Article): Row {
  const price = aboutAs(random, unit)
  const line = (amount: number, of = currency): Row => ({
    kind,
    ...(label !== undefined && { label }),
    amount: demoMoney(amount, of),
    quantity,
    ...(of !== currency && { currency: of }),
    ...(vat !== undefined && random.chance(0.7) && { vat_rate: vat, tax_inclusive: random.chance(0.8) }),
  })
  const flat = random.chance(0.3)
  const margin = (usual: readonly string[]): Row =>
    flat
      ? { margin_mode: 'amount', margin_value: demoMoney(price * quantity * 0.1, currency) }
      : { margin_mode: 'percent', margin_value: random.pick(usual) }
  const way = random.int(0, 2)
  if (way === 0) return { rate_basis: 'net', ...margin(['8', '10', '12.5', '15']), cost_lines: [line(price * COST)] }
  if (way === 1) return { rate_basis: 'commissionable', ...margin(['8', '10', '12']), sell_lines: [line(price)] }
  const bought = random.chance(0.12) ? random.pick(['EUR', 'USD', 'TRY']) : currency
  return {
    sell_lines: [line(price), ...feeOf(random, price * quantity, currency)],
    cost_lines: [line(amountIn(price * COST, currency, bought), bought)],
  }
}

/** The agency's own fee, now and then in the currency of its office. */
export function feeOf(random: Random, price: number, currency: string): Row[] {
  if (!random.chance(0.4)) return []
  const of = random.chance(0.1) ? 'TRY' : currency
  const amount = demoMoney(amountIn(price * 0.04, currency, of), of)
  return [{ kind: 'service_fee', amount, ...(of !== currency && { currency: of }), vat_rate: '20' }]
}
