import type { Commission, Exchange, FormOfPayment, PrintedMoney } from '../../ticket-file.ts'
import { printedAmount } from '../printed.ts'
import { iurCurrencyOf } from './amounts.ts'
import { ACCOUNTING, cutRecord } from './columns.ts'
import { paymentOf } from './payments.ts'
import { type IurFile, iurRecords } from './records.ts'

/** A document given in for another, with its coupons. */
export type Original = { readonly number: string; readonly coupons: string | null }
/**
 * An accounting line. A file repeats the lines of all invoices of the reservation so far, so old documents appear in
 * every later file.
 */
export type AccountingLine = {
  readonly passenger: string
  /** `R` refund, `M` second form of payment; exchanges: `A` paid on top, `E` even, `G` refunded. */
  readonly indicator: string
  readonly airline: string
  readonly separator: string
  readonly serial: string
  readonly commission: Commission | null
  readonly currency: string | null
  readonly fare: string | null
  readonly taxes: readonly string[]
  /** The unreadable fare or tax as printed; null if all amounts are readable. */
  readonly garbled: string | null
  readonly payment: FormOfPayment | null
  readonly conjunctions: number
  readonly refundedCoupons: string | null
  readonly isFullRefund: boolean
  readonly originals: readonly Original[]
  readonly kind: 'ticket' | 'emd' | 'mco'
  /** Whether the line is complete beyond the fields that are parsed. */
  readonly whole: boolean
}

/** The column of the part separated by slashes. */
const BODY = 11
const MOST_PARTS = 24
const MOST_TAXES = 3
/** A form of payment has at most this many parts. */
const PAYMENT_PARTS = 3
/** The fields behind the name: the number of documents and, in a refund, its coupons and invoice. */
const SALE_PARTS = 1
const REFUND_PARTS = 3
/** The documents given in stand behind an exchange, at most those of a conjunction. */
const TAIL = 200
const NUMERIC = /^[\d. ]*$/
/** Separates a form of payment from the number of the name. */
const NAME_NUMBER = /\s(?=\d{1,2}\.\d)/
const ORIGINAL = /(\d{13})(?:\/(\d{1,16}))?/g
export const EXCHANGES: readonly string[] = ['A', 'E', 'G']
const MARKS = { refund: 'R', second: 'M', mco: '@', rail: '-', manual: '/' } as const
const SERIAL = /^\d{10}$/

export const accountingLines = (file: IurFile): AccountingLine[] =>
  iurRecords(file, 'M5').map(({ line }) => accountingLine(line))

export function accountingLine(line: string): AccountingLine {
  const fixed = cutRecord(line, ACCOUNTING)
  const exchangedAt = line.indexOf('-@')
  const [body, tail] =
    exchangedAt < 0 ? [line, ''] : [line.slice(0, exchangedAt), line.slice(exchangedAt + 2, exchangedAt + TAIL)]
  const [serial = '', commission = '', fare = '', ...after] = body.slice(BODY).split('/', MOST_PARTS)
  const taxes = after.slice(0, numericParts(after))
  const { printed, rest } = split(after.slice(taxes.length + 1))
  const [currency, amount] = currencyAndAmount(fare)
  const [isRefund, originals] = [fixed.indicator === MARKS.refund, originalsIn(tail)]
  return {
    ...fixed,
    serial: serial.trim(),
    commission: commissionOf(commission),
    currency,
    fare: printedAmount(amount),
    taxes: taxes.map(printedAmount).filter((tax) => tax !== null),
    garbled: [amount, ...taxes].find((each) => each.trim() !== '' && printedAmount(each) === null) ?? null,
    payment: paymentOf(beforeName(printed)),
    conjunctions: furtherDocuments(rest[0]),
    refundedCoupons: isRefund ? (/^[\d ]+$/.exec(rest[1] ?? '')?.[0].trim() ?? null) : null,
    isFullRefund: isRefund && (rest[2] ?? '').startsWith('F'),
    originals,
    kind: kindOf(fixed.separator, rest),
    whole: rest.length > (isRefund ? REFUND_PARTS : SALE_PARTS) && (exchangedAt < 0 || originals.length > 0),
  }
}

