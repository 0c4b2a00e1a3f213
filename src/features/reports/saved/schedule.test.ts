import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextDue, type Schedule } from './schedule.ts'
import { FREQUENCIES, MONTH_DAYS, WEEKDAYS } from './schedule-kinds.ts'

const DAY_MS = 86_400_000
const ZONES = [
  'Europe/Istanbul',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'UTC',
]
const schedules = fc.record<Schedule>({
  frequency: fc.constantFrom(...FREQUENCIES),
  hour: fc.nat({ max: 23 }),
  weekday: fc.constantFrom(...WEEKDAYS),
  day: fc.constantFrom(...MONTH_DAYS),
})
const instants = fc.integer({ min: Date.UTC(2005, 0), max: Date.UTC(2035, 0) })
const next = (schedule: Partial<Schedule>, zone: string, after: string) =>
  new Date(
    nextDue({ frequency: 'daily', hour: 0, weekday: null, day: null, ...schedule }, zone, Date.parse(after)),
  ).toISOString()

describe('when a schedule comes due', () => {
  it.each<[string, Partial<Schedule>, string, string, string]>([
    [
      'an hour that is ahead, today',
      { hour: 7 },
      'Europe/Istanbul',
      '2026-05-01T03:59:59Z',
      '2026-05-01T04:00:00.000Z',
    ],
    [
      'an hour that has just come, tomorrow',
      { hour: 7 },
      'Europe/Istanbul',
      '2026-05-01T04:00:00Z',
      '2026-05-02T04:00:00.000Z',
    ],
    ['a gap, later', { hour: 2 }, 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['an overlap, the first time', { hour: 2 }, 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:00:00.000Z'],
    [
      'an overlap, not the second time',
      { hour: 2 },
      'Europe/Berlin',
      '2026-10-25T00:00:00Z',
      '2026-10-26T01:00:00.000Z',
    ],
    [
      'a midnight that is not there, at one',
      { hour: 0 },
      'America/Sao_Paulo',
      '2018-11-03T12:00:00Z',
      '2018-11-04T03:00:00.000Z',
    ],
    [
      'a day that is not there, with the next',
      { hour: 9 },
      'Pacific/Apia',
      '2011-12-29T20:00:00Z',
      '2011-12-30T19:00:00.000Z',
    ],
    [
      'a weekday',
      { frequency: 'weekly', weekday: 'monday', hour: 9 },
      'UTC',
      '2026-05-04T09:00:00Z',
      '2026-05-11T09:00:00.000Z',
    ],
    [
      'a day of the month',
      { frequency: 'monthly', day: '15' },
      'UTC',
      '2026-05-15T00:00:00Z',
      '2026-06-15T00:00:00.000Z',
    ],
    ['the last day', { frequency: 'monthly', day: 'last' }, 'UTC', '2028-02-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('is, for %s', (_, schedule, zone, after, due) => {
    expect(next(schedule, zone, after)).toBe(due)
  })
  it('is once for each of its days, on its hour or, where that is not there, soon after', () => {
    fc.assert(
      fc.property(schedules, fc.constantFrom(...ZONES), instants, (schedule, zone, start) => {
        const end = start + 70 * DAY_MS
        const days: string[] = []
        for (let at = nextDue(schedule, zone, start); at <= end; at = nextDue(schedule, zone, at)) {
          const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
          expect(local.hour - schedule.hour).toBeOneOf([0, 1])
          days.push(local.toPlainDate().toString())
        }
        const first = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone).toPlainDate()
        const wanted = Array.from({ length: 70 }, (_, at) => first.add({ days: at + 1 })).filter(
          (day) => schedule.frequency === 'daily' || isOf(schedule, day),
        )
        expect(new Set(days).size).toBe(days.length)
        expect(days).toEqual(expect.arrayContaining(wanted.slice(0, -1).map(String)))
        expect(days.length - wanted.length).toBeLessThanOrEqual(1) // of the first day itself
      }),
      { numRuns: 100 },
    )
  })
  const isOf = ({ frequency, weekday, day }: Schedule, date: Temporal.PlainDate) => {
    if (frequency === 'weekly') return date.toLocaleString('en', { weekday: 'long' }).toLowerCase() === weekday
    return day === 'last' ? date.add({ days: 1 }).day === 1 : String(date.day) === day
  }
})
