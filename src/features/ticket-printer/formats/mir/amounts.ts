import { fixed } from '../../../../platform/money.ts'
import type { Commission, PrintedMoney, Tax } from '../../ticket-file.ts'
import { impliedAmount, moneyOf, withoutCards } from '../printed.ts'
import type { Warn } from '../warnings.ts'
import type { Item } from './sections.ts'

/** The widths of a tax; its box is `T1:` followed by these. */
const TAX = { amount: 8, code: 2 } as const
const BOX = /^T\d:/
const BOX_WIDTH = 3
/** Digits alone are the end of an amount that is too long for its column. */
const HAS_LETTER = /[A-Z]/
/** The box that sums up all taxes without a box. */
const COLLECTED = 'XT'
const DETAIL = 'IT:'
const EXEMPT = 'EXEMPT'
/** A tax in a list; blanks replace a missing one. */
const LISTED = /^(?: *(?:[\d.]+|EXEMPT)[A-Z0-9]{2}| {8}[A-Z0-9 ]{2})$/

export const isZero = (amount: string): boolean => fixed(amount) === 0n
/** Null instead of zero, where zero means that there is no amount. */
export const unlessZero = (money: PrintedMoney | null): PrintedMoney | null =>
  money && !isZero(money.amount) ? money : null

/** Zero means that there is no commission. */
export function mirCommission(rate: string | null, amount: string | null): Commission | null {
  const commission = { rate: rate && isZero(rate) ? null : rate, amount: amount && isZero(amount) ? null : amount }
  return commission.rate === null && commission.amount === null ? null : commission
}

export const isCurrencyCode = (printed: string): boolean => /^[A-Z]{3}$/.test(printed)

/**
 * A currency as printed. If it is not a currency, because the source lost a column, another currency of the file
 * replaces it, with a warning.
 */
export function printedCurrency(printed: string, other: string, what: string, warn: Warn): string {
  if (isCurrencyCode(printed)) return printed
  if (printed !== '' && isCurrencyCode(other)) {
    warn('unreadable_currency', `The currency of the ${what} is "${printed}", which is no currency. Read as ${other}.`)
  }
  return other
}

/** An amount as printed. Warns if there is one that cannot be parsed. */
export function printedMoney(currency: string, amount: string, what: string, warn: Warn): PrintedMoney | null {
  const money = moneyOf(currency, amount)
  if (!money && amount !== '') warn('unreadable_amount', `The ${what} cannot be read: ${shown(currency, amount)}.`)
  return money
}

const shown = (currency: string, amount: string): string => withoutCards(`${currency} ${amount}`.trim())

/**
 * Amounts of an exchange. If padded with zeros they have no decimal point, and the header has the number of decimals;
 * if padded with blanks they are as printed.
 */
export function zeroFilled(
  currency: string,
  amount: string,
  decimals: number,
  what: string,
  warn: Warn,
): PrintedMoney | null {
  const isImplied = amount.startsWith('0') && !amount.includes('.')
  return printedMoney(currency, isImplied ? (impliedAmount(amount, decimals) ?? amount) : amount, what, warn)
}

export type Taxes = { readonly taxes: readonly Tax[]; readonly exempt: readonly string[]; readonly end: number }

/** The adjacent boxes `T1:` … from an offset, and where they end. */
export function taxBoxes(line: string, from: number, currency: string, warn: Warn): Taxes {
  const taxes: Tax[] = []
  const exempt: string[] = []
  let at = from
  for (; BOX.test(line.slice(at, at + BOX_WIDTH)); at += BOX_WIDTH + TAX.amount + TAX.code) {
    const end = at + BOX_WIDTH + TAX.amount + TAX.code
    const { amount, code } = taxAt(line, at + BOX_WIDTH)
    if (amount === EXEMPT) exempt.push(code)
    else if (isBoxEnd(line, end)) taxes.push(...taxOf(currency, amount, code, warn))
    else warn('unreadable_amount', unreadableTax(line.slice(at + BOX_WIDTH, end + 1)))
  }
  return { taxes, exempt, end: at }
}

/**
 * A box must be followed by nothing, another box, or an amount padded with zeros; otherwise its content was shifted.
 */
const isBoxEnd = (line: string, end: number): boolean => /^(?:\s|$|T\d:|[A-Z]{2}:|0)/.test(line.slice(end, end + 3))

/**
 * Completes the taxes in boxes with the details of `IT:` lines: those summed up in box XT, those without a box, or all
 * of them.
 */
export function inDetail(boxes: readonly Tax[], { more }: Item, currency: string, warn: Warn): readonly Tax[] {
  if (more.length === 0) return boxes
  const details = more
    .filter((line) => line.startsWith(DETAIL))
    .flatMap((line) => mirTaxList(line.slice(DETAIL.length), currency, warn))
  if (details.length === 0) return boxes
  const collected = boxes.find(({ code }) => code === COLLECTED)
  if (collected && equalSums(details, [collected])) {
    return boxes.flatMap((tax) => (tax === collected ? details : [tax]))
  }
  const apart = boxes.filter((tax) => tax !== collected)
  if (boxes.length > 0 && apart.every((tax) => details.some((detail) => isSameTax(tax, detail)))) {
    if (!collected || equalSums(details, boxes)) return details
  }
  if (!collected) return [...boxes, ...details]
  warn('tax_detail', 'The itemized taxes do not add up to the tax XT. Check the taxes.')
  return boxes
}

const isSameTax = (one: Tax, other: Tax): boolean => one.code === other.code && equalSums([one], [other])

/** Adjacent taxes, each with 8 characters of amount and 2 of code. Of a shifted list nothing is parsed. */
export function mirTaxList(printed: string, currency: string, warn: Warn): Tax[] {
  const list = printed.trimEnd()
  const width = TAX.amount + TAX.code
  const items: string[] = []
  for (let at = 0; at < list.length; at += width) items.push(list.slice(at, at + width))
  if (items.every((item) => LISTED.test(item))) {
    return items
      .map((item) => taxAt(item, 0))
      .flatMap(({ amount, code }) => (amount === EXEMPT ? [] : taxOf(currency, amount, code, warn)))
  }
  warn('unreadable_amount', unreadableTax(list))
  return []
}

export const equalSums = (some: readonly PrintedMoney[], others: readonly PrintedMoney[]): boolean =>
  total(some) === total(others)
const total = (amounts: readonly PrintedMoney[]): bigint => amounts.reduce((sum, { amount }) => sum + fixed(amount), 0n)

function taxAt(line: string, at: number): { amount: string; code: string } {
  const codeAt = at + TAX.amount
  return { amount: line.slice(at, codeAt).trim(), code: line.slice(codeAt, codeAt + TAX.code).trim() }
}

function taxOf(currency: string, printed: string, code: string, warn: Warn): Tax[] {
  if (printed === '') return []
  const money = moneyOf(currency, printed)
  if (!money || !HAS_LETTER.test(code)) {
    warn('unreadable_amount', unreadableTax(`${printed} ${code}`))
    return []
  }
  return [{ ...money, code, nature: null }]
}

const unreadableTax = (printed: string): string =>
  `A tax cannot be read and was left out: ${withoutCards(printed.trim())}.`
