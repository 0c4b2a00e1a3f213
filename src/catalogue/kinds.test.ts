import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../test/harness/any-text.ts'
import { importables } from '../registry.ts'
import type { Field, ReadContext } from './kind.ts'
import { boolean, currency, integer, oneOf, phone, string } from './kinds.ts'
import { readCells, type Values } from './read-cells.ts'
import { taxNumberHolds } from './tax-numbers.ts'

const CONTEXT: ReadContext = { decimalSeparator: null, country: 'TR', currency: 'TRY', timeZone: 'Europe/Istanbul' }
const fields = importables.flatMap(({ entity }) =>
  Object.entries(entity.fields).flatMap(([name, field]): [string, Field][] => [
    [`${entity.key}.${name}`, field],
    ...Object.entries(field.items ?? {}).map(([item, inner]): [string, Field] => [
      `${entity.key}.${name}[].${item}`,
      inner,
    ]),
  ]),
)
const read = (field: Field, cell: unknown, context = CONTEXT): { value: unknown; errors: number } => {
  const found = { errors: [], warnings: [], ignored: new Set<string>() }
  const values: Values = readCells({ cell: field }, { cell }, context, found)
  return { value: values.cell, errors: found.errors.length }
}

describe.each(fields)('%s', (_, field) => {
  it('reads its example, and reads what it answered as the same', () => {
    const once = read(field, field.example)
    expect(once.errors).toBe(0)
    expect(read(field, once.value)).toEqual(once)
  })
  it('refuses each of its bad examples', () => {
    for (const cell of field.bad) expect([cell, read(field, cell).errors > 0]).toEqual([cell, true])
  })
  it('answers a value or issues for whatever JSON holds, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), anyText()), (cell) => {
        const { value, errors } = read(field, cell)
        const again = value === '' ? null : value // commas only: an empty cell is null
        if (errors === 0 && value !== null) expect(read(field, value)).toEqual({ value: again, errors: 0 })
      }),
      { numRuns: 50 },
    )
  })
})

describe('scalars', () => {
  it('are as long as they have characters, whatever these take in memory', () => {
    const isTaken = (text: string) => typeof string(5).read(text, CONTEXT) === 'string'
    const letters = fc.constantFrom('a', 'ş', '😀', '𝒳')
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 1, maxLength: 12 }),
        (all) => isTaken(all.join('')) === all.length <= 5,
      ),
    )
  })
  it('are read leniently where nothing can be lost', () => {
    expect([
      integer(0).read(' 12 ', CONTEXT),
      currency.read('try', CONTEXT),
      phone.read('0532 123 45 67', CONTEXT),
    ]).toEqual([12, 'TRY', '+905321234567'])
  })
})

describe('tax numbers', () => {
  it.each([
    ['TR', '1234567890', true],
    ['TR', '1234567891', false],
    ['TR', '10000000146', true],
    ['TR', '10000000147', false],
    ['DE', 'DE 123 456 789', true],
    ['DE', '12345', false],
    ['GR', 'EL123456789', true],
    ['US', 'anything', true],
  ])('of %s: %s holds is %s', (country, number, holds) => {
    expect(taxNumberHolds(number, country)).toBe(holds)
  })
})

describe('equal values', () => {
  it('are read whatever the case and the blanks around them', () => {
    const yes = [true, 'true', ' TRUE ', 'Yes', '1', 1]
    const no = [false, 'False', 'no', '0', 0]
    expect([...yes, ...no].map((cell) => boolean.read(cell, CONTEXT))).toEqual([
      ...yes.map(() => true),
      ...no.map(() => false),
    ])
    expect([' Draft', 'DRAFT', 'draft\n'].map((cell) => oneOf('draft', 'option').read(cell, CONTEXT))).toEqual([
      'draft',
      'draft',
      'draft',
    ])
    expect(string(5).read('  a b  ', CONTEXT)).toBe('a b')
  })
})

describe('numbers', () => {
  it('are whole and within their bounds', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 50 }), fc.nat(50), fc.integer(), (minimum, width, value) => {
        const kind = integer(minimum, minimum + width)
        for (const cell of [value % 100, String(value % 100)]) {
          const number = Number(cell)
          const within = number >= minimum && number <= minimum + width
          const read = kind.read(cell, CONTEXT)
          if (within) expect(read === number).toBe(true)
          else expect(read).toMatchObject({ issues: [{ code: 'out_of_range' }] })
        }
      }),
    )
    for (const cell of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 0.1, '1.0', '１', '12a'])
      expect(integer(0).read(cell, CONTEXT)).toMatchObject({ issues: [{ code: 'invalid_integer' }] })
  })
})

