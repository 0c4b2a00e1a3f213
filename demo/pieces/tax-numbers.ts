import { tcknCheckDigits, vknCheckDigit } from '../../src/catalogue/tax-numbers.ts'
import type { Random } from '../random.ts'

const nineDigits = (random: Random): string => `${random.int(1, 9)}${random.digits(8)}`

/** A Turkish company's tax number whose check digit holds. */
export function vkn(random: Random): string {
  const nine = nineDigits(random)
  return nine + vknCheckDigit(nine)
}

/** A Turkish identity number whose check digits hold. */
export function tckn(random: Random): string {
  const nine = nineDigits(random)
  return nine + tcknCheckDigits(nine)
}
