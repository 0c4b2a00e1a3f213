import { describe, expect, it } from 'vitest'
import { decimal, money } from '../../catalogue/amounts.ts'
import { currency, string } from '../../catalogue/kinds.ts'
import { list } from '../../catalogue/lists.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import type { Stored } from '../../imports/importable.ts'
import { areSameLines, haveSamePrices } from './same-price.ts'

/** Items with amounts in the booking's currency and in one of their own, a share, and a list of amounts. */
const ITEMS = {
  name: string(10),
  fare: { ...money(), sees: 'money' as const },
  fee: { ...money('fee_currency'), sees: 'money' as const },
  fee_currency: currency,
  share: { ...decimal, sees: 'costs' as const },
  taxes: { ...list({ code: string(10), amount: money() }), sees: 'money' as const },
}
const ITEM: Values = {
  name: 'A',
  fare: '10',
  fee: '2',
  fee_currency: 'USD',
  share: '7.5',
  taxes: [{ code: 'YR', amount: '1' }],
}
const stored = (more: Values): Stored => ({ id: 'a', status: 'draft', currency: 'EUR', items: [ITEM], ...more })
const same = (item: Values, before: Values = ITEM) =>
  haveSamePrices(ITEMS, stored({ items: [before] }), 'items', [{ ...before, ...item }])

describe('the prices of items', () => {
  it.each<[string, Values]>([
    ['a name', { name: 'B' }],
    ['digits that are not shown', { fare: '10.001', fee: '1.999', taxes: [{ code: 'YR', amount: '1.0001' }] }],
  ])('stand where %s changes', (_, change) => expect(same(change)).toBe(true))
  it.each<[string, Values]>([
    ['a fare', { fare: '10.01' }],
    ['no fare', { fare: null }],
    ['a fee', { fee: '2.01' }],
    ['the currency of a fee', { fee_currency: 'GBP' }],
    ['the booking’s currency for a fee', { fee_currency: null }],
    ['a share', { share: '7.6' }],
    ['no share', { share: null }],
    ['a share that is rounded nowhere', { share: '7.501' }],
    ['a fare for a fee', { fare: '2', fee: '10', fee_currency: null }],
    ['a tax that has no amount', { taxes: [{ code: 'YR', amount: null }] }],
    ['a tax', { taxes: [{ code: 'YR', amount: '1.01' }] }],
    ['the code of a tax', { taxes: [{ code: 'YQ', amount: '1' }] }],
    ['one more tax', { taxes: [...(ITEM.taxes as Values[]), { code: 'YQ', amount: '1' }] }],
    ['no taxes', { taxes: null }],
  ])('are others with %s', (_, change) => expect(same(change)).toBe(false))
  it('are the same with the booking’s currency named or not, and with another for no amount', () => {
    expect(same({ fee_currency: 'EUR' }, { ...ITEM, fee_currency: null })).toBe(true)
    expect(same({ fee_currency: 'GBP' }, { ...ITEM, fee: null })).toBe(true)
  })
  it('are the same with items without any, and with no list for an empty one', () => {
    const free = { name: 'B' }
    expect(haveSamePrices(ITEMS, stored({}), 'items', [free, ITEM])).toBe(true)
    expect(haveSamePrices(ITEMS, stored({ items: null }), 'items', [free])).toBe(true)
    expect(haveSamePrices(ITEMS, stored({}), 'items', null)).toBe(false)
  })
  it('differ if a fare becomes a fee of the same amount', () => {
    const [fare, fee] = [{ fare: '10' }, { fee: '10' }]
    expect(haveSamePrices(ITEMS, stored({ items: [fare] }), 'items', [fee])).toBe(false)
    expect(haveSamePrices(ITEMS, stored({ items: [{ ...fare, share: '1' }] }), 'items', [{ ...fee, share: '1' }])).toBe(
      false,
    )
  })
  it('are rounded to the digits of the currency that they are in', () => {
    const yen = { ...ITEM, fee_currency: 'JPY', fee: '200' }
    expect([same({ fee: '200.4' }, yen), same({ fee: '200.5' }, yen)]).toEqual([true, false])
  })
})

describe('the price of lines', () => {
  const line: Values = { kind: 'x', amount: '1', label: null, vat_rate: null, tax_inclusive: true, quantity: 1 }
  it('is null without an amount, and empty without lines', () => {
    const record = stored({ sell_lines: [] })
    expect([areSameLines(record, 'sell_lines', null), areSameLines(record, 'sell_lines', [line])]).toEqual([
      true,
      false,
    ])
  })
})
