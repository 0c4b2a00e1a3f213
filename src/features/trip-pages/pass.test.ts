import { describe, expect, it } from 'vitest'
import { accountSecretsOf } from '../../platform/account-secrets.ts'
import { signedTextWith } from '../../platform/signed-text.ts'
import type { Link } from './link.store.ts'
import { hasPass, passCookie } from './pass.ts'

const NOW = 1_700_000_000_000
const LIFE_MS = 8 * 3_600_000
const secrets = accountSecretsOf('a secret')
const passes = signedTextWith(secrets, 'trip passes')
const LINK: Link = {
  account: 20_000_001,
  id: 'a',
  trip: 't',
  supplier: null,
  showPrices: true,
  showTravelers: true,
  password: 'hash',
  formerSecrets: [],
  agency: 'Test Seyahat',
  accent: null,
  logo: null,
}
const PAGE = new URL('https://desk.example/s/token')
const cookie = passCookie(passes, LINK, PAGE, NOW)
const [pair = ''] = cookie.split(';')

describe('the pass of a shared trip', () => {
  it('is a cookie that no script reads, for the link’s own address, for eight hours', () => {
    expect(cookie.split('; ').slice(1)).toEqual([
      'Path=/s/token',
      'Max-Age=28800',
      'HttpOnly',
      'SameSite=Lax',
      'Secure',
    ])
    expect(passCookie(passes, LINK, new URL('http://localhost/s/token'), NOW)).not.toContain('Secure')
  })
  it.each([pair, `other=1; ${pair}`, `${pair};other=1`, `trip_pass=old; ${pair}`])('is found in %s', (cookies) => {
    expect(hasPass(passes, LINK, cookies, NOW)).toBe(true)
  })
  it.each([undefined, '', 'trip_pass', 'trip_pass=', pair.replace('trip_pass', 'pass'), `${pair}x`])(
    'is not found in %s',
    (cookies) => expect(hasPass(passes, LINK, cookies, NOW)).toBe(false),
  )
  it('is good until its time is over', () => {
    expect(hasPass(passes, LINK, pair, NOW + LIFE_MS - 1)).toBe(true)
    expect(hasPass(passes, LINK, pair, NOW + LIFE_MS)).toBe(false)
  })
  it('is for one link with the password that it has now', () => {
    for (const other of [{ id: 'b' }, { password: 'another' }, { account: 20_000_002 }])
      expect(hasPass(passes, { ...LINK, ...other }, pair, NOW)).toBe(false)
  })
  it('is good where the account went', () => {
    const there = accountSecretsOf('another')
    const moved = signedTextWith(there, 'trip passes')
    expect(hasPass(moved, LINK, pair, NOW)).toBe(false)
    expect(hasPass(moved, { ...LINK, formerSecrets: [there.seal(secrets.of(LINK.account))] }, pair, NOW)).toBe(true)
  })
})
