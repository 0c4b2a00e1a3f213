import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { isComplete } from '#client/ticket-file/complete.ts'
import { decodeTicketFile } from '#client/ticket-file/decode.ts'
import { isDate } from '../../src/platform/time.ts'
import { type Chance, chance } from '../harness/chance.ts'
import { everyFixture, type Fixture, fixtureFolders, fixturesIn, readText } from './every-fixture.ts'

const MUTANTS = 30
const MOST_CHANGES = 4
const MIB = 1024 * 1024
const MOST_MS = 50
const MOST_HEAP = 50_000_000
const RUNS = 3
/** Of a folder so many fixtures are made large, each in one way. */
const MOST_LARGE = 20

/** Those that formats make something of. */
const CHARACTERS = ' 09AM;/\\*-<"\r\n\f\0\xff'

const MUTATIONS: readonly ((bytes: Buffer, any: Chance, other: Buffer) => Buffer)[] = [
  function flip(bytes, any) {
    const changed = Buffer.from(bytes)
    const at = any(bytes.length)
    changed[at] = (changed[at] ?? 0) ^ (1 << any(8))
    return changed
  },
  function overwrite(bytes, any) {
    const changed = Buffer.from(bytes)
    const at = any(bytes.length)
    changed.fill(CHARACTERS.charCodeAt(any(CHARACTERS.length)), at, Math.min(bytes.length, at + 3))
    return changed
  },
  function remove(bytes, any) {
    const at = any(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + any(40))])
  },
  function duplicate(bytes, any) {
    const at = any(bytes.length)
    const end = at + 1 + any(200)
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)])
  },
  function insert(bytes, any) {
    const at = any(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([any(256), any(256)]), bytes.subarray(at)])
  },
  function truncate(bytes, any) {
    return bytes.subarray(0, any(bytes.length))
  },
  function swapLines(bytes, any) {
    const lines = bytes.toString('latin1').split(/(?<=\r\n|\r(?!\n)|\n)/)
    const [one, two] = [any(lines.length), any(lines.length)]
    const swapped = lines.map((line, at) => (at === one ? lines[two] : at === two ? lines[one] : line))
    return Buffer.from(swapped.join(''), 'latin1')
  },
  function splice(bytes, any, other) {
    return Buffer.concat([bytes.subarray(0, any(bytes.length)), other.subarray(any(other.length))])
  },
]

function mutated(bytes: Buffer, any: Chance, other: Buffer): Buffer {
  let changed = bytes
  for (let left = 1 + any(MOST_CHANGES); left > 0; left -= 1) {
    const mutation = MUTATIONS[any(MUTATIONS.length)]
    if (mutation && changed.length > 0) changed = mutation(changed, any, other.length > 0 ? other : bytes)
  }
  return changed
}

const DECIMAL = /^\d+(\.\d+)?$/
const LOCAL = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/
const isDay = (value: unknown) => typeof value === 'string' && isDate(value)
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
/** What a value has to be where it is not null, by its name, wherever it is. */
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
  // The number of a card is nowhere in it.
  formOfPayment: (value) => !/\d{12}/.test(JSON.stringify(value)),
  time: matches(/^([01]\d|2[0-3]):[0-5]\d$/),
  associatedWith: matches(/^\d{13}$/),
  iataNumber: matches(/^\d{8}$/),
  numeric: matches(/^\d{3}$/),
  // A part of a transaction is numbered too.
  number: (value) => Number.isInteger(value) || matches(/^\d{13}$/)(value),
  'passport.number': matches(/^\S+$/),
  documents: (value) => Array.isArray(value) && new Set(value.map(({ number }) => number)).size === value.length,
  conjunctions: (value) => Array.isArray(value) && value.every(matches(/^\d{13}$/)),
}

/** Everything in a value that no reader may answer: it is plain JSON, and says only what can be so. */
function wrong(value: unknown, path = ''): string[] {
  const names = path.split('.')
  const rule = RULES[names.slice(-2).join('.')] ?? RULES[names.at(-1) ?? '']
  const broken = value !== null && rule && !rule(value) ? [`${path} is ${JSON.stringify(value)}`] : []
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return broken
  if (typeof value === 'number') return Number.isFinite(value) ? broken : [`${path} is ${value}`]
  if (typeof value !== 'object') return [`${path} is ${typeof value}`]
  return [...broken, ...Object.entries(value).flatMap(([key, each]) => wrong(each, `${path}.${key}`))]
}

describe.each(fixtureFolders())('mutants of %s', (folder) => {
  const all = everyFixture()

  it('are read, or refused for a reason', () => {
    for (const [place, { name, bytes, today }] of fixturesIn(folder).entries()) {
      const any = chance(place + 1)
      for (let mutant = 0; mutant < MUTANTS; mutant += 1) {
        const { text } = decodeTicketFile(mutated(bytes, any, all[any(all.length)]?.bytes ?? bytes), null, 'TR')
        expect(wrong(readText(text, today)), `mutant ${mutant} of ${name}`).toEqual([])
        expect(typeof isComplete(text)).toBe('boolean')
      }
    }
  })
})

const repeated = (part: string): string => part.repeat(Math.ceil(MIB / Math.max(1, part.length)))
/** Ways to make a file of a MiB out of a small one: its lines, and the end of its line, are what is at a place. */
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
 * The least that reading takes of several tries: of time by the clock or by the processor, and of the heap. To collect
 * all garbage takes longer than to read: the first try is without, and counts of the heap unless it got smaller.
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
  // A string that was put together is kept in its parts until it is read: that is no cost of the reader.
  return cost(Buffer.from(large, 'utf8').toString('utf8'), today)
}

describe.each(fixtureFolders())('a MiB of %s', (folder) => {
  it('costs little time and memory', () => {
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
