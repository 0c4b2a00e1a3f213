/** The past, counted back from today on the agency's clock. */
export type Timeline = {
  /** When the agency is looked at, milliseconds since the epoch. */
  readonly now: number
  /** The day a number of days before today. */
  ago(days: number): string
  /** The instant at which the clock showed a time of a day. */
  at(day: string, time: string): string
}

export const timelineOf = (timeZone: string, today: string, now: number): Timeline => ({
  now,
  ago: (days) => dayAfter(today, -days),
  at: (day, time) => Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(timeZone).toInstant().toString(),
})

export const dayAfter = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString()
export const secondsAfter = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString()
