/**
 * Exact decimal arithmetic for amounts and rates on the language's own integers: a value is a bigint that counts
 * ten-thousandths, the four decimals that amounts have on the wire and in the database. A decimal library does the
 * same eight times slower, which an import of thousands of lines feels.
 */
export type Fixed = bigint

const DECIMALS = 4
const ONE: Fixed = 10_000n
const POWERS = [1n, 10n, 100n, 1_000n, 10_000n] as const

/** ISO 4217 minor units that are not 2; the runtime's own table (Intl) is wrong for 16 currencies. */
const DIGITS: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, Number(digits)])),
)
export const currencyDigits = (currency: string): number => DIGITS[currency] ?? 2

/** The text of an amount: 15 digits before the point, 4 after it. */
export const AMOUNT = /^-?\d{1,15}(?:\.\d{1,4})?$/
/** Reads what `AMOUNT` admits. */
export function fixed(text: string): Fixed {
  const point = text.indexOf('.')
  if (point < 0) return BigInt(text) * ONE
  const decimals = text.length - point - 1
  return BigInt(text.slice(0, point) + text.slice(point + 1)) * (POWERS[DECIMALS - decimals] as bigint)
}

/** As PostgreSQL prints `trim_scale(numeric)`: without trailing zeros. */
export function print(value: Fixed): string {
  const digits = String(value < 0n ? -value : value).padStart(DECIMALS + 1, '0')
  const decimals = digits.slice(-DECIMALS).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}${decimals && `.${decimals}`}`
}

/** Divides by a positive number, with halves rounded away from zero: bigint division truncates. */
const divide = (dividend: bigint, divisor: bigint): bigint =>
  (2n * dividend + (dividend < 0n ? -divisor : divisor)) / (2n * divisor)

/** Rounds half up (away from zero) to the given number of decimals. */
export function round(value: Fixed, digits: number): Fixed {
  const unit = POWERS[DECIMALS - digits] as bigint
  return divide(value, unit) * unit
}

/**
 * The percentage of a value, rounded once to the given number of decimals: `percentOf(fixed('200'), fixed('7.5'), 2)`
 * is 15.
 */
export function percentOf(value: Fixed, percent: Fixed, digits = DECIMALS): Fixed {
  const unit = POWERS[DECIMALS - digits] as bigint
  return divide(value * percent, 100n * ONE * unit) * unit
}

/**
 * The value without the percentage that it includes: `value / (1 + percent / 100)`, rounded to the given number of
 * decimals.
 */
export function withoutPercent(value: Fixed, percent: Fixed, digits: number): Fixed {
  const unit = POWERS[DECIMALS - digits] as bigint
  return divide(value * 100n * ONE, (100n * ONE + percent) * unit) * unit
}

const RATE_DECIMALS = 10
/**
 * The value at an exchange rate, a decimal string of at most 10 decimals, rounded once to the given number of decimals.
 */
export function atRate(value: Fixed, rate: string, digits: number): Fixed {
  const [whole = '0', decimals = ''] = rate.split('.')
  const scaled = BigInt(whole + decimals.padEnd(RATE_DECIMALS, '0'))
  const unit = POWERS[DECIMALS - digits] as bigint
  return divide(value * scaled, 10n ** BigInt(RATE_DECIMALS) * unit) * unit
}
