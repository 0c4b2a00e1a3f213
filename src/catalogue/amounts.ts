import Type from 'typebox'
import { AMOUNT, currencyDigits } from '../platform/money.ts'
import { type Kind, type ReadContext, Refusal, refuse } from './kind.ts'

/** An amount as `1.234,56`; thousands only in whole groups. */
const COMMA_MONEY = /^-?(?:[1-9]\d{0,2}(?:\.\d{3}){1,4}|\d{1,15})(?:,\d{1,4})?$/
/** One to 999, a point and three digits: the notation of thousands in many countries. */
const LIKE_THOUSANDS = /^-?(?!0+\.)\d{1,3}\.\d{3}$/

const SHOWN = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', maxLength: 25 })

/** Without redundant zeros and signs, as PostgreSQL prints `trim_scale`. */
function canonical(decimal: string): string {
  const [whole = '', decimals = ''] = decimal.replace('-', '').split('.')
  const size = `${whole.replace(/^0+(?=\d)/, '')}.${decimals}`.replace(/\.?0*$/, '')
  return decimal.startsWith('-') && size !== '0' ? `-${size}` : size
}

function readDecimal(cell: unknown, { decimalSeparator }: ReadContext, code: string): string | Refusal {
  if (typeof cell !== 'string') return refuse(code, 'Send a decimal string, e.g. "1234.56".')
  const text = cell.trim()
  if (decimalSeparator === ',') {
    if (!COMMA_MONEY.test(text))
      return refuse(code, 'Send a decimal string such as "1.234,56" with decimal_separator ",".')
    return canonical(text.replaceAll('.', '').replace(',', '.'))
  }
  if (AMOUNT.test(text)) return canonical(text)
  return refuse(
    code,
    text.includes(',') && decimalSeparator === null
      ? 'Send "1234.56", or name decimal_separator "," for amounts such as 1.234,56.'
      : 'Send a decimal string such as "1234.56", of at most 15 digits before and 4 after the point.',
  )
}

/**
 * A decimal string. It is shown with the digits of the currency in the neighbouring column or key. `1.234` is read as a
 * decimal number. If the currency has fewer than three decimals and no separator is set, a warning says so.
 */
export const money = (currencyCell = 'currency'): Kind<string> => ({
  type: 'money',
  schema: SHOWN,
  pg: 'numeric',
  read: (cell, context) => readDecimal(cell, context, 'invalid_money'),
  advise(value, { decimalSeparator, currency }, cell) {
    if (decimalSeparator !== null || currencyDigits(currency) >= 3) return null
    if (!LIKE_THOUSANDS.test((cell as string).trim())) return null
    const message = `Read as ${value}. If whole thousands are meant, send them without the point, or send decimal_separator ",".`
    return { at: '', code: 'possible_thousands', message }
  },
  print: (column) => `trim_scale(${column})::text`,
  show: (column, currency) => `money_text(${column}, ${currency})`,
  currencyCell,
  example: '1250.50',
  bad: [
    120.5,
    0,
    '9,99',
    '1,234.56',
    '1e3',
    'NaN',
    '0x10',
    '+5',
    '.5',
    '5.',
    '1 000',
    '1234567890123456',
    '1.23456',
    {},
  ],
})

export const decimal: Kind<string> = {
  type: 'decimal',
  schema: SHOWN,
  pg: 'numeric',
  read: (cell, context) => readDecimal(cell, context, 'invalid_decimal'),
  print: (column) => `trim_scale(${column})::text`,
  example: '12.5',
  bad: [12.5, 'twelve', '1e1', '12,5', '1.23456'],
}

/** A percentage. No rate of a tax or commission is beyond 1,000 %. */
export const percent: Kind<string> = {
  ...decimal,
  read(cell, context) {
    const value = decimal.read(cell, context)
    if (value instanceof Refusal || (!value.startsWith('-') && Number(value) < 1_000)) return value
    return refuse('out_of_range', 'Send a percentage from 0 to 999.')
  },
  example: '20',
  bad: [...decimal.bad, '-1', '1000'],
}

const RATE = /^\d{1,9}(?:\.\d{1,12})?$/
/** A positive exchange rate as printed: it may have more decimals than an amount. */
export const exchangeRate: Kind<string> = {
  type: 'decimal',
  schema: SHOWN,
  pg: 'numeric',
  read(cell) {
    const text = typeof cell === 'string' ? cell.trim() : ''
    return RATE.test(text) && Number(text) > 0
      ? canonical(text)
      : refuse('invalid_decimal', 'Send a decimal string above zero, such as "47.123456".')
  },
  print: (column) => `trim_scale(${column})::text`,
  example: '47.123456',
  bad: [47.1, '0', '-1', '1e3', '47,1', '1.1234567890123', {}],
}
