import { describe, expect, it } from 'vitest'
import { ApiError } from '../../platform/http/errors.ts'
import { hashSeatPassword, isPassword } from './password-hash.ts'

/** As cheap as hashes are: this is about how many there are. */
const CHEAP = `$argon2id$v=19$m=8,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

describe('the hash of a password', () => {
  it('matches that password alone, however its letters are composed', async () => {
    const hash = await hashSeatPassword('a quiet ferry to Kadıköy')
    const matches = ['a quiet ferry to Kadıko\u0308y', 'a quiet ferry to Kadikoy', ''].map((text) =>
      isPassword(text, hash),
    )
    expect(await Promise.all(matches)).toEqual([true, false, false])
    expect(await isPassword('a quiet ferry to Kadıköy', null)).toBe(false)
  })
  it('is computed in turn, and refused where too many wait', async () => {
    const guesses = (lane: 'known' | 'strangers') => Array.from({ length: 100 }, () => isPassword('guess', CHEAP, lane))
    const asked = await Promise.allSettled([...guesses('strangers'), ...guesses('known')])
    const refused = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(refused).toHaveLength(200 - 2 - 20 - 30)
    expect(refused.every((error) => error instanceof ApiError && error.code === 'unavailable')).toBe(true)
    expect(await isPassword('guess', CHEAP)).toBe(false)
  })
  it('is computed for people who are known before strangers who came earlier', async () => {
    const order: string[] = []
    const ask = (lane: 'known' | 'strangers') => isPassword('guess', CHEAP, lane).then(() => order.push(lane))
    await Promise.all([...Array.from({ length: 12 }, () => ask('strangers')), ...[1, 2, 3].map(() => ask('known'))])
    // Two strangers were at work already.
    expect(order.slice(0, 5).filter((lane) => lane === 'known').length).toBeGreaterThanOrEqual(2)
    expect(order.lastIndexOf('known')).toBeLessThan(7)
  })
})
