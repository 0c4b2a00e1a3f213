import { describe, expect, it } from 'vitest'
import { factQueue, factQueues } from '../../src/features/day-facts/day-facts.job.ts'
import { generalFacts } from '../../src/features/day-facts/general-facts.ts'
import { weatherFacts } from '../../src/features/day-facts/weather-facts.ts'
import { makeAgency } from '../harness/agency.ts'
import { withFacts } from '../harness/facts.ts'
import { type OpenMeteo, send } from '../harness/open-meteo.ts'
import { freePort } from '../harness/process.ts'
import { GO_ON } from '../harness/worker.ts'

const DAY_MINUTES = 24 * 60
const { cell, agency, weather, failures, sql, deps, makeTrip, want, dayOf, rowsOf, findFacts, makeDue, letPass } =
  withFacts()

describe('the weather', () => {
  const only = () => [weatherFacts(weather().url)]

  it('is requested from fifteen days before, twice a day, and stays unchanged once the day is past', async () => {
    const trip = await makeTrip('2026-12-14', '2026-12-19', [[1, 'IST', 'CDG']])
    await findFacts(only())
    expect((await rowsOf(trip)).map(({ data, minutes }) => [data?.temperature_min ?? null, minutes])).toEqual([
      [14, DAY_MINUTES / 2],
      [15, DAY_MINUTES / 2],
      [16, DAY_MINUTES / 2],
      [null, DAY_MINUTES],
      [null, 2 * DAY_MINUTES],
      [null, 3 * DAY_MINUTES],
    ])
    await letPass(15 * 24)
    await findFacts(only())
    expect(await rowsOf(trip)).toMatchObject([
      { data: { temperature_min: 14 }, minutes: null },
      { data: { temperature_min: 15 }, minutes: null },
      { data: { temperature_min: 16 }, minutes: DAY_MINUTES / 2 },
      { data: { temperature_min: 17 } },
      { data: { temperature_min: 18 } },
      { data: { temperature_min: 19 } },
    ])
  })
  it('of many days and accounts at few places takes one request, and none while it is fresh', async () => {
    const other = await makeAgency(cell())
    const trips = [
      await makeTrip('2026-12-02', '2026-12-09', [
        [1, 'IST', 'CDG'],
        [5, 'CDG', 'LHR'],
      ]),
      await makeTrip('2026-12-02', '2026-12-05', [[1, 'ESB', 'CDG']], other),
    ]
    await findFacts(only())
    expect(weather().asked).toHaveLength(1)
    expect(weather().asked[0]?.get('latitude')?.split(',')).toHaveLength(2)
    expect((await dayOf(trips[1] as string, 4, other)).intelligence.weather.data).toMatchObject({ temperature_min: 5 })
    for (const [at, of] of [agency(), other].entries()) await want(trips[at] as string, of)
    await findFacts(only())
    expect(weather().asked).toHaveLength(1)
    await letPass(12)
    await findFacts(only())
    expect(weather().asked).toHaveLength(2)
  })
  it('moves with the day', async () => {
    const trip = await makeTrip('2026-12-03', '2026-12-03', [[1, 'IST', 'CDG']])
    await findFacts(only())
    await sql(`update trip_days set date = '2026-12-10' where trip_id = $1`, [trip])
    await want(trip)
    await findFacts(only())
    expect(await rowsOf(trip)).toMatchObject([{ data: { temperature_min: 10 } }])
    await sql(`update trip_days set date = '2027-12-10' where trip_id = $1`, [trip])
    await want(trip)
    await findFacts(only())
    expect(await rowsOf(trip)).toMatchObject([{ data: null }])
  })

  const huge = 'x'.repeat(5 * 1024 * 1024)
  it.each<[string, Parameters<OpenMeteo['misbehave']>[0]]>([
    ['answers 500', (_, response) => void response.writeHead(500).end('no')],
    [
      'has had enough',
      (_, response) => send(response, 429, { error: true, reason: 'Minutely API request limit exceeded.' }),
    ],
    ['answers with a page', (_, response) => void response.end('<html>Maintenance</html>')],
    ['answers with something else', (_, response) => send(response, 200, { daily: { time: ['2026-12-03'] } })],
    ['answers for another number of places', (_, response) => send(response, 200, [{}, {}, {}])],
    ['hangs up', (_, response) => void response.destroy()],
    [
      'hangs up amid its answer',
      (_, response) => void response.writeHead(200, { 'content-length': 1000 }).write('{', () => response.destroy()),
    ],
    ['says too much', (_, response) => void response.end(huge)],
    ['does not answer', () => {}],
    ['redirects for ever', (_, response) => void response.writeHead(302, { location: '/v1/forecast' }).end()],
  ])('of a server that %s stays unchanged, and delays nothing', async (_, answer) => {
    const slow = () => [weatherFacts(weather().url, { totalMs: 300, maxBytes: 4 * 1024 * 1024, redirects: 3 })]
    const trip = await makeTrip('2026-12-03', '2026-12-04', [[1, 'IST', 'CDG']])
    weather().misbehave(answer)
    await findFacts([...slow(), generalFacts])
    expect((await rowsOf(trip)).map(({ data, failures: count }) => [data, count])).toEqual([
      [null, 1],
      [null, 1],
    ])
    expect((await dayOf(trip, 1)).intelligence.general.data).toMatchObject({ country: 'FR' })
    expect(failures()).toMatchObject([{ kind: 'weather' }])
    weather().misbehave()
    await makeDue()
    await findFacts(slow())
    const found = (await dayOf(trip, 1)).intelligence.weather
    expect([found.data, (await rowsOf(trip))[0]?.failures]).toMatchObject([{ temperature_min: 3 }, 0])
    weather().misbehave(answer)
    await letPass(12)
    await findFacts(slow())
    expect((await dayOf(trip, 1)).intelligence.weather).toMatchObject({ data: found.data })
    await sql(`update trip_days set date = '2026-12-08' where trip_id = $1`, [trip])
    await want(trip)
    await findFacts(slow())
    expect((await rowsOf(trip)).map(({ data }) => data)).toEqual([null, null]) // that was of another day
  })
  it('is requested less and less often while the server does not answer', async () => {
    const trip = await makeTrip('2026-12-13', '2026-12-13', [[1, 'IST', 'CDG']])
    const gone = [weatherFacts(`http://127.0.0.1:${await freePort()}`)]
    const waits: unknown[] = []
    for (let time = 0; time < 9; time++) {
      await makeDue()
      await findFacts(gone)
      waits.push((await rowsOf(trip))[0]?.minutes)
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 360, 360])
  })
  it('is left in peace for a minute by a process that it failed, whatever is due', async () => {
    await makeTrip('2026-12-03', '2026-12-03', [[1, 'IST', 'CDG']])
    weather().misbehave((_, response) => void response.writeHead(503).end())
    const queue = factQueue(deps(), weatherFacts(weather().url))
    await (await queue.claim())?.(GO_ON)
    await makeDue()
    expect(await queue.claim()).toBeNull()
    cell().clock.add(60_000)
    expect(await queue.claim()).not.toBeNull()
  })
  it('of a place that the server refuses is missing, and that of the others is not', async () => {
    const trip = await makeTrip('2026-12-03', '2026-12-05', [
      [1, 'IST', 'CDG'],
      [2, 'CDG', 'LHR'],
      [3, 'LHR', 'JFK'],
    ])
    weather().misbehave((request, response) => {
      const query = new URL(request.url ?? '', 'http://weather.test').searchParams
      if (query.get('latitude')?.includes('51.47')) return send(response, 400, { error: true, reason: 'No data' })
      const daily = {
        time: ['2026-12-03', '2026-12-04', '2026-12-05'],
        temperature_2m_min: [1, 2, 3],
        temperature_2m_max: [4, 5, 6],
      }
      const place = { daily: { ...daily, precipitation_sum: [], precipitation_probability_max: [], weather_code: [] } }
      const count = query.get('latitude')?.split(',').length ?? 0
      send(response, 200, count === 1 ? place : Array(count).fill(place))
    })
    await findFacts(only())
    expect((await rowsOf(trip)).map(({ data, failures: count }) => [data?.temperature_min, count])).toEqual([
      [1, 0],
      [undefined, 0],
      [3, 0],
    ])
  })
  it('has no queue where no server is named, and takes its address with a path and a key', async () => {
    const names = (weatherUrl: string | null) =>
      factQueues({ ...cell().deps, config: { weatherUrl } }).map(({ name }) => name)
    expect(names(null)).toEqual(['day facts: general', 'day facts: currency'])
    expect(names(weather().url)).toEqual(['day facts: general', 'day facts: currency', 'day facts: weather'])
    await makeTrip('2026-12-03', '2026-12-03', [[1, 'IST', 'CDG']])
    const paths: unknown[] = []
    weather().misbehave((request, response) => {
      paths.push(request.url?.replace(/&.*/, ''))
      response.writeHead(503).end()
    })
    await findFacts([weatherFacts(`${weather().url}/meteo/?apikey=k`)])
    expect(paths).toEqual(['/meteo/v1/forecast?apikey=k'])
    expect(JSON.stringify(failures())).not.toContain('apikey')
  })
})
