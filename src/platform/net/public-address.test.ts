import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Network, readNetwork } from '../access/source-address.ts'
import { isPublicAddress } from './public-address.ts'

const PUBLIC = ['100.63.255.254', '100.128.0.1', '172.15.0.1', '172.32.0.1', '8.8.8.8', '169.253.255.255', '11.0.0.1']
const PUBLIC_IPV6 = ['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001:830::200e']
const REFUSED = [
  ...['127.0.0.1', '127.255.255.255', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  ...['169.254.169.254', '169.254.170.2', '100.64.0.1', '100.100.100.200', '100.127.255.255', '168.63.129.16'],
  ...['192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
  ...['240.0.0.1', '255.255.255.255'],
]
const REFUSED_IPV6 = [
  ...['::', '::1', '::2', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1'],
  ...['64:ff9b::7f00:1', '64:ff9b:1::a9fe:a9fe', '2002:7f00:1::', '2001:0:4136:e378:8000:63bf:80ff:fffe'],
  ...['fec0::1', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254', 'fc00::1', '100::1', '100:0:0:1::1', '5f00::1'],
  ...['3fff::1', '2001:db8::1', '4000::1', 'e000::1', 'ff02::1'],
]
const NO_ADDRESSES = ['', 'localhost', '8.8.8', '08.8.8.8', '0x8.8.8.8', '134744072', '8.8.8.8.', '8.8.8.8/32', '[::1]']

const network = (text: string) => readNetwork(text) as Network
const hex = (...octets: number[]) => octets.map((octet) => octet.toString(16).padStart(2, '0')).join('')
const octet = fc.nat(255)
const ipv4 = fc.tuple(octet, octet, octet, octet)

describe('an address', () => {
  it.each([...PUBLIC, ...PUBLIC_IPV6])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))
  it.each([...REFUSED, ...REFUSED_IPV6])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))
  it.each(NO_ADDRESSES)('“%s” is invalid', (text) => {
    expect(isPublicAddress(text, ['0.0.0.0/0', '::/0'].map(network))).toBe(false)
  })
  it('of IPv4 is as public when it is mapped into IPv6', () => {
    fc.assert(
      fc.property(ipv4, ([a, b, c, d]) => {
        const address = [a, b, c, d].join('.')
        expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address))
        expect(isPublicAddress(`::ffff:${hex(a, b)}:${hex(c, d)}`)).toBe(isPublicAddress(address))
      }),
    )
  })
  it('that hides an IPv4 address in any other way is never public, whichever it hides', () => {
    fc.assert(
      fc.property(ipv4, ([a, b, c, d]) => {
        const [high, low] = [hex(a, b), hex(c, d)]
        const nat64 = [`64:ff9b::${high}:${low}`, `64:ff9b:1::${high}:${low}`]
        const others = [`::${high}:${low}`, `::ffff:0:${high}:${low}`, `2002:${high}:${low}::1`, `2001::${high}:${low}`]
        expect([...nat64, ...others].filter((address) => isPublicAddress(address))).toEqual([])
      }),
    )
  })
  it('of an allowed network may be called, its neighbours may not', () => {
    const allowed = ['10.1.0.0/16', 'fd00:1::/32', '127.0.0.1'].map(network)
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00:1::9', '127.0.0.1', '8.8.8.8'])
      expect(isPublicAddress(address, allowed), address).toBe(true)
    for (const address of ['10.2.0.1', 'fd00:2::9', '127.0.0.2', '::1'])
      expect(isPublicAddress(address, allowed), address).toBe(false)
  })
})
