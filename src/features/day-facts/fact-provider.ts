/** What a day should be known by. */
export const FACT_KINDS = ['weather', 'currency', 'general'] as const
export type FactKind = (typeof FACT_KINDS)[number]

/** What `wake` calls the queue of a kind. */
export const factQueueName = (kind: FactKind): string => `day facts: ${kind}`

/** A day of a trip as a provider sees it. */
export type KnownDay = {
  readonly date: string | null
  /** The current local date. */
  readonly today: string
  /** ISO 3166-1, two letters; null if the place of the day is unknown. */
  readonly country: string | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly timeZone: string | null
  /** In which the agency and the customer reckon. */
  readonly currencies: readonly string[]
}

/** A source of facts about days. A provider that fails, or is slow, delays neither the trip nor other providers. */
export type FactProvider = {
  readonly kind: FactKind
  /** As it is shown to clients. */
  readonly name: string
  /** Interval after which it is asked again, until the day is past. */
  readonly refreshMs: number
  /** How many days before a day its data begins, if limited; such a provider has no data for past days. */
  readonly daysAhead?: number
  /** The question as text: days with the same text have the same answer. Null if there is no question. */
  about(day: KnownDay): string | null
  /** The answers by subject; unknown subjects are missing. The days have different texts. */
  find(days: ReadonlyMap<string, KnownDay>, stopping: AbortSignal): Promise<ReadonlyMap<string, object>>
}
