/**
 * The year of the agency's data: days 0 to 364, with `TODAY` as the current day. Earlier and later days have numbers
 * too.
 */
export const TODAY = 257
export const LAST_DAY = 364
const DAY_MS = 86_400_000

/** The date of a day of the year. */
export type Calendar = (nth: number) => string
export const calendarAround =
  (today: string): Calendar =>
  (nth) =>
    new Date(Date.parse(today) + (nth - TODAY) * DAY_MS).toISOString().slice(0, 10)
