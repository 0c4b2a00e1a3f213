import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ImportError } from '#client/import/import-error.ts'
import { readCsv } from '#client/import/read-csv.ts'
import { money } from '../../src/catalogue/amounts.ts'
import { type Kind, Refusal } from '../../src/catalogue/kind.ts'
import { currency, date, datetime, email, localTime, phone, uuid } from '../../src/catalogue/kinds.ts'
import { BillingRefused } from '../../src/features/bsp/billing.ts'
import { readBilling } from '../../src/features/bsp/read-billing.ts'
import { detectRatesFormat } from '../../src/features/exchange-rates/formats/detect.ts'
import { ApiError } from '../../src/platform/http/errors.ts'
import { readMailAddress } from '../../src/platform/mail/mail-address.ts'
import { fixed, print } from '../../src/platform/money.ts'
import { readInstant } from '../../src/platform/time.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { writeHot } from '../bsp/writers/hot.ts'
import { multipart, receive } from '../harness/upload.ts'

/** What reads the texts of others. */
export type Reader = {
  readonly name: string
  /** Texts that it takes. */
  readonly good: readonly string[]
  /** The result for a text; null for a proper refusal. Any other error is a fault. */
  read(text: string): unknown
  /** Whether the result can be written: reading it back changes nothing, and nothing is invented. */
  holds?(read: never, text: string): boolean
}

/** Null for an error of one of these kinds. */
const refusing =
  <T>(own: readonly unknown[], read: (text: string) => T | Promise<T>) =>
  async (text: string): Promise<T | null> => {
    try {
      return await read(text)
    } catch (error) {
      if (own.includes((error as Error).constructor)) return null
      throw error
    }
  }

const CONTEXT = { decimalSeparator: null, country: 'TR', currency: 'TRY', timeZone: 'Europe/Istanbul' } as const
const kindReader = (name: string, kind: Kind<string>, good: readonly string[]): Reader => ({
  name,
  good: [...good, String(kind.example)],
  read: (text) => {
    const value = kind.read(text, CONTEXT)
    return value instanceof Refusal ? null : value
  },
  // Accepted values are canonical, without ambiguous points, and fit their column.
  holds: (read: string) =>
    kind.read(read, { ...CONTEXT, decimalSeparator: '.' }) === read && read.length <= (kind.maxLength ?? 40),
})
const RATES = join(import.meta.dirname, '../../src/features/exchange-rates/formats/fixtures')
const ratesOf = (file: string) => readFileSync(join(RATES, file), 'utf8')

const BSP_OPTIONS = { map: new Map(), currency: null, periodOn: null }
const HOT = {
  offices: [
    {
      agent: '99999992',
      periodOn: '2026-03-31',
      unit: 'TRY2',
      documents: [
        { number: '2352400000001', code: 'TKTT', issuedOn: '2026-03-02', fare: 10_000, taxes: [2000], commission: 300 },
      ],
    },
  ],
}
const document = { number: '2352400000001', code: 'TKTT', currency: 'TRY', issued_on: '2026-03-02', total: '100.00' }
const BSP_CSV = `Document;Transaction;Currency;Issue date;Total\n${Object.values(document).join(';')}\n`

export const readers: readonly Reader[] = [
  kindReader('money', money(), ['1234.56', '-0.5', '0']),
  kindReader('date', date, ['2026-02-28', '2024-02-29']),
  kindReader('instant', datetime, ['2026-03-29T02:30:00', '2026-05-01T10:00:00.123456789Z']),
  kindReader('local time', localTime, ['2026-05-01T14:30']),
  kindReader('phone', phone, ['0532 123 45 67', '+1 (415) 555-2671;ext=7', '+49 30 901820']),
  kindReader('e-mail', email, ["o'hara+x@sub.example.co.uk"]),
  kindReader('currency', currency, ['try']),
  kindReader('uuid', uuid, ['0198C2C6-0000-7000-8000-000000000000']),
  {
    name: 'timestamps of filters',
    good: ['2026-03-02T10:00:00Z', '2026-03-02T10:00:00+03:00'],
    read: (text) => readInstant(text, 'Europe/Istanbul'),
    holds: (read: string) => readInstant(read, 'UTC') === read,
  },
  {
    name: 'amounts as they are kept',
    good: ['0', '-12.3400', '999999999999999.9999'],
    read: (text) => (/^-?\d{1,15}(?:\.\d{1,4})?$/.test(text) ? fixed(text) : null),
    holds: (read: bigint) => fixed(print(read)) === read,
  },
  {
    name: 'addresses of mails',
    good: ['Ayşe <ayse@example.com>', '"Yılmaz, A." <a@b.example>', 'a@b.example'],
    read: (text) => readMailAddress(text),
    holds: ({ address }: { address: string }, text) => text.includes(address) && !/[<>\s]/.test(address),
  },
  {
    name: 'CSV of imports',
    good: ['external_id,name\nC1,Ayşe\nC2,"a ""b"", c\nd"\n', 'sep=,\r\nexternal_id,lines\r\n1,"[{""a"":1}]"\r\n'],
    read: refusing([ImportError], async (text) => {
      const field = { required: false, items: [] }
      const fields = [
        { ...field, key: 'external_id', type: 'string' },
        { ...field, key: 'lines', type: 'list' },
      ]
      const target = { entity: 'customers', fields, maxRows: 500 }
      const options = { delimiter: ',', target, ignored: [], maxRowChars: 100_000 }
      return Array.fromAsync(
        readCsv(
          (async function* () {
            yield text
          })(),
          options,
        ),
      )
    }),
    holds: (rows: unknown[], text) => rows.length <= text.length,
  },
  {
    name: 'CSV of billings',
    good: [BSP_CSV],
    read: refusing([BillingRefused], (text) =>
      readBilling(Buffer.from(text), { map: new Map(), currency: null, periodOn: null }),
    ),
  },
  {
    name: 'HOT files',
    good: [writeHot(HOT)],
    read: refusing([BillingRefused], (text) => readBilling(Buffer.from(text), BSP_OPTIONS)),
  },
  ...['eurofxref-daily.xml', 'eurofxref.csv', 'plain.csv', 'tcmb-today.xml'].map((file) => ({
    name: `exchange rates of ${file}`,
    good: [ratesOf(file)],
    read: refusing([UserError], (text) => detectRatesFormat(text).read(text)),
  })),
  {
    name: 'multipart bodies',
    good: [multipart([{ name: 'file', filename: 'a.txt', bytes: 'A note.' }]).raw.toString()],
    read: refusing([ApiError], (text) =>
      receive(`multipart/form-data; boundary=${/^--([^\r\n]*)/.exec(text)?.[1] ?? 'x'}`, Buffer.from(text)),
    ),
    holds: ({ bytes }: { bytes: Buffer }, text) => bytes.length <= Buffer.byteLength(text),
  },
]
