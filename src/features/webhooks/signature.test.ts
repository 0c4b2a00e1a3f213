import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyWebhook } from 'backdesk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveKey, sealWith } from '../../platform/seal.ts'
import { signatureHeader, signingKeyOf } from './signature.ts'
import { makeSigningSecret } from './signing-secret.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')
const VECTOR = Object.fromEntries(
  PAGE.matchAll(/^\| `?(\w+)`? \| `([^`]+)` \|$/gm).map(([, name, value]) => [name, value]),
)
const { secret, key, t, body, v1 } = VECTOR as Record<'secret' | 'key' | 't' | 'body' | 'v1', string>
const now = Number(t)
const OTHER = 'whsec_other'
const other = createHmac('sha256', signingKeyOf(OTHER)).update(`${t}.${body}`).digest('hex')
const header = `t=${t},v1=${v1}`
const verify = (given: string | null | undefined, options = {}) =>
  verifyWebhook(body, given, secret, { now, ...options })

describe('the signature', () => {
  it('is the published one', () => {
    expect(signingKeyOf(secret)).toBe(key)
    expect(signatureHeader(body, [key], now)).toBe(header)
    expect(signatureHeader(Buffer.from(body), [key], now)).toBe(header)
    expect(verify(header)).toBe(true)
  })
  it('is made with the key’s characters: with what they stand for it would be another', () => {
    const decoded = createHmac('sha256', Buffer.from(key, 'hex')).update(`${t}.${body}`).digest('hex')
    expect(decoded).toMatch(/^7a258e/)
    expect(verify(`t=${t},v1=${decoded}`)).toBe(false)
  })
  it('has one pair for each key, the oldest last, and holds for each of their secrets', () => {
    const both = signatureHeader(body, [key, signingKeyOf(OTHER)], now)
    expect(both).toBe(`t=${t},v1=${v1},v1=${other}`)
    expect(verify(both)).toBe(true)
    expect(verifyWebhook(body, both, OTHER, { now })).toBe(true)
    expect(verifyWebhook(body, both, 'whsec_third', { now })).toBe(false)
  })
  it('holds for any body that was signed, and for none that differs in a byte', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(bytes, fc.string(), fc.nat(), fc.nat(2 ** 31), (raw, text, place, seconds) => {
        const words = `whsec_${text}`
        const signed = signatureHeader(Buffer.from(raw), [signingKeyOf(words)], seconds)
        const changed = raw.with(place % raw.length, (raw[place % raw.length] as number) ^ 1)
        expect(verifyWebhook(raw, signed, words, { now: seconds })).toBe(true)
        expect(verifyWebhook(changed, signed, words, { now: seconds })).toBe(false)
      }),
    )
  })
})

describe('a signing secret', () => {
  it('is shown once, is never the same twice, and is kept as the sealed key that its signatures are made with', () => {
    const seal = sealWith(deriveKey('a secret', 'webhooks'))
    const [one, other] = [makeSigningSecret(seal), makeSigningSecret(seal)]
    expect(one.secret).toMatch(/^whsec_[0-9A-Za-z]{43}$/)
    expect(one.secret).not.toBe(other.secret)
    expect(seal.open(one.sealedKey)).toBe(signingKeyOf(one.secret))
  })
})

describe('verifying', () => {
  it.each([
    `t=${t}, v1=${v1}`,
    ` v1=${v1} ,t=${t} `,
    `v0=x,t=${t},,=,scheme,v1=${v1},v2=${v1}=`,
    `t=${t},v1=${other},v1=${v1}`,
    `t=${t},v1=,v1=zz,v1=${v1}`,
  ])('takes %s', (given) => expect(verify(given)).toBe(true))
  it.each([
    ...[null, undefined, '', ',', '=', 't', `t=${t}`, `v1=${v1}`, `t=${t},v1=`, `t=,v1=${v1}`, `${t},${v1}`],
    ...[`t=${t},v1=${other}`, `t=${t},v1=${v1}0`, `t=${t},v1=${v1.slice(1)}`, `t=${t},v1=${v1.toUpperCase()}`],
    ...[`t=${t},v0=${v1}`, `t=${now + 1},v1=${v1}`, `t=0${t},v1=${v1}`, `t=${t}.0,v1=${v1}`, `t=-${t},v1=${v1}`],
    ...[`t=${t},t=${t},v1=${v1}`, `t=1e9,v1=${v1}`, `t=${'9'.repeat(400)},v1=${v1}`, `t=${t};v1=${v1}`],
  ])('does not take %s', (given) => expect(verify(given)).toBe(false))
  it.each([`0${now}`.padStart(13, '0'), `${now}.0`, `+${now}`, ` ${now}`, `${now}e0`, `0x${now.toString(16)}`])(
    'refuses the time %j, even with a valid signature',
    (seconds) => expect(verify(signatureHeader(body, [key], seconds as never))).toBe(false),
  )
  it('takes no time that is cut in two', () => {
    expect(verify(header.replace(/^t=(.....)/, 't=$1='))).toBe(false)
  })
  it('takes no header that it was not given as text, such as one sent twice', () => {
    expect(verify([header, header] as never)).toBe(false)
  })
  it.each([
    [300, true],
    [-300, true],
    [301, false],
    [-301, false],
  ])('by a clock that is %d seconds off answers %s', (off, verdict) => {
    expect(verify(header, { now: now + off })).toBe(verdict)
  })
  it('has the tolerance that was asked for', () => {
    expect(verify(header, { now: now + 10, toleranceSeconds: 9 })).toBe(false)
    expect(verify(header, { now: now + 10, toleranceSeconds: 10 })).toBe(true)
    expect(verify(header, { now: now + 10, toleranceSeconds: Number.NaN })).toBe(false)
    expect(verify(header, { now: 0, toleranceSeconds: Number.POSITIVE_INFINITY })).toBe(true)
  })
  it('uses the clock if no time is given', () => {
    const seconds = Math.floor(Date.now() / 1000)
    expect(verifyWebhook(body, signatureHeader(body, [key], seconds), secret)).toBe(true)
    expect(verifyWebhook(body, signatureHeader(body, [key], seconds - 400), secret)).toBe(false)
  })
  it('of a parsed body, or without a secret, throws a clear error', () => {
    expect(() => verifyWebhook(JSON.parse(body), header, secret)).toThrow(/as it arrived/)
    for (const none of ['', undefined]) expect(() => verifyWebhook(body, header, none as never)).toThrow(/secret/)
  })
})

describe('the documentation', () => {
  const code = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(PAGE)?.[1] as string
  const runs = (program: string) => spawnSync(program, ['--version']).status === 0
  const cases: [string, boolean][] = [
    [header, true],
    [`v1=${other}, t=${t}, v1=${v1}`, true],
    [`t=${t},v1=${other}`, false],
    [`t=${t},v1=ğ`, false],
    [`t=${t},t=${t},v1=${v1}`, false],
    [`t=٣,v1=${v1}`, false],
    ['', false],
  ]
  const tolerance = Math.ceil(Math.abs(Date.now() / 1000 - now)) + 60
  const calls = [...cases.map(([given]) => [given, tolerance]), [header, 1]]
  const verdicts = [...cases.map(([, verdict]) => verdict), false]
  const verdictsOf = (program: string, flag: string, script: string): unknown =>
    JSON.parse(execFileSync(program, [flag, script], { input: JSON.stringify([body, secret, calls]) }).toString())

  if (runs('python3'))
    it('verifies in Python', () => {
      const script = `${code('python')}
import json, sys
body, secret, calls = json.load(sys.stdin)
print(json.dumps([verify_webhook(body.encode(), header, secret, tolerance) for header, tolerance in calls]))`
      expect(verdictsOf('python3', '-c', script)).toEqual(verdicts)
    })
  if (runs('php'))
    it('verifies in PHP', () => {
      const script = `${code('php').split('$rawBody = file')[0]?.replace('<?php', '')}
[$body, $secret, $calls] = json_decode(stream_get_contents(STDIN));
echo json_encode(array_map(fn($call) => verify_webhook($body, $call[0], $secret, $call[1]), $calls));`
      expect(verdictsOf('php', '-r', script)).toEqual(verdicts)
    })
})
