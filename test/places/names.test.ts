import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nearestAirport, type Place } from '../../src/features/day-facts/gazetteer.ts'
import { type Hints, placeNamed } from '../../src/features/day-facts/place-named.ts'
import { airport } from '../../src/geography/airports.ts'
import { countryNamed } from '../../src/geography/countries.ts'
import { kilometresBetween } from '../../src/geography/distance.ts'
import { mainPlaceIn, placesCalled } from '../../src/geography/places.ts'

/** Names as agencies write them, with what everybody knows of where they are: written down without the program. */
type Known = { name: string; country: string; latitude: number; longitude: number; withinKm: number }

/** From one end of a large city to the other. */
const CITY_KM = 60
/** Travellers from an airport this near may continue overland. */
const OVERLAND_KM = 1000
const RIGHT_MINIMUM = 0.97
const known = readFileSync(join(import.meta.dirname, 'names.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): Known => {
    const [name = '', country = '', latitude, longitude, withinKm] = line.split('\t')
    return {
      name,
      country,
      latitude: Number(latitude),
      longitude: Number(longitude),
      withinKm: Number(withinKm ?? CITY_KM),
    }
  })

const hints = (given: Partial<Hints> = {}): Hints => ({ flown: [], likely: new Set(), from: null, ...given })
const flying = (...codes: string[]): Hints =>
  hints({ flown: codes.map((code) => airport(code) as NonNullable<ReturnType<typeof airport>>) })
const placeOf = (name: string, given: Hints): Place | null => {
  const found = placeNamed(name, given)
  return found === 'ambiguous' ? null : found
}
const isThere = (place: Place, { latitude, longitude, withinKm }: Known): boolean =>
  place.latitude !== null &&
  place.longitude !== null &&
  kilometresBetween({ latitude: place.latitude, longitude: place.longitude }, { latitude, longitude }) < withinKm

describe('of names as agencies write them', () => {
  it.each(['', 'TR', 'US', 'DE', 'AU', 'GB'])(
    'of a supplier in %j, nearly all are found, and none in another country',
    (supplier) => {
      const given = hints({ likely: new Set(supplier === '' ? [] : [supplier]) })
      const found = known.map((one) => ({ one, place: placeOf(one.name, given) }))
      const wrong = found.filter(({ one, place }) => place !== null && place.country !== one.country)
      expect(wrong.map(({ one, place }) => `${one.name}: ${place?.country}`)).toEqual([])
      const right = found.filter(({ one, place }) => place !== null && isThere(place, one))
      expect(known.length).toBeGreaterThan(700)
      expect(right.length / known.length).toBeGreaterThan(RIGHT_MINIMUM)
    },
  )
  it('none is in a country that the trip’s flights do not reach', () => {
    const trip = flying('IST', 'SYD')
    for (const { name, country } of known) {
      const place = placeOf(name, trip)
      if (place !== null) expect([country, 'AU', 'TR'], name).toContain(place.country)
    }
  })
})

describe('flights say where a name is', () => {
  it.each([
    ['Roma', ['IST', 'FCO'], 'IT'],
    ['Roma', ['IST', 'SYD', 'BNE'], null],
    ['Roma', ['BNE', 'RMA'], 'AU'],
    ['Nis', ['IST', 'INI'], 'RS'],
    ['Nis', ['IST', 'NCE'], 'FR'],
    ['Sidney', ['IST', 'SYD'], 'AU'],
    ['Barcelona', ['CCS', 'MIA'], 'VE'],
    ['Valencia', ['CCS', 'MIA'], 'VE'],
    ['Valencia', ['IST', 'MAD'], 'ES'],
    ['Birmingham', ['JFK', 'ATL'], 'US'],
    ['London', ['IST', 'YYZ'], null],
    ['London', ['IST', 'LHR'], 'GB'],
    ['Nice', ['IST', 'FCO'], 'FR'],
    ['Bangkok', ['IST', 'FCO'], null],
    ['Bangkok, Tayland', ['IST', 'FCO'], 'TH'],
    ['Granada', ['IST', 'AGP'], 'ES'],
    ['Granada', ['IST', 'GND'], 'GD'],
    ['Granada', ['IST', 'MGA'], 'NI'],
    ['Granada', ['IST', 'CDG'], null],
    ['Grenada', ['IST', 'AGP'], 'ES'],
    ['Georgia', ['IST', 'ATL'], 'US'],
    ['Georgia', ['IST', 'EVN'], 'GE'],
    ['Lebanon', ['IST', 'BOS'], 'US'],
    ['Lebanon', ['IST', 'BEY'], 'LB'],
    ['Jordan', ['IST', 'TLV'], 'JO'],
    ['Jamaica', ['IST', 'JFK', 'MBJ'], 'JM'],
    ['Jamaica', ['IST', 'JFK'], 'US'],
    ['Malta', ['IST', 'MLA'], 'MT'],
    ['Andorra', ['IST', 'BCN'], 'AD'],
    ['Andorra', ['IST', 'AGP'], 'AD'],
    ['Salvador', ['IST', 'GRU'], 'BR'],
    ['Salvador', ['IST', 'SAL'], 'SV'],
  ])('%s with %j', (name, airports, country) => {
    expect(placeOf(name, flying(...airports))?.country ?? null).toBe(country)
  })
})

