import { country } from '../../geography/countries.ts'
import type { FactProvider, KnownDay } from './fact-provider.ts'

const MONTH_MS = 30 * 24 * 60 * 60_000

/** Travel information about countries, shipped with the project. */
export const generalFacts: FactProvider = {
  kind: 'general',
  name: 'country facts',
  refreshMs: MONTH_MS,
  about: ({ country: code, timeZone }) => (code === null ? null : `${code} ${timeZone ?? ''}`),
  async find(days) {
    return new Map([...days].flatMap(([about, day]) => (day.country === null ? [] : entry(about, day.country, day))))
  },
}

function entry(about: string, code: string, { timeZone }: KnownDay): [string, object][] {
  const known = country(code)
  if (!known) return []
  const languages = new Intl.DisplayNames('en', { type: 'language' })
  const facts = {
    country: code,
    name: known.name,
    capital: known.capital,
    languages: known.languages.map((language) => ({ code: language, name: languages.of(language) ?? language })),
    currency: known.currency,
    calling_codes: known.callingCodes.map((digits) => `+${digits}`),
    driving_side: known.drivingSide,
    emergency_numbers: known.emergencyNumbers,
    time_zone: timeZone,
  }
  return [[about, facts]]
}
