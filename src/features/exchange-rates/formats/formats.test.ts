import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeRates } from './decode.ts'
import { detectRatesFormat } from './detect.ts'
import type { PublishedRates } from './published-rates.ts'

const bytesOf = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name))
const read = (text: string): PublishedRates => detectRatesFormat(text).read(text)
const fixture = (name: string) => decodeRates(bytesOf(name))
/** The rates of a text, or the error message. */
const attempt = (text: string): PublishedRates | string => {
  try {
    return read(text)
  } catch (error) {
    return (error as Error).message
  }
}
const refusal = (text: string): string => {
  const result = attempt(text)
  return typeof result === 'string' ? result : `read: ${JSON.stringify(result).slice(0, 200)}`
}
const inWords = ({ source, base, rates }: PublishedRates): string[] =>
  rates.map((rate) => `${source} ${rate.day}: ${rate.currencyUnits} ${rate.currency} = ${rate.baseUnits} ${base}`)

const XML = ['eurofxref-daily.xml', 'eurofxref-hist-90d.xml', 'tcmb-today.xml', 'tcmb-02012008.xml']
const CSV = ['eurofxref.csv', 'eurofxref-hist.csv', 'plain.csv']

describe('rates as they are published', () => {
  it('of the European Central Bank, as XML and as CSV of one day, are the same', () => {
    const xml = read(fixture('eurofxref-daily.xml'))
    expect(read(fixture('eurofxref.csv'))).toEqual(xml)
    expect(xml.rates).toHaveLength(30)
    expect(inWords(xml)).toContain('ecb 2024-06-28: 1.0705 USD = 1 EUR')
    expect(inWords(xml)).toContain('ecb 2024-06-28: 395.10 HUF = 1 EUR')
  })
  it('of the European Central Bank are read for every day of a history', () => {
    const recent = read(fixture('eurofxref-hist-90d.xml'))
    expect(new Set(recent.rates.map(({ day }) => day)).size).toBe(4)
    expect(inWords(recent)).toContain('ecb 2024-06-25: 35.3056 TRY = 1 EUR')
    const long = inWords(read(fixture('eurofxref-hist.csv')))
    expect(long).toContain('ecb 2021-12-01: 15.1664 TRY = 1 EUR')
    expect(long).toContain('ecb 1999-01-04: 372274 TRL = 1 EUR')
    expect(long.filter((line) => line.includes('N/A') || line.includes('ecb 1999-01-04: 1 '))).toEqual([])
    expect(long).toHaveLength(32 + 32 + 27)
  })
  it('of the Turkish central bank are forex buying rates for the stated units, without special drawing rights', () => {
    expect(inWords(read(fixture('tcmb-today.xml')))).toEqual([
      'tcmb 2020-10-08: 1 USD = 7.8931 TRY',
      'tcmb 2020-10-08: 1 EUR = 9.2859 TRY',
      'tcmb 2020-10-08: 1 GBP = 10.1864 TRY',
      'tcmb 2020-10-08: 1 SEK = 0.88538 TRY',
      'tcmb 2020-10-08: 100 JPY = 7.4287 TRY',
      'tcmb 2020-10-08: 100 IRR = 0.01869 TRY',
    ])
  })
  it('of a bulletin in the Turkish encoding with Windows line breaks are read alike', () => {
    expect(fixture('tcmb-02012008.xml')).toContain('İSVİÇRE FRANGI')
    expect(inWords(read(fixture('tcmb-02012008.xml')))).toEqual([
      'tcmb 2008-01-02: 1 USD = 1.1593 TRY',
      'tcmb 2008-01-02: 1 CHF = 1.0244 TRY',
      'tcmb 2008-01-02: 100 JPY = 1.0365 TRY',
    ])
  })
  it('of a plain CSV are worth so much of the base, with or without units, in any order of columns', () => {
    expect(inWords(read(fixture('plain.csv')))).toEqual([
      'csv 2026-11-20: 1 USD = 42.4512 TRY',
      'csv 2026-11-20: 100 JPY = 27.0133 TRY',
      'csv 2026-11-19: 1 USD = 42.40 TRY',
    ])
    expect(inWords(read('rate;day; "currency";base\r\n\r\n0.92;2026-11-20;USD;EUR\r\n'))).toEqual([
      'csv 2026-11-20: 1 USD = 0.92 EUR',
    ])
  })
  it.each([...XML, ...CSV])('in %s are the same with a byte-order mark, other line breaks and blank ends', (name) => {
    const text = fixture(name)
    const expected = read(text)
    expect(read(decodeRates(Buffer.from(`\uFEFF${text.replace('ISO-8859-9', 'UTF-8')}`)))).toEqual(expected)
    expect(read(text.replaceAll('\r', '').replaceAll('\n', '\r\n'))).toEqual(expected)
    expect(read(`\n${text}\n\n`)).toEqual(expected)
  })
})