describe('phones', () => {
  it('are E.164 by the company’s country, and are read as themselves in every other', () => {
    const countries = ['TR', 'DE', 'US', 'GB', 'IT', 'AR', 'XX']
    const numbers = [
      ['TR', '0212 444 12 12', '+902124441212'],
      ['TR', '0090 532 123 45 67', '+905321234567'],
      ['DE', '030 901820', '+4930901820'],
      ['US', '(212) 736-5000', '+12127365000'],
      ['GB', '020 7946 0018', '+442079460018'],
      ['IT', '06 6982', '+39066982'],
    ] as const
    for (const [country, national, e164] of numbers) {
      expect(phone.read(national, { ...CONTEXT, country })).toBe(e164)
      for (const other of countries) expect(phone.read(e164, { ...CONTEXT, country: other })).toBe(e164)
    }
  })
})

describe('Turkish numbers', () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))
  const lasts = Array.from({ length: 10 }, (_, digit) => String(digit))
  it('of companies have one check digit for each nine, that of the revenue administration', () => {
    fc.assert(
      fc.property(digits(9), (text) => {
        let sum = 0
        for (const [at, digit] of [...text].entries()) {
          const shifted = (Number(digit) + 9 - at) % 10
          let value = shifted
          for (let times = 9 - at; times > 0; times--) value = (value * 2) % 9
          sum += shifted === 9 ? 9 : value
        }
        const check = String((10 - (sum % 10)) % 10)
        expect(lasts.filter((last) => taxNumberHolds(text + last, 'TR'))).toEqual([check])
      }),
    )
  })
  it('of persons have one pair of check digits for each nine, and do not begin with zero', () => {
    fc.assert(
      fc.property(digits(9), (text) => {
        const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = [...text].map(Number)
        const tenth = (7 * (a + c + e + g + i) + 9 * (b + d + f + h)) % 10
        const eleventh = (8 * (a + c + e + g + i)) % 10
        const holding = lasts.flatMap((x) => lasts.map((y) => x + y)).filter((end) => taxNumberHolds(text + end, 'TR'))
        expect(holding).toEqual(a === 0 ? [] : [`${tenth}${eleventh}`])
      }),
    )
  })
  it('hold whatever separates their digits', () => {
    for (const text of ['123 456 7890', '123.456.7890', '123-456-78-90', ' 1234567890 '])
      expect(taxNumberHolds(text, 'TR')).toBe(true)
    for (const text of ['', '123456789', '12345678901', '0000000000x', '１２３４５６７８９０'])
      expect(taxNumberHolds(text, 'TR')).toBe(false)
  })
})

describe('European VAT numbers', () => {
  const NUMBERS: Readonly<Record<string, string>> = {
    AT: 'U12345678',
    BE: '0123456789',
    BG: '123456789',
    CY: '12345678L',
    CZ: '12345678',
    DE: '123456789',
    DK: '12345678',
    EE: '123456789',
    ES: 'X1234567R',
    FI: '12345678',
    FR: 'XX123456789',
    GR: '123456789',
    HR: '12345678901',
    HU: '12345678',
    IE: '1234567WA',
    IT: '12345678901',
    LT: '123456789012',
    LU: '12345678',
    LV: '12345678901',
    MT: '12345678',
    NL: '123456789B01',
    PL: '1234567890',
    PT: '123456789',
    RO: '1234567890',
    SE: '123456789012',
    SI: '12345678',
    SK: '1234567890',
  }
  it.each(Object.entries(NUMBERS))(
    'of %s hold with and without the prefix, not one digit longer',
    (country, number) => {
      const prefix = country === 'GR' ? 'EL' : country
      for (const text of [number, prefix + number, `${prefix.toLowerCase()} ${number.toLowerCase()}`])
        expect([text, taxNumberHolds(text, country)]).toEqual([text, true])
      for (const text of [`${prefix}${number}99999`, `${prefix}1`, prefix, `ZZ${number}`])
        expect([text, taxNumberHolds(text, country)]).toEqual([text, false])
    },
  )
})
