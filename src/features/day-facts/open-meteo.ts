/** The daily values, by their Open-Meteo names. */
export const WEATHER_VARIABLES = [
  'temperature_2m_min',
  'temperature_2m_max',
  'precipitation_sum',
  'precipitation_probability_max',
  'weather_code',
] as const

/** The forecast of a day; null where the models have no value. */
export type Weather = {
  readonly temperature_min: number
  readonly temperature_max: number
  readonly precipitation: number | null
  readonly precipitation_probability: number | null
  readonly weather_code: number | null
}
/** Indexed by date. */
export type Forecast = ReadonlyMap<string, Weather>
type Daily = Readonly<Record<'time' | (typeof WEATHER_VARIABLES)[number], readonly unknown[]>>

/**
 * Reads the answer for a number of places, in order; for a single place it is not an array. Throws for anything else.
 */
export function readForecasts(text: string, places: number): Forecast[] {
  const answer: unknown = JSON.parse(text)
  const list = Array.isArray(answer) ? answer : [answer]
  if (list.length !== places) throw new Error(`The forecast has ${list.length} places instead of ${places}.`)
  return list.map(readForecast)
}

function readForecast(answer: { readonly daily?: unknown } | null): Forecast {
  const daily = answer?.daily
  if (!isDaily(daily)) throw new Error('The forecast has no days.')
  return new Map(
    daily.time.flatMap((date, at) => {
      const weather = weatherAt(daily, at)
      return typeof date === 'string' && weather ? [[date, weather]] : []
    }),
  )
}

function isDaily(daily: unknown): daily is Daily {
  const lists = daily as Partial<Daily> | null | undefined
  return (
    typeof lists === 'object' && ['time' as const, ...WEATHER_VARIABLES].every((name) => Array.isArray(lists?.[name]))
  )
}

/** A day without temperatures has no forecast yet: the last day of the range is published later in the day. */
function weatherAt(daily: Daily, at: number): Weather | null {
  const value = (name: (typeof WEATHER_VARIABLES)[number]) => {
    const given = daily[name][at]
    return typeof given === 'number' ? given : null
  }
  const [min, max] = [value('temperature_2m_min'), value('temperature_2m_max')]
  if (min === null || max === null) return null
  return {
    temperature_min: min,
    temperature_max: max,
    precipitation: value('precipitation_sum'),
    precipitation_probability: value('precipitation_probability_max'),
    weather_code: value('weather_code'),
  }
}
