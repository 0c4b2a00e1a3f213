import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from './amounts.ts'
import { required } from './entity.ts'
import type { ReadContext } from './kind.ts'
import { currency, integer, string, taxNumber } from './kinds.ts'
import { list } from './lists.ts'
import { complete, type Fields, type Findings, MAXIMUM_ITEMS, missing, readCells } from './read-cells.ts'

const CONTEXT: ReadContext = { decimalSeparator: null, country: 'TR', currency: 'TRY', timeZone: 'Europe/Istanbul' }
const items = {
  kind: required(string(10)),
  amount: money(),
  currency,
  fee: money('fee_currency'),
  fee_currency: currency,
  quantity: { ...integer(0, 9), default: 1 },
  tax: taxNumber,
} satisfies Fields
const fields = { name: required(string(5)), currency, amount: money(), count: integer(0), lines: list(items) }
const read = (cells: Record<string, unknown>, context = CONTEXT) => {
  const found: Findings = { errors: [], warnings: [], ignored: new Set() }
  const values = readCells(fields, cells, context, found)
  const issues = (list: Findings['errors']) => list.map(({ at, code }) => `${at} ${code}`)
  return { values, errors: issues(found.errors), warnings: issues(found.warnings), ignored: [...found.ignored] }
}

describe('the cells of a row', () => {
  it('are absent where the key is, and null where they are null, empty or blank', () => {
    const blank = fc.constantFrom(null, '', ' ', '\t\n ', '\u00a0')
    fc.assert(
      fc.property(fc.subarray(Object.keys(fields)), blank, (names, cell) => {
        const { values, errors } = read(Object.fromEntries(names.map((name) => [name, cell])))
        expect(errors).toEqual([])
        expect(values).toEqual(Object.fromEntries(names.map((name) => [name, null])))
      }),
    )
  })
  it('are refused individually: every issue is found, and valid cells are read', () => {
    const row = { name: 'abcdef', count: 'two', currency: 'eur', amount: 5, lines: [{ kind: 7 }, 3, { kind: 'a' }] }
    expect(read(row)).toEqual({
      values: { currency: 'EUR' },
      errors: [
        'name too_long',
        'count invalid_integer',
        'amount invalid_money',
        'lines[0].kind invalid_type',
        'lines[1] invalid_type',
      ],
      warnings: [],
      ignored: [],
    })
  })
  it('that no field has are ignored by name, also those that every object inherits', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom('constructor', 'toString', 'hasOwnProperty'), fc.string()), (name) => {
        fc.pre(!(name in fields && Object.hasOwn(fields, name)) && name !== '__proto__')
        expect(read({ [name]: 1 })).toEqual({ values: {}, errors: [], warnings: [], ignored: [name] })
      }),
    )
    expect(read(JSON.parse('{"__proto__": {"name": "x"}}'))).toMatchObject({ values: {}, ignored: ['__proto__'] })
    expect(read({ lines: [{ kind: 'a', colour: 1 }] }).ignored).toEqual(['lines[].colour'])
  })
  it('never throw, whatever JSON they hold', () => {
    const cells = fc.record(
      Object.fromEntries(Object.keys(fields).map((name) => [name, fc.jsonValue()])) as Record<
        string,
        fc.Arbitrary<unknown>
      >,
      { requiredKeys: [] },
    )
    fc.assert(fc.property(cells, (row) => void read(row)))
    const lines = fc.array(fc.dictionary(fc.constantFrom(...Object.keys(items)), fc.jsonValue()))
    fc.assert(fc.property(lines, (given) => void read({ lines: given })))
  })
})

describe('an amount', () => {
  // The nearest currency decides whether 1.234 may be thousands: the named cell's, the item's, the row's, the company's.
  const codes = fc.option(fc.constantFrom('TRY', 'JPY', 'KWD', 'CLF', 'kwd'), { nil: undefined })
  const three = (code: string) => ['KWD', 'CLF'].includes(code.toUpperCase())
  it('may be thousands by the nearest currency, wherever the row names it', () => {
    fc.assert(
      fc.property(codes, codes, codes, fc.constantFrom('TRY', 'KWD'), (row, item, fee, company) => {
        const line = {
          ...(item && { currency: item }),
          ...(fee && { fee_currency: fee }),
          kind: 'a',
          amount: '1.234',
          fee: '1.234',
        }
        const given = { ...(row && { currency: row }), amount: '1.234', lines: [line] }
        const { errors, warnings } = read(given, { ...CONTEXT, currency: company })
        const warned = (at: string, code: string) => (three(code) ? [] : [`${at} possible_thousands`])
        const [rows, inItem] = [row ?? company, item ?? row ?? company]
        expect(errors).toEqual([])
        expect(warnings.toSorted()).toEqual(
          [
            ...warned('amount', rows),
            ...warned('lines[0].amount', inItem),
            ...warned('lines[0].fee', fee ?? inItem),
          ].toSorted(),
        )
      }),
    )
  })
})

describe('the items of a list', () => {
  it('are whole: every field has a value, in the declared order, so that equal items are equal text', () => {
    const item = fc.record(
      { kind: fc.constant('a'), quantity: fc.integer({ min: 0, max: 9 }), amount: fc.constantFrom('1', '1.0', null) },
      { requiredKeys: ['kind'] },
    )
    fc.assert(
      fc.property(item, (given) => {
        const shuffled = Object.fromEntries(Object.entries(given).toReversed())
        const [a, b] = [read({ lines: [given] }).values.lines, read({ lines: [shuffled] }).values.lines]
        expect(JSON.stringify(a)).toBe(JSON.stringify(b))
        expect(Object.keys((a as object[])[0] as object)).toEqual(Object.keys(items))
        expect(a).toMatchObject([{ kind: 'a', quantity: given.quantity ?? 1, amount: given.amount ? '1' : null }])
      }),
    )
  })
  it('report a missing required field once, unless its cell was refused for another reason', () => {
    expect(read({ lines: [{}, { kind: '' }, { kind: null }, { kind: 5 }] }).errors).toEqual([
      'lines[0].kind required',
      'lines[1].kind required',
      'lines[2].kind required',
      'lines[3].kind invalid_type',
    ])
  })
  it('carry their warnings by their place', () => {
    expect(
      read({
        lines: [
          { kind: 'a', tax: '1234567890' },
          { kind: 'b', tax: 'none' },
        ],
      }).warnings,
    ).toEqual(['lines[1].tax invalid_tax_number'])
  })
  it(`are ${MAXIMUM_ITEMS} at most`, () => {
    const lines = (length: number) => Array.from({ length }, () => ({ kind: 'a' }))
    expect(read({ lines: lines(MAXIMUM_ITEMS) }).errors).toEqual([])
    expect(read({ lines: lines(MAXIMUM_ITEMS + 1) }).errors).toEqual(['lines too_long'])
  })
})

describe('required fields', () => {
  it('are missing where they have no value, but for those that were refused already', () => {
    const at = (values: Record<string, unknown>, refused: string[] = []) =>
      missing(
        fields,
        values,
        refused.map((at) => ({ at, code: 'x', message: '' })),
      ).map((issue) => issue.at)
    expect([
      at({}),
      at({ name: null }),
      at({ name: 'a' }),
      at({}, ['name']),
      at({}, ['name_2']),
      at({}, ['na']),
    ]).toEqual([['name'], ['name'], [], [], ['name'], ['name']])
  })
  it('do not keep a false, a zero or an empty list from being values', () => {
    expect(complete(fields, { count: 0, lines: [] })).toEqual({
      name: null,
      currency: null,
      amount: null,
      count: 0,
      lines: [],
    })
  })
})
