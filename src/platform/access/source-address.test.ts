import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWithin, type Network, readNetwork, sourceAddress } from './source-address.ts'

const network = (text: string): Network => {
  const read = readNetwork(text)
  if (!read) throw new Error(`${text} is no network`)
  return read
}
const PROXIES = ['10.0.0.0/8', '2001:db8:1::/48'].map(network)
const proxy = fc.oneof(
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => `10.${parts.join('.')}`),
  fc.nat(0xffff).map((part) => `2001:db8:1::${part.toString(16)}`),
)
const stranger = fc.oneof(
  fc.tuple(fc.integer({ min: 11, max: 223 }), fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => parts.join('.')),
  fc.nat(0xffff).map((part) => `2001:db8:2::${part.toString(16)}`),
)
const anything = fc.oneof(proxy, stranger, fc.constantFrom('unknown', '_hidden', '', '127.0.0.1', '::1', '0.0.0.0'))
const forwarded = (hops: readonly string[]) => hops.join(', ')

describe('the address that a request comes from', () => {
  it('is that of the socket if that is not a trusted proxy, regardless of X-Forwarded-For', () => {
    fc.assert(
      fc.property(stranger, fc.array(anything), (socket, hops) => {
        expect(sourceAddress(socket, forwarded(hops), PROXIES)).toBe(socket)
        expect(sourceAddress(socket, undefined, PROXIES)).toBe(socket)
      }),
    )
  })
  it('is the socket’s where no proxy is trusted', () => {
    fc.assert(
      fc.property(fc.oneof(proxy, stranger), fc.array(anything), (socket, hops) => {
        expect(sourceAddress(socket, forwarded(hops), [])).toBe(socket)
      }),
    )
  })
  it('is the right-most that no proxy has, however much a client invents to the left of it', () => {
    fc.assert(
      fc.property(fc.array(anything), stranger, fc.array(proxy), proxy, (invented, client, between, socket) => {
        expect(sourceAddress(socket, forwarded([...invented, client, ...between]), PROXIES)).toBe(client)
      }),
    )
  })
  it('is not beyond an invalid entry', () => {
    fc.assert(
      fc.property(fc.constantFrom('unknown', '_x', 'a b'), stranger, proxy, (hidden, invented, socket) => {
        const source = sourceAddress(socket, forwarded([invented, hidden]), PROXIES)
        expect(source).toBe(hidden)
        expect(isWithin(source, [network('0.0.0.0/0'), network('::/0')])).toBe(false)
      }),
    )
  })
  it('is taken from a proxy that uses IPv4 through an IPv6 socket too', () => {
    expect(sourceAddress('::ffff:10.0.0.1', '203.0.113.9', PROXIES)).toBe('203.0.113.9')
  })
})

describe('a network', () => {
  it('has the addresses that share its leading bits, and no others', () => {
    const word = fc.integer({ min: 0, max: 0xffff_ffff })
    const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
    fc.assert(
      fc.property(word, fc.integer({ min: 0, max: 32 }), fc.integer({ min: 0, max: 31 }), (value, bits, flipped) => {
        const other = (value ^ (1 << flipped)) >>> 0
        const own = [network(`${dotted(value)}/${bits}`)]
        expect(isWithin(dotted(value), own)).toBe(true)
        expect(isWithin(`::ffff:${dotted(value)}`, own)).toBe(true)
        expect(isWithin(dotted(other), own)).toBe(32 - flipped > bits)
      }),
    )
  })
  it('of one address has that address alone', () => {
    expect([network('192.0.2.1')[1], network('2001:db8::1')[1]]).toEqual([32, 128])
    expect(isWithin('2001:db8::1', [network('2001:db8::1')])).toBe(true)
    expect(isWithin('2001:db8::2', [network('2001:db8::1')])).toBe(false)
    expect(isWithin('192.0.2.1', [network('192.0.2.1')])).toBe(true)
    expect(isWithin('192.0.2.2', [network('192.0.2.1')])).toBe(false)
  })
  it.each([
    '',
    'x',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '1.2.3.4.5',
    '256.0.0.1',
  ])('“%s” is invalid', (text) => {
    expect(readNetwork(text)).toBeNull()
  })
  it.each(['10', '10/8', '172.16/12', '010.0.0.1'])('“%s” is refused, because it is ambiguous', (text) => {
    expect(readNetwork(text)).toBeNull()
  })
  it('of IPv4 addresses written as IPv6 has those IPv4 addresses', () => {
    expect(isWithin('10.0.0.1', [network('::ffff:10.0.0.1')])).toBe(true)
    expect(isWithin('::ffff:10.0.0.1', [network('::ffff:10.0.0.0/104')])).toBe(true)
    expect(isWithin('203.0.113.9', [network('::ffff:0:0/96')])).toBe(true)
    expect(network('::ffff:0:0/95')[1]).toBe(95) // a wider network includes more than IPv4
  })
  it('does not contain an invalid address', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^[\d.:a-fx]+$/i.test(text))
        expect(isWithin(text, [network('0.0.0.0/0'), network('::/0')])).toBe(false)
      }),
    )
  })
})
