import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AMOUNT, atRate, currencyDigits, type Fixed, fixed, percentOf, print, round, withoutPercent } from './money.ts'

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
        expect(percentOf(amount, rate, digits)).toBe(roundFraction(amount * rate, 1_000_000n, unitOf(digits)))
        expect(withoutPercent(amount, rate, digits)).toBe(
          roundFraction(amount * 1_000_000n, 1_000_000n + rate, unitOf(digits)),
        )
      }),
    )
    expect(print(withoutPercent(fixed('100'), fixed('18'), 2))).toBe('84.75')
  })
  it('are brought to another currency as exact fractions are, by rates of up to ten decimals', () => {
    const rate = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 16n }), fc.integer({ min: 0, max: 10 }))
    fc.assert(
      fc.property(value, rate, digits, (amount, [over, decimals], digits) => {
        const digitsOfRate = String(over).padStart(decimals + 1, '0')
        const [whole, rest] = [digitsOfRate.slice(0, digitsOfRate.length - decimals), digitsOfRate.slice(-decimals)]
        const text = decimals === 0 ? whole : `${whole}.${rest}`
        expect(atRate(amount, text, digits)).toBe(roundFraction(amount * over, 10n ** BigInt(decimals), unitOf(digits)))
      }),
    )
    expect([print(atRate(fixed('10'), '47.125', 2)), print(atRate(fixed('1'), '.5', 2))]).toEqual(['471.25', '0.5'])
  })
  it('have at most 15 digits before the point and 4 after it', () => {
    for (const text of ['0', '-1', '999999999999999.9999', '1.5'])
      expect([text, AMOUNT.test(text)]).toEqual([text, true])
    for (const text of [
      '',
      '-',
      '+1',
      '.5',
      '5.',
      '1.23456',
      '1234567890123456',
      'x1',
      '1x',
      '1.x',
      '1\n',
      '1e3',
      '1,5',
    ])
      expect([text, AMOUNT.test(text)]).toEqual([text, false])
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
