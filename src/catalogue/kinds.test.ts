import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importables } from '../registry.ts'
import { type Field, type ReadContext, Refusal } from './kind.ts'
import { currency, integer, money, phone } from './kinds.ts'
import { readCells, type Values } from './read-cells.ts'
import { taxNumberHolds } from './tax-numbers.ts'

const CONTEXT: ReadContext = { decimalSeparator: null, country: 'TR', currency: 'TRY' }
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
      fc.property(fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })), (cell) => {
        const { value, errors } = read(field, cell)
        if (errors === 0 && value !== null) expect(read(field, value)).toEqual({ value, errors: 0 })
      }),
      { numRuns: 50 },
    )
  })
})

describe('amounts', () => {
  const code = (cell: string, more: Partial<ReadContext> = {}) => {
    const value = money().read(cell, { ...CONTEXT, ...more })
    return value instanceof Refusal ? value.issues[0]?.code : value
  }
  it('mean one thing or are refused: a point and three digits depend on the currency or a named separator', () => {
    expect([
      code('1.234'),
      code('1.234', { currency: 'KWD' }),
      code('1.234', { decimalSeparator: '.' }),
      code('1.234', { decimalSeparator: ',' }),
    ]).toEqual(['ambiguous_number', '1.234', '1.234', '1234'])
    expect([code('9,99'), code('1,234.56'), code('1234.567'), code('12.34', { decimalSeparator: ',' })]).toEqual([
      'invalid_money',
      'invalid_money',
      '1234.567',
      'invalid_money',
    ])
  })
  it('written with commas are read as what was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
        const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, '.')
        const expected = money().read(`${whole}.${String(cents).padStart(2, '0')}`, {
          ...CONTEXT,
          decimalSeparator: '.',
        })
        expect(
          money().read(`${grouped},${String(cents).padStart(2, '0')}`, { ...CONTEXT, decimalSeparator: ',' }),
        ).toBe(expected)
      }),
    )
  })
})

describe('scalars', () => {
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
