import type { Random } from '../random.ts'

/** A Turkish company's tax number whose check digit holds. */
export function vkn(random: Random): string {
  const body = `${random.int(1, 9)}${random.digits(8)}`
  let sum = 0
  for (let at = 0; at < 9; at++) {
    const shifted = (Number(body[at]) + 9 - at) % 10
    const mixed = (shifted * 2 ** (9 - at)) % 9
    sum += shifted !== 0 && mixed === 0 ? 9 : mixed
  }
  return `${body}${(10 - (sum % 10)) % 10}`
}

/** A Turkish identity number whose check digits hold. */
export function tckn(random: Random): string {
  const digits = [random.int(1, 9), ...Array.from({ length: 8 }, () => random.int(0, 9))]
  const sum = (from: number) =>
    digits.filter((_, at) => at % 2 === from && at < 9).reduce((total, digit) => total + digit, 0)
  digits.push((((sum(0) * 7 - sum(1)) % 10) + 10) % 10)
  digits.push(digits.reduce((total, digit) => total + digit, 0) % 10)
  return digits.join('')
}
