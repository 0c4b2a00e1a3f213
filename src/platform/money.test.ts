import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencyDigits, type Fixed, fixed, percentOf, print, round, withoutPercent } from './money.ts'

const value = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n })
const percent = fc.bigInt({ min: 0n, max: 9_990_000n })
const digits = fc.integer({ min: 0, max: 4 })
/** An independent oracle: rounds a fraction half away from zero to a multiple of the unit. */
const roundFraction = (over: bigint, under: bigint, unit: bigint): Fixed => {
  const size = over < 0n ? -over : over
  const whole = size / (under * unit)
  const rest = size - whole * under * unit
  const rounded = (2n * rest >= under * unit ? whole + 1n : whole) * unit
  return over < 0n ? -rounded : rounded
}
const unitOf = (digits: number) => 10n ** BigInt(4 - digits)

describe('amounts', () => {
  it('read and print to the same text, without zeros that say nothing', () => {
    fc.assert(
      fc.property(value, (amount) => {
        expect(fixed(print(amount))).toBe(amount)
        expect(print(amount)).toMatch(/^(0|-?(0|[1-9]\d*)(\.\d{0,3}[1-9])?)$/)
      }),
    )
    expect(['007.50', '-0.0', '1', '12.3456'].map((text) => print(fixed(text)))).toEqual(['7.5', '0', '1', '12.3456'])
  })
  it('round halves away from zero, for both signs and every number of digits', () => {
    fc.assert(
      fc.property(value, digits, (amount, digits) => {
        expect(round(amount, digits)).toBe(roundFraction(amount, 1n, unitOf(digits)))
        expect(round(-amount, digits)).toBe(-round(amount, digits))
      }),
    )
    expect([round(fixed('2.5'), 0), round(fixed('-2.5'), 0), round(fixed('1.005'), 2)].map(print)).toEqual([
      '3',
      '-3',
      '1.01',
    ])
  })
  it('take a percentage, and what includes it apart, as exact fractions do', () => {
    fc.assert(
      fc.property(value, percent, digits, (amount, rate, digits) => {
        expect(percentOf(amount, rate)).toBe(roundFraction(amount * rate, 1_000_000n, 1n))
        expect(withoutPercent(amount, rate, digits)).toBe(
          roundFraction(amount * 1_000_000n, 1_000_000n + rate, unitOf(digits)),
        )
      }),
    )
    expect(print(withoutPercent(fixed('100'), fixed('18'), 2))).toBe('84.75')
  })
})

describe('currencies', () => {
  it('have the digits of ISO 4217, also where the runtime’s own table has others', () => {
    const digits: Readonly<Record<number, string>> = {
      0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
      2: 'EUR TRY USD AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK MRU PKR SOS SYP YER',
      3: 'BHD IQD JOD KWD LYD OMR TND',
      4: 'CLF UYW',
    }
    for (const [count, codes] of Object.entries(digits))
      for (const code of codes.split(' ')) expect([code, currencyDigits(code)]).toEqual([code, Number(count)])
  })
})
