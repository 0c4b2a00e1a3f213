import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readForecasts } from './open-meteo.ts'

/** As the service printed it. */
const ANSWER = {
  latitude: 48.86,
  longitude: 2.3399997,
  generationtime_ms: 0.0771284103393555,
  utc_offset_seconds: 3600,
  timezone: 'Europe/Paris',
  timezone_abbreviation: 'GMT+1',
  elevation: 38,
  daily_units: { time: 'iso8601', temperature_2m_min: '°C', temperature_2m_max: '°C', precipitation_sum: 'mm' },
  daily: {
    time: ['2027-01-10', '2027-01-11', '2027-01-12'],
    temperature_2m_min: [-1.2, 3, null],
    temperature_2m_max: [4.5, 7.1, null],
    precipitation_sum: [0, 12.4, null],
    precipitation_probability_max: [3, null, null],
    weather_code: [3, 63, null],
  },
}

describe('a forecast', () => {
  it('has a day for each that it has temperatures of', () => {
    const [paris] = readForecasts(JSON.stringify(ANSWER), 1)
    expect([...(paris ?? [])]).toEqual([
      [
        '2027-01-10',
        {
          temperature_min: -1.2,
          temperature_max: 4.5,
          precipitation: 0,
          precipitation_probability: 3,
          weather_code: 3,
        },
      ],
      [
        '2027-01-11',
        {
          temperature_min: 3,
          temperature_max: 7.1,
          precipitation: 12.4,
          precipitation_probability: null,
          weather_code: 63,
        },
      ],
    ])
    expect(readForecasts(JSON.stringify([ANSWER, ANSWER]), 2)).toHaveLength(2)
  })
  it.each([
    ['another number of places', JSON.stringify([ANSWER])],
    ['an error', '{"error":true,"reason":"Cannot initialize"}'],
    ['nothing', ''],
    ['null', 'null'],
    ['a page', '<html></html>'],
    ['a word', '"forecast"'],
    [
      'days without temperatures',
      JSON.stringify([ANSWER, { daily: { ...ANSWER.daily, temperature_2m_min: undefined } }]),
    ],
    ['days that are none', JSON.stringify([ANSWER, { daily: 'sunny' }])],
  ])('is refused where the answer is %s', (_, text) => expect(() => readForecasts(text, 2)).toThrow())
  it('has numbers alone, whatever the answer has', () => {
    const values = fc.array(fc.jsonValue(), { maxLength: 4 })
    const daily = fc.record(Object.fromEntries(Object.keys(ANSWER.daily).map((name) => [name, values])))
    fc.assert(
      fc.property(daily, (days) => {
        for (const weather of readForecasts(JSON.stringify({ daily: days }), 1)[0]?.values() ?? [])
          for (const value of Object.values(weather)) expect(value === null || typeof value === 'number').toBe(true)
      }),
    )
  })
})
