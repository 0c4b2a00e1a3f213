import { currencyDigits, type Fixed, round } from '../../src/platform/money.ts'
import { type Books, brought, type Cells, type Item, money, rateOn, text } from './books.ts'

type Part = { readonly rate: string | null; readonly treatment: string; readonly net: Fixed; readonly vat: Fixed }
/** The VAT whose tax point is in a window: of sales by line, of bills as they state it. */
export function vat({ invoices, bills, bookings, companies }: Books, from: string, to: string): Item[] {
  const isIn = ({ tax_point_on, issued_on }: Cells) => {
    const day = text(tax_point_on ?? issued_on)
    return day >= from && day <= to
  }
  const rateOf = (document: Cells, side: string, base: string): string | null => {
    if (!document.booking_id) return rateOn(text(document.currency), base, text(document.issued_on))
    const booking = bookings.find(({ id }) => id === document.booking_id)
    return booking?.lines.find((line) => line.side === side && line.currency === document.currency)?.rate ?? null
  }
  const item =
    (document: Cells, side: 'sell' | 'cost') =>
    ({ rate, treatment, net, vat }: Part): Item => {
      const base = text(companies.get(text(document.company_id)))
      const at = rateOf(document, side, base)
      const [baseNet, baseGross] = [brought(net, at, base), brought(net + vat, at, base)]
      const baseVat = baseNet === null || baseGross === null ? null : baseGross - baseNet
      const sides = <T>(mine: [T, T, T], none: T, due: T) => {
        const [sales, purchases] = side === 'sell' ? [mine, [none, none, none]] : [[none, none, none], mine]
        const [names, bought] = [
          ['net', 'vat', 'gross'],
          ['purchase_net', 'purchase_vat', 'purchase_gross'],
        ]
        return Object.fromEntries([
          ...names.map((name, at) => [name, sales[at]]),
          ...bought.map((name, at) => [name, purchases[at]]),
          ['vat_due', due],
        ])
      }
      const sign = side === 'sell' ? 1n : -1n
      return {
        currency: text(document.currency),
        base,
        keys: { company: document.company_id ?? null, rate: rate === null ? null : String(Number(rate)), treatment },
        own: sides([net, vat, net + vat], 0n, sign * vat),
        inBase: sides<Fixed | null>(
          [baseNet, baseVat, baseGross],
          baseGross === null ? null : 0n,
          baseVat === null ? null : sign * baseVat,
        ),
      }
    }
  const sold = invoices.filter(isIn).flatMap((invoice) =>
    invoice.lines
      .map(
        (line): Part => ({
          rate: line.vat_rate ?? null,
          treatment: line.vat_rate ? 'rated' : 'none',
          net: money(line.net),
          vat: money(line.vat),
        }),
      )
      .map(item(invoice, 'sell')),
  )
  const bought = bills
    .filter((bill) => isIn(bill) && !['draft', 'void'].includes(text(bill.status)) && !bill.deleted_at)
    .flatMap((bill) => partsOf(bill).map(inCents(bill)).map(item(bill, 'cost')))
  return [...sold, ...bought]
}

const inCents =
  ({ currency }: Cells) =>
  ({ net, vat, ...part }: Part): Part => {
    const digits = currencyDigits(text(currency))
    return { ...part, net: round(net, digits), vat: round(vat, digits) }
  }
function partsOf(bill: Books['bills'][number]): Part[] {
  const sign = bill.document_type === 'credit_note' && money(bill.total_amount) > 0n ? -1n : 1n
  const isStated = Boolean(bill.net_amount ?? bill.vat_amount)
  const vat = bill.vat_amount
    ? money(bill.vat_amount)
    : bill.net_amount && !bill.withholding_amount
      ? money(bill.total_amount) - money(bill.net_amount)
      : 0n
  const net = bill.net_amount ? money(bill.net_amount) : money(bill.total_amount) - vat
  const lines = bill.lines ?? []
  const sum = (name: string) => lines.reduce((total, line) => total + money(line[name]), 0n)
  const isDetailed = lines.length > 0 && lines.every((line) => line.net_amount && line.vat_amount)
  if (isDetailed && sum('net_amount') + sum('vat_amount') === net + vat && (!isStated || sum('vat_amount') === vat))
    return lines.map((line) => ({
      rate: line.vat_rate ?? null,
      treatment: line.vat_rate ? 'rated' : 'none',
      net: sign * money(line.net_amount),
      vat: sign * money(line.vat_amount),
    }))
  const rates = new Set(lines.map(({ vat_rate }) => vat_rate ?? null))
  const [rate = null] = rates.size === 1 && isStated ? rates : []
  const treatment = rate !== null ? 'rated' : !isStated ? 'not_stated' : vat === 0n ? 'none' : 'mixed'
  return [{ rate, treatment, net: sign * net, vat: sign * vat }]
}
