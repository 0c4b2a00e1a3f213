import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Values } from '../../catalogue/read-cells.ts'
import { ALL_POLICIES } from '../../platform/access/policies.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { currencyDigits, fixed } from '../../platform/money.ts'
import { type GivenLine, type OwnLine, type Pricing, price, type RateOf } from './pricing.ts'
import { hotelStays } from './verticals/hotel-stays.entity.ts'

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
const ofRoom = (given: GivenLine): OwnLine => ({ ...given, origin: 'room' })
const noRates: RateOf = (from, to) => (from === to ? { rate: '1', day: null, source: null } : null)
const booking: fc.Arbitrary<Pricing> = fc.constantFrom(...CURRENCIES).chain((currency) =>
  fc.record({
    currency: fc.constant(currency),
    companyCurrency: fc.constant(currency),
    rate_basis: fc.constantFrom('net', 'commissionable', null),
    margin_mode: fc.constantFrom('percent', 'amount', null),
    margin_value: fc.option(fc.constantFrom('0', '5', '12.5', '100')),
    sell: fc.array(line(null), { maxLength: 4 }),
    cost: fc.array(line(currency), { maxLength: 4 }),
    own: fc.record({ sell: fc.array(line(null).map(ofRoom), { maxLength: 2 }), cost: fc.constant([]) }),
  }),
)
const ONE: GivenLine = {
  kind: 'x',
  amount: '1',
  quantity: 1,
  label: null,
  currency: null,
  vat_rate: null,
  tax_inclusive: true,
}
const of = (amount: string, quantity = 1, currency: string | null = null): GivenLine => ({
  ...ONE,
  amount,
  quantity,
  currency,
})
const BARE: Pricing = {
  currency: 'EUR',
  rate_basis: null,
  margin_mode: null,
  margin_value: null,
  sell: [],
  cost: [],
  companyCurrency: 'EUR',
  own: { sell: [], cost: [] },
}
const priced = (given: Pricing) => {
  const answer = price(given, noRates)
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
          given.own.sell.length,
          given.cost.length,
        ])
        const sells = given.sell.length + given.own.sell.length
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
          own: { sell: [], cost: [] },
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
  it('has no totals where a line is in another currency', () => {
    const foreign = { ...BARE, sell: [ONE, { ...ONE, currency: 'USD' }] }
    expect(price(foreign, noRates)).toMatchObject({ totals: null, companyTotals: null })
    expect(price({ ...BARE, companyCurrency: 'TRY', sell: [ONE] }, noRates)).toMatchObject({
      totals: { sell: '1' },
      companyTotals: null,
    })
  })
  it('adds the margin to what it costs, and takes the commission from what it is sold for', () => {
    const derived = (given: Partial<Pricing>) =>
      priced({ ...BARE, ...given })
        .lines.filter(({ origin }) => origin === 'derived')
        .map(({ side, kind, amount }) => `${side} ${kind} ${amount}`)
    const [net, commissionable] = [
      { rate_basis: 'net', cost: [ONE] },
      { rate_basis: 'commissionable', sell: [ONE] },
    ] as const
    const percent = { margin_mode: 'percent', margin_value: '12.5' } as const
    expect([derived({ ...net, ...percent }), derived({ ...commissionable, ...percent })]).toEqual([
      ['sell x 1.125'],
      ['cost x 0.875'],
    ])
    const flat = { margin_mode: 'amount', margin_value: '0.25' } as const
    expect([derived({ ...net, ...flat }), derived({ ...commissionable, ...flat })]).toEqual([
      ['sell x 1', 'sell margin 0.25'],
      ['cost x 1', 'cost commission -0.25'],
    ])
    const none = { margin_mode: 'amount', margin_value: null } as const
    expect([derived({ ...net, ...none }), derived({ ...commissionable, ...none })]).toEqual([
      ['sell x 1', 'sell margin 0'],
      ['cost x 1', 'cost commission 0'],
    ])
  })
  it.each<[string, Partial<Pricing>, boolean]>([
    ['a line of the largest amount', { sell: [of('999999999999999.99')] }, true],
    ['one that is the largest below zero', { sell: [of('-999999999999999.99')] }, true],
    ['a line of more', { sell: [of('999999999999999', 2)] }, false],
    ['a line that is rounded up to more', { sell: [of('999999999999999.995')] }, false],
    ['a line of less', { sell: [of('-999999999999999', 2)] }, false],
    ['lines that come to more', { sell: [of('500000000000000'), of('500000000000000')] }, false],
    ['lines that come to less', { sell: [of('-500000000000000'), of('-500000000000000')] }, false],
    ['lines that take from each other', { sell: [of('900000000000000'), of('-900000000000000')] }, true],
    ['a margin of more', { sell: [of('600000000000000')], cost: [of('-600000000000000')] }, false],
    [
      'a price of one that is more, of which there is none',
      { rate_basis: 'net', margin_value: '100', cost: [of('999999999999999', 0)] },
      false,
    ],
    [
      'an invoice of more for which there is no rate',
      { sell: [of('600000000000000', 1, 'USD'), of('600000000000000', 1, 'USD')] },
      false,
    ],
    ['such a bill below zero', { cost: [of('-600000000000000', 1, 'USD'), of('-600000000000000', 1, 'USD')] }, false],
    ['documents in two currencies', { sell: [of('600000000000000', 1, 'USD'), of('600000000000000', 1, 'GBP')] }, true],
    [
      'an invoice and a bill',
      { sell: [of('600000000000000', 1, 'USD')], cost: [of('600000000000000', 1, 'USD')] },
      true,
    ],
  ])('keeps what 15 digits before the point hold: %s', (_, given, kept) => {
    expect(price({ ...BARE, ...given }, noRates) !== null).toBe(kept)
  })
  it('keeps no total that a rate makes more than 15 digits hold', () => {
    const twice: RateOf = (from, to) => ({ rate: from === to ? '1' : '2', day: null, source: null })
    const given = { ...BARE, sell: [of('500000000000000')] }
    expect(price(given, twice)).not.toBeNull()
    expect(price({ ...given, companyCurrency: 'TRY' }, twice)).toBeNull()
  })
})

