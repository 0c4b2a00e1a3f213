/** Requests left in this minute, and the limit of the next. */
export type Budget = { readonly limit: number; readonly remaining: number; readonly resetMs: number }
export type Pace = { readonly secondsEach: number; readonly budget: Budget | null }

const WINDOW_S = 60

/** Seconds that this many further requests take, sequentially, at this pace and within the rate limit. */
export function secondsLeft(requests: number, { secondsEach, budget }: Pace): number {
  const atPace = requests * secondsEach
  if (budget === null || !(budget.limit > 0) || requests <= budget.remaining) return atPace
  const later = requests - budget.remaining
  const windows = Math.ceil(later / budget.limit)
  const inLastWindow = later - (windows - 1) * budget.limit
  return Math.max(atPace, budget.resetMs / 1000 + (windows - 1) * WINDOW_S + inLastWindow * secondsEach)
}

/** For people: `45 s`, `3 min`, `2 h 10 min`. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
