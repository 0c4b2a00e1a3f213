import { type FREQUENCIES, WEEKDAYS } from './schedule-kinds.ts'

/** When a report runs by itself, on the account's clock. */
export type Schedule = {
  readonly frequency: (typeof FREQUENCIES)[number]
  readonly hour: number
  /** For a weekly schedule. */
  readonly weekday: string | null
  /** For a monthly schedule. */
  readonly day: string | null
}

type Kept = {
  readonly schedule_frequency: Schedule['frequency'] | null
  readonly schedule_hour: number | null
  readonly schedule_weekday: string | null
  readonly schedule_day: string | null
}
/** The schedule of a saved report; null if it only runs on demand. */
export function scheduleOf(kept: Kept): Schedule | null {
  const { schedule_frequency: frequency, schedule_hour: hour, schedule_weekday: weekday, schedule_day: day } = kept
  return frequency === null ? null : { frequency, hour: hour ?? 0, weekday, day }
}

/**
 * The first time after an instant at which a schedule comes due, in milliseconds since the epoch as `after` is. An hour
 * inside a DST gap comes later by the gap, and of an hour that comes twice it is the first one.
 */
export function nextDue(schedule: Schedule, timeZone: string, after: number): number {
  let day = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(timeZone).toPlainDate()
  for (; ; day = day.add({ days: 1 })) {
    if (!isDay(schedule, day)) continue
    const at = day.toZonedDateTime({ timeZone, plainTime: { hour: schedule.hour } }).epochMilliseconds
    if (at > after) return at
  }
}

function isDay({ frequency, weekday, day }: Schedule, date: Temporal.PlainDate): boolean {
  switch (frequency) {
    case 'daily':
      return true
    case 'weekly':
      return WEEKDAYS[date.dayOfWeek - 1] === weekday
    case 'monthly':
      return date.day === (day === 'last' ? date.daysInMonth : Number(day))
  }
}
