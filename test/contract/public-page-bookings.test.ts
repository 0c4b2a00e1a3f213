import { beforeEach, describe, expect, it } from 'vitest'
import { legible, readCalendar } from '../harness/calendar-text.ts'
import { leg, withFiling } from '../harness/filing.ts'
import { mintLink, openPage } from '../harness/shared-trip.ts'

const { the, sql, book, stay, ticket, trip, file } = withFiling()

describe('the page of a trip with bookings', () => {
  let token: string
  beforeEach(async () => {
    const june = await trip('2031-06-12', '2031-06-20')
    await ticket({ legs: [leg('IST', 'LHR', '2031-06-12T00:00', '2031-06-12T02:05')] })
    await stay({ check_in_on: '2031-06-12', check_out_on: '2031-06-13' })
    await book('cruises', {
      customer_external_id: 'C',
      status: 'confirmed',
      currency: 'EUR',
      external_id: 'CR',
      ship_name: 'Ege',
      embark_on: '2031-06-13',
      disembark_on: '2031-06-15',
    })
    await file()
    await sql(
      `insert into trip_segments (account_id, trip_id, trip_day_id, segment_type, status, position, start_time, end_time, title)
       select account_id, trip_id, id, 'event', 'confirmed', 9, date::timestamp, date + interval '2 hours', 'Fireworks' from trip_days
       where trip_id = $1 and date = '2031-06-16'`,
      [june],
    )
    token = (await mintLink(the.cell, the.agency, june)).token
  })
  const partOf = (body: string, day: string) => new RegExp(`<h2>[^<]*${day}[\\s\\S]*?</section>`).exec(body)?.[0] ?? ''

  it('shows no time for services with dates only, and midnight if it is stated', async () => {
    const { body } = await openPage(the.cell, token)
    expect(body.match(/<time>00:00/g)).toHaveLength(3)
    expect(partOf(body, '12 June')).toMatch(/<time>00:00[\s\S]*Heathrow/)
    expect(partOf(body, '16 June')).toMatch(/<time>00:00<\/time><span>– <time>02:00[\s\S]*Fireworks/)
  })
  it('shows the days of a cruise, and that it continues on each of them', async () => {
    const { body } = await openPage(the.cell, token)
    expect(partOf(body, '13 June')).toMatch(/Ege[\s\S]*<p>13\s–\s15 Jun<\/p>/)
    for (const day of ['14 June', '15 June']) expect(partOf(body, day)).toContain('Cruise: <bdi>Ege</bdi>')
    expect(partOf(body, '16 June')).not.toContain('Ege')
  })
  it('has a calendar with these on whole days: a stay without the day of leaving', async () => {
    const { events } = readCalendar((await openPage(the.cell, `${token}/trip.ics`)).body)
    const spans = events.map(({ written: { DTSTART, DTEND, SUMMARY } }) => [SUMMARY, legible(DTSTART), legible(DTEND)])
    expect(spans).toEqual([
      ['TK 1985 Istanbul – London', '2031-06-11T21:00:00Z', '2031-06-12T01:05:00Z'],
      [expect.any(String), '2031-06-12', '2031-06-13'],
      ['Ege', '2031-06-13', '2031-06-16'],
      ['Fireworks', expect.stringMatching('^2031-06-1[56]T'), expect.stringMatching('^2031-06-1[56]T')],
    ])
  })
})
