import { daysBetween } from '../../platform/time.ts'
import type { ClaimedFact, SettledFact } from './day-facts.store.ts'
import type { FactProvider, KnownDay } from './fact-provider.ts'

const FIRST_RETRY_MS = 5 * 60_000
const LAST_RETRY_MS = 6 * 60 * 60_000
const DAY_MS = 24 * 60 * 60_000
const NEVER = 'infinity'

type Provider = Pick<FactProvider, 'about' | 'daysAhead' | 'refreshMs'>

/** The question for a provider about a day; null if there is none, or if it is too early or too late. */
export function questionOf({ about, daysAhead }: Provider, day: KnownDay): string | null {
  if (daysAhead === undefined) return about(day)
  if (day.date === null || isPast(day) || daysBetween(day.today, day.date) > daysAhead) return null
  return about(day)
}

/** Whether the stored answer fits the question and is fresh. */
export const isKnown = ({ about, fresh }: ClaimedFact, question: string | null): boolean =>
  question !== null && fresh && about === question

/** The data of a past day stays unchanged, as does an answer without a newer one. */
export function recordFact(
  provider: Provider,
  fact: ClaimedFact,
  day: KnownDay,
  answer: { readonly data: object | null; readonly failed: boolean },
  now: number,
): SettledFact {
  const question = questionOf(provider, day)
  const failed = answer.failed && question !== null && !isKnown(fact, question)
  const ended = isPast(day) && fact.about === provider.about(day)
  const stays = ended || isKnown(fact, question) || (failed && fact.about === question)
  const failures = failed ? fact.failures + 1 : 0
  return {
    day: fact.day,
    stays,
    data: answer.data,
    about: question,
    failures,
    again: failed ? at(now + retryMs(failures)) : askAgain(provider, day, now),
  }
}

const isPast = ({ date, today }: KnownDay): boolean => date !== null && date < today

function askAgain(
  { daysAhead = Number.POSITIVE_INFINITY, refreshMs }: Provider,
  { date, today }: KnownDay,
  now: number,
) {
  if (date !== null && date < today) return NEVER
  const ahead = date === null ? 0 : daysBetween(today, date)
  return at(now + Math.max(refreshMs, ahead > daysAhead ? (ahead - daysAhead) * DAY_MS : 0))
}

const retryMs = (failures: number): number => Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS)
const at = (epochMs: number): string => new Date(epochMs).toISOString()
