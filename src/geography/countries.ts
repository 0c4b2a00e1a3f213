import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { termKey } from '../catalogue/term-key.ts'

const FILE = join(import.meta.dirname, '../../reference/countries.tsv')
/** Languages in which destinations are likely to be written, besides the names of the data set. */
const LANGUAGES = ['en', 'tr', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru', 'ar']

export type Country = {
  /** ISO 3166-1, two letters. */
  readonly code: string
  readonly name: string
  /** Null if there is none. */
  readonly capital: string | null
  /** ISO 639-1, the official and the common ones. */
  readonly languages: readonly string[]
  /** ISO 4217; null for Antarctica. */
  readonly currency: string | null
  /** Without the plus. */
  readonly callingCodes: readonly string[]
  readonly drivingSide: 'left' | 'right'
  readonly emergencyNumbers: readonly string[]
}

/** As reference/README.md lists them. */
type Columns = [string, string, string, string, string, string, string, string, string]
type Reference = {
  readonly countries: ReadonlyMap<string, Country>
  /** Codes by folded name, in any of the languages. */
  readonly names: ReadonlyMap<string, string>
}

let loaded: Reference | undefined
const reference = (): Reference => {
  loaded ??= load()
  return loaded
}

function load(): Reference {
  const countries = new Map<string, Country>()
  const names = new Map<string, string>()
  const translations = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region' }))
  for (const line of readFileSync(FILE, 'utf8').trimEnd().split('\n').slice(1)) {
    const [code, name, capital, languages, currency, calling, side, emergency, aliases] = line.split('\t') as Columns
    countries.set(code, {
      code,
      name,
      capital: capital || null,
      languages: words(languages),
      currency: currency || null,
      callingCodes: words(calling),
      drivingSide: side === 'left' ? 'left' : 'right',
      emergencyNumbers: words(emergency),
    })
    const known = [name, ...aliases.split('|'), ...translations.map((translation) => translation.of(code) ?? '')]
    for (const key of known.map(termKey)) if (key !== '' && !names.has(key)) names.set(key, code)
  }
  return { countries, names }
}

const words = (text: string): string[] => (text === '' ? [] : text.split(' '))

/** The country of a code in capitals; null if unknown. Read from disk at the first call. */
export const country = (code: string): Country | null => reference().countries.get(code) ?? null

const own = ['en', 'tr'].map((language) => new Intl.DisplayNames(language, { type: 'region' }))
/** Whether it is the country's English or Turkish name, rather than one in another language or of another time. */
export const isOwnName = (code: string, name: string): boolean =>
  [country(code)?.name, ...own.map((names) => names.of(code))].some((known) => termKey(known ?? '') === termKey(name))

/** The code of a country by its name in one of several languages; null if unknown. */
export const countryNamed = (name: string): string | null => reference().names.get(termKey(name)) ?? null
