const LIFE_MONTHS = 12
const MS = 1000

/** The deprecation of a route. */
export type Deprecation = {
  /** The UTC day of its announcement: the route stays for at least a year from then. */
  readonly since: string
  /** What to use from that day on. */
  readonly instead: string
}

const startOf = (day: Temporal.PlainDate): Date => new Date(day.toZonedDateTime('UTC').epochMilliseconds)
/** The first day on which it may be gone. */
const sunsetOf = ({ since }: Deprecation): Temporal.PlainDate =>
  Temporal.PlainDate.from(since).add({ months: LIFE_MONTHS })

/** The headers of every answer of a deprecated route (RFC 9745, RFC 8594). */
export const deprecationHeaders = (deprecation: Deprecation): Readonly<Record<'deprecation' | 'sunset', string>> => ({
  deprecation: `@${startOf(Temporal.PlainDate.from(deprecation.since)).getTime() / MS}`,
  sunset: startOf(sunsetOf(deprecation)).toUTCString(),
})

/** The same, for the readers of the document. */
export const deprecationText = (deprecation: Deprecation): string =>
  `Deprecated since ${deprecation.since}; available until at least ${sunsetOf(deprecation)}. Use ${deprecation.instead} instead.`
