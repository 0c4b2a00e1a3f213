import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountSecretsOf } from './account-secrets.ts'
import { deriveKey } from './seal.ts'
import { macWith, readNamingAccount, signedTextWith } from './signed-text.ts'

const ACCOUNT = 20_000_001
const secrets = accountSecretsOf('a secret')
const elsewhere = accountSecretsOf('another secret')
const signed = signedTextWith(secrets, 'files')
const nobody = async () => []
const text = fc.string({ maxLength: 30 })

describe('a signed text', () => {
  it('is read back for its account, scope and use alone', () => {
    fc.assert(
      fc.property(text, text, fc.array(text, { maxLength: 3 }), (scope, other, parts) => {
        fc.pre(scope !== other)
        const written = signed.write(ACCOUNT, scope, parts)
        expect(signed.read(ACCOUNT, scope, written)).toEqual(parts)
        expect(signed.read(ACCOUNT + 1, scope, written)).toBeNull()
        expect(signed.read(ACCOUNT, other, written)).toBeNull()
        expect(signedTextWith(secrets, 'cursors').read(ACCOUNT, scope, written)).toBeNull()
      }),
    )
  })
  it('is the same each time, so that addresses stay stable', () => {
    expect(signed.write(ACCOUNT, 'a', ['b'])).toBe(signedTextWith(secrets, 'files').write(ACCOUNT, 'a', ['b']))
    // Texts of an earlier version stay valid: this one is in sent mails.
    expect(signed.write(ACCOUNT, 'a', ['b'])).toBe('OXPAYtyG9qOxuHisfI3i4lsiYiJd')
  })
  it('has one form: variants accepted by base64 parsers are invalid', () => {
    const written = signed.write(ACCOUNT, 'a', ['b?>'])
    for (const other of [`${written}=`, `${written}!`, ` ${written}`, `${written}\n`, written.replace(/.$/, '*$&')])
      expect(signed.read(ACCOUNT, 'a', other)).toBeNull()
  })
  it('is not looked at where it is longer than any that was written', () => {
    const [fits, beyond] = [1484, 1485].map((length) => signed.write(ACCOUNT, 'a', ['x'.repeat(length - 4)]))
    expect([fits?.length, beyond?.length]).toEqual([2000, 2002])
    expect([signed.read(ACCOUNT, 'a', fits ?? ''), signed.read(ACCOUNT, 'a', beyond ?? '')]).toEqual([
      ['x'.repeat(1480)],
      null,
    ])
  })
  it('is read by a secret that its account had elsewhere, but none is written by it', () => {
    const written = signedTextWith(elsewhere, 'files').write(ACCOUNT, 'a', ['b'])
    const unreadable = [elsewhere.seal(elsewhere.of(ACCOUNT)), Buffer.of(1)] // of before the cell's secret was changed
    const former = [...unreadable, secrets.seal('no secret of anybody'), secrets.seal(elsewhere.of(ACCOUNT))]
    expect(signed.read(ACCOUNT, 'a', written)).toBeNull()
    expect(signed.read(ACCOUNT, 'a', written, former)).toEqual(['b'])
    expect(signed.read(ACCOUNT, 'a', written, former.slice(0, 3))).toBeNull()
    expect(signed.write(ACCOUNT, 'a', ['b'])).not.toBe(written)
  })
})

describe('a text that was signed before accounts had secrets of their own', () => {
  const writtenThen = (use: string, scope: string, text: string) =>
    Buffer.concat([macWith(deriveKey('a secret', use))(scope, text), Buffer.from(text)]).toString('base64url')

  it('is read still, for its scope and use alone, by the cell that wrote it', () => {
    const written = writtenThen('files', 'a', '["b"]')
    expect(signed.read(ACCOUNT, 'a', written)).toEqual(['b'])
    expect(signed.read(ACCOUNT, 'b', written)).toBeNull()
    expect(signed.read(ACCOUNT, 'a', writtenThen('cursors', 'a', '["b"]'))).toBeNull()
    expect(signedTextWith(elsewhere, 'files').read(ACCOUNT, 'a', written)).toBeNull()
  })
})

