import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { isComplete } from '#client/ticket-file/complete.ts'
import { decodeTicketFile } from '#client/ticket-file/decode.ts'
import { isDate } from '../../src/platform/time.ts'
import { settings } from '../fuzz/settings.ts'
import { type Chance, chance } from '../harness/chance.ts'
import { everyFixture, type Fixture, fixtureFolders, fixturesIn, readText } from './every-fixture.ts'
import { inventedIn } from './invented.ts'
import { mutatedBytes, unitMutants } from './mutations.ts'
import { SAMPLES, SAMPLES_TODAY, samplesIn } from './samples/folder.ts'

/** The mutants of each kind for each file. `npm run fuzz` makes a tenth of its cases. */
const MUTANTS = settings.long ? Math.ceil(settings.cases / 10) : 15
/** A mutant takes half a millisecond, mostly to check for invented values. */
const TIMEOUT_MS = 20_000 + MUTANTS * 1_000
const MIB = 1024 * 1024
const MOST_MS = 50
const MOST_HEAP = 50_000_000
const RUNS = 3
/** The number of fixtures of a folder that are enlarged, each in one way. */
const MOST_LARGE = 20

const DECIMAL = /^\d+(\.\d+)?$/
const LOCAL = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/
const isDay = (value: unknown) => typeof value === 'string' && isDate(value)
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
/** Rules for values that are not null, by name, at any depth. */
const RULES: Readonly<Record<string, (value: unknown) => boolean>> = {
  amount: matches(DECIMAL),
  rate: matches(DECIMAL),
  currency: matches(/^[A-Z]{3}$/),
  day: isDay,
  issuedOn: isDay,
  dateOfBirth: isDay,
  ticketingDeadline: isDay,
  originallyIssuedOn: isDay,
  departure: (value) => matches(LOCAL)(value) && isDay(String(value).slice(0, 10)),
  arrival: (value) => matches(LOCAL)(value) && isDay(String(value).slice(0, 10)),
  // It contains no card number.
  formOfPayment: (value) => !/\d{12}/.test(JSON.stringify(value)),
  time: matches(/^([01]\d|2[0-3]):[0-5]\d$/),
  associatedWith: matches(/^\d{13}$/),
  iataNumber: matches(/^\d{8}$/),
  numeric: matches(/^\d{3}$/),
  // The part of a transaction is also called `number`.
  number: (value) => Number.isInteger(value) || matches(/^\d{13}$/)(value),
  'passport.number': matches(/^\S+$/),
  documents: (value) => Array.isArray(value) && new Set(value.map(({ number }) => number)).size === value.length,
  conjunctions: (value) => Array.isArray(value) && value.every(matches(/^\d{13}$/)),
}

/** Values that no parser may return: anything but plain JSON, or against a rule. */
function wrong(value: unknown, path = ''): string[] {
  const names = path.split('.')
  const rule = RULES[names.slice(-2).join('.')] ?? RULES[names.at(-1) ?? '']
  const broken = value !== null && rule && !rule(value) ? [`${path} is ${JSON.stringify(value)}`] : []
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return broken
  if (typeof value === 'number') return Number.isFinite(value) ? broken : [`${path} is ${value}`]
  if (typeof value !== 'object') return [`${path} is ${typeof value}`]
  return [...broken, ...Object.entries(value).flatMap(([key, each]) => wrong(each, `${path}.${key}`))]
}

type Original = Pick<Fixture, 'name' | 'bytes' | 'today'>
const decoded = (bytes: Buffer): string => decodeTicketFile(bytes, null, 'TR').text

/** The problems of parsing a text: an exception, an impossible value, or a value that the text does not contain. */
function problemsOf(text: string, today: string): string[] {
  expect(typeof isComplete(text)).toBe('boolean')
  const reading = readText(text, today)
  return 'unreadable' in reading ? [] : [...wrong(reading), ...inventedIn(reading, text)]
}

function expectSound(originals: readonly Original[], others: readonly Original[]): void {
  for (const [place, { name, bytes, today }] of originals.entries()) {
    const any = chance(settings.seed * originals.length + place)
    expect(problemsOf(decoded(bytes), today), name).toEqual([])
    for (let mutant = 0; mutant < MUTANTS; mutant += 1) {
      const text = decoded(mutatedBytes(bytes, any, others[any(others.length)]?.bytes ?? bytes))
      expect(problemsOf(text, today), `mutant ${mutant} of ${name}`).toEqual([])
    }
    for (const { name: how, text } of unitMutants(decoded(bytes), any, MUTANTS))
      expect(problemsOf(text, today), `${name}, ${how}`).toEqual([])
  }
}

describe.each(fixtureFolders())('mutants of %s', (folder) => {
  it('are parsed, or refused with a reason, and no value is invented', { timeout: TIMEOUT_MS }, () => {
    expectSound(fixturesIn(folder), everyFixture())
  })
})

describe.skipIf(!SAMPLES)('mutants of collected samples', () => {
  it('are parsed, or refused with a reason, and no value is invented', { timeout: TIMEOUT_MS }, () => {
    const samples = samplesIn(SAMPLES ?? '').map(({ name, bytes }) => ({ name, bytes, today: SAMPLES_TODAY }))
    expectSound(samples, samples)
  })
})

