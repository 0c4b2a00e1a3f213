import { describe, expect, it } from 'vitest'
import { rentalService } from './services/car-rentals.ts'
import { charterService, cruiseService, eventService, silentService, tourService } from './services/days.ts'
import { flightsOf, type Leg } from './services/flights.ts'
import { stayService } from './services/hotel-stays.ts'
import { ticketService } from './services/tickets.ts'
import { transferService } from './services/transfers.ts'

const SETTING = { timeZone: 'Europe/Istanbul', today: '2031-01-01', locale: 'en' }
const leg = (
  from: string,
  to: string,
  departure: string | null,
  arrival: string | null,
  more: Partial<Leg> = {},
): Leg => ({
  airline_code: 'TK',
  flight_number: '1985',
  departure_airport: from,
  arrival_airport: to,
  scheduled_departure: departure,
  scheduled_arrival: arrival,
  ...more,
})
const minutes = (...given: Parameters<typeof leg>) => flightsOf([leg(...given)])[0]?.duration_minutes
const ms = (iso: string) => Date.parse(iso)

describe('flights', () => {
  it('have the data of the ticket, with cities and terminals', () => {
    const flight = leg('IST', 'LHR', '2031-06-12T15:10', '2031-06-12T17:15', {
      departure_terminal: 'I',
      arrival_terminal: '2',
    })
    expect(flightsOf([flight])).toEqual([
      {
        piece: 'IST-LHR',
        segment_type: 'flight',
        date: '2031-06-12',
        start_time: '2031-06-12T15:10',
        end_time: '2031-06-12T17:15',
        duration_minutes: 245,
        title: 'TK 1985 Istanbul – London',
        description: 'IST Terminal I – LHR Terminal 2',
        location_name: 'London Heathrow Airport',
        airline_code: 'TK',
        flight_number: '1985',
        departure_airport: 'IST',
        arrival_airport: 'LHR',
      },
    ])
  })
  it.each([
    ['over the date line, landing the day before', ['NRT', 'LAX', '2031-06-12T17:00', '2031-06-12T11:00'], 600],
    ['in the night in which London puts its clocks back', ['IST', 'LHR', '2031-10-25T23:30', '2031-10-26T01:30'], 240],
    [
      'in the night in which New York puts its clocks forward',
      ['JFK', 'LHR', '2031-03-08T23:00', '2031-03-09T11:00'],
      420,
    ],
    ['from an airport that nobody knows', ['ZZZ', 'LHR', '2031-06-12T15:10', '2031-06-12T17:15'], null],
    ['whose times are the wrong way round', ['IST', 'LHR', '2031-06-12T15:10', '2031-06-11T17:15'], null],
    ['whose year is mistaken', ['IST', 'LHR', '2031-06-12T15:10', '2131-06-12T17:15'], null],
    ['without an arrival', ['IST', 'LHR', '2031-06-12T15:10', null], null],
  ] as const)('%s last as long as they do', (_, given, expected) => {
    expect(minutes(...(given as [string, string, string, string | null]))).toBe(expected)
  })
  it('between the same airports are distinguished by their order, not by time and number', () => {
    const [once, twice] = [leg('IST', 'ESB', '2031-06-12T08:00', null), leg('IST', 'ESB', '2031-06-20T08:00', null)]
    expect(flightsOf([once, twice]).map(({ piece }) => piece)).toEqual(['IST-ESB', 'IST-ESB 2'])
    expect(flightsOf([leg('IST', 'ESB', null, null), twice]).map(({ piece }) => piece)).toEqual(['IST-ESB 2'])
  })
  it('are on the day of their departure, and make the days of a sale', () => {
    const sale = {
      pnr: 'ABC',
      legs: [leg('LHR', 'IST', '2031-06-19T23:00', '2031-06-20T05:00'), leg('IST', 'LHR', '2031-06-12T15:10', null)],
    }
    expect(ticketService(sale)).toMatchObject({ first: '2031-06-12', last: '2031-06-19', confirmation_number: 'ABC' })
    expect(ticketService({ pnr: null, legs: [leg('IST', 'LHR', null, '2031-06-12T17:15')] })).toMatchObject({
      first: '2031-06-12',
    })
    expect([
      ticketService({ pnr: 'ABC', legs: null }),
      ticketService({ pnr: null, legs: [leg('IST', 'LHR', null, null)] }),
    ]).toEqual([null, null])
  })
})

describe('a stay', () => {
  it('is its nights at the hotel, with its rooms', () => {
    const stay = {
      check_in_on: '2031-06-12',
      check_out_on: '2031-06-15',
      rooms: [{ name: 'Sea view' }, { name: null }, { name: 'Sea view' }, { name: 'Garden' }],
      hotel: 'Grand Ege',
      address: { line: 'Torba 12', city: 'Bodrum', zip: '', other: 7 },
    }
    expect(stayService(stay)).toEqual({
      first: '2031-06-12',
      last: '2031-06-15',
      confirmation_number: null,
      pieces: [
        {
          piece: 'stay',
          segment_type: 'lodging',
          date: '2031-06-12',
          start_time: '2031-06-12T00:00',
          end_time: '2031-06-15T00:00',
          title: 'Grand Ege',
          description: 'Sea view, Garden',
          location_name: 'Grand Ege',
          location_address: 'Torba 12, Bodrum',
        },
      ],
    })
    expect(stayService({ ...stay, rooms: null, hotel: null, address: null })?.pieces[0]).toMatchObject({
      title: null,
      description: null,
      location_address: null,
    })
  })
})

