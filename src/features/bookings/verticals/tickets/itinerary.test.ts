import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { airport, cityOf } from '../../../../geography/airports.ts'
import { itineraryOf } from './itinerary.ts'

/** The legs of a route like `IST-LHR CDG-IST`. */
const legsOf = (route: string) =>
  route
    .split(' ')
    .filter(Boolean)
    .map((leg) => {
      const [departure_airport = '', arrival_airport = ''] = leg.split('-')
      return { departure_airport, arrival_airport }
    })
const typeOf = (route: string) => itineraryOf(legsOf(route)).itinerary_type

const UNKNOWN = ['XXX', 'QQQ']
const code = fc.constantFrom('IST', 'SAW', 'ESB', 'LHR', 'LGW', 'MAN', 'CDG', 'JFK', 'EWR', ...UNKNOWN)
const leg = fc.record({ departure_airport: code, arrival_airport: code })
const legs = fc.array(leg, { minLength: 1, maxLength: 5 })
/** Builds `IST-LHR LHR-JFK` from `IST`, `LHR` and `JFK`. */
const hops = (codes: readonly string[]) =>
  codes
    .slice(1)
    .map((to, index) => `${codes[index]}-${to}`)
    .join(' ')
/** Legs that each depart from where the previous one arrived. */
const chain = fc.array(code, { minLength: 2, maxLength: 6 }).map((codes) => legsOf(hops(codes)))

describe('the type of an itinerary', () => {
  it.each([
    ['', null],
    ['IST-LHR', 'one_way'],
    ['ADB-IST IST-LHR', 'one_way'],
    ['IST-LHR LGW-JFK', 'one_way'],
    ['IST-FRA FRA-JFK JFK-LAX', 'one_way'],
    ['IST-LHR LHR-IST', 'round_trip'],
    ['IST-LHR LGW-SAW', 'round_trip'],
    ['JFK-LHR LHR-EWR', 'round_trip'],
    ['HND-IST IST-NRT', 'round_trip'],
    ['ADB-IST IST-LHR LHR-IST IST-ADB', 'round_trip'],
    ['IST-LHR CDG-IST', 'round_trip'],
    ['IST-LHR LHR-JFK JFK-IST', 'round_trip'],
    ['IST-LHR CDG-JFK', 'multi_city'],
    ['IST-LHR LHR-ADB', 'multi_city'],
    ['ADB-IST IST-LHR LHR-IST', 'multi_city'],
    ['IST-LHR LHR-JFK JFK-LHR', 'multi_city'],
    ['XXX-QQQ', 'one_way'],
    ['XXX-QQQ QQQ-XXX', 'round_trip'],
    ['IST-XXX XXX-ADB', 'one_way'],
    ['XXX-LHR LHR-QQQ', 'one_way'],
  ])('of %s is %s', (route, type) => expect(typeOf(route)).toBe(type))

  it.each([
    ['2026-05-01T10:00', '2026-05-01T12:00', 'one_way'],
    ['2026-05-01T10:00', '2026-05-02T10:00', 'one_way'],
    ['2026-05-01T10:00', '2026-05-02T10:01', 'multi_city'],
    ['2026-05-01T10:00', null, 'multi_city'],
    [null, '2026-05-01T12:00', 'multi_city'],
  ])('distinguishes a connection abroad from a stay: arriving %s, leaving %s is %s', (arrival, departure, type) => {
    const times = { scheduled_arrival: arrival, scheduled_departure: departure }
    const timed = legsOf('JFK-YYZ YYZ-SEA').map((each) => ({ ...each, ...times }))
    expect(itineraryOf(timed).itinerary_type).toBe(type)
  })

  it('is a round trip if and only if several legs end in the city where they began', () => {
    fc.assert(
      fc.property(legs, (given) => {
        const [from, to] = [given[0]?.departure_airport ?? '', given.at(-1)?.arrival_airport ?? '']
        const isHome = given.length > 1 && cityOf(from) === cityOf(to)
        expect(itineraryOf(given).itinerary_type === 'round_trip').toBe(isHome)
      }),
    )
  })

  it('is never one way across a surface sector or through a city twice', () => {
    fc.assert(
      fc.property(fc.oneof(legs, chain), (given) => {
        fc.pre(given.length > 1 && itineraryOf(given).itinerary_type === 'one_way')
        const places = given.flatMap((each) => [each.departure_airport, each.arrival_airport]).map(cityOf)
        expect(new Set(places).size).toBe(given.length + 1)
        for (let stop = 1; stop < places.length - 1; stop += 2) expect(places[stop]).toBe(places[stop + 1])
      }),
    )
  })

  it('is one way for any chain through as many cities as it has airports, if it ends in another country', () => {
    fc.assert(
      fc.property(fc.uniqueArray(code, { selector: cityOf, minLength: 2, maxLength: 6 }), (codes) => {
        fc.pre(airport(codes[0] as string)?.country !== airport(codes.at(-1) as string)?.country)
        expect(typeOf(hops(codes))).toBe('one_way')
      }),
    )
  })

  it('is the same for the reversed route', () => {
    fc.assert(
      fc.property(fc.oneof(legs, chain), (given) => {
        const back = given.toReversed().map((each) => ({
          departure_airport: each.arrival_airport,
          arrival_airport: each.departure_airport,
        }))
        expect(itineraryOf(back)).toEqual(itineraryOf(given))
      }),
    )
  })

  it('does not depend on the airport of a city', () => {
    const other: Record<string, string> = { IST: 'SAW', SAW: 'ISL', LHR: 'STN', LGW: 'LCY', CDG: 'ORY', JFK: 'LGA' }
    fc.assert(
      fc.property(fc.oneof(legs, chain), (given) => {
        const moved = given.map((each) => ({
          departure_airport: other[each.departure_airport] ?? each.departure_airport,
          arrival_airport: each.arrival_airport,
        }))
        expect(itineraryOf(moved)).toEqual(itineraryOf(given))
      }),
    )
  })
})

describe('an itinerary is international', () => {
  it.each([
    ['', null],
    ['IST-ESB', false],
    ['IST-LHR', true],
    ['IST-ESB ESB-IST', false],
    ['IST-ESB ESB-LHR', true],
    ['IST-ECN', true],
    ['IST-XXX', null],
    ['IST-LHR LHR-XXX', null],
  ])('%s: %s', (route, international) => expect(itineraryOf(legsOf(route)).international).toBe(international))

  it('if two airports are in different countries, in any order; unknown if an airport is unknown', () => {
    fc.assert(
      fc.property(
        legs.chain((given) => fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length }))),
        ([given, shuffled]) => {
          const countries = given
            .flatMap((each) => [each.departure_airport, each.arrival_airport])
            .map((each) => airport(each)?.country)
          const expected = countries.includes(undefined) ? null : countries.some((country) => country !== countries[0])
          expect(itineraryOf(given).international).toBe(expected)
          expect(itineraryOf(shuffled).international).toBe(expected)
        },
      ),
    )
  })
})
