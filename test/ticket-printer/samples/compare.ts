import { isDeepStrictEqual } from 'node:util'
import type { Passenger, PrintedMoney, Tax } from '../../../src/features/ticket-printer/ticket-file.ts'

/** A field of an expectation whose value differs from the parsed one. */
export type Difference = { readonly field: string; readonly expected: unknown; readonly read: unknown }
/** The rule of a key of an expectation: compares its value with the parsed file. */
export type Rule<Value> = (expected: Value, field: string) => readonly Difference[]
/** A rule for each key of an expectation. */
export type Rules<Expectation> = { readonly [Key in keyof Expectation]-?: Rule<Exclude<Expectation[Key], undefined>> }

/** Compares every key of an expectation. A key without a rule is a difference, so none is skipped. */
export function compareKeys<Expectation extends object>(
  expectation: Expectation,
  rules: Rules<Expectation>,
  at = '',
): Difference[] {
  return Object.entries(expectation).flatMap(([key, value]) => {
    const field = `${at}${key}`
    const rule = Object.hasOwn(rules, key) ? (rules[key as keyof Expectation] as Rule<unknown>) : null
    return rule ? [...rule(value, field)] : [{ field, expected: value, read: 'This key has no rule.' }]
  })
}

/** Nested keys. */
export const keys =
  <Expectation extends object>(rules: Rules<Expectation>): Rule<Expectation> =>
  (expectation, field) =>
    compareKeys(expectation, rules, `${field}.`)

export const difference = (field: string, expected: unknown, read: unknown): readonly Difference[] =>
  isDeepStrictEqual(expected, read) ? [] : [{ field, expected, read }]

/** The value, converted by `wanted`, equals the parsed one. */
export const is =
  <Value>(read: unknown, wanted: (expected: Value) => unknown = (expected) => expected): Rule<Value> =>
  (expected, field) =>
    difference(field, wanted(expected), read)

/** The number of items is as expected, and each item agrees. */
export const each =
  <Item, Read>(
    read: readonly Read[],
    rule: (item: Item, read: Read, field: string) => readonly Difference[],
  ): Rule<readonly Item[]> =>
  (expected, field) => [
    ...difference(`${field}.length`, expected.length, read.length),
    ...expected.flatMap((item, at) => {
      const found = read[at]
      return found === undefined ? [] : rule(item, found, `${field}[${at}]`)
    }),
  ]

/** A key without a counterpart in a parsed file, with the reason. */
export const notRead = (_reason: string) => (): readonly Difference[] => []

export const money = (currency: string, amount: string): PrintedMoney => ({ currency, amount })
/** Without leading zeros, as in parsed files. */
export const plainAmount = (printed: string): string => printed.trim().replace(/^0+(?=\d)/, '')
export const blankIsNull = (printed: string | null): string | null => printed?.trim() || null
const codeAndAmount = ({ code, currency, amount }: Tax): string => `${code} ${currency} ${amount}`

/** Codes, currencies and amounts of taxes, in any order. */
export const taxList = (taxes: readonly Tax[]): readonly string[] => taxes.map(codeAndAmount).toSorted()

const TITLE = /(MSTR|MISS|MRS|MR|MS|DR)$/

/** A printed name equals the parsed parts joined again, and the name does not include the title. */
export function compareName(printed: string, read: Passenger | undefined, field: string): readonly Difference[] {
  const plain = printed.replace(/\(.*$/s, '').trim()
  const again = `${read?.lastName}/${read?.firstName}${read?.title ?? ''}`
  return [
    ...difference(field, plain.replaceAll(' ', ''), again.replaceAll(' ', '')),
    ...difference(`${field}, title`, TITLE.exec(plain.split('/')[1] ?? '')?.[1] ?? null, read?.title ?? null),
  ]
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
/** `05MAR` as `03-05`, `05MAR25` as `2025-03-05`. */
export function isoDay(printed: string): string {
  const [, day, month, year] = /^(\d{2})([A-Z]{3})(\d{2})?$/.exec(printed) ?? []
  const tail = `${String(MONTHS.indexOf(month ?? '') + 1).padStart(2, '0')}-${day}`
  return year ? `20${year}-${tail}` : tail
}

/** Card numbers in a form of payment are masked to their last four digits, approval codes to their last two characters. */
export const maskedPayment = (printed: string): string =>
  printed
    .replace(/\d{12,}/g, (card) => 'X'.repeat(card.length - 4) + card.slice(-4))
    .replace(
      /(\/\d{4}\/)([A-Z0-9]{3,})/,
      (_, expiry, code) => `${expiry}${'X'.repeat(code.length - 2)}${code.slice(-2)}`,
    )
