import type { Fixed } from '../../src/platform/money.ts'
import type { Booking } from './bookings.ts'
import type { Books } from './books.ts'
import { inDigits, invoicesOf, maybeMoney, type Payable, payablesOf, text } from './documents.ts'
import type { Item } from './item.ts'
import { brought } from './rates.ts'
import { partiesOf, type Recomputed } from './recomputed.ts'

type Part = { readonly rate: string | null; readonly treatment: string; readonly net: Fixed; readonly vat: Fixed }
type Taxed = {
  readonly side: 'sell' | 'cost'
  readonly taxPointOn: string
  readonly of: Parameters<typeof partiesOf>[1]
  readonly sign: bigint
  readonly parts: readonly Part[]
}

const sales = (books: Books): Taxed[] =>
  invoicesOf(books).map((invoice) => ({
    side: 'sell',
    taxPointOn: invoice.taxPointOn,
    of: { ...invoice, supplier: null },
    sign: 1n,
    parts: invoice.lines.map(({ vat_rate, net, vat }) =>
      partOf(vat_rate, maybeMoney(net) ?? 0n, maybeMoney(vat) ?? 0n),
    ),
  }))
const partOf = (rate: string | null, net: Fixed, vat: Fixed): Part => ({
  rate: rate === null ? null : plain(rate),
  treatment: rate === null ? 'none' : 'rated',
  net,
  vat,
})
/** A percentage as printed in reports, without trailing zeros. */
const plain = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/0+$/, '').replace(/\.$/, '') : decimal

const purchases = (books: Books): Taxed[] =>
  payablesOf(books)
    .filter(({ kind, status }) => kind === 'supplier_bill' && status !== 'draft' && status !== 'void')
    .map((bill) => ({
      side: 'cost',
      taxPointOn: bill.issued_on,
      of: { ...bill, customer: null },
      sign: bill.document_type === 'credit_note' && (maybeMoney(bill.total_amount) ?? 0n) > 0n ? -1n : 1n,
      parts: partsOfBill(bill),
    }))

/** By line, if the lines state net and VAT and add up to the bill's own; otherwise as a whole. */
function partsOfBill(bill: Payable): Part[] {
  const [net, vat, total] = [bill.net_amount, bill.vat_amount, bill.total_amount].map(maybeMoney)
  const withheld = maybeMoney(bill.withholding_amount)
  const isStated = net !== null || vat !== null
  const tax = vat ?? (withheld === null && net !== null ? (total ?? 0n) - (net ?? 0n) : 0n)
  const whole = { net: net ?? (total ?? 0n) - tax, vat: tax }
  const lines = (bill.lines ?? []).map((line) => ({
    rate: text(line.vat_rate),
    net: maybeMoney(line.net_amount),
    vat: maybeMoney(line.vat_amount),
  }))
  const sum = (part: 'net' | 'vat') => lines.reduce((all, line) => all + (line[part] ?? 0n), 0n)
  const isByLine =
    lines.length > 0 &&
    lines.every((line) => line.net !== null && line.vat !== null) &&
    sum('net') + sum('vat') === whole.net + whole.vat &&
    (!isStated || sum('vat') === whole.vat)
  const digits = (amount: Fixed) => inDigits(amount, bill.currency)
  if (isByLine) return lines.map(({ rate, net: of, vat: with_ }) => partOf(rate, digits(of ?? 0n), digits(with_ ?? 0n)))
  const rates = new Set(lines.map(({ rate }) => rate))
  const [only = null] = rates.size === 1 && isStated ? [...rates] : []
  const treatment = only !== null ? 'rated' : !isStated ? 'not_stated' : whole.vat === 0n ? 'none' : 'mixed'
  return [{ rate: only && plain(only), treatment, net: digits(whole.net), vat: digits(whole.vat) }]
}

/** The rate that a booking’s lines of the currency were priced at. */
function rateOfBooking(booking: Booking, side: Taxed['side'], currency: string): string | null {
  return booking.lines.find((line) => line.side === side && line.currency === currency)?.rate ?? null
}

export const vatSummary: Recomputed = {
  items: (books) =>
    [...sales(books), ...purchases(books)].flatMap(({ side, taxPointOn, of, sign, parts }): Item[] => {
      const { about, groups, names } = partiesOf(books, of)
      const base = String(books.companies.get(of.company_id)?.currency)
      const rate =
        of.currency === base
          ? '1'
          : of.booking
            ? rateOfBooking(of.booking, side, of.currency)
            : books.rateOf(of.currency, base, taxPointOn)
      const byRate = Map.groupBy(parts, (part) => `${part.rate} ${part.treatment}`)
      return [...byRate.values()].map((same): Item => {
        const [{ rate: vatRate, treatment } = { rate: null, treatment: '' }] = same
        const add = (of: (part: Part) => Fixed) => sign * same.reduce((sum, part) => sum + of(part), 0n)
        const net = add((part) => part.net)
        const gross = add((part) => part.net + part.vat)
        const inBase = rate !== null && {
          net: add((part) => brought(part.net, rate, base) ?? 0n),
          gross: add((part) => brought(part.net + part.vat, rate, base) ?? 0n),
        }
        return {
          currency: of.currency,
          about,
          groups: {
            company: groups.company,
            currency: groups.currency,
            vat_rate: [vatRate],
            treatment: [treatment],
          },
          dates: { transaction: taxPointOn },
          cells: { company: names.company, company_id: of.company_id, vat_rate: vatRate, treatment },
          sums: sidesOf(side, net, gross),
          base: inBase ? { currency: base, sums: sidesOf(side, inBase.net, inBase.gross) } : null,
        }
      })
    }),
  sum: (_, of) => ({ documents: of.length }),
}

/** What a part adds to the sums of both sides. */
function sidesOf(side: Taxed['side'], net: Fixed, gross: Fixed) {
  const [own, none] = [
    { net, vat: gross - net, gross },
    { net: 0n, vat: 0n, gross: 0n },
  ]
  const [sold, bought] = side === 'sell' ? [own, none] : [none, own]
  return {
    ...sold,
    purchase_net: bought.net,
    purchase_vat: bought.vat,
    purchase_gross: bought.gross,
    vat_due: sold.vat - bought.vat,
  }
}
