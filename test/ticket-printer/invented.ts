import { airlineOfNumber } from '../../src/features/ticket-printer/airline-numbers.ts'
import type { TicketFile } from '../../src/features/ticket-printer/ticket-file.ts'

/**
 * What a reading may have that is not printed as it is. Anything else, a document number, an amount or a currency, has
 * to occur in the file.
 *
 * - A number is joined of the airline's three digits and the ten behind them, which stand apart in most formats; the
 *   airline may be printed as its two letters. A blank or a control character may stand within a number.
 * - Zero may be told in words (`NO ADC`), or by an empty column.
 * - Amounts of a header have no point, others a comma; zeros in front and behind are not kept.
 */
const ALLOWED = {
  /** A ticket has the number of its conjunctions, or the last two digits of the last one: at most this many. */
  furtherTickets: 99,
  /** The code of a tax, two letters or digits, can stand directly before its amount: `C495.79` is 95.79 of C4. */
  codeDigits: 2,
  /** Sums of at most this many adjacent amounts. */
  parts: 12,
  /** In a refund also differences, of at most this many parts. */
  signedParts: 9,
  /** Remainders of other amounts, or differences of two: the old ticket's value, the refunded fare and taxes. */
  differences: /\.exchange\.(?:additionalCollection|residual|penalty)$|\.refund\.\w+$/,
  /** Sirena prints the rouble in Cyrillic letters. */
  currencyNames: { RUB: 'РУБ' } as Readonly<Record<string, string>>,
} as const

// biome-ignore lint/suspicious/noControlCharactersInRegex: transports leave them within numbers
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g
const BLANKS = /(?<=\d) (?=\d)/g
const AMOUNT = /\d{1,15}(?:[.,]\d{1,10})?/g
const UNIT = 10_000n
const DECIMALS = 4

/** Ten-thousandths of an amount. */
function unitsOf(amount: string): bigint {
  const [whole = '0', behind = ''] = amount.replace(',', '.').split('.')
  return BigInt(whole) * UNIT + BigInt(behind.slice(0, DECIMALS).padEnd(DECIMALS, '0'))
}

/** The numbers, amounts and currencies of a parsed file that its text does not contain. */
export function inventedIn(file: TicketFile, text: string): string[] {
  const plain = text.replace(CONTROLS, '')
  const amounts = new PrintedAmounts(plain, partsIn(file))
  return [
    ...numbersIn(file).filter((number) => !hasNumber(number, plain) && !hasNumber(number, plain.replace(BLANKS, ''))),
    ...moneyIn(file).flatMap(({ path, currency, amount }) => [
      ...(hasCurrency(currency, plain) ? [] : [`${path}: ${currency}`]),
      ...(amounts.has(amount) || amounts.hasSum(amount, path) ? [] : [`${path}: ${amount}`]),
    ]),
  ]
}

function numbersIn({ documents }: TicketFile): string[] {
  return documents.flatMap(({ number, conjunctions, associatedWith, exchange }) => [
    number,
    ...notFollowing(conjunctions, number),
    ...(associatedWith ? [associatedWith] : []),
    ...notFollowing(exchange?.originals.map((original) => original.number) ?? []),
  ])
}

/** Numbers that follow neither the first number nor each other. */
const notFollowing = (numbers: readonly string[], first?: string): readonly string[] =>
  numbers.filter(
    (number, at) => ![first, ...numbers.slice(0, at)].some((other) => other !== undefined && follows(number, other)),
  )

function follows(number: string, first: string): boolean {
  const distance = (BigInt(number.slice(3)) - BigInt(first.slice(3)) + 10n ** 10n) % 10n ** 10n
  return number.slice(0, 3) === first.slice(0, 3) && distance <= BigInt(ALLOWED.furtherTickets)
}

/** Whether the text has the number, or its airline and the ten digits separately. */
function hasNumber(number: string, text: string): boolean {
  if (text.includes(number)) return true
  const airline = airlineOfNumber(number)
  return (
    text.includes(number.slice(3)) &&
    (text.includes(number.slice(0, 3)) || (airline !== null && text.includes(airline)))
  )
}

const hasCurrency = (currency: string, text: string): boolean =>
  text.includes(currency) || text.includes(ALLOWED.currencyNames[currency] ?? currency)

type Groups = readonly (readonly bigint[])[]
type Printed = { readonly path: string; readonly currency: string; readonly amount: string }

function moneyIn(value: unknown, path = ''): Printed[] {
  if (value === null || typeof value !== 'object') return []
  const { currency, amount } = value as Record<string, unknown>
  if (typeof currency === 'string' && typeof amount === 'string') return [{ path, currency, amount }]
  return Object.entries(value).flatMap(([key, each]) => moneyIn(each, `${path}.${key}`))
}

