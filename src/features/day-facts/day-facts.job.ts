import type { Database } from '../../platform/db/database.ts'
import { notMovedSql } from '../../platform/db/not-moved.ts'
import { leasedQueue } from '../../platform/jobs/leased-queue.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { Log } from '../../platform/log.ts'
import { writePlaces } from '../trips/commands/derived-days.store.ts'
import { currencyFacts } from './currency-facts.ts'
import { type ClaimedFact, leasedFacts, readTrips, recordFacts } from './day-facts.store.ts'
import { type FactProvider, factQueueName, type KnownDay } from './fact-provider.ts'
import { generalFacts } from './general-facts.ts'
import { changedPlace, knownDay } from './known-days.ts'
import { placesOfDays } from './places-of-days.ts'
import { isKnown, questionOf, recordFact } from './record-fact.ts'
import { weatherFacts } from './weather-facts.ts'

/** Facts that one process takes at once: what fits into one request of a provider. */
const CLAIMED = 100
/** Longer than a provider may take. */
const LEASE_MS = 5 * 60_000
const POLL_MS = 5_000
/** How long a failed provider is not called, whatever is due. */
const PAUSE_MS = 60_000

type Needs = { readonly db: Database; readonly log: Pick<Log, 'warn'>; now(): number }
type KnownFact = { readonly fact: ClaimedFact; readonly day: KnownDay; readonly question: string | null }
type Answer = { readonly found: ReadonlyMap<string, object>; readonly error: unknown }

/** The facts of all accounts, one queue per provider, so that none delays another. */
export const factQueues = (deps: Needs & { readonly config: { readonly weatherUrl: string | null } }): Queue[] => [
  factQueue(deps, generalFacts),
  factQueue(deps, currencyFacts(deps)),
  ...(deps.config.weatherUrl === null ? [] : [factQueue(deps, weatherFacts(deps.config.weatherUrl))]),
]

/** The facts of one provider that are due. Nothing is asked of it inside a transaction. */
export function factQueue({ db, log, now }: Needs, provider: FactProvider, leaseMs = LEASE_MS): Queue {
  const { kind, name, refreshMs } = provider
  let pausedUntil = 0

  async function look(account: number, facts: readonly ClaimedFact[]): Promise<KnownFact[]> {
    const trips = await db.reader(account).all(readTrips, { days: facts.map(({ day }) => day) })
    const places = new Map(trips.flatMap((trip) => [...placesOfDays(trip)]))
    const found = trips.flatMap(({ days }) => days.flatMap((day) => changedPlace(day, places.get(day.id)) ?? []))
    if (found.length > 0) await db.inAccount(account, (tx) => tx.all(writePlaces, { places: JSON.stringify(found) }))
    const known = new Map(
      trips.flatMap((trip) => trip.days.map((day) => [day.id, knownDay(trip, day, places.get(day.id), now())])),
    )
    return facts.flatMap((fact) => {
      const day = known.get(fact.day)
      return day ? [{ fact, day, question: questionOf(provider, day) }] : [] // a day that went took its facts along
    })
  }

  async function ask(known: readonly KnownFact[], stopping: AbortSignal): Promise<Answer> {
    const asked = new Map<string, KnownDay>()
    for (const { fact, day, question } of known)
      if (question !== null && !isKnown(fact, question)) asked.set(question, day)
    try {
      return { found: asked.size > 0 ? await provider.find(asked, stopping) : new Map(), error: null }
    } catch (error) {
      pausedUntil = now() + PAUSE_MS
      if (!stopping.aborted) log.warn({ err: error, kind }, 'provider did not respond; retrying')
      return { found: new Map(), error }
    }
  }

  const saveAnswer = (account: number, known: readonly KnownFact[], { found, error }: Answer) =>
    db.inAccount(account, async (tx) => {
      const settled = known.map(({ fact, day, question }) =>
        recordFact(provider, fact, day, { data: found.get(question ?? '') ?? null, failed: error !== null }, now()),
      )
      const lease = known[0]?.fact.lease ?? ''
      await tx.all(recordFacts, { kind, provider: name, lease, settled: JSON.stringify(settled) })
    })

  async function work(facts: readonly ClaimedFact[], stopping: AbortSignal): Promise<void> {
    const accounts = new Map<number, KnownFact[]>()
    const failed = (account: number) => (error: unknown) =>
      log.warn({ err: error, account, kind }, 'could not load the day facts of one account; retrying')
    for (const [account, theirs] of Map.groupBy(facts, (fact) => fact.account))
      await look(account, theirs).then((known) => accounts.set(account, known), failed(account))
    const answer = await ask([...accounts.values()].flat(), stopping)
    for (const [account, known] of accounts) await saveAnswer(account, known, answer).catch(failed(account))
  }

  return leasedQueue(
    { db },
    {
      name: factQueueName(kind),
      rows: leasedFacts,
      due: `select next_attempt_at as due_at from trip_day_facts where kind = '${kind}' and next_attempt_at <= now() and ${notMovedSql('account_id')}`,
      leaseMs,
      given: { kind, most: CLAIMED, freshMs: refreshMs },
      pollMs: POLL_MS,
      mayClaim: () => now() >= pausedUntil,
      work: (facts, _lease, stopping) => work(facts, stopping),
    },
  )
}
