import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DestinationRules, findDestination, type Resolve } from './destination.ts'
import { isPublicAddress } from './public-address.ts'

/** What names mean where this matters: in a cloud, behind a rebinding service, or on the open internet. */
const NAMES: Record<string, readonly string[]> = {
  'ip6-localhost': ['::1'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
  'localtest.me': ['127.0.0.1', '::1'],
  'metadata.google.internal': ['169.254.169.254'],
  'instance-data': ['169.254.169.254'],
  'mixed.example': ['8.8.8.8', '10.0.0.1'],
  'mixed6.example': ['8.8.8.8', 'fd00::1'],
  'public.example': ['8.8.8.8', '2606:4700:4700::1111'],
  'xn--mller-kva.example': ['8.8.8.8'],
}
const named: Resolve = async (name) => {
  const addresses = NAMES[name]
  if (!addresses) throw new Error(`ENOTFOUND ${name}`)
  return addresses
}
const find = (text: string, rules: Partial<DestinationRules> = {}) =>
  findDestination(text, { allowed: [], resolve: named, ...rules })
const hosts = (...list: string[]) => list.map((host) => `http://${host}/`)

/** Loopback, written in ways that a URL parser understands. */
const DISGUISED = hosts(
  ...['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0', '0x7f.1', '2852039166', '0251.0376.0251.0376'],
  ...['①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1', '127.0.0.1.'],
)
const IPV6 = hosts(
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:a9fe:a9fe]', '[::127.0.0.1]'],
  ...['[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::a9fe:a9fe]', '[2002:7f00:1::]'],
  ...['[2001:0:4136:e378:8000:63bf:80ff:fffe]', '[fec0::1]', '[fe80::1]', '[fd00:ec2::254]', '[fc00::1]', '[100::1]'],
  ...['[100:0:0:1::1]', '[5f00::1]', '[3fff::1]', '[2001:db8::1]', '[4000::1]', '[ff02::1]'],
)
const IPV4 = hosts(
  ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16', '10.0.0.1', '172.16.0.1'],
  ...['172.31.255.255', '192.168.0.1', '100.64.0.1', '192.88.99.1', '198.18.0.1', '192.0.2.1', '203.0.113.1'],
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '0.1.2.3'],
)
const REFUSED_NAMES = hosts(
  ...['ip6-localhost', '127.0.0.1.nip.io', 'localtest.me', 'metadata.google.internal', 'instance-data'],
  ...['mixed.example', 'mixed6.example'],
)
const NO_URLS: [string, RegExp][] = [
  ['http:127.0.0.1/', /begin with http/],
  ['http:/\\127.0.0.1/', /begin with http/],
  ['http:///127.0.0.1/', /begin with http/],
  ['http:///user@8.8.8.8/', /begin with http/],
  ['http://user@127.0.0.1@8.8.8.8/', /user or password/],
  ['http://user:password@8.8.8.8/', /user or password/],
  ['http://@8.8.8.8/', /user or password/],
  ['http://8.8.8.8#@127.0.0.1/', /fragment/],
  ['http://8.8.8.8/#', /fragment/],
  ['http://127.0.0.1:80\\@8.8.8.8/', /backslash/],
  ['http://1.1.1.1 &@2.2.2.2# @3.3.3.3/', /spaces/],
  ['http://8.8.8.8/\r\nX-Injected: 1', /line breaks/],
  ['http://8.8.8.8/a\tb', /control characters/],
  ['http://8.8.8.8/\0', /control characters/],
  [' http://8.8.8.8/', /begin with http/],
  ['file:///etc/passwd', /begin with http/],
  ['gopher://127.0.0.1:6379/_x', /begin with http/],
  ['ftp://8.8.8.8/', /begin with http/],
  ['dict://8.8.8.8/', /begin with http/],
  ['ldap://8.8.8.8/', /begin with http/],
  ['jar:http://8.8.8.8/!/', /begin with http/],
  ['javascript:alert(1)', /begin with http/],
  ['data:text/plain,x', /begin with http/],
  ['//127.0.0.1/', /begin with http/],
  ['8.8.8.8', /begin with http/],
  ['', /begin with http/],
  ['http://', /begin with http/],
  ['http://?x', /valid URL/],
  ['http://999999999999/', /valid URL/],
  ['http://256.256.256.256/', /valid URL/],
  ['http://[fe80::1%25eth0]/', /valid URL/],
  ['http://8.8.8.8:65536/', /valid URL/],
  [`http://8.8.8.8/${'x'.repeat(2034)}`, /at most 2048/],
]
const REFUSED_PORTS = [0, 25, 110, 143, 465, 587, 993, 995, 2525]

