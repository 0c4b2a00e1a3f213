import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BUILT_IN_ROLES, POLICIES, policySet } from '../access/policies.ts'
import { fingerprint } from './idempotency.ts'

const ALL = policySet(POLICIES)
const print = (body: unknown, url = '/api/v1/x', policies = ALL, method = 'POST') =>
  fingerprint(policies, method, url, body).toString('hex')
const json = fc.jsonValue({ maxDepth: 4 })
/** The same JSON with the keys of every object in another order. */
const reordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reordered(inner)]),
  )
}
/** An independent canonical text, to distinguish bodies. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
  return `{${entries.toSorted().join()}}`
}

describe('the fingerprint of a request', () => {
  it('is the same for a body whose keys come in another order', () => {
    fc.assert(
      fc.property(json, (body) => {
        expect(print(reordered(body))).toBe(print(body))
      }),
    )
  })
  it('differs for bodies that differ', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        fc.pre(canonical(one) !== canonical(other))
        expect(print(one)).not.toBe(print(other))
      }),
    )
  })
  it('distinguishes an object from the list of its entries, and an empty object from an empty list', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer()), { maxKeys: 3 }), (object) => {
        const entries = Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1))
        expect(print({ a: object })).not.toBe(print({ a: entries }))
      }),
    )
  })
  it('is bytes, as it is kept', () => {
    expect(fingerprint(ALL, 'POST', '/x', {})).toHaveLength(32)
    expect(fingerprint(ALL, 'POST', '/x', {})).toBeInstanceOf(Buffer)
  })
  it('is the same for a query in another order, and differs for another query', () => {
    const pair = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.string({ unit: 'grapheme-ascii', maxLength: 4 }))
    const query = fc.uniqueArray(pair, { selector: ([name]) => name, maxLength: 3 })
    const url = (pairs: string[][]) => `/x?${new URLSearchParams(pairs)}`
    fc.assert(
      fc.property(query, query, (one, other) => {
        expect(print({}, url(one.toReversed()))).toBe(print({}, url(one)))
        const [a, b] = [one, other].map((pairs) => JSON.stringify(pairs.toSorted()))
        if (a !== b) expect(print({}, url(one))).not.toBe(print({}, url(other)))
      }),
    )
  })
  it('holds the whole query, also what follows a second question mark', () => {
    expect(print({}, '/x?q=what?one')).not.toBe(print({}, '/x?q=what?two'))
  })
  it('differs by method and path', () => {
    const prints = ['POST', 'PATCH'].flatMap((method) => ['/a', '/b'].map((url) => print({}, url, ALL, method)))
    expect(new Set(prints).size).toBe(4)
  })
  it('differs for every two roles that may do different things, and for no others', () => {
    const subset = fc.subarray([...POLICIES])
    fc.assert(
      fc.property(subset, subset, (one, other) => {
        const same = one.length === other.length && one.every((policy) => other.includes(policy))
        const prints = [one, other.toReversed()].map((names) => print({}, '/x', policySet(names)))
        expect(prints[0] === prints[1]).toBe(same)
      }),
    )
    const roles = Object.values(BUILT_IN_ROLES)
    expect(new Set(roles.map((policies) => print({}, '/x', policies))).size).toBe(roles.length)
  })
})
