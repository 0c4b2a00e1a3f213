import { describe, expect, it } from 'vitest'
import { everyAirport } from './airports.ts'
import { country, countryNamed } from './countries.ts'

describe('the countries', () => {
  it('are known wherever there is an airport, with all required values', () => {
    const codes = new Set(everyAirport().map((airport) => airport.country))
    const wrong = [...codes].filter((code) => {
      const known = country(code)
      return !(
        known &&
        (code === 'AQ' || (known.currency && /^[A-Z]{3}$/.test(known.currency) && known.languages.length > 0)) &&
        known.callingCodes.every((digits) => /^\d{1,4}$/.test(digits)) &&
        known.emergencyNumbers.every((number) => /^\d{2,4}$/.test(number))
      )
    })
    expect(wrong).toEqual([])
  })
  it.each([
    ['TR', 'Ankara', 'TRY', '90', 'right', '112'],
    ['GB', 'London', 'GBP', '44', 'left', '999'],
    ['JP', 'Tokyo', 'JPY', '81', 'left', '119'],
    ['US', 'Washington, D.C.', 'USD', '1', 'right', '911'],
    ['CH', 'Bern', 'CHF', '41', 'right', '112'],
    ['BG', 'Sofia', 'EUR', '359', 'right', '112'],
  ])('know %s', (code, capital, currency, calling, drivingSide, emergency) => {
    const known = country(code)
    expect(known).toMatchObject({ code, capital, currency, callingCodes: [calling], drivingSide })
    expect(known?.emergencyNumbers).toContain(emergency)
  })
  it.each([
    ['France', 'FR'],
    ['fransa', 'FR'],
    ['FRANKREICH', 'FR'],
    ['Türkiye', 'TR'],
    ['Turkey', 'TR'],
    ['İspanya', 'ES'],
    ['UK', 'GB'],
    ['Birleşik Krallık', 'GB'],
    ['USA', 'US'],
    ['Yunanistan', 'GR'],
    ['ギリシャ', null],
    ['Nowhere', null],
    ['', null],
  ])('are called %s', (name, code) => expect(countryNamed(name)).toBe(code))
  it('return null for an invalid code', () => {
    for (const code of ['', 'tr', 'XX', '__proto__']) expect(country(code)).toBeNull()
  })
})
