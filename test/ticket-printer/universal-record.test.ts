import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixturesIn, readText } from './every-fixture.ts'
import { meaningOfUniversalRecord } from './writers/universal-meaning.ts'
import { anyUniversalOrder } from './writers/universal-order.ts'
import { writeUniversalRecord } from './writers/universal-record.ts'

describe('fixtures of universal-record', () => {
  it.each(fixturesIn('universal-record'))('$name', ({ text, today, expected }) => {
    expect(readText(text, today)).toEqual(expected)
  })
})

it('parses what was written into a Universal Record', () => {
  fc.assert(
    fc.property(anyUniversalOrder, (order) => {
      expect(readText(writeUniversalRecord(order), order.day)).toEqual(meaningOfUniversalRecord(order))
    }),
    { numRuns: 150 },
  )
})
