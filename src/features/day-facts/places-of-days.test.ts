import { describe, expect, it } from 'vitest'
import { nearestAirport } from './gazetteer.ts'
import { type Journey, type PlacedDay, placesOfDays, type Stop } from './places-of-days.ts'

const day = (id: string, given: Partial<PlacedDay> = {}): PlacedDay => ({
  id,
  primary_location: null,
  latitude: null,
  longitude: null,
  timezone: null,
  found_place: null,
  ...given,
})
const stop = (at: string, given: Partial<Stop>): Stop => ({
  day: at,
  start_time: null,
  end_time: null,
  departure_airport: null,
  arrival_airport: null,
  location_name: null,
  location_address: null,
  supplier_country: null,
  ...given,
})
const flight = (at: string, from: string, to: string, start: string | null = null, end: string | null = null) =>
  stop(at, { departure_airport: from, arrival_airport: to, start_time: start, end_time: end })
const citiesOf = (journey: Partial<Journey>) => {
  const days = journey.days ?? ['1', '2', '3'].map((id) => day(id))
  const places = placesOfDays({ destinations: [], stops: [], ...journey, days })
  return days.map(({ id }) => {
    const place = places.get(id)
    return place && (place.city ?? place.country)
  })
}
describe('the places of days', () => {
  it('are where one lands, until one flies on', () => {
    expect(citiesOf({ stops: [flight('1', 'IST', 'CDG'), flight('3', 'CDG', 'SAW')] })).toEqual([
      'Paris',
      'Paris',
      'Istanbul',
    ])
    expect(citiesOf({ stops: [flight('2', 'IST', 'CDG')] })).toEqual([undefined, 'Paris', 'Paris'])
  })
  it('are where one sets out until the day of the arrival, and none but the last day of the trip after it', () => {
    const night = flight('1', 'JFK', 'IST', '2027-01-10T23:30:00', '2027-01-11T17:10:00')
    expect(citiesOf({ stops: [night] })).toEqual(['New York', 'Istanbul', 'Istanbul'])
    const long = flight('3', 'JFK', 'IST', '2027-01-12T23:30:00', '2027-01-13T17:10:00')
    expect(citiesOf({ stops: [long] })).toEqual([undefined, undefined, 'Istanbul'])
    const back = flight('1', 'NRT', 'HNL', '2027-01-10T23:30:00', '2027-01-10T11:10:00')
    expect(citiesOf({ stops: [back] })).toEqual(['Honolulu', 'Honolulu', 'Honolulu'])
  })
  it('are those of hotels and other services whose town is known', () => {
    const hotel = stop('1', {
      location_name: 'Hôtel du Nord',
      location_address: '102 Quai de Jemmapes, 75010 Paris, France',
    })
    const tour = stop('2', { location_name: 'Lyon' })
    const unknown = stop('3', { location_name: 'A quiet valley' })
    expect(citiesOf({ stops: [hotel, tour, unknown] })).toEqual(['Paris', 'Lyon', 'Lyon'])
    const street = stop('1', { location_address: 'Paris Caddesi, Paris, 34000 Ankara, Türkiye' })
    expect(citiesOf({ stops: [street] })[0]).toBe('Ankara')
  })
  it('are what somebody wrote, by name or on the map, and go on from there', () => {
    const stops = [flight('1', 'IST', 'CDG')]
    expect(citiesOf({ stops, days: [day('1'), day('2', { primary_location: 'Nice, Fransa' }), day('3')] })).toEqual([
      'Paris',
      'Nice',
      'Nice',
    ])
    const [place] = [
      ...placesOfDays({ destinations: [], stops, days: [day('1', { latitude: 35.01, longitude: 135.77 })] }).values(),
    ]
    expect(place).toEqual({ country: 'JP', city: null, latitude: 35.01, longitude: 135.77, timeZone: 'Asia/Tokyo' })
    expect(citiesOf({ stops, days: [day('1', { primary_location: 'A quiet valley' })] })).toEqual(['Paris'])
    expect(citiesOf({ days: [day('1', { latitude: 95, longitude: 10 })] })).toEqual([undefined])
  })
  it('are nowhere from a name on that may be anywhere, or that no flight leads to, until the next one that is known', () => {
    const days = [day('1'), day('2', { primary_location: 'Bangkok' }), day('3'), day('4')]
    const stops = [flight('1', 'IST', 'FCO'), flight('4', 'FCO', 'IST')]
    expect(citiesOf({ stops, days })).toEqual(['Rome', undefined, undefined, 'Istanbul'])
  })
  it('are where the trip flies, whatever else is called so, and where the supplier is', () => {
    const hotel = (at: string, given: Partial<Stop>) => stop(at, { location_name: 'Albergo Trastevere', ...given })
    const rome = hotel('2', { location_address: 'Via Appia 1, Roma', supplier_country: 'AU' })
    expect(citiesOf({ stops: [flight('1', 'IST', 'FCO'), rome] })).toEqual(['Rome', 'Rome', 'Rome'])
    const toledo = { location_address: 'Calle Real 2, Toledo' }
    expect(citiesOf({ stops: [hotel('1', toledo)] })).toEqual([undefined, undefined, undefined])
    expect(citiesOf({ stops: [hotel('1', { ...toledo, supplier_country: 'ES' })] })[0]).toBe('Toledo')
  })
  it('are in the country of the other days, or of the flights, where a name is one of several countries', () => {
    const names = ['Granada', 'Cordoba', 'Sevilla']
    const here = ['Granada', 'Córdoba', 'Seville']
    const days = (order: readonly string[]) => order.map((name) => day(name, { primary_location: name }))
    const flights = [flight('Granada', 'IST', 'AGP'), flight('Sevilla', 'AGP', 'IST')]
    expect(citiesOf({ destinations: names, days: days(names), stops: flights.slice(0, 1) })).toEqual(here)
    expect(citiesOf({ days: days(names), stops: flights })).toEqual(here)
    expect(citiesOf({ destinations: names, days: days(names) })).toEqual(here)
    expect(citiesOf({ days: days(names.toReversed()) })).toEqual(here.toReversed())
    expect(citiesOf({ days: days(['Cordoba', 'Sevilla']) })).toEqual(['Córdoba', 'Seville'])
    const places = placesOfDays({ destinations: names, stops: [], days: days(['Cordoba']) })
    expect(places.get('Cordoba')).toMatchObject({ country: 'ES' })
    expect(placesOfDays({ destinations: ['Cordoba'], stops: [], days: [day('1')] }).get('1')?.country).not.toBe('ES')
  })
  it('are looked up again if the columns still have the found values', () => {
    const found = { primary_location: 'Rome', latitude: 41.8, longitude: 12.4, timezone: 'Europe/Rome' }
    const days = [day('1', { ...found, found_place: found })]
    expect(citiesOf({ days, stops: [flight('1', 'IST', 'CDG')] })).toEqual(['Paris'])
    expect(citiesOf({ days })).toEqual([undefined])
    expect(citiesOf({ days: [day('1', { ...found, found_place: { ...found, primary_location: null } })] })).toEqual([
      'Rome',
    ])
  })
  it('are the destination where there is one city, or one country', () => {
    expect(citiesOf({ destinations: ['Paris'], days: [day('1')] })).toEqual(['Paris'])
    expect(citiesOf({ destinations: ['Paris', 'Lyon'], days: [day('1')] })).toEqual(['FR'])
    expect(citiesOf({ destinations: ['Paris', 'Roma'], days: [day('1')] })).toEqual([undefined])
    expect(citiesOf({ destinations: ['Yunanistan'], days: [day('1')] })).toEqual(['GR'])
    expect(citiesOf({ destinations: ['Somewhere'], days: [day('1')] })).toEqual([undefined])
  })
})

it('the nearest airport is near, on both sides of the date line and at the poles', () => {
  expect(nearestAirport(48.86, 2.35).country).toBe('FR')
  expect(nearestAirport(-17.7, 179.99).country).toBe('FJ')
  expect(nearestAirport(-17.7, -179.99).country).toBe('FJ')
  expect(nearestAirport(-90, 0).country).toBe('AQ')
})
