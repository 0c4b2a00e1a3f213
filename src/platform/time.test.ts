import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayIn, daysBetween, isDate, isTimeZone, readInstant } from './time.ts'

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
  ])('%s is invalid', (text) => {
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

describe('the account’s clock', () => {
  const ZONES = [
    'Europe/Berlin',
    'Europe/Istanbul',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'Pacific/Apia',
    'America/St_Johns',
    'UTC',
  ] as const
  const formats = new Map(
    ZONES.map((timeZone) => {
      const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
      return [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, ...parts, hourCycle: 'h23' })] as const
    }),
  )
  /** An independent oracle: the local time of the zone, as milliseconds of a day without a zone. */
  const wall = (zone: (typeof ZONES)[number], epochMs: number): number =>
    Date.parse(`${formats.get(zone)?.format(epochMs).replace(' ', 'T')}Z`)
  const HOUR = 3_600_000
  const minutes = fc
    .integer({ min: Date.UTC(1971, 0) / 60_000, max: Date.UTC(2037, 11) / 60_000 })
    .map((minute) => minute * 60_000)
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 16)
  const instantOf = (local: number, zone: string) => Date.parse(readInstant(text(local), zone) ?? '')

  it('shows a time without an offset at the first instant at which it is that time, or later by the gap', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), minutes, (zone, local) => {
        const instant = instantOf(local, zone)
        const shown = wall(zone, instant)
        if (shown === local) {
          for (let before = 30; before <= 180; before += 30)
            expect(wall(zone, instant - before * 60_000)).not.toBe(local)
          return
        }
        // No clock showed it: the answer is as late after the gap as the time is after the gap's beginning.
        const offsetBefore = wall(zone, instant - 26 * HOUR) - (instant - 26 * HOUR)
        expect(instant).toBe(local - offsetBefore)
        expect(shown).toBeGreaterThan(local)
      }),
      { numRuns: 2000 },
    )
  })
  it('skips and repeats every minute of the gap and the overlap alike', () => {
    for (let minute = 0; minute < 60; minute++) {
      const gap = Date.UTC(2026, 2, 29, 2, minute)
      expect(instantOf(gap, 'Europe/Berlin')).toBe(gap - HOUR)
      const overlap = Date.UTC(2026, 9, 25, 2, minute)
      expect(instantOf(overlap, 'Europe/Berlin')).toBe(overlap - 2 * HOUR)
      const skippedDay = Date.UTC(2011, 11, 30, 12, minute) // Samoa had no such day
      expect(instantOf(skippedDay, 'Pacific/Apia')).toBe(skippedDay + 10 * HOUR)
    }
  })
  it('is not used if the timestamp has an offset, and a printed time reads back the same', () => {
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 })
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), minutes, offset, (zone, local, offset) => {
        const [hours, rest] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60]
        const sign = offset < 0 ? '-' : '+'
        const written = `${text(local)}${sign}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
        const answer = readInstant(written, zone)
        expect(Date.parse(answer as string)).toBe(local - offset * 60_000)
        expect(answer).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
        expect(readInstant(answer as string, zone)).toBe(answer)
      }),
    )
  })
  it('determines the account’s day', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), minutes, (zone, epochMs) => {
        expect(dayIn(zone, epochMs)).toBe(text(wall(zone, epochMs)).slice(0, 10))
      }),
    )
  })
  it('reads no nonsense, and never throws', () => {
    const near = fc
      .tuple(fc.constant('2026-03-29T10:00:00.000+03:00'), fc.nat(28), fc.string({ maxLength: 2 }))
      .map(([text, at, other]) => text.slice(0, at) + other + text.slice(at + 1))
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (text) => {
        const answer = readInstant(text, 'Europe/Berlin')
        if (answer !== null) expect(Number.isNaN(Date.parse(answer))).toBe(false)
      }),
    )
  })
  it.each(['2200-12-31T23:00:00-05:00', '1900-01-01T00:00:00+05:00'])(
    'reads %s as an instant that is read as itself, or not at all: the years of UTC count',
    (text) => {
      const answer = readInstant(text, 'UTC')
      expect(answer === null ? null : readInstant(answer, 'UTC')).toBe(answer)
    },
  )
})
