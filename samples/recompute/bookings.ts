import { currencyDigits, type Fixed, fixed, percentOf, round, withoutPercent } from '../../src/platform/money.ts'
import { brought, type RateOf } from './rates.ts'
import { type Leg, travelOf } from './travel.ts'

type Linked = { readonly id: string; readonly external_id: string | null; readonly name: string | null }
/** A record as the feed shows it. */
export type Fed = {
  readonly id: string
  readonly entity: string
  readonly status: string
  readonly external_id: string | null
  readonly source_system: string | null
  readonly company_id: string
  readonly branch_id: string | null
  readonly customer: Linked | null
  readonly supplier: Linked | null
  readonly currency: string
} & Readonly<Record<string, unknown>>
/** A document of a ticket sale. */
export type Passenger = Readonly<Record<string, string | null>> & {
  readonly taxes: readonly { readonly code: string; readonly amount: string }[] | null
  readonly conjunction_ticket_numbers: readonly string[] | null
}
export type FedLine = {
  readonly net: string
  readonly gross: string
  readonly currency: string
  readonly vat_rate: string | null
  readonly tax_inclusive: boolean
  readonly rate: string | null
}
export type FedBooking = Fed & {
  readonly assigned_to_email: string | null
  readonly transaction_date: string
  readonly invoice_date: string | null
  readonly option_date: string | null
  readonly rate_basis: string | null
  readonly invoiced: boolean
  readonly tour_departure?: { readonly id: string } | null
  readonly guest_count?: number | null
  readonly passengers?: readonly Passenger[]
  readonly legs?: readonly Leg[] | null
  readonly refunds?: readonly Readonly<Record<string, string | null>>[] | null
  readonly sell_lines?: readonly FedLine[] | null
  readonly cost_lines?: readonly FedLine[] | null
}
export type Line = {
  readonly side: 'sell' | 'cost'
  readonly currency: string
  readonly net: Fixed
  readonly gross: Fixed
  /** In the company's currency. */
  readonly rate: string | null
}
export type Amounts = { readonly sell: Fixed; readonly vat: Fixed; readonly cost: Fixed; readonly margin: Fixed }
/** A booking with its price, worked out anew from amounts, quantities and rates. */
export type Booking = FedBooking & {
  readonly lines: readonly Line[]
  readonly own: Amounts | null
  readonly company: { readonly currency: string; readonly amounts: Amounts | null }
  readonly advisor: { readonly id: string; readonly name: string } | null
  readonly travelsOn: string | null
  readonly leadsTo: string | null
}

type Around = {
  readonly companies: ReadonlyMap<string, { readonly currency: string }>
  readonly seats: ReadonlyMap<string, { readonly id: string; readonly name: string }>
  readonly rateOf: RateOf
  readonly zone: string
  /** When departures of tours start. */
  readonly starts: ReadonlyMap<string, string | null>
}

export function priced(fed: FedBooking, { companies, seats, rateOf, zone, starts }: Around): Booking {
  const currency = String(companies.get(fed.company_id)?.currency)
  const day = fed.transaction_date
  const lines = fed.passengers
    ? linesOfDocuments(fed.passengers, fed.currency, rateOf(fed.currency, currency, day))
    : [
        ...(fed.sell_lines ?? []).map((line) => lineOf('sell', line)),
        ...(fed.cost_lines ?? []).map((line) => lineOf('cost', line)),
      ]
  const { on, to } = travelOf(fed, zone)
  return {
    ...fed,
    lines,
    own: amountsOf(lines, fed.currency, (line) => rateOf(line.currency, fed.currency, day)),
    company: { currency, amounts: amountsOf(lines, currency, ({ rate }) => rate) },
    advisor: seats.get(fed.assigned_to_email ?? '') ?? null,
    travelsOn: fed.tour_departure ? (starts.get(fed.tour_departure.id) ?? null) : on,
    leadsTo: to,
  }
}

/** VAT is included or added. Unit prices may have more decimals than the feed shows, so whole lines are used. */
function lineOf(side: Line['side'], { net, gross, currency, vat_rate, tax_inclusive, rate }: FedLine): Line {
  const digits = currencyDigits(currency)
  const given = fixed(tax_inclusive ? gross : net)
  const percent = fixed(vat_rate ?? '0')
  return tax_inclusive
    ? { side, currency, rate, gross: given, net: withoutPercent(given, percent, digits) }
    : { side, currency, rate, gross: given + percentOf(given, percent, digits), net: given }
}

/** The sums of lines that were each brought to a currency; null where one has no rate. */
function amountsOf(lines: readonly Line[], currency: string, rateOf: (line: Line) => string | null): Amounts | null {
  const parts = lines.map((line) => {
    const rate = line.currency === currency ? '1' : rateOf(line)
    return { side: line.side, gross: brought(line.gross, rate, currency), net: brought(line.net, rate, currency) }
  })
  if (parts.some(({ gross }) => gross === null)) return null
  const sum = (side: Line['side'], part: 'gross' | 'net') =>
    parts.filter((line) => line.side === side).reduce((total, line) => total + (line[part] ?? 0n), 0n)
  const [sell, cost, sellNet] = [sum('sell', 'gross'), sum('cost', 'gross'), sum('sell', 'net')]
  return { sell, vat: sell - sellNet, cost, margin: sellNet - sum('cost', 'net') }
}

const amount = (cell: string | null | undefined): Fixed => fixed(cell ?? '0')
/** The amounts of a document of a ticket sale. */
export function documentOf(passenger: Passenger, currency: string) {
  const fare = amount(passenger.equivalent_fare ?? passenger.base_fare)
  const taxes = (passenger.taxes ?? []).reduce((sum, tax) => sum + fixed(tax.amount), 0n)
  const commission = passenger.commission_amount
    ? fixed(passenger.commission_amount)
    : percentOf(fare, amount(passenger.commission_rate), currencyDigits(currency))
  return {
    fare,
    taxes,
    total: passenger.total ? fixed(passenger.total) : fare + taxes,
    commission,
    fee: amount(passenger.service_fee),
    penalty: amount(passenger.penalty),
    discount: amount(passenger.discount),
    status: passenger.document_status ?? 'open',
  }
}

/** The lines of a ticket sale, which the feed does not show: one for each part and tax code over all its documents. */
function linesOfDocuments(passengers: readonly Passenger[], currency: string, rate: string | null): Line[] {
  const parts = new Map<string, Fixed>()
  const add = (part: string, value: Fixed) => parts.set(part, (parts.get(part) ?? 0n) + value)
  for (const passenger of passengers) {
    const { fare, taxes, total, commission, fee, penalty, discount } = documentOf(passenger, currency)
    const isWhole = !passenger.equivalent_fare && !passenger.base_fare && (passenger.taxes ?? []).length === 0
    add('both fare', isWhole ? total : fare)
    for (const tax of passenger.taxes ?? []) add(`both tax ${tax.code}`, fixed(tax.amount))
    if (!isWhole) add('both rest', total - fare - taxes)
    add('sell fee', fee)
    add('sell penalty', penalty)
    add('sell discount', -discount)
    add('cost commission', -commission)
  }
  return [...parts].flatMap(([part, value]): Line[] => {
    const gross = round(value, currencyDigits(currency))
    const line = { currency, net: gross, gross, rate }
    const sides = part.startsWith('both') ? (['sell', 'cost'] as const) : [part.slice(0, 4) as Line['side']]
    return gross === 0n ? [] : sides.map((side) => ({ side, ...line }))
  })
}