describe('a signed text that names its account', () => {
  const read = (written: string, formerOf: (account: number) => Promise<Buffer[]> = nobody) =>
    readNamingAccount(signed, 'a', written, formerOf)

  it('is read without the account being given', async () => {
    for (const account of [10_000_000, ACCOUNT, 39_999_999]) {
      const parts = [String(account), 'b']
      expect(await read(signed.write(account, 'a', parts))).toEqual(parts)
      expect(await read(signed.write(account, 'b', parts))).toBeNull()
    }
  })
  it('is invalid for another account', async () => {
    expect(await read(signed.write(ACCOUNT, 'a', [String(ACCOUNT + 1)]))).toBeNull()
  })
  it('is invalid, without a look-up of secrets, if its first part is not an account number', async () => {
    const asked: number[] = []
    const formerOf = async (account: number) => {
      asked.push(account)
      return []
    }
    for (const first of ['', 'b', '2000000', '200000011', '40000001', '00000001', `x${ACCOUNT}`, `${ACCOUNT}x`])
      expect(await read(signed.write(ACCOUNT, 'a', [first]), formerOf)).toBeNull()
    for (const nothing of ['', 'A', '!', 'A'.repeat(40)]) expect(await read(nothing, formerOf)).toBeNull()
    const inside = Buffer.concat([Buffer.alloc(16), Buffer.from(`x["${ACCOUNT}"]`)]).toString('base64url')
    expect([await read(inside, formerOf), asked]).toEqual([null, []])
  })
  it('is read by the secrets of then, which are looked up with those of now', async () => {
    const written = signedTextWith(elsewhere, 'files').write(ACCOUNT, 'a', [String(ACCOUNT)])
    const asked: number[] = []
    const formerOf = async (account: number) => {
      asked.push(account)
      return [secrets.seal(elsewhere.of(account))]
    }
    expect(await read(written, formerOf)).toEqual([String(ACCOUNT)])
    await read(signed.write(ACCOUNT, 'a', [String(ACCOUNT)]), formerOf)
    expect(asked).toEqual([ACCOUNT, ACCOUNT])
  })
})

describe('what a cell makes of a text', () => {
  it('is the same each time, and another for another secret, scope or text', () => {
    const mac = macWith(Buffer.from('a secret'))
    const made = [mac('a', 'b'), mac('a', 'c'), mac('b', 'b'), macWith(Buffer.from('other'))('a', 'b'), mac('a\nb', '')]
    expect(new Set(made.map((bytes) => bytes.toString('hex'))).size).toBe(5)
    expect(made.map((bytes) => bytes.length)).toEqual([16, 16, 16, 16, 16])
    expect(mac('a', 'b')).toEqual(macWith(Buffer.from('a secret'))('a', 'b'))
  })
})

describe('the secret of an account', () => {
  it('follows from the cell’s, and is another for each account and each cell', () => {
    expect(secrets.of(ACCOUNT)).toBe(accountSecretsOf('a secret').of(ACCOUNT))
    expect(new Set([secrets.of(ACCOUNT), secrets.of(ACCOUNT + 1), elsewhere.of(ACCOUNT)]).size).toBe(3)
    expect(secrets.of(ACCOUNT)).toBe('685e65f950313569d83675fb5da84ee4b1f3a5778b29e80ef9b4a15c95842d99')
  })
  it('is kept sealed, and opened by the cell that sealed it alone', () => {
    const sealed = secrets.seal('of then')
    expect(secrets.open(sealed)).toBe('of then')
    expect(sealed.includes('of then')).toBe(false)
    expect(elsewhere.open(sealed)).toBeNull()
    // So is one that was sealed by an earlier version.
    expect(secrets.open(Buffer.from('tsN-SWqzPZ69haossxzZ-P8idCpZnPPOykFSzWD1QCjgf2E', 'base64url'))).toBe('of then')
  })
})
