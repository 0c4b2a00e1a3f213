import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { calendarOf } from '../../src/features/trip-pages/calendar.ts'
import type { PublicDay, PublicSegment, PublicTrip } from '../../src/features/trip-pages/public-trip.store.ts'
import { wordsOf } from '../../src/features/trip-pages/reads/words.ts'
import { SEGMENT_TYPES } from '../../src/features/trips/reads/segment-kinds.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { anyText } from '../harness/any-text.ts'
import { legible, type ReadEvent, readCalendar } from '../harness/calendar-text.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { english } from '../harness/sample-trips.ts'
import { changeLink, openPage, shareTrip } from '../harness/shared-trip.ts'

const segment: PublicSegment = {
  id: '019d0000-0000-7000-8000-000000000001',
  type: 'activity',
  firm: true,
  title: 'Something to do',
  description: null,
  start: null,
  end: null,
  minutes: null,
  place: null,
  address: null,
  optional: false,
  highlighted: false,
  cover: null,
  airline: null,
  flight: null,
  from: null,
  to: null,
  price: null,
  currency: null,
  updated: '2026-02-01T10:00:00.000000Z',
}
const day: PublicDay = {
  number: 1,
  date: '2026-06-12',
  title: null,
  location: null,
  description: null,
  cover: null,
  timeZone: null,
  latitude: null,
  longitude: null,
  segments: [],
}
const trip: PublicTrip = {
  id: '019d0000-0000-7000-8000-000000000002',
  updated: '2026-01-01T10:00:00.000000Z',
  agency: 'Agency',
  accent: null,
  logo: null,
  language: 'en',
  title: 'Rome',
  cancelled: false,
  start: null,
  end: null,
  destinations: [],
  summary: null,
  cover: null,
  travelers: null,
  days: [],
}

const write = (
  segments: readonly Partial<PublicSegment>[],
  more: Partial<PublicDay> = {},
  whole: Partial<PublicTrip> = {},
) =>
  calendarOf(
    { ...trip, ...whole, days: [{ ...day, ...more, segments: segments.map((own) => ({ ...segment, ...own })) }] },
    wordsOf('en'),
  )
const eventOf = (own: Partial<PublicSegment>, more: Partial<PublicDay> = {}): ReadEvent =>
  readCalendar(write([own], more)).events[0] as ReadEvent
const spanOf = ({ written }: ReadEvent) => [legible(written.DTSTART), legible(written.DTEND)]
const span = (own: Partial<PublicSegment>, more: Partial<PublicDay> = {}) => spanOf(eventOf(own, more))

describe('the calendar of a shared trip', () => {
  let cell: TestCell
  let agency: Agency
  beforeAll(async () => {
    cell = await startCell()
    agency = await makeAgency(cell)
  })
  it('matches the page, is the same each time, and needs the same access', async () => {
    const { token, link } = await shareTrip(cell, agency, english)
    const { statusCode, headers, body } = await openPage(cell, `${token}/trip.ics`)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="trip.ics"',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    })
    const { calendar, events } = readCalendar(body)
    expect(calendar['X-WR-CALNAME']).toBe('A week in Rome and Florence')
    expect(events.map((event) => [event.understood.summary, ...spanOf(event), event.written.STATUS])).toEqual([
      ['TK 1861 Istanbul → Rome', '2026-06-12T06:05:00Z', '2026-06-12T08:45:00Z', 'CONFIRMED'],
      ['Private car to the hotel', '2026-06-12T09:30:00Z', undefined, 'CONFIRMED'],
      ['Hotel Santa Maria', '2026-06-12', '2026-06-14', 'CONFIRMED'],
      ['Dinner at Da Enzo', '2026-06-12T18:00:00Z', '2026-06-12T20:00:00Z', 'TENTATIVE'],
      ['Colosseum and Forum with a guide', '2026-06-13T07:15:00Z', '2026-06-13T10:30:00Z', 'CONFIRMED'],
      ['An afternoon to yourselves', '2026-06-13', '2026-06-14', 'CONFIRMED'],
      [
        'Frecciarossa 9512, Roma Termini to Firenze S. M. Novella',
        '2026-06-14T10:10:00Z',
        '2026-06-14T11:42:00Z',
        'CONFIRMED',
      ],
      ['Palazzo Guadagni', '2026-06-14', '2026-06-15', 'CONFIRMED'],
      ['TK 1874 Florence → Istanbul', '2026-06-15T19:40:00Z', '2026-06-15T22:20:00Z', 'CONFIRMED'],
    ])
    expect((await openPage(cell, `${token}/trip.ics`)).body).toBe(body)
    await changeLink(cell, link, 'revoked_at = now()')
    expect((await openPage(cell, `${token}/trip.ics`)).statusCode).toBe(404)
  })
})