it('a word that is also a small town at home is not taken for it by those who travel elsewhere', () => {
  const vienna = { country: 'AT', latitude: 48.2, longitude: 16.37 }
  for (const name of ['Saray', 'Konak', 'Kale', 'Pazar'])
    expect(placeOf(name, { ...flying('IST', 'VIE'), from: vienna })?.country ?? null, name).toBeNull()
  const rome = { country: 'IT', latitude: 41.9, longitude: 12.5 }
  expect(placeOf('Olbia', { ...flying('IST', 'FCO'), from: rome })?.country).toBe('IT')
})

describe('a name that a country shares with towns elsewhere', () => {
  const countries = readFileSync(join(import.meta.dirname, '../../reference/countries.tsv'), 'utf8')
    .split('\n')
    .flatMap((line) => (/^[A-Z]{2}\t/.test(line) ? [line.slice(0, 2)] : []))
  const shared = ['en', 'tr'].flatMap((language) => {
    const names = new Intl.DisplayNames(language, { type: 'region' })
    return countries.flatMap((country) => {
      const name = names.of(country) ?? ''
      const towns = placesCalled(name).filter((place) => place.country !== country && !place.isWeak)
      return countryNamed(name) === country && towns.length > 0 ? [{ name, country, towns }] : []
    })
  })
  it('is the country’s by itself, wherever the supplier is', () => {
    expect(shared.length).toBeGreaterThan(40)
    for (const { name, country } of shared)
      for (const supplier of ['TR', 'US', 'DE'])
        expect(placeOf(name, hints({ likely: new Set([supplier]) }))?.country, name).toBe(country)
  })
  it('is the country’s where the trip flies there, and the town’s where it flies to that', () => {
    for (const { name, country, towns } of shared) {
      const main = mainPlaceIn(country) as NonNullable<ReturnType<typeof mainPlaceIn>>
      const there = [{ ...nearestAirport(main.latitude, main.longitude), country }]
      expect(placeOf(name, hints({ flown: there }))?.country, name).toBe(country)
      for (const town of towns) {
        const flown = [{ ...nearestAirport(town.latitude, town.longitude), country: town.country }]
        const isBeside = flown.some((airport) => kilometresBetween(airport, main) < OVERLAND_KM)
        expect(placeOf(name, hints({ flown }))?.country, `${name} in ${town.country}`).toBe(
          isBeside ? country : town.country,
        )
      }
    }
  })
})

describe('a name that may be anywhere', () => {
  it.each(
    `Merkez|Otel|City Centre|Old Town|Serbest gün|At sea|Denizde|Airport|TBA|Belirlenecek|Grand Hotel|Santa Maria|San Pedro|
    Victoria|Toledo|Trinidad|Transfer|Tur|Tour|1. gün|Otogar|Beach|Sunset|Kale|Atlantis|A quiet valley|Hilton|Marina|
    Paradise|Aurora|Spa|Liman|France, Spain|Jordan, Egypt||,,,|12345|__proto__|constructor`
      .split('|')
      .map((name) => name.trim()),
  )('is nowhere: %j', (name) => expect(placeOf(name, hints())).toBeNull())
  it('is where the supplier is, or near the day before', () => {
    expect(placeOf('Toledo', hints({ likely: new Set(['ES']) }))?.country).toBe('ES')
    expect(placeOf('Newcastle', hints({ from: { country: 'GB', latitude: 55.95, longitude: -3.19 } }))?.country).toBe(
      'GB',
    )
  })
  it.each([
    ['Cambridge', ['GB', 'US']],
    ['Halifax', ['CA', 'GB']],
    ['Parma', ['IT', 'US']],
  ])('of cities of similar size is the one in the supplier’s country: %s', (name, countries) => {
    expect(placeOf(name, hints())).toBeNull()
    for (const country of countries) expect(placeOf(name, hints({ likely: new Set([country]) }))?.country).toBe(country)
  })
  it('is only in its country where that has several', () => {
    expect(placeOf('Springfield', hints())).toEqual({
      country: 'US',
      city: null,
      latitude: null,
      longitude: null,
      timeZone: null,
    })
  })
  it('is not a town because a venue has its name', () => {
    expect(placeNamed('Bristol', hints(), 'town')).toMatchObject({ country: 'GB' })
    expect(placeNamed('Ronda', hints(), 'venue')).toBe('ambiguous')
  })
})

it('the last leg of a way is where a day ends', () => {
  expect(placeOf('İstanbul - Roma', hints())?.city).toBe('Rome')
  expect(placeOf('Roma → Floransa', hints())?.city).toBe('Florence')
})