describe('a destination', () => {
  it.each([...DISGUISED, ...IPV6, ...IPV4, ...REFUSED_NAMES])('%s is refused for where it leads', async (url) => {
    expect(await find(url)).toMatchObject({ error: 'refused_address' })
    expect(await find(url.replace('http:', 'https:'))).toMatchObject({ error: 'refused_address' })
  })
  it.each(hosts('localhost', 'LOCALHOST', 'localhost.'))(
    '%s is refused as the operating system reads it',
    async (url) => expect(await findDestination(url, { allowed: [] })).toHaveProperty('error'),
  )
  it.each(NO_URLS)('%j is refused for how it is written', async (text, reason) => {
    expect(await find(text)).toEqual({ error: 'invalid_url', message: expect.stringMatching(reason) })
  })
  it.each(REFUSED_PORTS)('with port %d is refused', async (port) => {
    expect(await find(`http://8.8.8.8:${port}/`)).toMatchObject({ error: 'invalid_url' })
  })

  it('is accepted with every other port, as its address alone decides', async () => {
    const port = fc.integer({ min: 1, max: 65_535 }).filter((port) => !REFUSED_PORTS.includes(port))
    await fc.assert(
      fc.asyncProperty(port, async (port) => {
        expect(await find(`http://8.8.8.8:${port}/`)).toMatchObject({ addresses: ['8.8.8.8'] })
        expect(await find(`https://127.0.0.1:${port}/`)).toMatchObject({ error: 'refused_address' })
      }),
      { examples: [1, 22, 81, 1023, 5432, 6379, 8080].map((port) => [port]) },
    )
  })

  it.each(['100.63.255.254', '100.128.0.1', '172.15.0.1', '172.32.0.1', '8.8.8.8'])('%s is accepted', async (host) => {
    expect(await find(`http://${host}/`)).toMatchObject({ addresses: [host] })
  })
  it.each(['2606:4700:4700::1111', '2001:4860:4860::8888'])('[%s] is accepted', async (host) => {
    expect(await find(`https://[${host}]:8443/x?y`)).toMatchObject({ addresses: [host] })
  })
  it.each([
    'http://public.example',
    'HTTPS://Public.Example:443/a?b=c%20d@e',
    'https://public.example:8443/',
    'https://public.example/user@host/ü',
    'http://public.example:1024/',
    'http://public.example:65535/',
    `http://public.example/${'x'.repeat(2026)}`,
  ])('%s is accepted with every address of its name', async (url) => {
    expect(await find(url)).toMatchObject({ addresses: NAMES['public.example'] })
  })
  it('may have a name of any script', async () => {
    expect(await find('http://müller.example/')).toMatchObject({ addresses: ['8.8.8.8'] })
  })

  it('is refused where its name has no address, has an error for one, or is not known in time', async () => {
    const answers: Resolve[] = [named, async () => [], () => new Promise(() => {})]
    for (const resolve of answers)
      expect(await find('http://unknown.example/', { resolve, resolveTimeoutMs: 5 })).toEqual({
        error: 'dns',
        message: 'The host unknown.example has no address.',
      })
  })
  it('is not revealed by the addresses of a refused name', async () => {
    const outcome = await find('http://metadata.google.internal/')
    expect(JSON.stringify(outcome)).not.toContain('169.254')
  })
  it('is never anywhere but on the public internet, however its URL is put together', async () => {
    const pieces = [
      'http://',
      'https:',
      '/',
      '\\',
      '@',
      '#',
      '?',
      ':',
      '.',
      '[',
      ']',
      '::',
      '%',
      '%2e',
      '80',
      ' ',
      '。',
      '①',
    ]
    const url = fc
      .array(fc.constantFrom(...pieces, ...Object.keys(NAMES), '127.0.0.1', '8.8.8.8', '0x7f', 'ffff'), {
        maxLength: 6,
      })
      .map((parts) => `http://${parts.join('')}`)
    await fc.assert(
      fc.asyncProperty(url, async (text) => {
        const outcome = await find(text)
        if ('error' in outcome) expect(outcome.message).not.toBe('')
        else expect(outcome.addresses.filter((address) => !isPublicAddress(address))).toEqual([])
      }),
    )
  })
})
