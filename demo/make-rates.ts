import { seeded } from './random.ts'
import { LIRA } from './vocabulary.ts'

/** What one unit of the currency was worth in lira on a day. */
export type Rate = { readonly day: string; readonly currency: string; readonly rate: string }
export const RATES_BASE = 'TRY'

const CURRENCIES = Object.keys(LIRA).filter((code) => code !== RATES_BASE)
const DECIMALS = 6
const DAY_MS = 86_400_000
/** The start of the random walk, as a share of the mid-year rates. */
const BEGINNING = 0.84
/** Average loss of the lira per business day, and the random movement of the lira and of each currency. */
const LOSS = 0.0008
const SWING = 0.004

/** Rates of every business day from one date to another, the same for the same seed and first date. */
export function makeRates({ seed, from, to }: { seed: number; from: string; to: string }): Rate[] {
  const random = seeded(seed)
  const step = () => (random.next() - 0.5) * SWING
  const rates: Rate[] = []
  const lirasOf = new Map(CURRENCIES.map((code) => [code, (LIRA[code] as number) * BEGINNING]))
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) {
    if (isWeekend(time)) continue
    const lira = LOSS + step()
    for (const currency of CURRENCIES) {
      const rate = (lirasOf.get(currency) as number) * (1 + lira + step())
      lirasOf.set(currency, rate)
      rates.push({ day: new Date(time).toISOString().slice(0, 10), currency, rate: rate.toFixed(DECIMALS) })
    }
  }
  return rates
}

const isWeekend = (time: number): boolean => [0, 6].includes(new Date(time).getUTCDay())
