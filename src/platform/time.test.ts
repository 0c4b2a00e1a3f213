import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysBetween, isDate, isTimeZone, readInstant } from './time.ts'

describe('timestamps', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000000Z'], // in the gap: later by the gap
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000000Z'], // in the overlap: the earlier offset
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000000Z'],
    ['Europe/Istanbul', '2016-03-27T03:30', '2016-03-27T01:30:00.000000Z'],
    ['Europe/Istanbul', '2026-03-29T03:30', '2026-03-29T00:30:00.000000Z'], // no DST since 2016
    ['Europe/Berlin', '2026-03-29T02:30:00+01:00', '2026-03-29T01:30:00.000000Z'],
    ['Europe/Berlin', '2026-01-01 12:00:00.123456Z', '2026-01-01T12:00:00.123456Z'],
  ])('in %s, %s is %s', (zone, text, instant) => {
    expect(readInstant(text, zone)).toBe(instant)
  })
  it.each([
    '2026-03-29T24:00:00',
    '2026-03-29T23:59:60',
    '2026-02-30T10:00',
    '2026-03-29',
    'yesterday',
    '2026-03-29T10:00+3',
    '2026-03-29T10',
    '1899-12-31T00:00Z',
    '',
  ])('%s is none', (text) => {
    expect(readInstant(text, 'UTC')).toBeNull()
  })
})

describe('dates', () => {
  it('are the days of the calendar from 1900 to 2200, and no others', () => {
    const parts = fc.tuple(
      fc.integer({ min: 1890, max: 2210 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    )
    fc.assert(
      fc.property(parts, ([year, month, day]) => {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        const real = (() => {
          try {
            return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }).toString() === text
          } catch {
            return false
          }
        })()
        expect(isDate(text)).toBe(real && year >= 1900 && year <= 2200)
      }),
      { numRuns: 2000 },
    )
  })
  it('lie days apart that no change of clocks alters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 4000 }), (from, days) => {
        const start = Temporal.PlainDate.from('1900-01-01').add({ days: from })
        expect(daysBetween(start.toString(), start.add({ days }).toString())).toBe(days)
      }),
    )
  })
})

describe('time zones', () => {
  it('are named ones of the IANA list', () => {
    expect(['Europe/Istanbul', 'UTC', 'Asia/Calcutta', '+03:00', 'Mars/Base', ''].map(isTimeZone)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
