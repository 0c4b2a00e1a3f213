import { currencyDigits, type Fixed, fixed, percentOf, print, round, withoutPercent } from '../../platform/money.ts'

/** A line as a row gives it. Decimals are strings; `amount` is the price of one unit. */
export type GivenLine = {
  readonly kind: string
  readonly amount: string
  readonly quantity: number
  readonly label: string | null
  readonly currency: string | null
  /** Percent; null is no VAT. */
  readonly vat_rate: string | null
  readonly tax_inclusive: boolean
}
export type Side = 'sell' | 'cost'
/** By whom a line was made: the row, one of its rooms, or the booking's margin. */
type LineOrigin = 'given' | 'room' | 'derived'
export type PricedLine = Omit<GivenLine, 'currency'> & {
  readonly side: Side
  readonly origin: LineOrigin
  readonly currency: string
  readonly net: string
  readonly vat: string
  readonly gross: string
}
export type Pricing = {
  readonly currency: string
  readonly rate_basis: 'net' | 'commissionable' | null
  readonly margin_mode: 'percent' | 'amount' | null
  readonly margin_value: string | null
  readonly sell: readonly GivenLine[]
  readonly cost: readonly GivenLine[]
  readonly rooms: readonly GivenLine[]
}
/** In the booking's currency; null where lines of another currency have no rate. `sell` and `cost` are gross. */
export type Totals = { readonly sell: string; readonly cost: string; readonly margin: string; readonly vat: string }
export type Priced = { readonly lines: readonly PricedLine[]; readonly totals: Totals | null }

/** No line may be worth more than the columns hold: 15 digits before the point. */
const LARGEST: Fixed = 10n ** 19n
const MARGIN = { quantity: 1, label: null, currency: null, vat_rate: null, tax_inclusive: true } as const

/**
 * The lines of a booking, each rounded half-up to its currency's digits, and its totals, which are sums of rounded
 * lines. `net` basis: cost is given and sell derived from it by the margin; `commissionable` is the reverse. Lines
 * that are given stand, and those of rooms count as given. Null where a line is worth more than can be kept.
 */
export function price(booking: Pricing): Priced | null {
  const sell: [LineOrigin, GivenLine][] = [...booking.sell.map(as('given')), ...booking.rooms.map(as('room'))]
  const cost = booking.cost.map(as('given'))
  if (booking.rate_basis === 'net' && sell.length === 0)
    sell.push(...withMargin(booking, booking.cost).map(as('derived')))
  if (booking.rate_basis === 'commissionable' && cost.length === 0) {
    cost.push(
      ...withoutCommission(
        booking,
        sell.map(([, line]) => line),
      ).map(as('derived')),
    )
  }
  const lines = [
    ...sell.map(([origin, line]) => priceLine('sell', origin, line, booking.currency)),
    ...cost.map(([origin, line]) => priceLine('cost', origin, line, booking.currency)),
  ]
  if (lines.some((line) => line === null)) return null
  const totals = totalsOf(lines as PricedLine[], booking.currency)
  return totals && !Object.values(totals).every(fits) ? null : { lines: lines as PricedLine[], totals }
}

const fits = (amount: string): boolean => fixed(amount) < LARGEST && fixed(amount) > -LARGEST

const as =
  (origin: LineOrigin) =>
  (line: GivenLine): [LineOrigin, GivenLine] => [origin, line]

function withMargin({ margin_mode, margin_value }: Pricing, cost: readonly GivenLine[]): GivenLine[] {
  const value = margin_value ?? '0'
  if (margin_mode === 'amount') return cost.length > 0 ? [...cost, { ...MARGIN, kind: 'margin', amount: value }] : []
  return cost.map((line) => ({
    ...line,
    amount: print(fixed(line.amount) + percentOf(fixed(line.amount), fixed(value))),
  }))
}

function withoutCommission({ margin_mode, margin_value }: Pricing, sell: readonly GivenLine[]): GivenLine[] {
  const value = margin_value ?? '0'
  if (margin_mode === 'amount')
    return sell.length > 0 ? [...sell, { ...MARGIN, kind: 'commission', amount: print(-fixed(value)) }] : []
  return sell.map((line) => ({
    ...line,
    amount: print(fixed(line.amount) - percentOf(fixed(line.amount), fixed(value))),
  }))
}

/** Inclusive: net = gross ÷ (1 + rate) and VAT the rest. Exclusive: VAT = net × rate. */
function priceLine(side: Side, origin: LineOrigin, line: GivenLine, bookingCurrency: string): PricedLine | null {
  const currency = line.currency ?? bookingCurrency
  const digits = currencyDigits(currency)
  const total = round(fixed(line.amount) * BigInt(line.quantity), digits)
  const rate = line.vat_rate === null ? 0n : fixed(line.vat_rate)
  const net = line.tax_inclusive ? withoutPercent(total, rate, digits) : total
  const gross = line.tax_inclusive ? total : total + percentOf(total, rate, digits)
  const priced = { ...line, side, origin, currency, net: print(net), vat: print(gross - net), gross: print(gross) }
  return fits(priced.amount) && fits(priced.gross) ? priced : null
}

function totalsOf(lines: readonly PricedLine[], currency: string): Totals | null {
  if (lines.some((line) => line.currency !== currency)) return null
  const sum = (side: Side, part: 'net' | 'vat' | 'gross') =>
    lines.reduce((total, line) => (line.side === side ? total + fixed(line[part]) : total), 0n)
  return {
    sell: print(sum('sell', 'gross')),
    cost: print(sum('cost', 'gross')),
    margin: print(sum('sell', 'net') - sum('cost', 'net')),
    vat: print(sum('sell', 'vat')),
  }
}