/** Amounts from which others can follow: fare and taxes make a total; a refund is the remainder of the fare. */
const partsIn = ({ documents }: TicketFile): readonly (readonly string[])[] =>
  documents.flatMap(({ fare, netFare, refund }) =>
    [
      [fare.equivalent ?? fare.base, ...fare.taxes],
      [netFare?.equivalent ?? netFare?.base, ...(netFare?.taxes ?? [])],
      [refund?.refundable, ...(refund?.taxes ?? [])],
      [refund?.gross, refund?.used, refund?.penalty, refund?.otherFees, refund?.total, ...(refund?.taxes ?? [])],
      [refund?.gross, refund?.used, refund?.penalty, refund?.otherFees, refund?.total, refund?.taxTotal],
    ].map((parts) => parts.flatMap((part) => (part ? [part.amount] : []))),
  )

/** An amount, and the amount behind the digits of a code. */
const withoutCode = (token: string): string[] =>
  Array.from({ length: ALLOWED.codeDigits + 1 }, (_, digits) => token.slice(digits)).filter((left) => /^\d/.test(left))

/** The amounts of a text; sums are searched when needed. */
class PrintedAmounts {
  readonly #text: string
  readonly #parts: readonly (readonly string[])[]
  readonly #printed: ReadonlySet<bigint>
  readonly #pointless: ReadonlySet<string>
  #groups: Groups | null = null
  constructor(text: string, parts: readonly (readonly string[])[]) {
    const tokens = (text.match(AMOUNT) ?? []).flatMap(withoutCode)
    this.#text = text
    this.#parts = parts
    this.#printed = new Set(tokens.map(unitsOf))
    this.#pointless = new Set(tokens.map((token) => token.replace(/^0+/, '')))
  }

  /** Whether an amount is printed, with a decimal comma or point, or without one. */
  has(amount: string): boolean {
    const units = unitsOf(amount)
    const digits = amount.replace('.', '').replace(/^0+/, '')
    return units === 0n || this.#printed.has(units) || this.#pointless.has(digits)
  }

  /** Whether an amount is a sum of adjacent ones or, in an exchange or refund, a remainder of others. */
  hasSum(amount: string, path: string): boolean {
    const wanted = unitsOf(amount)
    this.#groups ??= this.#grouped()
    if (this.#groups.some((group) => isPartOf(group, wanted))) return true
    if (!ALLOWED.differences.test(path)) return false
    if (this.#groups.some((group) => isLeftOf(group, wanted))) return true
    const known = new Set([
      ...this.#printed,
      ...this.#groups.map((group) => group.reduce((sum, each) => sum + each, 0n)),
    ])
    return [...known].some((one) => known.has(wanted - one) || known.has(wanted + one))
  }

  /** Groups of adjacent amounts, and the amounts that are printed or are sums of printed ones. */
  #grouped(): Groups {
    const groups = groupsIn(this.#text)
    const isKnown = (part: string) => this.has(part) || groups.some((group) => isPartOf(group, unitsOf(part)))
    return [...groups, ...this.#parts.map((group) => group.filter(isKnown).map(unitsOf))]
  }
}

/** Groups of amounts: in lines with one tag, in one XML element, in elements or attributes with one name. */
function groupsIn(text: string): Groups {
  const groups = new Map<string, bigint[]>()
  const add = (key: string, part: string) => {
    const amounts = (part.match(AMOUNT) ?? []).map(unitsOf).filter((each) => each > 0n)
    groups.set(key, [...(groups.get(key) ?? []), ...amounts])
  }
  if (text.trimStart().startsWith('<')) {
    for (const [place, tag] of text.split(/(?=<)/).entries()) {
      add(`element ${place}`, tag)
      const [, name = '', text = ''] = /^<([\w.:-]+)[^>]*>([^<]*)/.exec(tag) ?? []
      add(`name ${name}`, text)
      for (const [, attribute = '', value = ''] of tag.matchAll(/([\w.:-]+)="([^"]*)"/g))
        add(`attribute ${attribute}`, value)
    }
  } else {
    for (const [place, line] of text.split(/[\r\n]+/).entries()) {
      add(`tag ${line.slice(0, 3)}`, line)
      add(`line ${place}`, line)
    }
  }
  return [...groups.values()]
}

/** Whether an amount equals some amounts of a small group minus others. */
function isLeftOf(group: readonly bigint[], wanted: bigint): boolean {
  if (group.length > ALLOWED.signedParts) return false
  let sums = new Set<bigint>([0n])
  for (const amount of group) sums = new Set([...sums].flatMap((sum) => [sum, sum + amount, sum - amount]))
  return sums.has(wanted)
}

/** Whether some amounts of a small group, or two of a large one, add up to an amount. */
function isPartOf(group: readonly bigint[], wanted: bigint): boolean {
  if (group.length > ALLOWED.parts) {
    const amounts = new Set(group)
    return group.some((amount) => amounts.has(wanted - amount))
  }
  let sums = new Set<bigint>([0n])
  for (const amount of group) sums = new Set([...sums, ...[...sums].map((sum) => sum + amount)])
  return sums.has(wanted)
}