describe('a booking in other currencies than the company’s', () => {
  const RATES: Readonly<Record<string, string>> = {
    TRY: '1',
    EUR: '47.1234567891',
    JPY: '0.2712345678',
    KWD: '136.5',
    CLF: '1650.25',
  }
  const rateOf: RateOf = (from, to) => {
    if (from === to) return { rate: '1', day: null, source: null }
    return to === 'TRY' ? { rate: RATES[from] as string, day: '2026-03-02', source: 'tcmb' } : null
  }
  /** An independent oracle: exact fractions of ten-thousandths and rates of ten decimals, rounded once to whole kuruş. */
  const inLira = (amount: string, currency: string): bigint => {
    const [whole = '', decimals = ''] = (RATES[currency] as string).split('.')
    const exact = fixed(amount) * BigInt(whole + decimals.padEnd(10, '0'))
    const unit = 100n * 10n ** 10n
    const size = exact < 0n ? -exact : exact
    const rounded = ((2n * size + unit) / (2n * unit)) * 100n
    return exact < 0n ? -rounded : rounded
  }
  const mixed = fc.constantFrom(...CURRENCIES).chain((currency) =>
    fc.record({
      currency: fc.constant(currency),
      companyCurrency: fc.constant('TRY'),
      rate_basis: fc.constant(null),
      margin_mode: fc.constant(null),
      margin_value: fc.constant(null),
      sell: fc.array(fc.constantFrom(...CURRENCIES).chain(line), { maxLength: 4 }),
      cost: fc.array(fc.constantFrom(...CURRENCIES).chain(line), { maxLength: 4 }),
      own: fc.constant({ sell: [], cost: [] }),
    }),
  )
  it('has company totals that sum its lines at the rate that each keeps, each rounded once', () => {
    fc.assert(
      fc.property(mixed, (given) => {
        const answer = price(given, rateOf)
        if (!answer) return // exceeds the storable amount
        const { lines, companyTotals } = answer
        const total = (side: string, part: 'gross' | 'net') =>
          lines.reduce((sum, line) => (line.side === side ? sum + inLira(line[part], line.currency) : sum), 0n)
        expect(
          Object.fromEntries(Object.entries(companyTotals ?? {}).map(([name, text]) => [name, fixed(text)])),
        ).toEqual({
          sell: total('sell', 'gross'),
          cost: total('cost', 'gross'),
          margin: total('sell', 'net') - total('cost', 'net'),
          vat: total('sell', 'gross') - total('sell', 'net'),
        })
        for (const { currency, rate, rate_day, rate_source } of lines)
          expect([rate, rate_day, rate_source]).toEqual(
            currency === 'TRY' ? ['1', null, null] : [RATES[currency], '2026-03-02', 'tcmb'],
          )
      }),
    )
  })
})

