import { DownloadError, type DownloadLimits, download } from '../../platform/net/download.ts'
import type { FactProvider, KnownDay } from './fact-provider.ts'
import { type Forecast, readForecasts, WEATHER_VARIABLES } from './open-meteo.ts'

/** The forecast reaches sixteen days, today being the first. */
const FORECAST_DAYS = 16
const TWICE_A_DAY_MS = 12 * 60 * 60_000
/** A kilometre or so: finer than the grids of the models. */
const DEGREE_DIGITS = 2
const BAD_REQUEST = 400
const LIMITS: DownloadLimits = { totalMs: 15_000, maxBytes: 4 * 1024 * 1024, redirects: 3 }

/** Open-Meteo’s forecast, in degrees Celsius, millimetres and percent, with the weather code of the WMO. */
export const weatherFacts = (url: string, limits = LIMITS): FactProvider => ({
  kind: 'weather',
  name: 'Open-Meteo',
  refreshMs: TWICE_A_DAY_MS,
  daysAhead: FORECAST_DAYS - 1,
  about(day) {
    const point = pointOf(day)
    return point && day.date && `${day.date} ${point}`
  },
  async find(days, stopping) {
    const points = [...new Set([...days.values()].flatMap((day) => pointOf(day) ?? []))]
    const forecasts = await fetchForecasts(url, points, limits, stopping)
    return new Map(
      [...days].flatMap(([about, day]) => {
        const known = forecasts.get(pointOf(day) ?? '')?.get(day.date ?? '')
        return known ? [[about, known]] : []
      }),
    )
  },
})

/** `41.26,28.74` */
const pointOf = ({ latitude, longitude }: KnownDay): string | null =>
  latitude === null || longitude === null
    ? null
    : `${latitude.toFixed(DEGREE_DIGITS)},${longitude.toFixed(DEGREE_DIGITS)}`

/** One request for all points; of those that are refused each half is asked for by itself, so that one spoils no other. */
async function fetchForecasts(
  url: string,
  points: readonly string[],
  limits: DownloadLimits,
  stopping: AbortSignal,
): Promise<Map<string, Forecast>> {
  try {
    const bytes = await download(addressOf(url, points), stopping, limits)
    const forecasts = readForecasts(Buffer.from(bytes).toString(), points.length)
    return new Map(points.map((point, at) => [point, forecasts[at] as Forecast]))
  } catch (error) {
    if (!(error instanceof DownloadError) || error.status !== BAD_REQUEST) throw error
    if (points.length === 1) return new Map()
    const middle = Math.ceil(points.length / 2)
    return new Map([
      ...(await fetchForecasts(url, points.slice(0, middle), limits, stopping)),
      ...(await fetchForecasts(url, points.slice(middle), limits, stopping)),
    ])
  }
}

/** Query parameters of the configured address, such as a key, are kept. */
function addressOf(base: string, points: readonly string[]): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/forecast`
  const axis = (at: number) => points.map((point) => point.split(',')[at]).join(',')
  const query = {
    latitude: axis(0),
    longitude: axis(1),
    daily: WEATHER_VARIABLES.join(','),
    forecast_days: FORECAST_DAYS,
  }
  for (const [name, value] of Object.entries({ ...query, timezone: 'auto' })) url.searchParams.set(name, String(value))
  return url.href
}
