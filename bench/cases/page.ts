import { hashShareToken, makeShareToken } from '../../src/features/trip-pages/share-token.ts'
import type { Agencies, Agency } from '../agencies.ts'
import { get } from '../http.ts'
import { figureOf, milliseconds } from '../measure.ts'
import type { Case } from './case.ts'

const DAYS = 60
const VIEWS = 100
const BYTES_A_KB = 1000

/** A trip of 60 days with 141 segments: two things to do a day, another hotel every fourth night, a flight every tenth day. */
const trip = `
  with trip as (
    insert into trips (account_id, company_id, reference_number, title, status, start_date, end_date, settings)
    values ($1, $2, 'BENCH', 'Two months around the world', 'confirmed', '2026-06-01', '2026-07-30', '{"language": "en"}')
    returning account_id, id
  ), day as (
    insert into trip_days (account_id, trip_id, day_number, position, date, title, primary_location, timezone)
    select account_id, id, n, n, date '2026-05-31' + n, 'Another day on the road', 'Rome', 'Europe/Rome' from trip, generate_series(1, ${DAYS}) as n
    returning account_id, trip_id, id, day_number as n, date
  ), link as (
    insert into share_links (account_id, trip_id, audience, token_hash, token_hint, show_prices, show_travelers)
    select account_id, id, 'traveler', $3, 'none', true, true from trip
  )
  insert into trip_segments (account_id, trip_id, trip_day_id, position, segment_type, status, title, description, start_time, end_time,
    location_name, location_address, airline_code, flight_number, departure_airport, arrival_airport, price_amount, currency)
  select d.account_id, d.trip_id, d.id, s.position, s.type, 'confirmed', s.title, s.description, d.date + s.start, d.date + s.start + s.length,
    s.place, s.address, s.airline, s.flight, s.departure, s.arrival, 98, 'EUR'
  from day d join (values
    (1, 'flight', 10, time '09:05', interval '100 minutes', 'TK 1861 IST – ROM', null, null, null, 'TK', '1861', 'IST', 'FCO'),
    (2, 'activity', 1, '10:00', '2 hours', 'The old town', 'Narrow lanes, the market and a coffee where the painters met. Wear good shoes and bring some water.', 'Fountain of the four rivers', 'Piazza Navona, 00186 Roma', null, null, null, null),
    (3, 'tour', 1, '16:00', '2 hours', 'The museum', 'Narrow lanes, the market and a coffee where the painters met. Wear good shoes and bring some water.', 'Fountain of the four rivers', 'Piazza Navona, 00186 Roma', null, null, null, null),
    (4, 'lodging', 4, '15:00', '92 hours', 'Hotel Santa Maria', null, 'Hotel Santa Maria', 'Vicolo del Piede 2, 00153 Roma', null, null, null, null)
  ) as s(position, type, every, start, length, title, description, place, address, airline, flight, departure, arrival) on d.n % s.every = 0`

async function shareTrip({ all, asSuperuser }: Agencies): Promise<string> {
  const { account, company } = all[1] as Agency
  const token = makeShareToken()
  const client = await asSuperuser()
  await client.query(trip, [account, company, hashShareToken(token)])
  await client.end()
  return token
}

/** The public page of a long trip, opened again and again by one visitor, and its calendar. */
export const page: Case = {
  name: 'page',
  async run({ empty, rounds }) {
    const agencies = await empty()
    const address = `${agencies.cell.url}/s/${await shareTrip(agencies)}`
    const open = async (path: string): Promise<number> => {
      const ms = await milliseconds(async () => {
        for (let n = 0; n < VIEWS; n++) await get(`${address}${path}`, '')
      })
      return ms / VIEWS
    }
    const calendar = '/trip.ics'
    await open('')
    await open(calendar)
    const [opened, fetched]: [number[], number[]] = [[], []]
    for (let n = 0; n < rounds; n++) {
      opened.push(await open(''))
      fetched.push(await open(calendar))
    }
    const size = Buffer.byteLength(await get(address, '')) / BYTES_A_KB
    return [
      figureOf({ name: `the page of a trip of ${DAYS} days`, unit: 'ms', target: { atMost: 50 } }, opened),
      figureOf({ name: 'its calendar', unit: 'ms', target: { atMost: 50 } }, fetched),
      figureOf({ name: 'the size of the page', unit: 'KB', target: { atMost: 100 } }, [size]),
    ]
  },
}
