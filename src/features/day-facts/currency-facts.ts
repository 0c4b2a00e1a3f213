import { country } from '../../geography/countries.ts'
import type { Database } from '../../platform/db/database.ts'
import { findRates, rateKey } from '../exchange-rates/commands/find-rates.ts'
import type { FactProvider, KnownDay } from './fact-provider.ts'

const DAY_MS = 24 * 60 * 60_000

/** What the money of the day's country is worth in the agency's and the trip's, by the latest rates of the cell. */
export const currencyFacts = ({ db }: { readonly db: Database }): FactProvider => ({
  kind: 'currency',
  name: 'exchange rates',
  refreshMs: DAY_MS,
  about(day) {
    const spent = spentOn(day)
    return spent && [day.country, rateDay(day), spent, ...day.currencies].join(' ')
  },
  async find(days) {
    const asked = [...days].map(([about, day]) => ({ about, day, spent: spentOn(day) as string }))
    const questions = asked.flatMap(({ day, spent }) =>
      day.currencies.map((currency) => ({ from: spent, to: currency, day: rateDay(day) })),
    )
    const rates = await db.asSystem('rates belong to the cell', (tx) => findRates(tx, questions))
    return new Map(
      asked.map(({ about, day, spent }) => {
        const ratesOfDay = day.currencies.flatMap((currency) => {
          const rate = spent === currency ? undefined : rates.get(rateKey(spent, currency, rateDay(day)))
          return rate ? [{ from: spent, to: currency, ...rate }] : []
        })
        return [about, { country: day.country, currency: spent, rates: ratesOfDay }]
      }),
    )
  },
})

const spentOn = (day: KnownDay): string | null =>
  day.country === null ? null : (country(day.country)?.currency ?? null)

/** Future days have today's rate. */
const rateDay = ({ date, today }: KnownDay): string => (date !== null && date < today ? date : today)
