import { currencyDigits, type Fixed, percentOf } from '../../src/platform/money.ts'
import { absolute, type Books, brought, type Cells, cents, type Item, type Line, money, rateOn, text } from './books.ts'

const NOT_SOLD = ['draft', 'option', 'cancelled', 'void']
/** What each booking of a window brings; those without amounts add nothing. */
export function margins({ bookings }: Books, from: string, to: string): Item[] {
  const sold = bookings.filter(
    (b) => !NOT_SOLD.includes(text(b.status)) && text(b.transaction_date) >= from && text(b.transaction_date) <= to,
  )
  return sold.flatMap((b) => {
    const sums = (currency: string, rateOf: (line: Line) => string | null) => {
      const sum = (side: string, part: string) =>
        b.lines
          .filter((line) => line.side === side)
          .reduce<Fixed | null>((total, line) => {
            const more = brought(money(line[part]), line.currency === currency ? '1' : rateOf(line), currency)
            return total === null || more === null ? null : total + more
          }, 0n)
      const [sell, sellNet, cost, costNet] = [
        sum('sell', 'gross'),
        sum('sell', 'net'),
        sum('cost', 'gross'),
        sum('cost', 'net'),
      ]
      return sell === null || sellNet === null || cost === null || costNet === null
        ? null
        : { sell, vat: sell - sellNet, sell_net: sellNet, cost, margin: sellNet - costNet }
    }
    const [currency, base] = [text(b.currency), text(b.company_currency)]
    const own = sums(currency, (line) => rateOn(line.currency, currency, text(b.transaction_date)))
    const unknown = { sell: null, vat: null, sell_net: null, cost: null, margin: null }
    return [
      {
        currency,
        base,
        keys: { customer: b.customer_id ?? null, record: b.id },
        own: own ?? {},
        inBase: sums(base, (line) => line.rate) ?? unknown,
      },
    ]
  })
}

/** The expected commission of sales or issues in a window. */
export function commissions({ bookings, operators, companies }: Books, from: string, to: string): Item[] {
  const item = (record: Cells, day: string, net: Fixed, of: Fixed, source: string): Item[] => {
    if (net === 0n && of === 0n) return []
    const [currency, base] = [text(record.currency), text(companies.get(text(record.company_id)))]
    const rate = rateOn(currency, base, day)
    const [baseNet, baseGross] = [brought(net, rate, base), brought(net + of, rate, base)]
    return [
      {
        currency,
        base,
        keys: { source, supplier: record.supplier_id ?? null },
        own: { commission: net, commission_vat: of, commission_gross: net + of },
        inBase: {
          commission: baseNet,
          commission_vat: baseNet === null || baseGross === null ? null : baseGross - baseNet,
          commission_gross: baseGross,
        },
      },
    ]
  }
  const isIn = (day: string) => day >= from && day <= to
  const isValid = ({ status, deleted_at }: Cells) => status !== 'void' && !deleted_at
  const named = new Set(
    operators
      .filter((each) => isValid(each) && each.document_type === 'invoice' && each.commission_amount)
      .map(({ booking_id }) => booking_id),
  )
  const sold = bookings
    .filter((b) => !NOT_SOLD.includes(text(b.status)) && isIn(text(b.transaction_date)))
    .flatMap((b) => {
      if (b.entity === 'tickets')
        return item(
          b,
          text(b.transaction_date),
          b.passengers.reduce((sum, each) => sum + commissionOf(each, text(b.currency)), 0n),
          0n,
          'ticket_sale',
        )
      if (b.rate_basis !== 'commissionable' || named.has(b.id) || !b.sell_total) return []
      const gross = money(b.sell_total) - money(b.cost_total)
      return gross === 0n
        ? []
        : item(b, text(b.transaction_date), money(b.margin_total), gross - money(b.margin_total), 'booking')
    })
  const stated = operators
    .filter((each) => isValid(each) && isIn(text(each.issued_on)) && money(each.commission_amount) !== 0n)
    .flatMap((each) => {
      const signed = (amount: Fixed) => (each.document_type === 'credit_note' ? -absolute(amount) : amount)
      return item(
        each,
        text(each.issued_on),
        signed(cents(each.commission_amount, each.currency)),
        signed(cents(each.commission_vat_amount, each.currency)),
        'operator_invoice',
      )
    })
  return [...sold, ...stated]
}
/** No refund of these books states a recall, so all of it is recalled. */
function commissionOf(
  { document_status, commission_amount, commission_rate, equivalent_fare, base_fare }: Cells,
  currency: string,
): Fixed {
  if (document_status === 'void' || document_status === 'refunded') return 0n
  if (commission_amount) return money(commission_amount)
  return percentOf(money(equivalent_fare ?? base_fare), money(commission_rate), currencyDigits(currency))
}
