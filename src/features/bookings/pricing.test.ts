import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencyDigits, fixed } from '../../platform/money.ts'
import { type GivenLine, type Pricing, price } from './pricing.ts'

const CURRENCIES = ['TRY', 'EUR', 'JPY', 'KWD', 'CLF']
const amount = fc
  .tuple(fc.boolean(), fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 0, max: 9999 }))
  .map(([negative, whole, rest]) => `${negative ? '-' : ''}${whole}.${String(rest).padStart(4, '0')}`)
const rate = fc.option(fc.constantFrom('0', '1', '8', '10', '18', '20', '7.5', '19.6'))
const line = (currency: string | null): fc.Arbitrary<GivenLine> =>
  fc.record({
    kind: fc.constantFrom('room_rate', 'service_fee'),
    amount,
    quantity: fc.integer({ min: 0, max: 30 }),
    label: fc.constant(null),
    currency: fc.constant(currency),
    vat_rate: rate,
    tax_inclusive: fc.boolean(),
  })
const booking: fc.Arbitrary<Pricing> = fc.constantFrom(...CURRENCIES).chain((currency) =>
  fc.record({
    currency: fc.constant(currency),
    rate_basis: fc.constantFrom('net', 'commissionable', null),
    margin_mode: fc.constantFrom('percent', 'amount', null),
    margin_value: fc.option(fc.constantFrom('0', '5', '12.5', '100')),
    sell: fc.array(line(null), { maxLength: 4 }),
    cost: fc.array(line(currency), { maxLength: 4 }),
    rooms: fc.array(line(null), { maxLength: 2 }),
  }),
)
const priced = (given: Pricing) => {
  const answer = price(given)
  if (!answer) throw new Error('too large')
  return answer
}
const sum = (amounts: readonly string[]) => amounts.reduce((total, text) => total + fixed(text), 0n)

describe('pricing', () => {
  it('has net + VAT = gross on every line, each in its currency’s digits', () => {
    fc.assert(
      fc.property(booking, (given) => {
        for (const { net, vat, gross, currency } of priced(given).lines) {
          expect(fixed(net) + fixed(vat)).toBe(fixed(gross))
          for (const part of [net, vat, gross])
            expect(part.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(currencyDigits(currency))
        }
      }),
    )
  })
  it('has totals that are sums of the rounded lines, and a margin of net sell less net cost', () => {
    fc.assert(
      fc.property(booking, (given) => {
        const { lines, totals } = priced(given)
        const [sell, cost] = [lines.filter(({ side }) => side === 'sell'), lines.filter(({ side }) => side === 'cost')]
        expect([totals?.sell, totals?.cost, totals?.vat, totals?.margin].map((text) => fixed(text as string))).toEqual([
          sum(sell.map(({ gross }) => gross)),
          sum(cost.map(({ gross }) => gross)),
          sum(sell.map(({ vat }) => vat)),
          sum(sell.map(({ net }) => net)) - sum(cost.map(({ net }) => net)),
        ])
      }),
    )
  })
  it('lets given lines stand, and derives a side only where the basis asks for it and none is given', () => {
    fc.assert(
      fc.property(booking, (given) => {
        const { lines } = priced(given)
        const count = (side: string, origin: string) =>
          lines.filter((line) => line.side === side && line.origin === origin).length
        expect([count('sell', 'given'), count('sell', 'room'), count('cost', 'given')]).toEqual([
          given.sell.length,
          given.rooms.length,
          given.cost.length,
        ])
        const sells = given.sell.length + given.rooms.length
        if (given.rate_basis !== 'net' || sells > 0 || given.cost.length === 0) expect(count('sell', 'derived')).toBe(0)
        else expect(count('sell', 'derived')).toBe(given.cost.length + (given.margin_mode === 'amount' ? 1 : 0))
        if (given.rate_basis !== 'commissionable' || given.cost.length > 0 || sells === 0)
          expect(count('cost', 'derived')).toBe(0)
        else expect(count('cost', 'derived')).toBe(sells + (given.margin_mode === 'amount' ? 1 : 0))
      }),
    )
  })
  it('is nothing but a copy without a margin, and gives a flat margin whole', () => {
    fc.assert(
      fc.property(booking, fc.constantFrom('net', 'commissionable'), (given, rate_basis) => {
        const bare = {
          ...given,
          rate_basis,
          margin_mode: null,
          margin_value: null,
          rooms: [],
          ...(rate_basis === 'net' ? { sell: [] } : { cost: [] }),
        } as Pricing
        const { totals } = priced(bare)
        expect(totals?.sell).toBe(totals?.cost)
        expect(totals?.margin).toBe('0')
        const flat = priced({ ...bare, margin_mode: 'amount', margin_value: '25' }).totals
        const moved = bare.sell.length + bare.cost.length === 0 ? '0' : '25'
        expect(flat?.margin).toBe(moved)
      }),
    )
  })
  it('has no totals where a line is in another currency, and no price where a line is too large', () => {
    const one: GivenLine = {
      kind: 'x',
      amount: '1',
      quantity: 1,
      label: null,
      currency: null,
      vat_rate: null,
      tax_inclusive: true,
    }
    const base: Pricing = {
      currency: 'EUR',
      rate_basis: null,
      margin_mode: null,
      margin_value: null,
      sell: [],
      cost: [],
      rooms: [],
    }
    expect(price({ ...base, sell: [one, { ...one, currency: 'USD' }] })?.totals).toBeNull()
    expect(price({ ...base, sell: [{ ...one, amount: '999999999999999', quantity: 2 }] })).toBeNull()
    expect(
      price({ ...base, sell: Array.from({ length: 3 }, () => ({ ...one, amount: '500000000000000' })) }),
    ).toBeNull()
  })
})
