/** Values of an instrument's labels, in their order. They are words of the program, never a client's: there are few of them. */
type Labels = readonly string[]
type Instrument = {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly about: string
  readonly labels: readonly string[]
  /** A line for each number that it has. */
  lines(): string[]
}
/** One number of an instrument, for callers that change it so often that looking it up would be slow. */
type Value = { value: number }
export type Counter = {
  add(labels: Labels, by?: number): void
  of(labels: Labels): Value
}
export type Gauge = {
  set(labels: Labels, value: number): void
  /** Forgets what it showed: there is nothing to show that is still true. */
  clear(): void
}
export type Histogram = {
  /** Answers what takes the values with these labels. */
  of(labels: Labels): (value: number) => void
}

/** The counters of this process. The reader of the metrics sums up processes. */
const all = new Map<string, Instrument>()
const SEPARATOR = '\u0000'

/** Counts up, from 0 when the process starts. */
export function counter(name: string, about: string, labels: readonly string[] = []): Counter {
  const { of, lines } = series(name, labels)
  register({ name, kind: 'counter', about, labels, lines })
  return {
    add: (given, by = 1) => {
      of(given).value += by
    },
    of,
  }
}

/** A gauge. */
export function gauge(name: string, about: string, labels: readonly string[] = []): Gauge {
  const { of, clear, lines } = series(name, labels)
  register({ name, kind: 'gauge', about, labels, lines })
  return {
    set: (given, value) => {
      of(given).value = value
    },
    clear,
  }
}

type Observed = { readonly buckets: number[]; sum: number; count: number }

/** Counts values by the bounds that they do not exceed. */
export function histogram(
  name: string,
  about: string,
  labels: readonly string[],
  bounds: readonly number[],
): Histogram {
  const values = new Map<string, Observed>()
  const linesOf = ([key, { buckets, sum, count }]: [string, Observed]): string[] => {
    let upTo = 0
    const inner = bounds.map((bound, at) => {
      upTo += buckets[at] ?? 0
      return line(`${name}_bucket`, [...labels, 'le'], `${key}${SEPARATOR}${bound}`, upTo)
    })
    return [
      ...inner,
      line(`${name}_bucket`, [...labels, 'le'], `${key}${SEPARATOR}+Inf`, count),
      line(`${name}_sum`, labels, key, sum),
      line(`${name}_count`, labels, key, count),
    ]
  }
  register({ name, kind: 'histogram', about, labels, lines: () => [...values].flatMap(linesOf) })
  return {
    of(given) {
      const key = given.join(SEPARATOR)
      const seen = values.get(key) ?? { buckets: bounds.map(() => 0), sum: 0, count: 0 }
      values.set(key, seen)
      return (value) => {
        const at = bounds.findIndex((bound) => value <= bound)
        if (at >= 0) seen.buckets[at] = (seen.buckets[at] ?? 0) + 1
        seen.sum += value
        seen.count += 1
      }
    },
  }
}

/** What there is to count, for those who describe it. */
export const instruments = (): readonly Instrument[] => [...all.values()]

/** Everything that was counted, in Prometheus' text format 0.0.4. */
export function metricsText(): string {
  const parts = instruments().map(({ name, kind, about, lines }) =>
    [`# HELP ${name} ${about}`, `# TYPE ${name} ${kind}`, ...lines()].join('\n'),
  )
  return `${parts.join('\n')}\n`
}

function register(instrument: Instrument): void {
  if (all.has(instrument.name)) throw new Error(`The metric ${instrument.name} is declared twice`)
  all.set(instrument.name, instrument)
}

/** One number for each combination of labels; without labels there is one, starting at 0. */
function series(name: string, labels: readonly string[]) {
  const values = new Map<string, Value>(labels.length === 0 ? [['', { value: 0 }]] : [])
  return {
    of(given: Labels): Value {
      const key = given.join(SEPARATOR)
      const known = values.get(key) ?? { value: 0 }
      values.set(key, known)
      return known
    },
    clear: () => values.clear(),
    lines: () => [...values].map(([key, { value }]) => line(name, labels, key, value)),
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }
function line(name: string, labels: readonly string[], key: string, value: number): string {
  if (labels.length === 0) return `${name} ${value}`
  const given = key.split(SEPARATOR)
  const pairs = labels.map((label, at) => `${label}="${(given[at] ?? '').replace(/[\\"\n]/g, (c) => ESCAPES[c] ?? c)}"`)
  return `${name}{${pairs.join(',')}} ${value}`
}