describe('a transfer', () => {
  const transfer = {
    pickup_at: ms('2031-06-12T21:30:00Z'),
    dropoff_at: ms('2031-06-12T22:15:00Z'),
    return_pickup_at: null,
    pickup_location: 'Heathrow',
    dropoff_location: 'Hotel',
    pickup_address: 'LHR',
    dropoff_address: 'Strand 1',
    flight_number: 'TK1985',
    flight_airport: 'lhr',
    vehicle_class: 'Minivan',
    confirmation_number: 'X1',
  }
  it('is on the clock of its airport, else on the account’s', () => {
    expect(transferService(transfer, SETTING)).toMatchObject({ first: '2031-06-12', last: '2031-06-12' })
    expect(transferService(transfer, SETTING)?.pieces).toEqual([
      {
        piece: 'way',
        segment_type: 'transfer',
        date: '2031-06-12',
        start_time: '2031-06-12T22:30',
        end_time: '2031-06-12T23:15',
        duration_minutes: 45,
        title: 'Heathrow – Hotel',
        description: 'TK1985 · Minivan',
        location_name: 'Heathrow',
        location_address: 'LHR',
      },
    ])
    expect(transferService({ ...transfer, flight_airport: 'nowhere' }, SETTING)?.pieces[0]).toMatchObject({
      date: '2031-06-13',
      start_time: '2031-06-13T00:30',
    })
  })
  it('has a way back where it is a round trip', () => {
    const service = transferService(
      { ...transfer, return_pickup_at: ms('2031-06-19T06:00:00Z'), dropoff_at: null },
      SETTING,
    )
    expect(service).toMatchObject({ first: '2031-06-12', last: '2031-06-19', confirmation_number: 'X1' })
    expect(service?.pieces[1]).toMatchObject({
      piece: 'way back',
      start_time: '2031-06-19T07:00',
      title: 'Hotel – Heathrow',
      location_name: 'Hotel',
      location_address: 'Strand 1',
    })
  })
})

describe('a car', () => {
  const car = {
    vehicle_class: 'Compact',
    pickup_location: 'Airport',
    dropoff_location: null,
    pickup_at: ms('2031-06-12T08:30:00Z'),
    return_at: ms('2031-06-14T06:00:00Z'),
  }
  it('is picked up and returned', () => {
    const service = rentalService(car, SETTING)
    expect(service).toMatchObject({ first: '2031-06-12', last: '2031-06-14' })
    expect(
      service?.pieces.map(({ piece, date, start_time, title, location_name }) => [
        piece,
        date,
        start_time,
        title,
        location_name,
      ]),
    ).toEqual([
      ['pick-up', '2031-06-12', '2031-06-12T11:30', 'Pick-up: Compact', 'Airport'],
      ['return', '2031-06-14', '2031-06-14T09:00', 'Return: Compact', 'Airport'],
    ])
    expect(
      rentalService({ ...car, vehicle_class: null, return_at: null }, { ...SETTING, locale: 'tr-TR' })?.pieces.map(
        ({ title }) => title,
      ),
    ).toEqual(['Teslim alma'])
    expect(rentalService({ ...car, pickup_at: null, return_at: null }, SETTING)).toBeNull()
  })
})

describe('what takes days', () => {
  const days = { first: '2031-06-12', last: '2031-06-14' }
  const nights = { date: '2031-06-12', start_time: '2031-06-12T00:00', end_time: '2031-06-14T00:00' }
  const flight = leg('IST', 'LHR', '2031-06-13T15:10', null)
  const charter = { ...days, charter_type: null, contract_number: 'K1', legs: null }
  it.each([
    [
      'a cruise',
      cruiseService({ ...days, ship_name: 'Ege', cabin_category: 'Balcony' }),
      { segment_type: 'cruise', title: 'Ege', description: 'Balcony' },
    ],
    [
      'a tour',
      tourService({ ...days, title: 'Kapadokya', pickup_point: 'Taksim', booking_reference: 'R' }),
      { segment_type: 'tour', location_name: 'Taksim' },
    ],
    [
      'an event',
      eventService({ ...days, title: 'Meeting', venue_name: null, city: 'Bodrum' }),
      { segment_type: 'event', location_name: 'Bodrum', location_address: null },
    ],
    ['a yacht', charterService({ ...charter, charter_type: 'yacht' }), { segment_type: 'cruise' }],
    ['a bus', charterService({ ...charter, charter_type: 'bus' }), { segment_type: 'bus' }],
    ['a train', charterService({ ...charter, charter_type: 'train' }), { segment_type: 'rail' }],
  ])('%s begins on its first day and ends on its last', (_, service, expected) => {
    expect(service).toMatchObject({ ...days, pieces: [{ ...nights, ...expected }] })
  })
  it('may have no end, or nothing to show; without a first day it is nowhere', () => {
    expect(silentService(days)).toEqual({ ...days, pieces: [] })
    expect(silentService({ first: '2031-06-12', last: null })).toMatchObject({ last: '2031-06-12' })
    expect(cruiseService({ first: '2031-06-12', last: null, ship_name: null, cabin_category: null })).toMatchObject({
      last: '2031-06-12',
      pieces: [{ end_time: null }],
    })
    expect([
      silentService({ first: null, last: '2031-06-14' }),
      charterService({ ...charter, first: null, last: null }),
    ]).toEqual([null, null])
  })
  it('is of a charter its flights, where it has some', () => {
    expect(charterService({ ...charter, legs: [flight] })).toMatchObject({
      first: '2031-06-13',
      pieces: [{ segment_type: 'flight' }],
      confirmation_number: 'K1',
    })
    expect(charterService({ ...charter, charter_type: 'flight' })).toEqual({ ...days, pieces: [] })
  })
})
