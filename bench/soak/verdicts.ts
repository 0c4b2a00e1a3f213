import { PARTS, quantile, type Tally } from './tally.ts'
import type { Sample } from './watch.ts'

/** One line of the report: the requirement, the observation, and whether it is met. */
export type Verdict = { readonly what: string; readonly seen: string; readonly holds: boolean }

const THIRD = Math.floor(PARTS / 3)
/** Statuses that are not faults: a client that behaves correctly may receive them. */
const EXPECTED: ReadonlySet<number> = new Set([200, 201, 202, 204, 409, 429])
const FLAT = { latency: 1.5, heap: 1.25, resident: 1.15 }
const LONGEST_TRANSACTION_S = 30
const DEAD_PART = 0.25

const median = (values: readonly number[]): number => quantile(values, 0.5)
const inPart = <T extends { readonly part: number }>(all: readonly T[], part: number): T[] =>
  all.filter((one) => one.part === part)

/** Ratio of the last third of the parts to the first, which starts after one part of warm-up. */
function growth(figure: (part: number) => number): number {
  const of = (from: number) => median(Array.from({ length: THIRD }, (_, n) => figure(from + n)))
  return of(PARTS - THIRD) / of(1)
}
const ratio = (what: string, value: number, most: number): Verdict => ({
  what: `${what}, last third by first: at most ${most}`,
  seen: value.toFixed(2),
  holds: value <= most,
})

export function verdictsOf({ answered, statuses }: Tally, samples: readonly Sample[]): Verdict[] {
  const unexpected = [...statuses()].filter(([status]) => !EXPECTED.has(status))
  const p99 = (part: number) =>
    quantile(
      inPart(answered, part).map(({ ms }) => ms),
      0.99,
    )
  const least = (figure: 'heapMb') => (part: number) => Math.min(...inPart(samples, part).map((one) => one[figure]))
  const resident = (part: number) => median(inPart(samples, part).map(({ residentMb }) => residentMb))
  const most = (figure: 'idleInTransaction' | 'longestTransactionS') => Math.max(...samples.map((one) => one[figure]))
  const dead = samples.at(-1)?.deadPart ?? 1
  return [
    {
      what: 'every answer is one that was expected',
      seen: unexpected.map(([status, count]) => `${count} × ${status}`).join(', ') || 'all',
      holds: unexpected.length === 0,
    },
    ratio('p99', growth(p99), FLAT.latency),
    ratio('heap after its collection', growth(least('heapMb')), FLAT.heap),
    ratio('resident memory', growth(resident), FLAT.resident),
    {
      what: 'no connection is idle in a transaction for a second',
      seen: String(most('idleInTransaction')),
      holds: most('idleInTransaction') === 0,
    },
    {
      what: `the longest transaction: at most ${LONGEST_TRANSACTION_S} s`,
      seen: `${most('longestTransactionS').toFixed(1)} s`,
      holds: most('longestTransactionS') <= LONGEST_TRANSACTION_S,
    },
    {
      what: `dead rows of the worst table: at most ${DEAD_PART}`,
      seen: dead.toFixed(2),
      holds: dead <= DEAD_PART,
    },
  ]
}

/** A line for each part. */
export function tableOfParts({ answered }: Tally, samples: readonly Sample[], seconds: number): string {
  const head = ['part', 'req/s', 'p50', 'p99', '429', 'rss', 'heap', 'due', 'conn', 'xact s', 'dead', 'db MB']
  const rows = Array.from({ length: PARTS }, (_, part) => {
    const [here, seen] = [inPart(answered, part), inPart(samples, part)]
    const ms = here.map((one) => one.ms)
    const last = seen.at(-1)
    return [
      part + 1,
      (here.length * PARTS) / seconds,
      quantile(ms, 0.5),
      quantile(ms, 0.99),
      here.filter(({ status }) => status === 429).length,
      median(seen.map(({ residentMb }) => residentMb)),
      Math.min(...seen.map(({ heapMb }) => heapMb)),
      last?.due ?? 0,
      last?.connections ?? 0,
      Math.max(...seen.map(({ longestTransactionS }) => longestTransactionS)).toFixed(1),
      (last?.deadPart ?? 0).toFixed(2),
      last?.databaseMb ?? 0,
    ].map((value) => (typeof value === 'number' ? String(Math.round(value)) : value))
  })
  return [head, ...rows].map((row) => row.map((value) => value.padStart(7)).join('')).join('\n')
}
