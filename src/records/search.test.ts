import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BUILT_IN_ROLES, type Policies } from '../platform/access/policies.ts'
import { phoneDigits, searchConditions } from './search.ts'

const roleOf = (name: string) => BUILT_IN_ROLES[name] as Policies

describe('a search text that is written as a phone number', () => {
  it.each([
    ['0532 123 45 67', '5321234567'],
    ['+90 (532) 123-45-67', '905321234567'],
    ['0090.532.123/45 67', '905321234567'],
    ['4567', '4567'],
    ['0532', '532'],
  ])('%s is its digits without leading zeros', (q, digits) => {
    expect(phoneDigits(q)).toBe(digits)
  })
  it.each(['532', '0 53', '0000', '0005', '+()', '', 'K-1234', '1234 x', '１２３４', '+90 532 123 %'])(
    '%j is not one',
    (q) => {
      expect(phoneDigits(q)).toBeUndefined()
    },
  )
  it('is found in the stored number, whatever stands between its digits', () => {
    const between = fc.constantFrom('', ' ', '-', '.', '/', ' (', ') ')
    const number = fc.tuple(fc.stringMatching(/^[1-9]\d{9}$/), fc.array(between, { minLength: 10, maxLength: 10 }))
    fc.assert(
      fc.property(number, fc.constantFrom('', '0', '+90', '0090 '), ([digits, gaps], prefix) => {
        const written = prefix + [...digits].map((digit, at) => digit + gaps[at]).join('')
        expect(`+90${digits}`).toContain(phoneDigits(written.trim()))
      }),
    )
  })
})

describe('a search for people', () => {
  it('returns nothing without a text or for a role without personal data, and hidden people only to roles that may know them', () => {
    expect(searchConditions(undefined, roleOf('viewer'))).toEqual({})
    expect(searchConditions('x', roleOf('viewer'))).toBeNull()
    expect(searchConditions('x', roleOf('owner'))).toEqual({ text: true, number: undefined, known: false })
    expect(searchConditions('0532 123', roleOf('advisor'))).toEqual({ text: false, number: '532123', known: true })
  })
})
