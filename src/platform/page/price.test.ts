import { describe, expect, it, vi } from 'vitest'
import { CUSTOMS } from './language.ts'
import { priceText } from './price.ts'

describe('a price on a page', () => {
  it.each([
    ['1234.50', 'EUR', 'en', '€1,234.50'],
    ['1234.50', 'EUR', 'tr', '€1.234,50'],
    ['-5.00', 'GBP', 'en', '-£5.00'],
    ['1235', 'JPY', 'en', 'JP¥1,235'],
    ['1.500', 'KWD', 'en', 'KWD\u00a01.500'],
    ['999999999999999.99', 'EUR', 'en', '€999,999,999,999,999.99'],
  ] as const)('of %s %s, in %s, is %s', (amount, currency, language, text) => {
    expect(priceText(amount, currency, CUSTOMS[language])).toBe(text)
  })
  it('has the digits that the amount has, whatever the runtime thinks of its currency', () => {
    expect(['5', '5.0', '5.00', '5.000'].map((amount) => priceText(amount, 'EUR', CUSTOMS.en))).toEqual([
      '€5',
      '€5.0',
      '€5.00',
      '€5.000',
    ])
  })
  it.each(['', 'EURO', 'xEUR', 'EU', 'eur', '€'])('in an unknown currency, %j, is written unchanged', (currency) => {
    expect(priceText('5.00', currency, CUSTOMS.en)).toBe(`5.00 ${currency}`)
  })
  it('is written by a writer that is kept, and no more than a hundred are', async () => {
    vi.resetModules() // none is stored yet
    const { priceText } = await import('./price.ts')
    const makes = vi.spyOn(Intl, 'NumberFormat')
    const codes = Array.from({ length: 101 }, (_, nth) => `Q${String.fromCharCode(65 + (nth % 20), 65 + nth / 20)}`)
    const madeFor = (some: readonly string[]) => {
      const before = makes.mock.calls.length
      for (const code of some) priceText('5.00', code, CUSTOMS.en)
      return makes.mock.calls.length - before
    }
    const hundred = codes.slice(0, 100)
    expect([madeFor(hundred), madeFor(hundred), madeFor(codes.slice(100)), madeFor(hundred)]).toEqual([100, 0, 1, 100])
    makes.mockRestore()
  })
})
