import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { decimal, money, percent } from './amounts.ts'
import { type Kind, type ReadContext, Refusal } from './kind.ts'

const CONTEXT: ReadContext = { decimalSeparator: null, country: 'TR', currency: 'TRY', timeZone: 'Europe/Istanbul' }

describe('amounts', () => {
  const code = (cell: string, more: Partial<ReadContext> = {}) => {
    const value = money().read(cell, { ...CONTEXT, ...more })
    return value instanceof Refusal ? value.issues[0]?.code : value
  }
  it('mean one thing or are refused: the point is decimal unless the comma is named', () => {
    expect([
      code('1.234'),
      code('1.234', { currency: 'KWD' }),
      code('1.234', { decimalSeparator: '.' }),
      code('1.234', { decimalSeparator: ',' }),
    ]).toEqual(['1.234', '1.234', '1.234', '1234'])
    expect([code('9,99'), code('1,234.56'), code('1234.567'), code('12.34', { decimalSeparator: ',' })]).toEqual([
      'invalid_money',
      'invalid_money',
      '1234.567',
      'invalid_money',
    ])
  })
  it('with thousands separators are read', () => {
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
  it('that are equal are equal text, however they were written', () => {
    const zeros = fc.constantFrom('', '0', '00')
    fc.assert(
      fc.property(zeros, fc.nat(99_999), fc.option(fc.nat(99)), zeros, (lead, whole, cents, tail) => {
        const plain = cents === null ? `${whole}` : `${whole}.${String(cents).padStart(2, '0')}`
        const padded = lead + (cents === null ? plain : plain + tail)
        const context = { ...CONTEXT, decimalSeparator: '.' } as const
        for (const sign of ['', '-'])
          for (const kind of [money(), decimal]) {
            const value = kind.read(sign + padded, context)
            expect(value).toBe(kind.read(sign + plain, context))
            expect(value).toMatch(/^(0|-?(0\.\d*[1-9]|[1-9]\d*(\.\d*[1-9])?))$/)
          }
      }),
    )
  })
})

describe('with decimal_separator “,”', () => {
  const comma = (cell: string) => {
    const values = [money(), decimal].map((kind) => kind.read(cell, { ...CONTEXT, decimalSeparator: ',' }))
    return values.map((value) => (value instanceof Refusal ? value.issues[0]?.code : value))
  }
  it.each([
    ['1.234,56', '1234.56'],
    ['1.234', '1234'],
    ['1234,5', '1234.5'],
    ['-1.234.567,8901', '-1234567.8901'],
    ['999.999.999.999.999', '999999999999999'],
    ['0,50', '0.5'],
    ['-0,0', '0'],
  ])('%s is %s', (cell, value) => {
    expect(comma(cell)).toEqual([value, value])
  })
  it.each([
    '1.23',
    '12.34,56',
    '1.2345',
    '1234.567',
    '1,234.56',
    '1.234,56789',
    '1..234',
    ',5',
    '5,',
    '1.000.000.000.000.000',
  ])('%s is refused: its groups are not thousands, or it is too long', (cell) => {
    expect(comma(cell)).toEqual(['invalid_money', 'invalid_decimal'])
  })
  it.each(['0.500', '00.500', '000.001', '-0.125', '0.123,4'])(
    '%s is refused: thousands do not begin with zero',
    (cell) => {
      expect(comma(cell)).toEqual(['invalid_money', 'invalid_decimal'])
    },
  )
})

describe('without decimal_separator', () => {
  it('the point is decimal, with a warning where 1 to 999, a point and three digits may be thousands, and nowhere else', () => {
    const digits = { TRY: 2, JPY: 0, EUR: 2, KWD: 3, CLF: 4 }
    const number = fc.tuple(
      fc.constantFrom('', '-'),
      fc.stringMatching(/^\d{1,6}$/),
      fc.stringMatching(/^(\.\d{1,4})?$/),
    )
    fc.assert(
      fc.property(number, fc.constantFrom('TRY', 'JPY', 'EUR', 'KWD', 'CLF'), ([sign, whole, rest], code) => {
        const cell = sign + whole + rest
        const context = { ...CONTEXT, currency: code }
        const value = money().read(cell, context) as string
        expect(Number(value)).toBe(Number(cell) || 0)
        const mayBeThousands = whole.length <= 3 && Number(whole) >= 1 && rest.length === 4 && digits[code] < 3
        const warned = (decimalSeparator: ReadContext['decimalSeparator']) =>
          money().advise?.(value, { ...context, decimalSeparator }, cell)?.code
        expect(warned(null)).toBe(mayBeThousands ? 'possible_thousands' : undefined)
        expect([warned('.'), warned(',')]).toEqual([undefined, undefined])
      }),
      { numRuns: 500 },
    )
  })
})

describe('percentages', () => {
  it('are from 0 to less than 1000', () => {
    const read = (cell: string) => percent.read(cell, CONTEXT)
    expect(['0', '-0', '999.9999', '7.125'].map(read)).toEqual(['0', '0', '999.9999', '7.125'])
    for (const cell of ['-0.0001', '1000', '1000.0'])
      expect(read(cell)).toMatchObject({ issues: [{ code: 'out_of_range', message: expect.stringContaining('999') }] })
  })
})

describe('an amount', () => {
  const refusal = (kind: Kind<string>, cell: unknown, context = CONTEXT) => {
    const value = kind.read(cell, context)
    return value instanceof Refusal ? value.issues : value
  }
  it('is a text: no number is one, since it may have lost digits on its way', () => {
    for (const kind of [money(), decimal, percent])
      for (const cell of [12.5, 0, null, {}, true])
        expect(refusal(kind, cell)).toMatchObject([
          { code: kind === percent ? 'invalid_decimal' : `invalid_${kind.type}` },
        ])
  })
  it('that cannot be read is answered with how to write it, by the separator that was named', () => {
    const words = (cell: unknown, decimalSeparator: ReadContext['decimalSeparator'] = null) => {
      const issues = refusal(money(), cell, { ...CONTEXT, decimalSeparator })
      return typeof issues === 'string' ? issues : issues[0]?.message
    }
    expect(words(12)).toContain('"1234.56"')
    expect(words('1,5')).toMatch(/"1234.56".* decimal_separator ","/)
    expect(words('1e5')).toMatch(/15 digits before and 4 after/)
    expect(words('1,5', '.')).toMatch(/"1234.56"(?!.* decimal_separator)/)
    expect(words('1.5', ',')).toMatch(/"1.234,56"/)
  })
  it('is read with the blanks around it left aside', () => {
    expect([refusal(money(), ' 12.5 '), refusal(money(), ' 1.234 ')]).toEqual(['12.5', '1.234'])
    expect(money().advise?.('1.5', CONTEXT, ' 1.500 ')).toMatchObject({
      code: 'possible_thousands',
      message: expect.stringContaining('Read as 1.5.'),
    })
  })
  it.each(['999999999999999.9999', '-999999999999999', '0.0001', '1'])('holds 15 digits and 4: %s', (cell) => {
    expect(refusal(money(), cell)).toBe(cell)
  })
  it.each(['1000000000000000', '1.00001', '1.', '.1', '+1', '1 000', '--1', 'x1', '1x', '1e3', ''])(
    'is null for %j',
    (cell) => expect(refusal(decimal, cell)).toMatchObject([{ code: 'invalid_decimal' }]),
  )
  it('is shown with digits and at most one decimal point, as documented', () => {
    const check = Compile(money().schema)
    const shown = ['1250.50', '-3', '0', '1.', 'x', '1,5', '1e3', ''].map((text) => check.Check(text))
    expect(shown).toEqual([true, true, true, false, false, false, false, false])
    expect([check.Check('1'.repeat(25)), check.Check('1'.repeat(26)), check.Check(5)]).toEqual([true, false, false])
  })
  it('is shown in the digits of its currency, which stands in the cell that it names', () => {
    expect([money().currencyCell, money('fee_currency').currencyCell]).toEqual(['currency', 'fee_currency'])
    expect(money().show?.('t.a', 't.currency')).toBe('money_text(t.a, t.currency)')
    for (const kind of [money(), decimal]) expect(kind.print('t.a')).toBe('trim_scale(t.a)::text')
    for (const kind of [money(), decimal, percent]) expect(kind.pg).toBe('numeric')
  })
  it('reads its example, and refuses each of its bad examples', () => {
    for (const kind of [money(), decimal, percent]) {
      expect(kind.read(kind.example, CONTEXT)).not.toBeInstanceOf(Refusal)
      for (const cell of kind.bad) expect([cell, kind.read(cell, CONTEXT)]).toEqual([cell, expect.any(Refusal)])
    }
  })
})
