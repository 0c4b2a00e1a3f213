import { describe, expect, it } from 'vitest'
import { currencyFacts } from '../../src/features/day-facts/currency-facts.ts'
import { factQueue } from '../../src/features/day-facts/day-facts.job.ts'
import type { FactProvider } from '../../src/features/day-facts/fact-provider.ts'
import { generalFacts } from '../../src/features/day-facts/general-facts.ts'
import { weatherFacts } from '../../src/features/day-facts/weather-facts.ts'
import { makeAgency } from '../harness/agency.ts'
import { withFacts } from '../harness/facts.ts'
import { GO_ON } from '../harness/worker.ts'

const { cell, weather, failures, sql, deps, fly, makeTrip, want, dayOf, rowsOf, findFacts } = withFacts()
const all = () => [generalFacts, currencyFacts(cell().deps), weatherFacts(weather().url)]
const placeOf = async (trip: string, number: number) => {
  const { primary_location, latitude, longitude, timezone } = await dayOf(trip, number)
  return [primary_location, latitude, longitude, timezone]
}

describe('a day', () => {
  it('is known by where its flights lead: place, weather, money and country', async () => {
    const trip = await makeTrip('2026-12-03', '2026-12-05', [
      [1, 'SAW', 'LHR'],
      [3, 'LGW', 'IST'],
    ])
    await findFacts(all())
    expect(await placeOf(trip, 1)).toEqual(['London', 51.4706, -0.4619, 'Europe/London'])
    expect(await placeOf(trip, 2)).toEqual(await placeOf(trip, 1))
    expect((await placeOf(trip, 3))[0]).toBe('Istanbul')
    const { intelligence } = await dayOf(trip, 2)
    expect(intelligence.weather).toEqual({
      data: {
        temperature_min: 4,
        temperature_max: 51.47,
        precipitation: 0.3,
        precipitation_probability: 40,
        weather_code: 61,
      },
      provider: 'Open-Meteo',
      updated_at: expect.any(String),
    })
    expect(intelligence.currency.data).toEqual({
      country: 'GB',
      currency: 'GBP',
      rates: [
        { from: 'GBP', to: 'TRY', rate: '62.5', day: '2026-11-30', source: 'ecb' },
        { from: 'GBP', to: 'EUR', rate: '1.25', day: '2026-11-30', source: 'ecb' },
      ],
    })
    expect(intelligence.general.data).toMatchObject({
      country: 'GB',
      name: 'United Kingdom',
      capital: 'London',
      languages: [{ code: 'en', name: 'English' }],
      calling_codes: ['+44'],
      driving_side: 'left',
      emergency_numbers: ['112', '999'],
      time_zone: 'Europe/London',
    })
    expect(weather().asked.map((query) => query.get('latitude'))).toEqual(['51.47,41.26'])
  })
  it('that nothing is known of has none, and is looked at again', async () => {
    const trip = await makeTrip('2026-12-03', '2026-12-03')
    await findFacts(all())
    expect((await dayOf(trip, 1)).intelligence).toEqual({
      weather: { data: null, provider: null, updated_at: null },
      currency: { data: null, updated_at: null },
      general: { data: null, updated_at: null },
    })
    await findFacts(all())
    expect((await dayOf(trip, 1)).intelligence.general.data).toBeNull()
    await fly(trip, [1, 'IST', 'CDG'])
    await findFacts(all())
    expect((await dayOf(trip, 1)).intelligence.general.data).toMatchObject({ country: 'FR' })
    expect([weather().asked.length, failures()]).toEqual([1, []])
  })
  it('is filled once, follows its segments, and keeps what somebody wrote', async () => {
    const trip = await makeTrip('2026-12-03', '2026-12-04', [[1, 'IST', 'CDG']])
    await findFacts(all())
    const before = (await dayOf(trip, 1)).updated_at
    await want(trip)
    await findFacts(all())
    expect((await dayOf(trip, 1)).updated_at).toBe(before)
    await sql(
      `update trip_days set primary_location = 'Nice, France', updated_at = now() where trip_id = $1 and day_number = 2`,
      [trip],
    )
    await sql(`update trip_segments set arrival_airport = 'FCO' where trip_id = $1`, [trip])
    await want(trip)
    await findFacts(all())
    expect([await placeOf(trip, 1), (await placeOf(trip, 2)).slice(0, 2)]).toEqual([
      ['Rome', 41.8045, 12.252, 'Europe/Rome'],
      ['Nice, France', 43.7],
    ])
    expect((await dayOf(trip, 2)).intelligence.general.data).toMatchObject({ country: 'FR' })
    await sql('delete from trip_segments where trip_id = $1', [trip])
    await want(trip)
    await findFacts(all())
    expect(await placeOf(trip, 1)).toEqual([null, null, null, null])
    expect((await dayOf(trip, 1)).intelligence.weather).toEqual({ data: null, provider: null, updated_at: null })
  })
  it('keeps coordinates that somebody gave, however often it is looked at', async () => {
    const trip = await makeTrip('2026-12-03', '2026-12-03', [[1, 'IST', 'CDG']])
    await sql('update trip_days set latitude = 35.01, longitude = 135.77 where trip_id = $1', [trip])
    for (let time = 0; time < 3; time++) {
      await want(trip)
      await findFacts(all())
      expect(await placeOf(trip, 1)).toEqual([null, 35.01, 135.77, 'Asia/Tokyo'])
    }
    expect((await dayOf(trip, 1)).intelligence.currency.data).toMatchObject({ currency: 'JPY', rates: [] })
  })
  it('that is past has the rate of then, no weather, and is not looked at again', async () => {
    const trip = await makeTrip('2026-11-15', '2026-11-15', [[1, 'IST', 'LHR']])
    await findFacts(all())
    const { intelligence } = await dayOf(trip, 1)
    expect(intelligence.weather.data).toBeNull()
    expect(intelligence.currency.data?.rates).toContainEqual({
      from: 'GBP',
      to: 'TRY',
      rate: '50',
      day: '2026-11-10',
      source: 'ecb',
    })
    for (const kind of ['weather', 'currency', 'general']) expect((await rowsOf(trip, kind))[0]?.minutes).toBeNull()
    expect(weather().asked).toEqual([])
  })
})