it('finds an amount, a currency and a number that are not in the file', () => {
  for (const { name, text, expected } of everyFixture()) {
    if ('unreadable' in expected) continue
    const [document] = expected.documents
    const total = document?.fare.total
    if (!document || !total) continue
    const invented = (changed: object) => inventedIn({ ...expected, documents: [{ ...document, ...changed }] }, text)
    const priced = (money: object) => invented({ fare: { ...document.fare, total: { ...total, ...money } } })
    expect([name, priced({ amount: '31415926.53' })]).toEqual([name, ['.documents.0.fare.total: 31415926.53']])
    expect([name, priced({ currency: 'XQZ' })]).toEqual([name, ['.documents.0.fare.total: XQZ']])
    expect([name, invented({ number: '9993141592653', conjunctions: [] })]).toEqual([name, ['9993141592653']])
  }
})

const repeated = (part: string): string => part.repeat(Math.ceil(MIB / Math.max(1, part.length)))
/** Ways to enlarge a small file to a MiB: from its lines, the end of a line, and a position. */
const SIZES: Readonly<Record<string, (lines: readonly string[], end: string, at: number) => string>> = {
  'the whole file again and again': (lines, end) => repeated(lines.join(end) + end),
  'all lines but the first and the last again and again': (lines, end) =>
    [lines[0], repeated(lines.slice(1, -1).join(end) + end), lines.at(-1)].join(end),
  'one line again and again': (lines, end, at) =>
    [...lines.slice(0, at), repeated(lines[at] + end), ...lines.slice(at)].join(end),
  'the fields of one line again and again': (lines, end, at) =>
    [...lines.slice(0, at), lines[at] + repeated(lines[at]?.slice(3) || ';'), ...lines.slice(at + 1)].join(end),
  'one line without an end': (lines, end, at) =>
    [...lines.slice(0, at), lines[at] + repeated('X'), ...lines.slice(at + 1)].join(end),
  'blanks behind a line': (lines, end, at) =>
    [...lines.slice(0, at), lines[at] + repeated(' '), ...lines.slice(at + 1)].join(end),
  'empty lines': (lines, end, at) => [...lines.slice(0, at), repeated(end), ...lines.slice(at)].join(end),
  'nested tags': (lines, end, at) => [...lines.slice(0, at), repeated('<a>'), ...lines.slice(at)].join(end),
}

setFlagsFromString('--expose-gc')
const collectGarbage: (how?: { type: 'minor' }) => void = runInNewContext('gc')

/**
 * The lowest cost of several tries, in time (by clock or processor) and in heap. The first try is without garbage
 * collection, because that takes longer than parsing, and its heap counts only if it grew.
 */
function cost(text: string, today: string): { ms: number; heap: number } {
  const least = { ms: Number.POSITIVE_INFINITY, heap: Number.POSITIVE_INFINITY }
  for (let run = 0; run < RUNS && (least.ms >= MOST_MS || least.heap >= MOST_HEAP); run += 1) {
    collectGarbage(run === 0 ? { type: 'minor' } : undefined)
    const [heap, processor, clock] = [process.memoryUsage().heapUsed, process.cpuUsage(), performance.now()]
    readText(text, today)
    const { user, system } = process.cpuUsage(processor)
    least.ms = Math.min(least.ms, performance.now() - clock, (user + system) / 1000)
    const taken = process.memoryUsage().heapUsed - heap
    if (run > 0 || taken >= 0) least.heap = Math.min(least.heap, taken)
  }
  return least
}

function costOf(size: string, { text, today }: Fixture, any: Chance) {
  const lines = text.split(/\r\n|\r|\n/)
  const end = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n'
  const large = SIZES[size]?.(lines, end, any(lines.length)).slice(0, MIB) ?? ''
  // A concatenated string is flattened when it is first read, which is not a cost of the parser.
  return cost(Buffer.from(large, 'utf8').toString('utf8'), today)
}

describe.each(fixtureFolders())('a MiB of %s', (folder) => {
  it('takes little time and memory', () => {
    const all = fixturesIn(folder)
    const fixtures = all.filter((_, place) => place % Math.ceil(all.length / MOST_LARGE) === 0)
    const sizes = Object.keys(SIZES)
    const longest = all.toSorted((one, other) => other.text.length - one.text.length)[0]
    const tries = [
      ...fixtures.map((fixture, place) => ({ fixture, size: sizes[place % sizes.length] ?? '' })),
      ...sizes.flatMap((size) => (longest ? [{ fixture: longest, size }] : [])),
    ]
    const costly = tries.flatMap(({ fixture, size }, place) => {
      const { ms, heap } = costOf(size, fixture, chance(place + 1))
      return ms < MOST_MS && heap < MOST_HEAP ? [] : [`${fixture.name}, ${size}: ${Math.round(ms)} ms, ${heap} bytes`]
    })
    expect(costly).toEqual([])
  })
})
