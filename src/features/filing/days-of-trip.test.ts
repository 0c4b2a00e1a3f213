import { describe, expect, it } from 'vitest'
import { type DaysOfTrip, dayFor, missingDays } from './days-of-trip.ts'

const trip = (start: string | null, end: string | null, ...dates: string[]): DaysOfTrip => ({
  start,
  end,
  days: dates.map((date) => ({ id: date, date })),
})
const JUNE = trip('2031-06-12', '2031-06-14', '2031-06-12', '2031-06-14')

describe('the day of a date', () => {
  it.each([
    ['is that day', JUNE, '2031-06-14', '2031-06-14'],
    ['is the one before where it is missing', JUNE, '2031-06-13', '2031-06-12'],
    ['is the first before the trip', JUNE, '2031-06-01', '2031-06-12'],
    ['is the last after it', JUNE, '2031-07-01', '2031-06-14'],
    [
      'is the first where nothing is before',
      trip('2031-06-12', '2031-06-14', '2031-06-13'),
      '2031-06-12',
      '2031-06-13',
    ],
    ['is none where there are none', trip('2031-06-12', '2031-06-14'), '2031-06-12', undefined],
  ])('%s', (_, days, date, expected) => {
    expect(dayFor(days, date)).toBe(expected)
  })
})

describe('days to make', () => {
  it.each([
    ['are none where there are some', JUNE, ['2031-06-13'], []],
    ['are all where there are none', trip('2031-02-28', '2031-03-01'), ['2031-02-28'], ['2031-02-28', '2031-03-01']],
    [
      'are each of those that a trip without dates lacks',
      trip(null, null, '2031-06-12'),
      ['2031-06-14', '2031-06-12', '2031-06-13', '2031-06-14'],
      ['2031-06-13', '2031-06-14'],
    ],
    [
      'begin with its start where it has no end',
      trip('2031-06-12', null),
      ['2031-06-01', '2031-06-02'],
      ['2031-06-12'],
    ],
    ['are none for nothing', trip(null, null), [], []],
  ])('%s', (_, days, dates, expected) => {
    expect(missingDays(days, dates)).toEqual(expected)
  })
  it('are no more than a trip can have', () => {
    const dates = Array.from({ length: 400 }, (_, nth) => `${2000 + nth}-01-01`)
    expect(missingDays(trip(null, null, '1999-01-01'), dates)).toEqual(dates.slice(0, 365))
  })
})
