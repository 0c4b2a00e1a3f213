import { beforeAll, describe, expect, it } from 'vitest'
import { airFile } from '../harness/air.ts'
import { type Row, withRecords } from '../harness/records.ts'
import { queryOf, runReport } from '../harness/reports.ts'
import { ask } from '../harness/sql.ts'

const leg = (
  departure_airport: string,
  arrival_airport: string,
  scheduled_departure: string,
  scheduled_arrival: string,
) => ({
  airline_code: 'TK',
  flight_number: '1',
  departure_airport,
  arrival_airport,
  scheduled_departure,
  scheduled_arrival,
})
const passengers = [{ first_name: 'Ada', last_name: 'Lovelace', total: '100' }]
/** Over Frankfurt to a week in New York. */
const ROUND_TRIP = [
  leg('IST', 'FRA', '2026-06-01T23:30', '2026-06-02T01:30'),
  leg('FRA', 'JFK', '2026-06-02T04:00', '2026-06-02T06:00'),
  leg('JFK', 'FRA', '2026-06-09T18:00', '2026-06-10T08:00'),
  leg('FRA', 'IST', '2026-06-10T10:00', '2026-06-10T14:00'),
]

describe('a sale, and the option that it was, is reported by the day of travel and the place', () => {
  const { the, make, amend, next } = withRecords()
  beforeAll(async () => {
    await amend('suppliers', { external_id: 'S', name: 'Hotel', address_city: 'Bodrum', country_code: 'TR' })
    await make('tour_departures', { external_id: 'D', title: 'Tour', starts_on: '2026-07-01', ends_on: '2026-07-03' })
  })
  /** Where the sales that travel on a day are reported to lead. */
  async function reported(on: string): Promise<unknown[]> {
    const query = queryOf({ date_basis: 'travel_start', from: on, to: on })
    const { rows } = await runReport(the.cell, the.agency.key, 'sales_by_destination', query)
    return rows.map(({ destination }) => destination)
  }
  /** Where the options that end on a day are reported to lead. */
  async function held(until: string): Promise<unknown[]> {
    const query = queryOf({ from: until, to: until })
    const { rows } = await runReport(the.cell, the.agency.key, 'option_deadlines', query)
    return rows.map(({ destination }) => destination)
  }

  it.each([
    [
      'hotel_stays',
      { check_in_on: '2026-05-01', check_out_on: '2026-05-02', supplier_external_id: 'S' },
      '2026-05-01',
      'Bodrum, TR',
    ],
    ['hotel_stays', { check_in_on: '2026-05-02', check_out_on: '2026-05-03' }, '2026-05-02', null],
    ['cruises', { embark_on: '2026-05-03', supplier_external_id: 'S' }, '2026-05-03', 'Bodrum, TR'],
    [
      'transfers',
      { pickup_at: '2026-05-03T21:30:00Z', pickup_location: 'Airport', dropoff_location: 'Old town' },
      '2026-05-04',
      'Old town',
    ],
    [
      'transfers',
      {
        pickup_at: '2026-05-05T23:30:00Z',
        pickup_location: 'Airport',
        dropoff_location: 'Soho',
        flight_airport: 'LGW',
      },
      '2026-05-06', // summer time in London
      'Soho',
    ],
    ['car_rentals', { pickup_at: '2026-05-07T10:00', pickup_location: 'Dalaman' }, '2026-05-07', 'Dalaman'],
    [
      'tour_bookings',
      { tour_departure_external_id: 'D', guest_count: 1, supplier_external_id: 'S' },
      '2026-07-01',
      'Bodrum, TR',
    ],
    ['tickets', { passengers, legs: ROUND_TRIP }, '2026-06-01', 'New York, US'],
    [
      'tickets',
      { passengers, legs: ROUND_TRIP.slice(0, 2).map((leg) => ({ ...leg, scheduled_departure: '2026-06-11T09:00' })) },
      '2026-06-11',
      'New York, US',
    ],
  ])('%s', async (entity, row, on, place) => {
    const option = { external_id: next('T'), status: 'option', option_date: on, ...row } as Row
    await make(entity, option)
    expect(await held(on)).toEqual([place])
    await amend(entity, { external_id: option.external_id, status: entity === 'tickets' ? 'issued' : 'confirmed' })
    expect([await held(on), await reported(on)]).toEqual([[], [place]])
  })
  it('as it is amended, by itself or by its departure, until it is cancelled', async () => {
    const stay = { external_id: next('T'), status: 'confirmed', check_in_on: '2026-08-01', check_out_on: '2026-08-09' }
    await make('hotel_stays', stay)
    await amend('hotel_stays', { external_id: stay.external_id, check_in_on: '2026-08-02', supplier_external_id: 'S' })
    expect([await reported('2026-08-01'), await reported('2026-08-02')]).toEqual([[], ['Bodrum, TR']])
    await amend('hotel_stays', { external_id: stay.external_id, status: 'cancelled' })
    expect(await reported('2026-08-02')).toEqual([])
    await amend('tour_departures', { external_id: 'D', starts_on: '2026-07-02' })
    expect([await reported('2026-07-01'), await reported('2026-07-02')]).toEqual([[], ['Bodrum, TR']])
  })
  it('as captured from a ticket file', async () => {
    const content = Buffer.from(airFile({})).toString('base64')
    const { body } = await the.cell.call('POST', '/ticket_imports', { key: the.agency.key, body: { content } })
    const { ticket_sale_id } = body as { ticket_sale_id: string }
    const query =
      'select travels_on::text, destination, first_issued_on::text, last_issued_on::text from bookings where id = $1'
    expect(await ask(the.cell, query, [ticket_sale_id])).toEqual([
      {
        travels_on: '2026-06-12',
        destination: 'London, GB',
        first_issued_on: '2026-03-02',
        last_issued_on: '2026-03-02',
      },
    ])
  })
})
