import { beforeEach, describe, expect, it } from 'vitest'
import { importRows } from '../harness/agency.ts'
import { leg, type Segment, segmentsOf, THERE, withFiling } from '../harness/filing.ts'

const { the, sql, book, stay, ticket, trip, file, shown, only, tripOf, everything, again, refile } = withFiling()

describe('the segments of a booking', () => {
  let june: string
  beforeEach(async () => {
    june = await trip('2031-06-12', '2031-06-20')
  })
  it('are made once: filing again changes nothing', async () => {
    await stay()
    await ticket()
    await stay({ external_id: 'H2', check_in_on: '2031-05-12' })
    await file()
    const before = await everything()
    await again()
    await refile(june)
    await file()
    expect(await everything()).toEqual(before)
    expect(before[0]?.length).toBe(3)
  })
  it('carry its price once, its cost, commission, supplier and confirmation', async () => {
    await ticket({ pnr: 'K7QW2M', supplier_external_id: 'S2' })
    await file()
    const [first, second] = await segmentsOf(the.cell, june)
    expect(first).toMatchObject({
      price_amount: '240.0000',
      currency: 'EUR',
      cost_amount: '232.8000',
      cost_currency: 'EUR',
      commission_amount: '7.2000',
      confirmation_number: 'K7QW2M',
      status: 'ticketed',
      duration_minutes: 245,
      location_name: 'London Heathrow Airport',
    })
    expect(second).toMatchObject({
      price_amount: null,
      currency: null,
      cost_amount: null,
      confirmation_number: 'K7QW2M',
    })
    expect(first?.supplier_id).toBe(second?.supplier_id)
  })
  it('follow it to other days, keep their ids, and stand there by their time', async () => {
    await stay({ check_in_on: '2031-06-14' })
    await ticket({ legs: [leg('IST', 'ESB', '2031-06-13T20:00', null), leg('ESB', 'IST', '2031-06-13T08:00', null)] })
    await file()
    const { id } = (await segmentsOf(the.cell, june)).find((each) => each.segment_type === 'lodging') as Segment
    await stay({ check_in_on: '2031-06-13' })
    await file()
    const all = await segmentsOf(the.cell, june)
    expect(all.map(({ date, position, piece }) => [date, position, piece])).toEqual([
      ['2031-06-13', 1, 'ESB-IST'],
      ['2031-06-13', 2, 'IST-ESB'],
      ['2031-06-13', 3, 'stay'],
    ])
    expect(all[2]).toMatchObject({ id, start_time: '2031-06-13T00:00', end_time: '2031-06-15T00:00' })
  })
  it('leave the order that people gave a day, and go between by their time', async () => {
    await sql(
      `insert into trip_segments (account_id, trip_id, trip_day_id, segment_type, position, start_time, title)
       select d.account_id, d.trip_id, d.id, 'activity', nth, at::timestamp, 'A' || nth from trip_days d
       cross join (values (1, '2031-06-12T18:00'), (2, null), (3, '2031-06-12T09:00'), (4, '2031-06-12T20:00')) as a(nth, at)
       where d.trip_id = $1 and d.date = '2031-06-12'`,
      [june],
    )
    await ticket({ legs: [THERE, leg('LHR', 'LGW', '2031-06-12T19:00', null)] })
    await file()
    expect((await shown(june)).map(([, , , title]) => title)).toEqual([
      'TK 1985 Istanbul – London',
      'A1',
      'A2',
      'A3',
      'TK 1985 London – London',
      'A4',
    ])
  })
  it('are cancelled where their service is gone, and back where it is back', async () => {
    await ticket()
    await file()
    const before = await segmentsOf(the.cell, june)
    await ticket({ legs: [THERE] })
    await file()
    const [there, back] = await segmentsOf(the.cell, june)
    expect(there).toEqual(before[0])
    expect(back).toMatchObject({ id: before[1]?.id, status: 'cancelled', title: before[1]?.title })
    await ticket()
    await file()
    expect((await segmentsOf(the.cell, june)).map(({ status }) => status)).toEqual(['ticketed', 'ticketed'])
  })
  it('are cancelled with it, and not gone', async () => {
    await stay()
    await file()
    await stay({ status: 'cancelled' })
    await file()
    expect(await only(june)).toMatchObject({ status: 'cancelled', title: 'Hotel' })
  })
  it('are cancelled when its import is taken back', async () => {
    const { id } = await importRows(the.cell, the.agency.key, 'hotel_stays', [
      {
        external_id: 'R',
        customer_external_id: 'C',
        check_in_on: '2031-06-12',
        check_out_on: '2031-06-13',
        status: 'confirmed',
      },
    ])
    await file()
    const answer = await the.cell.call('POST', `/imports/${id}/revert`, { key: the.agency.key })
    expect((answer.body as { data: { reverted: number } }).data.reverted).toBe(1)
    await file()
    expect(await only(june)).toMatchObject({ status: 'cancelled' })
  })
  it('that were never made are not made of a booking that is deleted', async () => {
    const booking = await stay()
    await sql('update bookings set deleted_at = now() where id = $1', [booking])
    await file()
    expect([await tripOf(booking), await shown(june)]).toEqual([undefined, []])
  })
  it('keep edited texts and visibility, and follow the booking otherwise', async () => {
    await stay()
    await file()
    await sql(
      `update trip_segments set title = 'Our hotel', internal_notes = 'VIP', is_client_visible = false, is_highlighted = true,
       start_time = '2031-06-12T14:00', status = 'proposed' where trip_id = $1`,
      [june],
    )
    await stay({ rooms: [{ name: 'Sea view' }], check_out_on: '2031-06-16' })
    await file()
    expect(await only(june)).toMatchObject({
      title: 'Our hotel',
      description: 'Sea view',
      location_name: 'Hotel',
      internal_notes: 'VIP',
      is_client_visible: false,
      is_highlighted: true,
      start_time: '2031-06-12T00:00',
      end_time: '2031-06-16T00:00',
      status: 'confirmed',
    })
  })
  it('are made of whatever vertical it is of', async () => {
    const of = { customer_external_id: 'C', status: 'confirmed', currency: 'EUR' }
    await book('transfers', {
      ...of,
      external_id: 'X',
      pickup_at: '2031-06-12T12:15:00+03:00',
      return_pickup_at: '2031-06-19T05:00:00Z',
      pickup_location: 'Airport',
      dropoff_location: 'Hotel',
      flight_airport: 'LHR',
      confirmation_number: 'X1',
    })
    await book('cruises', {
      ...of,
      external_id: 'CR',
      ship_name: 'Ege',
      embark_on: '2031-06-13',
      disembark_on: '2031-06-15',
      rate_basis: 'commissionable',
      margin_mode: 'percent',
      margin_value: '12',
      sell_lines: [{ kind: 'cabin_fare', amount: '100.00' }],
    })
    await book('car_rentals', {
      ...of,
      external_id: 'CAR',
      pickup_at: '2031-06-14T11:30',
      return_at: '2031-06-15T09:00',
      pickup_location: 'Airport',
      vehicle_class: 'Compact',
    })
    await sql(
      `with made as (
         insert into bookings (account_id, company_id, entity, status, customer_id, currency, transaction_date, changed)
         select c.account_id, c.company_id, entity, status, c.id, 'EUR', '2031-01-01', 0 from customers c
         cross join (values ('charters', 'quoted'), ('visa_cases', 'approved'), ('events', 'contracted')) as v(entity, status)
         where c.account_id = $1 and c.external_id = 'C' returning account_id, id, entity
       ), charters as (
         insert into charters (account_id, id, charter_type, starts_on, ends_on) select account_id, id, 'bus', '2031-06-16', '2031-06-16' from made where entity = 'charters'
       ), visas as (
         insert into visa_cases (account_id, id, travel_on) select account_id, id, '2031-06-12' from made where entity = 'visa_cases'
       )
       insert into events (account_id, id, title, starts_on, city) select account_id, id, 'Meeting', '2031-06-18', 'Bodrum' from made where entity = 'events'`,
      [the.agency.number],
    )
    await file()
    expect(
      (await segmentsOf(the.cell, june)).map((each) => [each.segment_type, each.status, each.start_time, each.title]),
    ).toEqual([
      ['transfer', 'confirmed', '2031-06-12T10:15', 'Airport – Hotel'],
      ['cruise', 'confirmed', '2031-06-13T00:00', 'Ege'],
      ['car_rental', 'confirmed', '2031-06-14T11:30', 'Pick-up: Compact'],
      ['car_rental', 'confirmed', '2031-06-15T09:00', 'Return: Compact'],
      ['bus', 'proposed', '2031-06-16T00:00', null],
      ['event', 'confirmed', '2031-06-18T00:00', 'Meeting'],
      ['transfer', 'confirmed', '2031-06-19T06:00', 'Hotel – Airport'],
    ])
    expect((await segmentsOf(the.cell, june))[1]).toMatchObject({
      price_amount: '100.0000',
      cost_amount: '88.0000',
      commission_amount: '12.0000',
      commission_rate: '12.0000',
    })
    const filed = await sql('select from trip_bookings where trip_id = $1', [june])
    expect(filed.length).toBe(6)
  })
  it('follow a tour to the days of its departure', async () => {
    const departure = { external_id: 'TD', title: 'Kapadokya', starts_on: '2031-06-13', ends_on: '2031-06-15' }
    await book('tour_departures', departure)
    await book('tour_bookings', {
      external_id: 'TB',
      tour_departure_external_id: 'TD',
      customer_external_id: 'C',
      guest_count: 2,
      status: 'confirmed',
    })
    await file()
    expect(await shown(june)).toEqual([['2031-06-13', 'tour', 'confirmed', 'Kapadokya']])
    await book('tour_departures', { ...departure, starts_on: '2031-06-14', title: 'Kapadokya, by balloon' })
    await file()
    expect(await shown(june)).toEqual([['2031-06-14', 'tour', 'confirmed', 'Kapadokya, by balloon']])
  })
  it('stay in the trip when the booking leaves its days, on the first or the last', async () => {
    await stay()
    await file()
    await stay({ check_in_on: '2031-06-10' })
    await file()
    expect(await only(june)).toMatchObject({ date: '2031-06-12', start_time: '2031-06-10T00:00' })
    await stay({ check_in_on: '2031-07-10', check_out_on: '2031-07-12' })
    await file()
    expect(await only(june)).toMatchObject({ date: '2031-06-20', start_time: '2031-07-10T00:00' })
  })
  it('lie on the day before where theirs was removed, and days are made where a trip has none', async () => {
    await sql(`delete from trip_days where trip_id = $1 and date = '2031-06-13'`, [june])
    await stay({ check_in_on: '2031-06-13' })
    await file()
    expect(await only(june)).toMatchObject({ date: '2031-06-12' })
    await sql('delete from trip_segments where trip_id = $1', [june])
    await sql('delete from trip_days where trip_id = $1', [june])
    await again()
    expect(await only(june)).toMatchObject({ date: '2031-06-13' })
    const days = await sql<{ day_number: number; date: string }>(
      'select day_number, date::text from trip_days where trip_id = $1 order by 1',
      [june],
    )
    expect([days.length, days[0], days.at(-1)]).toEqual([
      9,
      { day_number: 1, date: '2031-06-12' },
      { day_number: 9, date: '2031-06-20' },
    ])
  })
  it('get the days that they need in a trip without dates, in their order', async () => {
    const undated = await trip(null, null)
    const [late, early] = [
      await stay({ check_in_on: '2031-05-14', check_out_on: '2031-05-15' }),
      await stay({ external_id: 'H2', check_in_on: '2031-05-12', check_out_on: '2031-05-13' }),
    ]
    for (const booking of [late, early]) {
      await sql('insert into trip_bookings (account_id, booking_id, trip_id) values ($1, $2, $3)', [
        the.agency.number,
        booking,
        undated,
      ])
      await refile(undated)
      await file()
    }
    const days = await sql('select day_number, position, date::text from trip_days where trip_id = $1 order by 1', [
      undated,
    ])
    expect(days).toEqual([
      { day_number: 1, position: 1, date: '2031-05-12' },
      { day_number: 2, position: 2, date: '2031-05-14' },
    ])
    expect((await segmentsOf(the.cell, undated)).map(({ date }) => date)).toEqual(['2031-05-12', '2031-05-14'])
  })
})
