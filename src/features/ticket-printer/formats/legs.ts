import type { TicketLeg } from '../ticket-file.ts'

/** Every flight once, although several tickets contain it. */
export const legsOnce = (legs: readonly TicketLeg[]): readonly TicketLeg[] => [
  ...new Map(legs.map((leg) => [`${leg.airline}${leg.flight} ${leg.from} ${leg.departure}`, leg])).values(),
]
