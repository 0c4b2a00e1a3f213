import { CUSTOMS, type Language } from '../../platform/page/language.ts'
import { priceText } from '../../platform/page/price.ts'
import { daysFrom, hourOf, localDayOf, longDay } from '../../platform/page/when.ts'
import { endOf, flightOf } from '../trip-pages/reads/segment-names.ts'
import { wordsOf } from '../trip-pages/reads/words.ts'
import type { DueFlight, DueTrip } from './due-trips.store.ts'

/** The values of a due notification's placeholders, besides those of its trip. */
export function dueValues({ flights, balance, passports }: DueTrip, language: Language) {
  const custom = CUSTOMS[language]
  const prices = balance?.amounts?.map(({ amount, currency }) => priceText(amount, currency, custom))
  return {
    'flights.list': flights?.map((flight) => flightLine(flight, language)).join('\n'),
    'balance.amount': prices && new Intl.ListFormat(custom.locale).format(prices),
    'balance.due_on': balance && longDay(balance.due, custom),
    'passports.missing': passports && String(passports.missing),
    'passports.expiring': passports && String(passports.expiring),
    'passports.needed_until': passports?.until && longDay(passports.until, custom),
  }
}

/** `TK 1861 · Istanbul (IST) → Rome (FCO) · Thursday 12 March 2026, 08:35 → 10:20` */
function flightLine({ airline, flight, from, to, day, start, end }: DueFlight, language: Language): string {
  const ends = [from, to].flatMap((code) => (code ? [airportText(code, language)] : []))
  const hours = [start, end].flatMap((time) => (time ? [hourOf(time)] : []))
  const later = start && end ? daysFrom(localDayOf(start), localDayOf(end)) : 0
  const times = [hours.join(' → '), later === 0 ? null : `(${wordsOf(language).daysLater(later)})`]
  const when = [day && longDay(day, CUSTOMS[language]), times.filter(Boolean).join(' ')]
  return [flightOf({ airline, flight, title: null }), ends.join(' → '), when.filter(Boolean).join(', ')]
    .filter(Boolean)
    .join(' · ')
}

function airportText(code: string, language: Language): string {
  const { city } = endOf(code, language)
  return city ? `${city} (${code})` : code
}
