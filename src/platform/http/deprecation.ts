const LIFE_MONTHS = 12
const MS = 1000

/** That a route will go. */
export type Deprecation = {
  /** The day on which that was first said, in UTC: the route stays for a year from then at least. */
  readonly since: string
  /** What to use from that day on. */
  readonly instead: string
}

const startOf = (day: Temporal.PlainDate): Date => new Date(day.toZonedDateTime('UTC').epochMilliseconds)
/** The first day on which it may be gone. */
const sunsetOf = ({ since }: Deprecation): Temporal.PlainDate =>
  Temporal.PlainDate.from(since).add({ months: LIFE_MONTHS })

/** What every answer of such a route says (RFC 9745, RFC 8594). */
export const deprecationHeaders = (said: Deprecation): Readonly<Record<'deprecation' | 'sunset', string>> => ({
  deprecation: `@${startOf(Temporal.PlainDate.from(said.since)).getTime() / MS}`,
  sunset: startOf(sunsetOf(said)).toUTCString(),
})

/** The same, for the readers of the document. */
export const deprecationText = (said: Deprecation): string =>
  `Deprecated since ${said.since}; available until at least ${sunsetOf(said)}. Use ${said.instead} instead.`
