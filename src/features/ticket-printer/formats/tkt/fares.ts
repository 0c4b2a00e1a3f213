import { currencyDigits } from '../../../../platform/money.ts'
import {
  type Commission,
  type Fare,
  type FormOfPayment,
  NO_FARE,
  type PrintedMoney,
  type Refund,
  type Tax,
} from '../../ticket-file.ts'
import { BLANK_REFUND } from '../blank.ts'
import { paidIn } from '../payments.ts'
import { moneyOf, printedRate } from '../printed.ts'
import { more, sumOf } from '../sums.ts'
import { COLUMNS, REFUND_COLUMNS, REFUND_TAX_COLUMNS, TAX_COLUMNS, TAX_COUNT, type TktLine } from './columns.ts'

const PAYMENTS: Readonly<Record<string, FormOfPayment['kind']>> = { IN: 'invoice', CA: 'cash', CC: 'card' }

/** Parsed amounts; `spoilt` if a printed one cannot be parsed. */
type Read<What> = { readonly read: What; readonly spoilt: boolean }

export function tktFare(line: TktLine): Read<Fare> {
  const currency = line(COLUMNS.currency)
  const sold = moneyIn(line, line(COLUMNS.privateFare) === null ? COLUMNS.fare : COLUMNS.privateFare, currency)
  const filed = moneyIn(line, COLUMNS.filedFare, line(COLUMNS.filedCurrency))
  const total = moneyIn(line, COLUMNS.total, currency)
  const taxes = taxesIn(line, TAX_COLUMNS, currency)
  const isInAnother = filed.read !== null && sold.read !== null && filed.read.currency !== sold.read.currency
  return {
    read: {
      ...NO_FARE,
      base: isInAnother ? filed.read : sold.read,
      equivalent: isInAnother ? sold.read : null,
      taxes: taxes.read,
      total: total.read,
    },
    spoilt: [sold, total, taxes].some(({ spoilt }) => spoilt),
  }
}

/** A refund prints the refunded part of the fare and of each tax. Its total is known only if it equals their sum. */
export function tktRefund(line: TktLine, originallyIssuedOn: string | null): Read<Refund> {
  const currency = line(REFUND_COLUMNS.currency)
  const fare = moneyIn(line, REFUND_COLUMNS.fare, currency)
  const taxes = taxesIn(line, REFUND_TAX_COLUMNS, currency)
  const total = moneyIn(line, COLUMNS.total, currency).read
  const sum = sumOf([fare.read, ...taxes.read])
  const isSum = sum !== null && total !== null && more(sum, total) === null && more(total, sum) === null
  return {
    read: {
      ...BLANK_REFUND,
      refundable: fare.read,
      taxes: taxes.read,
      total: isSum ? total : null,
      originallyIssuedOn,
    },
    spoilt: fare.spoilt || taxes.spoilt,
  }
}

function moneyIn(line: TktLine, column: number, currency: string | null): Read<PrintedMoney | null> {
  const printed = line(column)
  const read = printed === null ? null : moneyOf(currency ?? undefined, withAllDecimals(printed, currency))
  return { read, spoilt: printed !== null && read === null }
}

/** Restores dropped zeros: `210.1` in a currency with two decimals is `210.10`. */
const withAllDecimals = (printed: string, currency: string | null): string =>
  printed.includes('.') ? printed.padEnd(printed.indexOf('.') + 1 + currencyDigits(currency ?? ''), '0') : printed

function taxesIn(
  line: TktLine,
  { amounts, codes }: { amounts: number; codes: number },
  currency: string | null,
): Read<readonly Tax[]> {
  const taxes = Array.from({ length: TAX_COUNT }, (_, at) => {
    const code = line(codes + at)
    const money = moneyIn(line, amounts + at, currency)
    const isPrinted = code !== null || Number(line(amounts + at) ?? '0') !== 0
    return isPrinted
      ? { tax: money.read && { ...money.read, code: code ?? 'XT', nature: null }, missing: !money.read }
      : null
  }).filter((each) => each !== null)
  return { read: taxes.flatMap(({ tax }) => tax ?? []), spoilt: taxes.some(({ missing }) => missing) }
}

/** A percentage of the fare; the amount is not printed. */
export function tktCommission(line: TktLine): Commission | null {
  const rate = printedRate(line(COLUMNS.commissionRate))
  return rate === null ? null : { rate, amount: null }
}

export function tktPayment(line: TktLine): FormOfPayment | null {
  const text = line(COLUMNS.payment)
  return text === null ? null : paidIn([{ kind: PAYMENTS[text.slice(0, 2).toUpperCase()] ?? null, text }])
}
