import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Words of the travel trade that mean nothing else in a program: `flight`, `destination`, `transfer` and `vertical` do. */
const TRAVEL = `agency airline airport birthday booking charter customer departure fare gds hotel invoice itinerary lead
  passenger printer referral segment seller supplier survey ticket tour traveler trip visa`
const words = new Set(TRAVEL.split(/\s+/).flatMap((word) => [word, `${word}s`, word.replace(/y$/, 'ies')]))

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // The contract names these: scopes and policies, features of plans, and lead_converted.
  'access/policies.ts': ['bookings', 'customers', 'leads', 'ticket', 'tickets', 'trips'],
  'access/plans.ts': ['ticket'],
  'http/errors.ts': ['lead'],
  // Pages carry the name, logo and colour of the account that they speak for; here it is called what its customers call it.
  'page/document.ts': ['agency'],
  'page/look.ts': ['agency'],
  'page/not-found.ts': ['agency'],
  'page/style.ts': ['agency'],
}

/** Names of migrations that are landed, and so stay. */
const LANDED = 'db/folded-migrations.ts'
const COMMENT = /\/\*.*?\*\/|(?<!:)\/\/.*$/gms
/** The words of names and texts: `leadConverted` and `lead_converted` have the word lead. */
const wordsOf = (code: string): string[] =>
  [...code.replace(COMMENT, '').matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)].map(([word]) => word.toLowerCase())

describe('the platform', () => {
  it('has no word of travel but those that the contract names', () => {
    const files = globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts', LANDED] })
    expect(files.length).toBeGreaterThan(100)
    const found = files.flatMap((file) => {
      const known = wordsOf(readFileSync(join(import.meta.dirname, file), 'utf8')).filter((word) => words.has(word))
      return known.length > 0 ? [[file, [...new Set(known)].sort()] as const] : []
    })
    expect(Object.fromEntries(found)).toEqual(ALLOWED)
  })
})
