import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { WEATHER_VARIABLES } from '../../src/features/day-facts/open-meteo.ts'

const DAY_MS = 24 * 60 * 60_000
/** The service's limit per request; it refuses more. */
const FORECAST_DAYS = 16

type Answer = { readonly status: number; readonly body: unknown }
export type OpenMeteo = {
  readonly url: string
  /** The queries of all requests. */
  readonly asked: URLSearchParams[]
  /** Answers in another way from now on; as the service does, without one. */
  misbehave(answer?: (request: IncomingMessage, response: ServerResponse) => void): void
}

/** A server on this machine that answers as Open-Meteo's forecast does: the day of the month is the lowest temperature. */
export async function startOpenMeteo(today: () => number): Promise<OpenMeteo> {
  const asked: URLSearchParams[] = []
  let misbehaviour: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://weather.test')
    asked.push(url.searchParams)
    if (misbehaviour) return misbehaviour(request, response)
    const isKnown = url.pathname === '/v1/forecast'
    const { status, body } = isKnown ? forecast(url.searchParams, today()) : refuse('Not Found', 404)
    send(response, status, body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    misbehave: (answer) => {
      misbehaviour = answer
    },
  }
}

export const send = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))

const refuse = (reason: string, status = 400): Answer => ({ status, body: { error: true, reason } })

function forecast(query: URLSearchParams, today: number): Answer {
  const [latitudes, longitudes] = ['latitude', 'longitude'].map((name) =>
    (query.get(name) ?? '').split(',').map(Number),
  )
  const days = Number(query.get('forecast_days') ?? 7)
  if (!latitudes || !longitudes || latitudes.length !== longitudes.length)
    return refuse("Parameter 'latitude' and 'longitude' must have the same number of elements")
  const wrong = latitudes.find((latitude) => !(Math.abs(latitude) <= 90))
  if (wrong !== undefined) return refuse(`Latitude must be in range of -90 to 90°. Given: ${wrong}.`)
  if (!(days >= 0 && days <= FORECAST_DAYS))
    return refuse(`Forecast days is invalid. Allowed range 0 to 16. Given ${days}.`)
  if (query.has('daily') && !query.has('timezone')) return refuse('Timezone is required')
  const unknown = (query.get('daily') ?? '')
    .split(',')
    .find((name) => !WEATHER_VARIABLES.some((known) => known === name))
  if (unknown !== undefined)
    return refuse(`Data corrupted at path ''. Cannot initialize from invalid String value ${unknown}.`)
  const time = Array.from({ length: days }, (_, at) => new Date(today + at * DAY_MS).toISOString().slice(0, 10))
  const places = latitudes.map((latitude, at) => ({
    latitude: latitude + 0.0031,
    longitude: (longitudes[at] as number) - 0.0013,
    generationtime_ms: 0.07,
    utc_offset_seconds: 0,
    timezone: 'GMT',
    timezone_abbreviation: 'GMT',
    elevation: 38,
    daily_units: { time: 'iso8601' },
    daily: {
      time,
      temperature_2m_min: time.map((date) => Number(date.slice(-2))),
      temperature_2m_max: time.map(() => latitude),
      precipitation_sum: time.map(() => 0.3),
      precipitation_probability_max: time.map((_, day) => (day < 14 ? 40 : null)),
      weather_code: time.map(() => 61),
    },
  }))
  return { status: 200, body: places.length === 1 ? places[0] : places }
}
