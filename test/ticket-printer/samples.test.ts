import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isComplete } from '#client/ticket-file/complete.ts'
import { decodeTicketFile } from '#client/ticket-file/decode.ts'
import type { TicketFile } from '../../src/features/ticket-printer/ticket-file.ts'
import { readText } from './every-fixture.ts'
import { type AirExpectation, compareAir } from './samples/air.ts'
import { type Difference, difference } from './samples/compare.ts'
import { corrections } from './samples/corrections.ts'
import { compareDocuments, type DocumentsExpectation } from './samples/documents.ts'
import { SAMPLES, SAMPLES_TODAY, samplesIn } from './samples/folder.ts'
import { compareIur, type IurExpectation } from './samples/iur.ts'
import { compareMir, type MirExpectation } from './samples/mir.ts'

/**
 * The fields that show whether there is anything to read: a damaged file and a cancelled order without documents have
 * nothing.
 */
type Expectation = {
  readonly format: string
  readonly note?: unknown
  readonly end?: string | null
  readonly action?: string
  readonly documents?: readonly unknown[]
}

const COMPARISONS: Readonly<Record<string, (expected: never, file: TicketFile) => Difference[]>> = {
  AMADEUS_AIR: (expected: AirExpectation, file) => compareAir(expected, file),
  GALILEO_MIR: (expected: MirExpectation, file) => compareMir(expected, file),
  SABRE_IUR: (expected: IurExpectation, file) => compareIur(expected, file),
  SIRENA: (expected: DocumentsExpectation, file) => compareDocuments(expected, file),
  TKT: (expected: DocumentsExpectation, file) => compareDocuments(expected, file),
  NDC: (expected: DocumentsExpectation, file) => compareDocuments(expected, file),
  TRAVELPORT: (expected: DocumentsExpectation, file) => compareDocuments(expected, file),
}

const isExpectations = (name: string): boolean => /^expected.*\.json$/.test(name)

function expectationsIn(folder: string): ReadonlyMap<string, Expectation> {
  const files = readdirSync(folder).filter(isExpectations)
  const all = files.flatMap((name) => Object.entries(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  return new Map(all as [string, Expectation][])
}

/** Every field of an expectation that was parsed differently. */
function differencesIn(bytes: Buffer, expected: Expectation): Difference[] {
  const { text } = decodeTicketFile(bytes, null, 'TR')
  const reading = readText(text, SAMPLES_TODAY)
  const complete = 'end' in expected ? difference('end', expected.end !== null, isComplete(text)) : []
  const isDamaged =
    expected.format.includes('damaged') || String(expected.note).includes('damaged') || expected.end === null
  const nothing = isDamaged || (expected.action === 'cancel' && expected.documents?.length === 0)
  if ('unreadable' in reading)
    return [
      ...complete,
      ...difference('reading', nothing ? 'unreadable' : 'a ticket file', nothing ? 'unreadable' : reading.unreadable),
    ]
  const compare = COMPARISONS[expected.format]
  if (nothing || !compare) return [{ field: 'reading', expected: 'unreadable', read: reading }]
  return [...complete, ...compare(expected as never, reading)]
}

describe.skipIf(!SAMPLES)(`sample files${SAMPLES ? '' : ': set TICKET_SAMPLES to their folder'}`, () => {
  const [samples, expectations] = SAMPLES ? [samplesIn(SAMPLES), expectationsIn(SAMPLES)] : [[], new Map()]
  it('all have an expectation', () => {
    expect(samples.map(({ name }) => name)).toEqual([...expectations.keys()].toSorted())
  })
  it.each(samples)('$name is parsed as expected, field by field', ({ name, bytes }) => {
    expect(differencesIn(bytes, { ...expectations.get(name), ...corrections(name) })).toEqual([])
  })
})
