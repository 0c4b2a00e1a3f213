import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSigned, signatureOf } from './callback-signature.ts'

/** The examples of Twilio’s documentation and of its library. */
const TOKEN = '12345'
const URL_SIGNED = 'https://mycompany.com/myapp.php?foo=1&bar=2'
const parameters = (from: string) =>
  new URLSearchParams({ To: '+18005551212', CallSid: 'CA1234567890ABCDE', Caller: from, Digits: '1234', From: from })

describe('a signature', () => {
  it.each([
    ['+12349013030', '0/KCTR6DLpKmkAf8muzZqo1nDgQ='],
    ['+14158675309', 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
  ])('of the request from %s is %s', (from, signature) => {
    expect(signatureOf(TOKEN, URL_SIGNED, parameters(from))).toBe(signature)
    expect(isSigned(TOKEN, URL_SIGNED, parameters(from), signature)).toBe(true)
  })
  it.each([
    ['https://example.com:443/path?a=b', 'https://example.com/path?a=b', true],
    ['https://example.com/path?a=b', 'https://example.com:443/path?a=b', true],
    ['http://example.com:80', 'http://example.com', true],
    ['http://example.com', 'http://example.com:80', true],
    ['ftp://example.com', 'ftp://example.com', true],
    ['xhttps://example.com', 'xhttps://example.com:443', false],
    ['https://example.com', 'xhttps://example.com', false],
    ['https://example.com/path', 'https://example.com:8443/path', true],
    ['https://example.com:8443/path', 'https://example.com/path', false],
    ['http://example.com:443/path', 'http://example.com/path', false],
  ])('of %s is one of %s: %s', (signed, asked, is) => {
    const signature = signatureOf(TOKEN, signed, new URLSearchParams())
    expect(isSigned(TOKEN, asked, new URLSearchParams(), signature)).toBe(is)
  })
  it('takes each value of a repeated parameter once, whatever their order', () => {
    const signed = signatureOf(TOKEN, URL_SIGNED, new URLSearchParams('a=1&b=2&a=3&a=1'))
    expect(signed).toBe(signatureOf(TOKEN, `${URL_SIGNED}a1a3b2`, new URLSearchParams()))
    expect(isSigned(TOKEN, URL_SIGNED, new URLSearchParams('b=2&a=3&a=1'), signed)).toBe(true)
    expect(isSigned(TOKEN, URL_SIGNED, new URLSearchParams('b=2&a=3'), signed)).toBe(false)
  })
  it('is refused for anything else, and any text as a signature is', () => {
    const signature = signatureOf(TOKEN, URL_SIGNED, parameters('+1'))
    expect(isSigned('12346', URL_SIGNED, parameters('+1'), signature)).toBe(false)
    expect(isSigned(TOKEN, `${URL_SIGNED}3`, parameters('+1'), signature)).toBe(false)
    expect(isSigned(TOKEN, URL_SIGNED, parameters('+2'), signature)).toBe(false)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(isSigned(TOKEN, URL_SIGNED, parameters('+1'), text)).toBe(false)
      }),
    )
  })
})