describe('an invalid rates file', () => {
  const ecb = fixture('eurofxref-daily.xml')
  const tcmb = fixture('tcmb-today.xml')
  it.each([
    [/format of the file is not supported/, ''],
    [/format of the file is not supported/, '<html><body>Not found</body></html>'],
    [/not supported.*header day,base,currency,rate/s, '{"rates":{"USD":1.08}}'],
    [/format of the file is not supported/, 'name,email\na,b\n'],
    [/document type/, ecb.replace('<gesmes', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n<gesmes')],
    [/rate of USD on 2024-06-28.*not a rate/, ecb.replace("'1.0705'", "'1.07&#48;5'")],
    [/rate of USD on 2024-06-28.*decimal comma/, ecb.replace("'1.0705'", "'1,0705'")],
    [/"1e1" is not a rate/, ecb.replace("'1.0705'", "'1e1'")],
    [/"-1.0705" is not a rate/, ecb.replace("'1.0705'", "'-1.0705'")],
    [/cannot be 0/, ecb.replace("'1.0705'", "'0.00'")],
    [/at most 10 digits/, ecb.replace("'1.0705'", "'1.07051234567'")],
    [/contain a rate of EUR in EUR/, ecb.replace("currency='USD'", "currency='EUR'")],
    [/day number 1.*"2024-06-31" is not a date/, ecb.replace('2024-06-28', '2024-06-31')],
    [/is not a date/, ecb.replace('2024-06-28', '28.06.2024')],
    [/contains no rates/, ecb.replace(/<Cube>[\s\S]*<\/Cube>/, '<Cube></Cube>')],
    [/two different dates, 2020-10-08 and 2020-08-10/, tcmb.replace('10/08/2020', '08/10/2020')],
    [/old lira/, tcmb.replaceAll('2020"', '2004"')],
    [/<Currency> of JPY.*<Unit>/, tcmb.replace('<Unit>100</Unit>', '')],
    [/<Unit> of JPY.*"45"/, tcmb.replace('<Unit>100<', '<Unit>45<')],
    [/two codes, AUD and USD/, tcmb.replace('Kod="USD"', 'Kod="AUD"')],
    [/Line 2 has 5 cells.*Use a decimal point/, 'day,base,currency,rate\n2026-11-20,EUR,USD,0,92\n'],
    [/Line 2: 0,92 has a decimal comma/, 'day;base;currency;rate\n2026-11-20;EUR;USD;0,92\n'],
    [/Line 2: "45" is not a number of units/, 'day,base,currency,rate,units\n2026-11-20,EUR,JPY,161,45\n'],
    [/Check it and add a line break/, 'day,base,currency,rate\n2026-11-20,EUR,USD,0.9'],
    [
      /Line 3: the base currency is TRY, but EUR/,
      'day,base,currency,rate\n2026-11-20,EUR,USD,0.92\n2026-11-20,TRY,USD,42\n',
    ],
    [/Line 2: "usd" is not a currency/, 'day,base,currency,rate\n2026-11-20,EUR,usd,0.92\n'],
    [/Line \d: the CSV is damaged/, 'day,base,currency,rate\n2026-11-20,EUR,"USD,0.92\n'],
    [/Line 1: the column "note"/, 'day,base,currency,rate,note\n2026-11-20,EUR,USD,0.92,x\n'],
    [/Line 1: the header has no column currency/, 'day,base,rate\n2026-11-20,EUR,0.92\n'],
    [/column rate twice/, 'day,base,currency,rate,rate\n'],
    [/Line 2: 5 is in a column/, 'Date,USD,\n2024-06-28,1.07,5\n'],
    [/Line 2, USD: "" is not a rate/, 'Date,USD,JPY,\n2024-06-28,,161,\n'],
    [/Line 2 has 3 cells/, 'Date, USD\n31 June 2024, 1.07,\n'],
    [/Line 2: "31 June 2024" is not a date/, 'Date, USD, \n31 June 2024, 1.07, \n'],
  ])('is refused with words that help: %s', (result, text) => {
    expect(refusal(text)).toMatch(result)
  })
  it('is refused if its bytes are not text, or in an unknown encoding', () => {
    expect(() => decodeRates(Buffer.from('PK\u0003\u0004\u00ff', 'latin1'))).toThrow(/not UTF-8 text.*unpack/)
    expect(() => decodeRates(Buffer.from('<?xml version="1.0" encoding="klingon"?><a/>'))).toThrow(
      /unknown encoding klingon/,
    )
  })
})

describe('a damaged file never yields a wrong rate', () => {
  /** Neither a letter, a digit nor a point: replacing one of those gives a valid file with other data. */
  const sign = fc.constantFrom(...'<>="\'/;,:- \n&#-+\u0000é!?[]{}')
  const damaged = fc.constantFrom(...XML, ...CSV).chain((name) => {
    const text = fixture(name)
    const anywhere = fc.nat(text.length - 1)
    const atSign = anywhere.filter((place) => !/[\w.]/.test(text[place] as string))
    const changed = fc.oneof(
      anywhere.map((cut) => text.slice(0, cut)),
      fc.tuple(anywhere, sign).map(([place, put]) => text.slice(0, place) + put + text.slice(place)),
      fc.tuple(atSign, sign).map(([place, put]) => text.slice(0, place) + put + text.slice(place + 1)),
      atSign.map((place) => text.slice(0, place) + text.slice(place + 1)),
    )
    return changed.map((text) => ({ name, text }))
  })
  it('when it is cut off, or one of its signs is lost, added or another one', () => {
    fc.assert(
      fc.property(damaged, ({ name, text }) => {
        const result = attempt(text)
        if (typeof result === 'string') return
        const whole = read(fixture(name)).rates
        // Whole lines at the end of a CSV may be missing; the rest is right.
        const expected = CSV.includes(name) ? whole.slice(0, result.rates.length) : whole
        expect(result.rates).toEqual(expected)
      }),
      { numRuns: 3_000 },
    )
  })
  it('when it is cut off anywhere before its last sign that counts, as XML', () => {
    for (const name of XML) {
      const text = fixture(name).trimEnd()
      for (let cut = 0; cut < text.length; cut++) expect(attempt(text.slice(0, cut))).toBeTypeOf('string')
    }
  })
})