/** The fare is followed by up to three taxes and by whom the line is for: `ONE`, `PER`, `ALL`. */
function numericParts(parts: readonly string[]): number {
  const end = parts.slice(0, MOST_TAXES).findIndex((part) => !NUMERIC.test(part))
  return end < 0 ? MOST_TAXES : end
}

/** A form of payment can contain slashes; it ends with the part that has the number of the name. */
function split(parts: readonly string[]): { printed: string; rest: readonly string[] } {
  const named = parts.slice(0, PAYMENT_PARTS).findIndex((part) => NAME_NUMBER.test(part))
  const end = Math.max(named, 0) + 1
  return { printed: parts.slice(0, end).join('/'), rest: parts.slice(end) }
}

const beforeName = (printed: string): string => printed.split(NAME_NUMBER, 1)[0] ?? ''

function currencyAndAmount(printed: string): [currency: string | null, amount: string] {
  const currency = iurCurrencyOf(printed.trim().slice(0, 3))
  return [currency, currency === null ? printed : printed.trim().slice(3)]
}

function commissionOf(printed: string): Commission | null {
  const plain = printed.trim()
  const [rate, amount] = plain.startsWith('P') ? [printedAmount(plain.slice(1)), null] : [null, printedAmount(plain)]
  return rate === null && amount === null ? null : { rate, amount }
}

/** The printed count includes the first document of a conjunction. */
const furtherDocuments = (printed: string | undefined): number =>
  /^[1-9]$/.test(printed?.trim() ?? '') ? Number(printed) - 1 : 0

function kindOf(separator: string, rest: readonly string[]): AccountingLine['kind'] {
  if (separator === MARKS.mco) return 'mco'
  return rest.some((part) => /^EMD\b/.test(part)) ? 'emd' : 'ticket'
}

export const originalsIn = (printed: string): Original[] =>
  Array.from(printed.matchAll(ORIGINAL), ([, number = '', coupons]) => ({ number, coupons: coupons ?? null }))

/**
 * The lines of air documents. Excluded are rail tickets, entries without a ticket number, such as hotels, and second
 * forms of payment.
 */
const documentLines = (lines: readonly AccountingLine[]): AccountingLine[] =>
  lines.filter(
    ({ separator, indicator, serial }) =>
      separator !== MARKS.rail && indicator !== MARKS.second && (separator !== MARKS.manual || SERIAL.test(serial)),
  )

/**
 * The lines that the current invoice adds, if no other record has them: the refunds at the end of the list, otherwise
 * the sales that no other line exchanges or refunds. Lines that were captured before are recognized by their number.
 */
export function currentLines(lines: readonly AccountingLine[]): { refund: boolean; lines: AccountingLine[] } {
  const documents = documentLines(lines)
  const lastSale = documents.findLastIndex(({ indicator }) => indicator !== MARKS.refund)
  const refunds = documents.slice(lastSale + 1)
  if (refunds.length > 0) return { refund: true, lines: refunds }
  const over = new Set([
    ...documents.filter(({ indicator }) => indicator === MARKS.refund).map(({ serial }) => serial),
    ...documents.flatMap(({ originals }) => originals.map(({ number }) => number.slice(3))),
  ])
  return { refund: false, lines: documents.filter(({ serial }) => !over.has(serial)) }
}

/** The last line of each document, by its ten digits. */
export const bySerial = (lines: readonly AccountingLine[]): ReadonlyMap<string, AccountingLine> =>
  new Map(documentLines(lines).map((line) => [line.serial, line]))

/** Documents with two forms of payment. */
export const paidTwice = (lines: readonly AccountingLine[]): ReadonlySet<string> =>
  new Set(lines.filter(({ indicator }) => indicator === MARKS.second).map(({ serial }) => serial))

/** The outcome of an exchange by its accounting line: paid on top, even, or refunded. */
export function settledBy(indicator: string, total: PrintedMoney | null): Omit<Exchange, 'originals' | 'penalty'> {
  if (indicator === 'G') return { additionalCollection: null, fareDifference: null, residual: total }
  const even = total && { ...total, amount: '0' }
  const collected = indicator === 'E' ? even : indicator === 'A' ? total : null
  return { additionalCollection: collected, fareDifference: null, residual: null }
}
