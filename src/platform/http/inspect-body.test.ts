import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from './errors.ts'
import { inspectBody, inspectStrings, nestsTooDeep } from './inspect-body.ts'

const MAXIMUM_DEPTH = 32
const codeOf = (inspect: () => void): string | null => {
  try {
    inspect()
    return null
  } catch (error) {
    return error instanceof ApiError ? error.code : 'thrown'
  }
}
const body = (value: unknown, rows: readonly string[] = []) =>
  codeOf(() => inspectBody(value as Record<string, unknown>, rows))
const clean = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\u0000'))
const BAD = ['\u0000', 'a\u0000b', '\ud800', 'x\udc00', '\udc00\ud800']
/** A value nested in a number of objects and lists. */
const nested = (depth: number, lists: boolean, innermost: unknown = 'x'): unknown => {
  let value = innermost
  for (let at = 0; at < depth; at++) value = lists ? [value] : { a: value }
  return value
}

describe('a body', () => {
  it('of well-formed text is taken', () => {
    const json = fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme' })
    fc.assert(
      fc.property(fc.dictionary(clean, json), (value) => {
        fc.pre(!JSON.stringify(value).includes('\\u0000'))
        expect(body(value)).toBeNull()
      }),
    )
  })
  it('is refused for NUL and malformed Unicode in any string or key, however deep', () => {
    const deep = fc.integer({ min: 0, max: MAXIMUM_DEPTH - 2 })
    fc.assert(
      fc.property(fc.constantFrom(...BAD), deep, fc.boolean(), (text, depth, lists) => {
        expect(body({ a: nested(depth, lists, text) })).toBe('bad_request')
        expect(body({ a: nested(depth, lists, { [text]: 1 }) })).toBe('bad_request')
        expect(body({ [text]: 1 })).toBe('bad_request')
      }),
    )
  })
  it('leaves the strings of rows to the rows, and no others', () => {
    for (const text of BAD) {
      expect(body({ rows: [{ name: text, [text]: [text] }] }, ['rows', 'row'])).toBeNull()
      expect(body({ row: { name: text } }, ['rows', 'row'])).toBeNull()
      expect(body({ rows: [], source_system: text }, ['rows', 'row'])).toBe('bad_request')
      expect(body({ rows: [{ name: text }] })).toBe('bad_request')
      expect(body({ other: { rows: text } }, ['rows'])).toBe('bad_request')
    }
  })
})

describe('a JSON text', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

  it('is known to nest too deep before it is parsed, whatever its strings hold', () => {
    const hostile = fc.string({ unit: fc.constantFrom('[', '{', ']', '}', '"', '\\', 'a', '\n', 'ş') })
    const value = fc.tuple(fc.integer({ min: 0, max: 2 * MAXIMUM_DEPTH }), fc.boolean(), fc.array(hostile))
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), ([depth, lists, strings], space) => {
        const whole = { [strings[0] ?? 'a']: strings, b: nested(depth, lists, strings) }
        const text = Buffer.from(JSON.stringify(whole, null, space))
        expect(nestsTooDeep(text)).toBe(depthOf(whole) > MAXIMUM_DEPTH)
      }),
    )
    for (const cut of ['"', '"\\', '[', '{"a', ']]]', '']) expect(nestsTooDeep(Buffer.from(cut))).toBe(false)
  })
})

describe('the strings of a path or query', () => {
  it('hold no NUL and no malformed Unicode, also where a name comes twice', () => {
    for (const text of BAD) {
      expect(codeOf(() => inspectStrings({ q: text }))).toBe('bad_request')
      expect(codeOf(() => inspectStrings({ q: ['a', text] }))).toBe('bad_request')
    }
    fc.assert(
      fc.property(fc.dictionary(clean, fc.oneof(clean, fc.array(clean))), (values) => {
        expect(codeOf(() => inspectStrings(values))).toBeNull()
      }),
    )
    expect(codeOf(() => inspectStrings(undefined))).toBeNull()
    expect(codeOf(() => inspectStrings(null))).toBeNull()
  })
})
