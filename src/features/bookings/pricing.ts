import {
  atRate,
  currencyDigits,
  type Fixed,
  fixed,
  percentOf,
  print,
  round,
  withoutPercent,
} from '../../platform/money.ts'

/** A line as a row gives it. Decimals are strings; `amount` is the price of one unit. */
export type GivenLine = {
  readonly kind: string
  readonly amount: string
  readonly quantity: number
  readonly label: string | null
  readonly currency: string | null
  /** Percent; null for no VAT. */
  readonly vat_rate: string | null
  readonly tax_inclusive: boolean
}
export type Side = 'sell' | 'cost'
/** The origin of a line: the row's own line, another of its fields, or the booking's margin. */
export const LINE_ORIGINS = ['given', 'room', 'extra', 'passenger', 'fee', 'derived'] as const
export type LineOrigin = (typeof LINE_ORIGINS)[number]
/** A line that follows from fields of the vertical, such as a stay's rooms. */
export type OwnLine = GivenLine & { readonly origin: LineOrigin }
export type PricedLine = Omit<GivenLine, 'currency'> & {
  readonly side: Side
  readonly origin: LineOrigin
  readonly currency: string
  readonly net: string
  readonly vat: string
  readonly gross: string
  /** Units of the company's currency for one unit of the line's, and the source of the rate; null without a rate. */
  readonly rate: string | null
  readonly rate_day: string | null
  readonly rate_source: string | null
}
export type Pricing = {
  readonly currency: string
  readonly companyCurrency: string
  readonly rate_basis: 'net' | 'commissionable' | null
  readonly margin_mode: 'percent' | 'amount' | null
  readonly margin_value: string | null
  readonly sell: readonly GivenLine[]
  readonly cost: readonly GivenLine[]
  readonly own: { readonly sell: readonly OwnLine[]; readonly cost: readonly OwnLine[] }
}
/** A rate as a decimal string, its day and its publisher; day and source are null if none was needed. */
export type AnchorRate = { readonly rate: string; readonly day: string | null; readonly source: string | null }
/** The rate between two currencies on the booking's anchor day; null if unknown. */
export type RateOf = (from: string, to: string) => AnchorRate | null
/** In one currency; `sell` and `cost` are gross. */
export type Totals = { readonly sell: string; readonly cost: string; readonly margin: string; readonly vat: string }
export type Priced = {
  readonly lines: readonly PricedLine[]
  /** In the booking's currency, and in the company's; null where lines of another currency have no rate. */
  readonly totals: Totals | null
  readonly companyTotals: Totals | null
}

/** No line may be worth more than the columns hold: 15 digits before the point. */
const LARGEST: Fixed = 10n ** 19n
/** One of something in the booking's currency, without VAT. */
export const PLAIN_LINE = { quantity: 1, label: null, currency: null, vat_rate: null, tax_inclusive: true } as const

/**
 * The lines of a booking, each rounded half-up to its currency's digits, and its totals, which are sums of rounded
 * lines. `net` basis: cost is given and sell derived from it by the margin; `commissionable` is the reverse. Given
 * lines are kept, and those of the vertical's own fields count as given. Null if a line or total exceeds the storable
 * amount.
 */
export function price(booking: Pricing, rateOf: RateOf): Priced | null {
  const sell = [...booking.sell.map(as('given')), ...booking.own.sell]
  const cost = [...booking.cost.map(as('given')), ...booking.own.cost]
  if (booking.rate_basis === 'net' && sell.length === 0) sell.push(...withMargin(booking, cost).map(as('derived')))
  if (booking.rate_basis === 'commissionable' && cost.length === 0)
    cost.push(...withoutCommission(booking, sell).map(as('derived')))
  const lines = [
    ...sell.map((line) => priceLine('sell', line, booking, rateOf)),
    ...cost.map((line) => priceLine('cost', line, booking, rateOf)),
  ]
  const totals = totalsOf(lines, booking.currency, rateOf)
  const companyTotals = totalsOf(lines, booking.companyCurrency, rateOf)
  const amounts = [
    ...lines.flatMap(({ amount, gross }) => [amount, gross]),
    ...Object.values(totals ?? {}),
    ...Object.values(companyTotals ?? {}),
  ]
  return [...amounts.map(fixed), ...documentSums(lines)].every(fits) ? { lines, totals, companyTotals } : null
}

