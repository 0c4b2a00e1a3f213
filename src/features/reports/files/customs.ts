/** How a locale writes numbers and days, as files for spreadsheets need it. */
type Customs = {
  readonly decimal: string
  /** What separates the cells of a CSV file: a comma, unless numbers have it. */
  readonly separator: ',' | ';'
  /** A format of days as workbooks have it, `dd\.mm\.yyyy` for one. */
  readonly day: string
}

/** Its days are as ISO 8601 has them. */
const ISO = 'sv-SE'
const FIELDS: Readonly<Record<string, string>> = { day: 'dd', month: 'mm', year: 'yyyy' }

/** The customs of a locale, by the runtime's own tables. */
export function customsOf(locale: string): Customs {
  const digits = { numberingSystem: 'latn' } as const
  // What the runtime does not know must not fall back to the locale of the process.
  const number = new Intl.NumberFormat([locale, 'en'], digits).formatToParts(1.5)
  // English without a country has days either way round.
  const day = new Intl.DateTimeFormat([...(locale === 'en' ? [] : [locale]), ISO], {
    ...digits,
    calendar: 'gregory',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
  }).formatToParts(0)
  const decimal = number.find(({ type }) => type === 'decimal')?.value ?? '.'
  return {
    decimal,
    separator: decimal === ',' ? ';' : ',',
    day: day.map(({ type, value }) => FIELDS[type] ?? literal(value)).join(''),
  }
}

/** Without marks of right-to-left writing. */
const literal = (text: string): string => [...text.replace(/\p{Cf}/gu, '')].map((sign) => `\\${sign}`).join('')
