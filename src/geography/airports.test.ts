import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isTimeZone } from '../platform/time.ts'
import { airport, cityOf } from './airports.ts'

const FOLDER = join(import.meta.dirname, '../../reference')
const table = (file: string) =>
  readFileSync(join(FOLDER, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
const [, ...airports] = table('airports.tsv')
const [, ...cities] = table('cities.tsv')
const codes = airports.map(([code]) => code as string)

const isWithin = (limit: number, degrees: number) => Number.isFinite(degrees) && Math.abs(degrees) <= limit

describe('the airports', () => {
  it.each([
    ['IST', 'IST', 'Istanbul', 'TR', 'Europe/Istanbul', 41.26, 28.74],
    ['SAW', 'IST', 'Istanbul', 'TR', 'Europe/Istanbul', 40.9, 29.31],
    ['ESB', 'ANK', 'Ankara', 'TR', 'Europe/Istanbul', 40.13, 33],
    ['ADB', 'ADB', 'Gaziemir', 'TR', 'Europe/Istanbul', 38.29, 27.16],
    ['AYT', 'AYT', 'Antalya', 'TR', 'Europe/Istanbul', 36.9, 30.8],
    ['LHR', 'LON', 'London', 'GB', 'Europe/London', 51.47, -0.46],
    ['LGW', 'LON', 'London', 'GB', 'Europe/London', 51.15, -0.19],
    ['STN', 'LON', 'London', 'GB', 'Europe/London', 51.89, 0.24],
    ['JFK', 'NYC', 'New York', 'US', 'America/New_York', 40.64, -73.78],
    ['LGA', 'NYC', 'New York', 'US', 'America/New_York', 40.78, -73.87],
    ['EWR', 'NYC', 'New York', 'US', 'America/New_York', 40.69, -74.17],
    ['CDG', 'PAR', 'Paris', 'FR', 'Europe/Paris', 49.01, 2.55],
    ['ORY', 'PAR', 'Paris', 'FR', 'Europe/Paris', 48.72, 2.38],
    ['FRA', 'FRA', 'Frankfurt am Main', 'DE', 'Europe/Berlin', 50.03, 8.56],
    ['DXB', 'DXB', 'Dubai', 'AE', 'Asia/Dubai', 25.25, 55.36],
    ['NRT', 'TYO', 'Tokyo', 'JP', 'Asia/Tokyo', 35.76, 140.39],
    ['HND', 'TYO', 'Tokyo', 'JP', 'Asia/Tokyo', 35.55, 139.78],
  ])('know %s', (code, cityCode, city, country, timeZone, latitude, longitude) => {
    expect(airport(code)).toMatchObject({ code, city, country, timeZone })
    expect(airport(code)?.latitude).toBeCloseTo(latitude, 1)
    expect(airport(code)?.longitude).toBeCloseTo(longitude, 1)
    expect(cityOf(code)).toBe(cityCode)
  })

  it.each(['', 'XXX', 'ist', 'code', 'IST\t', '__proto__'])('have nothing for "%s", whose city is itself', (code) => {
    expect(airport(code)).toBeNull()
    expect(cityOf(code)).toBe(code)
  })

  it('are sorted by code, each once, with all required values', () => {
    expect(codes).toEqual([...new Set(codes)].sort())
    const wrong = codes.filter((code) => {
      const known = airport(code)
      return !(
        known &&
        /^[A-Z]{3}$/.test(code) &&
        known.name &&
        /^[A-Z]{2}$/.test(known.country) &&
        isWithin(90, known.latitude) &&
        isWithin(180, known.longitude)
      )
    })
    expect(wrong).toEqual([])
  })

  it('are in time zones that exist', () => {
    const zones = new Set(airports.map(([, , , , zone]) => zone as string))
    expect([...zones].filter((zone) => !isTimeZone(zone))).toEqual([])
  })

  it('have cities of known airports, each airport in one, and those of a city in one country', () => {
    const members = cities.flatMap(([, , list = '']) => list.split(' '))
    expect(members).toEqual([...new Set(members)])
    for (const [code = '', name = '', list = ''] of cities) {
      const known = list.split(' ').map((each) => ({ city: cityOf(each), name: airport(each)?.city }))
      expect(known).toEqual(known.map(() => ({ city: code, name })))
      expect(new Set(list.split(' ').map((each) => airport(each)?.country)).size).toBe(1)
      expect(cityOf(code)).toBe(code)
    }
  })
})