describe('a segment in the calendar', () => {
  it('has the id of the segment, and its last change', () => {
    const { written: event } = eventOf({})
    expect([event.UID, legible(event.DTSTAMP), legible(event['LAST-MODIFIED'])]).toEqual([
      segment.id,
      '2026-02-01T10:00:00Z',
      '2026-02-01T10:00:00Z',
    ])
  })
  it.each([
    [
      'on the morning when New York’s clocks go ahead',
      'IST',
      '2026-03-08T06:45',
      'JFK',
      '2026-03-08T10:30',
      '03:45',
      '2026-03-08T14:30',
    ],
    ['the day before', 'IST', '2026-03-07T06:45', 'JFK', '2026-03-07T10:30', '03:45', '2026-03-07T15:30'],
    [
      'over the night when Europe’s clocks go ahead',
      'FCO',
      '2026-03-29T01:30',
      'LHR',
      '2026-03-29T04:10',
      '00:30',
      '2026-03-29T03:10',
    ],
    [
      'over the date line, to an earlier hour',
      'HND',
      '2026-05-01T22:00',
      'HNL',
      '2026-05-01T10:30',
      '13:00',
      '2026-05-01T20:30',
    ],
  ])(
    'as a flight %s is at the instants that the airports’ clocks mean',
    (_, from, start, to, end, departs, arrives) => {
      expect(span({ type: 'flight', from, start, to, end })).toEqual([
        `${start.slice(0, 10)}T${departs}:00Z`,
        `${arrives}:00Z`,
      ])
    },
  )
  it.each([
    ['in winter', '2026-03-28T02:30', '2026-03-28T01:30:00Z'],
    ['in summer', '2026-03-30T02:30', '2026-03-30T00:30:00Z'],
    ['in the hour that is left out, an hour later', '2026-03-29T02:30', '2026-03-29T01:30:00Z'],
    ['in the hour that comes twice, the first time', '2026-10-25T02:30', '2026-10-25T00:30:00Z'],
  ])('is on its day’s clock: %s', (_, start, instant) => {
    expect(span({ start }, { timeZone: 'Europe/Rome' })).toEqual([instant, undefined])
  })
  it('is on no clock in particular where that is not known', () => {
    expect(span({ start: '2026-06-12T10:00', end: '2026-06-12T11:00' })).toEqual([
      '2026-06-12T10:00:00',
      '2026-06-12T11:00:00',
    ])
    expect(span({ start: '2026-06-12T10:00' }, { timeZone: 'Mars/Olympus' })).toEqual([
      '2026-06-12T10:00:00',
      undefined,
    ])
    expect(
      span({ type: 'flight', from: 'QQQ', to: 'IST', start: '2026-06-12T10:00', end: '2026-06-12T11:00' })[0],
    ).toBe('2026-06-12T10:00:00')
  })
  it('has no end that is not after its start', () => {
    expect(span({ start: '2026-06-12T10:00', end: '2026-06-12T10:00' })[1]).toBeUndefined()
    expect(span({ start: '2026-06-12T10:00', end: '2026-06-11T10:00' })[1]).toBeUndefined()
  })
  it('as a stay takes its nights, and at least one', () => {
    const stay = { type: 'lodging', start: '2026-06-12T15:00' } as const
    expect(span({ ...stay, end: '2026-06-15T11:00' })).toEqual(['2026-06-12', '2026-06-15'])
    expect(span({ ...stay, end: '2026-06-10T11:00' })).toEqual(['2026-06-12', '2026-06-13'])
    expect(span({ type: 'lodging' })).toEqual(['2026-06-12', '2026-06-13'])
    expect(eventOf(stay).written.TRANSP).toBe('TRANSPARENT')
  })
  it('is left out where not even its day is known', () => {
    expect(readCalendar(write([{}], { date: null })).events).toEqual([])
  })
  it('is the trip itself where nothing is planned yet', () => {
    const whole = { start: '2026-06-12', end: '2026-06-14', title: 'Rome, perhaps' }
    const [event, ...others] = readCalendar(write([], {}, whole)).events as [ReadEvent, ...ReadEvent[]]
    expect([...spanOf(event), event.written.UID, event.understood.summary]).toEqual([
      '2026-06-12',
      '2026-06-15',
      trip.id,
      'Rome, perhaps',
    ])
    expect(others).toEqual([])
    expect(readCalendar(write([{}], {}, whole)).events).toHaveLength(1)
  })
  it('is cancelled with the trip', () => {
    const [event] = readCalendar(write([{}], {}, { cancelled: true })).events
    expect(event?.written.STATUS).toBe('CANCELLED')
  })
  it('has no text that is read as anything but a text', () => {
    const plain = (text: string) => text.replace(/\r\n?/g, '\n').replace(/[^\n\P{Cc}]/gu, ' ')
    // The other program returns a NAME (RFC 7986) unchanged.
    const unescaped = (written: string) => written.replace(/\\([\\;,])/g, '$1')
    const text = anyText({ maxLength: 120 }).filter((made) => made !== '')
    const time = fc.constantFrom(null, '2026-03-29T02:30', '2026-06-12T00:00', '2026-12-31T23:59')
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.constantFrom(...SEGMENT_TYPES),
        time,
        time,
        (title, description, address, type, start, end) => {
          const written = write([{ title, description, address, type, start, end, from: address }], {}, { title })
          const { calendar, events } = readCalendar(written)
          expect(events).toHaveLength(1)
          expect(events[0]?.understood.summary).toBe(plain(title))
          expect(events[0]?.understood.description).toBe(plain(description))
          expect(unescaped(calendar.NAME ?? '')).toBe(plain(title).replaceAll('\n', ' '))
        },
      ),
    )
  })
})