describe('a line', () => {
  /** An independent oracle: exact fractions, rounded once, half away from zero, to the currency's digits. */
  const roundOnce = (over: bigint, under: bigint, digits: number): bigint => {
    const unit = 10n ** BigInt(4 - digits)
    const size = over < 0n ? -over : over
    const rounded = ((2n * size + under * unit) / (2n * under * unit)) * unit
    return over < 0n ? -rounded : rounded
  }
  const HUNDRED = 1_000_000n
  const parts = ({ net, vat, gross }: { net: string; vat: string; gross: string }) => [net, vat, gross].map(fixed)
  const alone = (currency: string, given: GivenLine): Pricing => ({
    currency,
    rate_basis: null,
    margin_mode: null,
    margin_value: null,
    sell: [given],
    cost: [],
    companyCurrency: currency,
    own: { sell: [], cost: [] },
  })
  const currencies = fc.constantFrom(...CURRENCIES, 'OMR')
  /** Rates of every number of decimals, and amounts small enough for halves to come often. */
  const rates = fc.oneof(
    fc.constantFrom('5', '5.5', '7.7', '8.875', '9.975', '18', '19.6', '20'),
    fc
      .integer({ min: 0, max: 9_999_999 })
      .map((rate) => `${Math.trunc(rate / 1e4)}.${String(rate % 1e4).padStart(4, '0')}`),
  )
  const amounts = fc.oneof(
    amount,
    fc.integer({ min: -99_999, max: 99_999 }).map((value) => {
      const digits = String(Math.abs(value)).padStart(5, '0')
      return `${value < 0 ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
    }),
  )
  const given = (tax_inclusive: boolean) =>
    fc.record({
      kind: fc.constant('service_fee'),
      amount: amounts,
      quantity: fc.integer({ min: 0, max: 30 }),
      label: fc.constant(null),
      currency: fc.constant(null),
      vat_rate: fc.option(rates),
      tax_inclusive: fc.constant(tax_inclusive),
    })

  it('that includes its VAT has net = gross ÷ (1 + rate), rounded once, and the rest is VAT', () => {
    fc.assert(
      fc.property(currencies, given(true), (currency, line) => {
        const digits = currencyDigits(currency)
        const gross = roundOnce(fixed(line.amount) * BigInt(line.quantity), 1n, digits)
        const net = roundOnce(gross * HUNDRED, HUNDRED + fixed(line.vat_rate ?? '0'), digits)
        const [priced] = price(alone(currency, line), noRates)?.lines ?? []
        expect(priced && parts(priced)).toEqual([net, gross - net, gross])
      }),
      { numRuns: 2000 },
    )
  })
  it('that excludes its VAT has VAT = net × rate, rounded once', () => {
    fc.assert(
      fc.property(currencies, given(false), (currency, line) => {
        const digits = currencyDigits(currency)
        const net = roundOnce(fixed(line.amount) * BigInt(line.quantity), 1n, digits)
        const vat = roundOnce(net * fixed(line.vat_rate ?? '0'), HUNDRED, digits)
        const [priced] = price(alone(currency, line), noRates)?.lines ?? []
        expect(priced && parts(priced)).toEqual([net, vat, net + vat])
      }),
      { numRuns: 5000 },
    )
  })
  it.each([
    ['EUR', '0.09', '5.5', '0'], // 0.00495
    ['EUR', '-0.09', '5.5', '0'],
    ['OMR', '0.009', '5', '0'], // 0.00045
    ['EUR', '0.1', '5', '0.01'], // 0.005
    ['EUR', '-0.1', '5', '-0.01'],
    ['JPY', '10', '5', '1'], // 0.5
  ])('of %s %s and %s percent has a VAT of %s, not rounded twice', (currency, amount, vat_rate, vat) => {
    const line = { kind: 'x', amount, quantity: 1, label: null, currency: null, vat_rate, tax_inclusive: false }
    expect(price(alone(currency, line), noRates)?.lines[0]?.vat).toBe(vat)
  })
  it('is mirrored by one of the opposite amount', () => {
    fc.assert(
      fc.property(currencies, fc.boolean().chain(given), (currency, line) => {
        const opposite = line.amount.startsWith('-') ? line.amount.slice(1) : `-${line.amount}`
        const [one] = price(alone(currency, line), noRates)?.lines ?? []
        const [other] = price(alone(currency, { ...line, amount: opposite }), noRates)?.lines ?? []
        expect(one && parts(one)).toEqual(other && parts(other).map((part) => -part))
      }),
    )
  })
})

describe('a stay’s rooms', () => {
  const complete = async (record: Values) => {
    const context = {
      currency: 'EUR',
      today: '2026-05-01',
      timeZone: 'UTC',
      now: '2026-05-01T00:00:00Z',
      policies: ALL_POLICIES,
    }
    const rules = await hotelStays.rules?.({} as AccountTx, [], { ...context, source: 'api' })
    if (!rules?.complete) throw new Error('stays are priced')
    return rules.complete(record, 'a')
  }
  it('cost their rate for each night, and their supplement where one person is in them', async () => {
    const room = fc.record({
      nightly_rate: fc.option(fc.constantFrom('180', '99.5')),
      single_supplement_amount: fc.option(fc.constantFrom('20', '7.25')),
      occupancy: fc.option(fc.integer({ min: 0, max: 3 })),
    })
    const stay = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.array(room, { maxLength: 4 }))
    await fc.assert(
      fc.asyncProperty(stay, async ([nights, rooms]) => {
        const check_out_on = Temporal.PlainDate.from('2026-03-20').add({ days: nights }).toString()
        const record = { check_in_on: '2026-03-20', check_out_on, rooms, status: 'draft' }
        const { children = [], columns = {} } = await complete(record)
        const expected = rooms.flatMap(({ nightly_rate, single_supplement_amount, occupancy }) => [
          ...(nightly_rate === null ? [] : [['room_rate', nightly_rate, nights]]),
          ...(single_supplement_amount === null || occupancy !== 1
            ? []
            : [['single_supplement', single_supplement_amount, nights]]),
        ])
        expect(children.map(({ kind, amount, quantity }) => [kind, amount, quantity])).toEqual(expected)
        const total = expected.reduce((sum, [, amount]) => sum + fixed(String(amount)) * BigInt(nights), 0n)
        expect(fixed(String(columns.sell_total))).toBe(total)
      }),
    )
  })
})