/** Invoice totals, a side in one currency, are summed even without an exchange rate. */
function documentSums(lines: readonly PricedLine[]): readonly Fixed[] {
  const sums = new Map<string, Fixed>()
  for (const { side, currency, gross } of lines) {
    const key = `${side} ${currency}`
    sums.set(key, (sums.get(key) ?? 0n) + fixed(gross))
  }
  return [...sums.values()]
}

const fits = (value: Fixed): boolean => value < LARGEST && value > -LARGEST

const as =
  (origin: LineOrigin) =>
  (line: GivenLine): OwnLine => ({ ...line, origin })

function withMargin({ margin_mode, margin_value }: Pricing, cost: readonly GivenLine[]): GivenLine[] {
  const value = margin_value ?? '0'
  if (margin_mode === 'amount')
    return cost.length > 0 ? [...cost, { ...PLAIN_LINE, kind: 'margin', amount: value }] : []
  return cost.map((line) => ({
    ...line,
    amount: print(fixed(line.amount) + percentOf(fixed(line.amount), fixed(value))),
  }))
}

function withoutCommission({ margin_mode, margin_value }: Pricing, sell: readonly GivenLine[]): GivenLine[] {
  const value = margin_value ?? '0'
  if (margin_mode === 'amount')
    return sell.length > 0 ? [...sell, { ...PLAIN_LINE, kind: 'commission', amount: print(-fixed(value)) }] : []
  return sell.map((line) => ({
    ...line,
    amount: print(fixed(line.amount) - percentOf(fixed(line.amount), fixed(value))),
  }))
}

/** Inclusive: net = gross ÷ (1 + rate) and VAT the rest. Exclusive: VAT = net × rate. */
function priceLine(side: Side, line: OwnLine, booking: Pricing, rateOf: RateOf): PricedLine {
  const currency = line.currency ?? booking.currency
  const digits = currencyDigits(currency)
  const total = round(fixed(line.amount) * BigInt(line.quantity), digits)
  const vatRate = line.vat_rate === null ? 0n : fixed(line.vat_rate)
  const net = line.tax_inclusive ? withoutPercent(total, vatRate, digits) : total
  const gross = line.tax_inclusive ? total : total + percentOf(total, vatRate, digits)
  const rate = rateOf(currency, booking.companyCurrency)
  return {
    ...line,
    side,
    currency,
    net: print(net),
    vat: print(gross - net),
    gross: print(gross),
    rate: rate?.rate ?? null,
    rate_day: rate?.day ?? null,
    rate_source: rate?.source ?? null,
  }
}

/** Each line is converted separately: its gross and net are rounded, and its VAT is the difference. */
function totalsOf(lines: readonly PricedLine[], currency: string, rateOf: RateOf): Totals | null {
  const digits = currencyDigits(currency)
  const sums = { sell: { gross: 0n, net: 0n }, cost: { gross: 0n, net: 0n } }
  for (const line of lines) {
    const rate = line.currency === currency ? null : rateOf(line.currency, currency)
    if (line.currency !== currency && rate === null) return null
    const inCurrency = (part: string) => (rate === null ? fixed(part) : atRate(fixed(part), rate.rate, digits))
    sums[line.side].gross += inCurrency(line.gross)
    sums[line.side].net += inCurrency(line.net)
  }
  return {
    sell: print(sums.sell.gross),
    cost: print(sums.cost.gross),
    margin: print(sums.sell.net - sums.cost.net),
    vat: print(sums.sell.gross - sums.sell.net),
  }
}
