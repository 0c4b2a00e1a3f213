import fc from 'fast-check'

export const CURRENCIES = [
  { code: 'TRY', decimals: 2 },
  { code: 'EUR', decimals: 2 },
  { code: 'KWD', decimals: 3 },
  { code: 'JPY', decimals: 0 },
] as const
export const AIRLINES = [
  { code: 'TK', numeric: '235', name: 'TURKISH AIRLINES' },
  { code: 'LH', numeric: '220', name: 'DEUTSCHE LUFTHANSA AG' },
  { code: 'UA', numeric: '016', name: 'UNITED AIRLINES' },
] as const
export const LAST_NAMES = ['YILMAZ', 'OZTURK', 'SCHMIDT', 'VAN DER BERG', 'O CONNOR', 'LI']
export const FIRST_NAMES = ['AYSE', 'MEHMET', 'ANNA MARIA', 'CAN']
export const PLACES = ['IST', 'FRA', 'KWI', 'HND', 'EWR', 'ESB']
export const TAX_CODES = ['TR', 'M6', 'YR', 'YQ', 'DE', 'RA', 'UA', 'GZ']
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** How far ahead a reservation can be. */
export const FURTHEST_DAYS = 330
const MOST_UNITS = 900

export const after = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
/** Days of several years, so that later dates cross New Year and a leap day. */
export const anyDay = fc.integer({ min: 0, max: 1_400 }).map((days) => after('2024-11-01', days))
export const anyTime = fc
  .integer({ min: 0, max: 1439 })
  .map((minutes) => new Date(minutes * MINUTE_MS).toISOString().slice(11, 16))
export const anySerial = fc.integer({ min: 100, max: 9_999_999_999 }).map((number) => String(number).padStart(10, '0'))

export const anyAmount = (decimals: number): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max: MOST_UNITS * 10 ** decimals }).map((units) => {
    const digits = String(units).padStart(decimals + 1, '0')
    return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  })

const digitsOf = (amount: string): bigint => BigInt(amount.replace('.', ''))
function printed(digits: bigint, like: string): string {
  const decimals = like.split('.')[1]?.length ?? 0
  const padded = String(digits).padStart(decimals + 1, '0')
  return decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`
}

/** The sum of amounts with the same decimals. */
export const sumOf = (amounts: readonly string[]): string =>
  printed(
    amounts.reduce((total, amount) => total + digitsOf(amount), 0n),
    amounts[0] ?? '0',
  )
/** An amount minus a smaller one with the same decimals. */
export const lessOf = (amount: string, taken: string): string => printed(digitsOf(amount) - digitsOf(taken), amount)