describe('an answer', () => {
  it('is the same for all days that ask the same question: what it depends on is in the question', async () => {
    const place = { latitude: 48.85, longitude: 2.35, timeZone: 'Europe/Berlin', today: '2026-12-01' }
    const days = ['FR', 'IT', 'XK', 'GB'].flatMap((country) =>
      [['TRY'], ['TRY', 'EUR'], ['EUR']].flatMap((currencies) =>
        ['2026-11-20', '2026-12-01', '2026-12-02', null].flatMap((date) => [
          { ...place, country, currencies, date },
          { ...place, country, currencies, date, latitude: 41.9, timeZone: 'Europe/Rome' },
        ]),
      ),
    )
    for (const { about, find, kind } of all()) {
      const questions = new Map(days.flatMap((day) => (about(day) === null ? [] : [[about(day) as string, day]])))
      const together = await find(questions, GO_ON)
      for (const day of days) {
        const question = about(day)
        if (question === null) continue
        const alone = await find(new Map([[question, day]]), GO_ON)
        expect(together.get(question), `${kind}: ${question}`).toEqual(alone.get(question))
      }
    }
  })
  it('to an outdated question is dropped, and the day is requested again', async () => {
    const trip = await makeTrip('2026-12-03', '2026-12-03', [[1, 'IST', 'CDG']])
    const stalled = await factQueue(deps(), weatherFacts(weather().url)).claim()
    const late: FactProvider = {
      ...weatherFacts(weather().url),
      find: async () => Promise.reject(new Error('nobody asks')),
    }
    expect(await factQueue(deps(), late).claim()).toBeNull() // it is leased
    await sql(`update trip_segments set arrival_airport = 'LHR' where trip_id = $1`, [trip])
    await findFacts([weatherFacts(weather().url)])
    const [found] = await rowsOf(trip)
    weather().misbehave((_, response) => void response.writeHead(500).end())
    await stalled?.(GO_ON)
    expect(await rowsOf(trip)).toEqual([found])
  })
  it('is asked for once by many workers', async () => {
    await Promise.all(Array.from({ length: 8 }, () => makeTrip('2026-12-02', '2026-12-16', [[1, 'IST', 'CDG']])))
    const asked: string[] = []
    const counting: FactProvider = {
      ...generalFacts,
      about: ({ date, country }) => (country === null ? null : `${country} ${date} ${crypto.randomUUID()}`),
      find: async (days) => {
        asked.push(...days.keys())
        return new Map([...days.keys()].map((about) => [about, {}]))
      },
    }
    await Promise.all(Array.from({ length: 4 }, () => findFacts([counting])))
    expect(new Set(asked).size).toBe(asked.length)
    expect(await sql(`select from trip_day_facts where kind = 'general' and data is null`)).toEqual([])
  })
  it('of one account that fails leaves the others theirs', async () => {
    const broken = await makeAgency(cell())
    const [theirs, ours] = [
      await makeTrip('2026-12-03', '2026-12-03', [[1, 'IST', 'CDG']], broken),
      await makeTrip('2026-12-03', '2026-12-03', [[1, 'IST', 'CDG']]),
    ]
    const { inAccount, ...rest } = cell().deps.db
    const failing = ((account, fn) =>
      account === broken.number ? Promise.reject(new Error('no')) : inAccount(account, fn)) as typeof inAccount
    const queue = factQueue({ ...deps(), db: { ...rest, inAccount: failing } }, generalFacts)
    await (await queue.claim())?.(GO_ON)
    expect([(await rowsOf(theirs, 'general'))[0]?.data, (await rowsOf(ours, 'general'))[0]?.data]).toEqual([
      null,
      expect.objectContaining({ country: 'FR' }),
    ])
    expect(failures()).toMatchObject([{ account: broken.number }])
  })
})
