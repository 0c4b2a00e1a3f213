import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import Type from 'typebox'
import { isDate, readInstant } from '../platform/time.ts'
import { isCurrency } from './currencies.ts'
import { type Kind, type Reference, Refusal, refuse } from './kind.ts'
import { taxNumberHolds } from './tax-numbers.ts'
import { termKey } from './term-key.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/
const EMAIL =
  /^[^\s@<>"(),:;\\[\]]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]{1,61}$/u
const INTEGER = /^-?\d{1,9}$/
const TRUE_OR_FALSE = new Map<unknown, boolean>([
  ...[true, 'true', 'yes', '1', 1].map((cell) => [cell, true] as const),
  ...[false, 'false', 'no', '0', 0].map((cell) => [cell, false] as const),
])
const asItIs = (column: string) => column

/** Trimmed text of the cell, or the reason for a null. */
function readText(cell: unknown, maximum: number): string | Refusal {
  if (typeof cell !== 'string') return refuse('invalid_type', 'Send a string.')
  const text = cell.trim()
  if (!text.isWellFormed() || CONTROL.test(text)) {
    return refuse('invalid_string', 'Send well-formed Unicode without control characters.')
  }
  return isLonger(text, maximum) ? refuse('too_long', `Send at most ${maximum} characters.`) : text
}

/** Characters are code points, as PostgreSQL and JSON Schema count them; a long text is not counted to its end. */
const isLonger = (text: string, maximum: number): boolean =>
  text.length > maximum && (text.length > 2 * maximum || [...text].length > maximum)

export const string = (maximum: number, suggestedValues?: readonly string[]): Kind<string> => ({
  type: 'string',
  schema: Type.String({ maxLength: maximum }),
  pg: 'text',
  maxLength: maximum,
  ...(suggestedValues && { suggestedValues }),
  read: (cell) => readText(cell, maximum),
  print: asItIs,
  example: 'Text'.slice(0, maximum),
  bad: [7, true, {}, ['x'], 'x'.repeat(maximum + 1), 'a\u0000b', '\ud800'],
})

const EMAIL_MAXIMUM = 254
export const email: Kind<string> = {
  type: 'email',
  schema: Type.String({ maxLength: EMAIL_MAXIMUM }),
  pg: 'text',
  maxLength: EMAIL_MAXIMUM,
  read(cell) {
    const text = readText(cell, EMAIL_MAXIMUM)
    return text instanceof Refusal || EMAIL.test(text)
      ? text
      : refuse('invalid_email', 'Send an address such as name@example.com.')
  },
  print: asItIs,
  example: 'ayse.yilmaz@example.com',
  bad: [
    7,
    'ayse',
    'ayse@',
    '@example.com',
    'a b@example.com',
    'a@@example.com',
    'a@example',
    `a@${'x'.repeat(260)}.com`,
  ],
}

const PHONE_MAXIMUM = 40
/** Kept as E.164; a national number is read as one of the company's country. */
export const phone: Kind<string> = {
  type: 'phone',
  schema: Type.String({ maxLength: PHONE_MAXIMUM }),
  pg: 'text',
  maxLength: PHONE_MAXIMUM,
  read(cell, { country }) {
    const text = readText(cell, PHONE_MAXIMUM)
    if (text instanceof Refusal) return text
    const number = parsePhoneNumberFromString(text, { defaultCountry: country as 'TR', extract: false })
    if (!number?.isValid())
      return refuse(
        'invalid_phone',
        'Send a number that can be dialled, best with its country code: +90 532 123 45 67.',
      )
    return number.number
  },
  print: asItIs,
  example: '+90 532 123 45 67',
  bad: [905321234567, 'none', '123', '+90 532', '+999 555 123 45 67'],
}

const TAX_NUMBER_MAXIMUM = 40
export const taxNumber: Kind<string> = {
  type: 'tax_number',
  schema: Type.String({ maxLength: TAX_NUMBER_MAXIMUM }),
  pg: 'text',
  maxLength: TAX_NUMBER_MAXIMUM,
  read: (cell) => readText(cell, TAX_NUMBER_MAXIMUM),
  advise: (value, { country }) =>
    taxNumberHolds(value, country)
      ? null
      : {
          at: '',
          code: 'invalid_tax_number',
          message: `The value is not a valid tax number in ${country}. It was stored as sent.`,
        },
  print: asItIs,
  example: '1234567890',
  bad: [1234567890, '1'.repeat(41)],
}

export const currency: Kind<string> = {
  type: 'currency',
  schema: Type.String({ pattern: '^[A-Z]{3}$', maxLength: 3 }),
  pg: 'text',
  maxLength: 3,
  read(cell) {
    const code = typeof cell === 'string' ? cell.trim().toUpperCase() : ''
    return isCurrency(code) ? code : refuse('invalid_currency', 'Send an ISO 4217 code such as TRY or EUR.')
  },
  print: asItIs,
  example: 'TRY',
  bad: ['LIRA', 'XYZ', '€', 949, {}],
}

export const date: Kind<string> = {
  type: 'date',
  schema: Type.String({ format: 'date', maxLength: 10 }),
  pg: 'date',
  read(cell) {
    const text = typeof cell === 'string' ? cell.trim() : ''
    return isDate(text) ? text : refuse('invalid_date', 'Send an existing date as YYYY-MM-DD, from 1900 to 2200.')
  },
  print: asItIs,
  example: '2026-05-01',
  bad: ['2026-02-30', '01.05.2026', '2026-5-1', '1899-12-31', '2201-01-01', 20260501, '2026-05-01T00:00:00Z'],
}

const DATETIME_EXAMPLE = '2026-05-01T14:30:00+03:00'
/** An instant. Without an offset it is the account's clock. */
export const datetime: Kind<string> = {
  type: 'datetime',
  schema: Type.String({ format: 'date-time', maxLength: 40 }),
  pg: 'timestamptz',
  read(cell, { timeZone }) {
    const instant = typeof cell === 'string' ? readInstant(cell.trim(), timeZone) : null
    return (
      instant ??
      refuse('invalid_datetime', 'Send a time that exists, as 2026-05-01T14:30:00+03:00; the offset may be left out.')
    )
  },
  print: (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
  example: DATETIME_EXAMPLE,
  bad: [
    '2026-02-30T10:00:00',
    '2026-05-01',
    '2026-05-01T24:00:00Z',
    '2026-05-01T10:00:60Z',
    '01.05.2026 10:00',
    1777777777,
    {},
  ],
}

const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d)(?::[0-5]\d)?$/
/** Local time, e.g. of an airport: never converted, to the minute. */
export const localTime: Kind<string> = {
  type: 'datetime',
  schema: Type.String({ maxLength: 16 }),
  pg: 'text',
  read(cell) {
    const match = typeof cell === 'string' ? LOCAL_TIME.exec(cell.trim()) : null
    return match && isDate(match[1] as string)
      ? `${match[1]}T${match[2]}`
      : refuse('invalid_datetime', 'Send the local clock without an offset, as 2026-05-01T14:30.')
  },
  print: asItIs,
  example: '2026-05-01T14:30',
  bad: ['2026-02-30T10:00', '2026-05-01T10:00Z', '2026-05-01T10:00+03:00', '2026-05-01', '10:00', 1430],
}

export const integer = (minimum: number, maximum = 999_999_999): Kind<number> => ({
  type: 'integer',
  schema: Type.Integer({ minimum, maximum }),
  pg: 'integer',
  read(cell) {
    const number = typeof cell === 'string' && INTEGER.test(cell.trim()) ? Number(cell) : cell
    if (typeof number !== 'number' || !Number.isSafeInteger(number))
      return refuse('invalid_integer', 'Send a whole number.')
    return number < minimum || number > maximum
      ? refuse('out_of_range', `Send a number from ${minimum} to ${maximum}.`)
      : number
  },
  print: asItIs,
  example: Math.max(minimum, 2),
  bad: ['two', 1.5, true, 1e20, '1e3', {}, minimum - 1],
})

export const boolean: Kind<boolean> = {
  type: 'boolean',
  schema: Type.Boolean(),
  pg: 'boolean',
  read(cell) {
    const known = TRUE_OR_FALSE.get(typeof cell === 'string' ? cell.trim().toLowerCase() : cell)
    return known ?? refuse('invalid_boolean', 'Send true or false.')
  },
  print: asItIs,
  example: true,
  bad: ['maybe', 2, {}, []],
}

export const oneOf = <const V extends readonly string[]>(...values: V): Kind<V[number]> => {
  const known = new Set<string>(values)
  return {
    type: 'enum',
    schema: Type.Unsafe<V[number]>({ type: 'string', enum: [...values] }),
    pg: 'text',
    enumValues: values,
    read(cell) {
      const value = typeof cell === 'string' ? cell.trim().toLowerCase() : ''
      return known.has(value) ? value : refuse('not_allowed', `Send one of ${values.join(', ')}.`, values)
    },
    print: asItIs,
    example: values[0],
    bad: ['nonesuch', 1, {}],
  }
}

const TERM_MAXIMUM = 60
/**
 * A term of one of the account's lists, matched by key or label in any case. Every account starts with these terms;
 * unknown terms are added.
 */
export const term = (
  taxonomy: string,
  terms: readonly [string, ...string[]],
  type: 'taxonomy' | 'string' = 'taxonomy',
): Kind<string> => ({
  type,
  schema: Type.String({ maxLength: TERM_MAXIMUM }),
  pg: 'text',
  maxLength: TERM_MAXIMUM,
  taxonomy,
  suggestedValues: terms,
  read(cell, { terms: own }) {
    const text = readText(cell, TERM_MAXIMUM)
    if (text instanceof Refusal) return text
    const key = termKey(text)
    if (key === '') return refuse('unknown_term', 'Send a term that has a letter or a digit.')
    return own?.get(`${taxonomy} ${key}`) ?? key
  },
  print: asItIs,
  example: terms[0],
  bad: [7, {}, '?!', 'x'.repeat(TERM_MAXIMUM + 1)],
})

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The id of a record. The command checks that it exists. */
export const uuid: Kind<string> = {
  type: 'string',
  schema: Type.String({ format: 'uuid', maxLength: 36 }),
  pg: 'uuid',
  read(cell) {
    const id = typeof cell === 'string' ? cell.trim().toLowerCase() : ''
    return UUID.test(id) ? id : refuse('invalid_type', 'Send a UUID.')
  },
  print: asItIs,
  example: '01890000-0000-7000-8000-000000000000',
  bad: ['x', 7, {}],
}

const REFERENCE_MAXIMUM = 254
/** Reads the cell's text; the id of the record that it names is found later, for all rows at once. */
export const reference = (to: Reference, type: 'reference' | 'email' = 'reference'): Kind<string> => ({
  type,
  schema: Type.String({ maxLength: REFERENCE_MAXIMUM }),
  pg: 'uuid',
  maxLength: REFERENCE_MAXIMUM,
  reference: to,
  read: (cell) => readText(cell, REFERENCE_MAXIMUM),
  print: asItIs,
  example: 'C-1001',
  bad: [7, {}, 'x'.repeat(255), 'a\u0000b'],
})
