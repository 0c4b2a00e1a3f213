import type { Leg } from '../ticket-file.ts'

/** Every flight once, however many of the tickets it is in. */
export const legsOnce = (legs: readonly Leg[]): readonly Leg[] => [
  ...new Map(legs.map((leg) => [`${leg.airline}${leg.flight} ${leg.from} ${leg.departure}`, leg])).values(),
]
