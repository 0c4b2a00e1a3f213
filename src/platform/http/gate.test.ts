import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { PLANS } from '../access/plans.ts'
import type { Key } from '../access/principal.ts'
import { readNetwork } from '../access/source-address.ts'
import { ApiError } from './errors.ts'
import { type Admission, gate } from './gate.ts'
import type { Route } from './route.ts'

const NOW = 90_500
const OWN_ADDRESS = '192.0.2.7'
const ACTOR: Key['actor'] = {
  account: 1,
  timeZone: 'UTC',
  locale: 'en',
  scopes: new Set(['import', 'ticket_import']),
  policies: new Set(['import_records']),
  seat: 'seat',
  homeBranch: null,
  companies: [],
  branches: [],
}
const KEY: Key = {
  kind: 'key',
  id: 'key',
  actor: ACTOR,
  plan: PLANS.growth,
  role: 'none',
  revoked: false,
  expiresAt: NOW + 1,
  networks: [networkOf('192.0.2.0/24')],
  formerSecrets: [],
  identityAt: () => '{}' as never,
}
const ROUTE = { scope: ['full', 'import'], policy: 'import_records', feature: 'imports' } as unknown as Route
function networkOf(text: string) {
  const network = readNetwork(text)
  if (!network) throw new Error(`${text} is no network`)
  return network
}

type Asked = { authorization?: string | undefined; forwardedFor?: string; from?: string | undefined }
/** A gate of which everything is seen that it does: the headers, the uses of keys, the ceilings that it counts against. */
function tried(key: Key | null, { requests = [1, 1], ...more }: Partial<Admission> & { requests?: number[] } = {}) {
  const seen = { tokens: [] as string[], used: [] as unknown[], counted: [] as unknown[] }
  const headers: Record<string, unknown> = {}
  const { admit, measure, budgetAtHand, addressOf } = gate({
    keys: {
      resolve: (token) => {
        seen.tokens.push(token)
        return key
      },
      atHand: () => key,
      used: ({ id }, address) => void seen.used.push([id, address]),
      flush: async () => {},
    },
    count: (account, ceilings) => {
      seen.counted.push([account, ...ceilings.map(({ name, limit }) => `${name} ${limit}`)])
      return { minute: 1, requests: ceilings.map((_, at) => requests[at] ?? 0) }
    },
    proxies: [],
    now: () => NOW,
    ...more,
  })
  const asking = ({ forwardedFor, ...rest }: Asked = {}) => {
    const { authorization, from } = { authorization: 'Bearer a', from: OWN_ADDRESS, ...rest }
    const socket = { remoteAddress: from }
    return { headers: { authorization, 'x-forwarded-for': forwardedFor }, socket } as unknown as FastifyRequest
  }
  const reply = {
    header: (name: string, value: unknown) => Object.assign(headers, { [name]: value }),
    hasHeader: (name: string) => name in headers,
  } as unknown as FastifyReply
  return {
    ...seen,
    headers,
    admit: (route: Partial<Route> = {}, asked?: Asked) => admit({ ...ROUTE, ...route } as Route, asking(asked), reply),
    measure: (asked?: Asked) => measure(asking(asked), reply),
    budgetAtHand: (asked?: Asked) => budgetAtHand(asking(asked)),
    addressOf: (asked?: Asked) => addressOf(asking(asked)),
  }
}
/** The messages to clients; every refusal is a sentence that says what to do. */
async function refusal(admit: () => unknown) {
  try {
    await admit()
    return 'admitted'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.message).toMatch(/^[A-Z].*\w.*[.…]$/)
    return error.code
  }
}

/** The possible faults of a request, in the order in which they are reported. */
const WRONGS: readonly [code: string, wrong: { key?: Partial<Key>; actor?: Partial<Key['actor']>; used?: number }][] = [
  ['key_revoked', { key: { revoked: true } }],
  ['key_expired', { key: { expiresAt: NOW } }],
  ['ip_not_allowed', { key: { networks: [networkOf('198.51.100.0/24')] } }],
  ['plan_upgrade_required', { key: { plan: PLANS.starter } }],
  ['plan_gated', { key: { plan: { ...PLANS.growth, features: new Set(['api_access']) } } }],
  ['rate_limited', { used: PLANS.growth.requestsPerMinute + 1 }],
  ['forbidden', { actor: { seat: null } }],
  ['forbidden', { actor: { scopes: new Set(['ticket_import']) } }],
  ['forbidden', { actor: { policies: new Set() } }],
]
const wronged = (wrongs: typeof WRONGS) => {
  const parts = wrongs.map(([, wrong]) => wrong)
  const actor = Object.assign({}, ACTOR, ...parts.map(({ actor }) => actor))
  // The plan that has nothing lacks the route's feature as well, so the earlier of two plans is the one that counts.
  const key: Key = Object.assign({}, KEY, ...parts.toReversed().map(({ key }) => key), { actor })
  return tried(key, { requests: [Math.max(1, ...parts.map(({ used = 1 }) => used))] })
}

describe('a request', () => {
  it('with nothing wrong is admitted with its key, which was used then', async () => {
    const { admit, used, tokens } = tried(KEY)
    expect(admit()).toBe(KEY) // synchronously, if nothing needs a look-up
    expect([used, tokens]).toEqual([[['key', OWN_ADDRESS]], ['a']])
  })
  it.each(WRONGS.map(([code], at) => [at, code]))(
    'is refused by the first thing that is wrong: %d, %s',
    async (at, code) => {
      const alone = wronged(WRONGS.slice(at, at + 1))
      expect([await refusal(alone.admit), alone.used]).toEqual([code, []])
      expect(await refusal(wronged(WRONGS.slice(at)).admit)).toBe(code)
    },
  )
  it('without a key of this cell has no principal, with and without a look-up', async () => {
    const unknown = { resolve: async () => null, atHand: () => null, used() {}, flush: async () => {} }
    expect(tried(null).admit).toThrow('The API key is missing or invalid') // at once: it is not even counted as a guess
    expect(await refusal(tried(null, { keys: unknown }).admit)).toBe('unauthorized')
  })
  it('waits for a key, and for a count, that are still on their way', async () => {
    const keys = { resolve: async () => KEY, atHand: () => null, used() {}, flush: async () => {} }
    const count = async () => ({ minute: 1, requests: [PLANS.growth.requestsPerMinute + 1] })
    expect(await tried(KEY, { keys }).admit()).toBe(KEY)
    expect(await refusal(tried(KEY, { count }).admit)).toBe('rate_limited')
  })
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer   abc  ', 'abc'],
    ['BEARER abc', 'abc'],
    ['Bearerabc', ''],
    ['xBearer abc', ''],
    ['Bearer abc def', ''],
    ['Basic abc', ''],
    ['Bearer ', ''],
    [undefined, ''],
  ])('has the token %j as %j', (authorization, token) => {
    const { admit, tokens } = tried(KEY)
    void admit({}, { authorization })
    expect(tokens).toEqual([token])
  })
  it('has the address of its socket, or the one stated by a trusted proxy', () => {
    const proxies = [networkOf('10.0.0.0/8')]
    const { addressOf } = tried(KEY, { proxies })
    expect(addressOf({ from: '10.0.0.1', forwardedFor: '203.0.113.9' })).toBe('203.0.113.9')
    expect(addressOf({ from: '198.51.100.1', forwardedFor: '203.0.113.9' })).toBe('198.51.100.1')
    expect(addressOf({ from: undefined })).toBe('')
  })
})

describe('a refusal', () => {
  const message = (wrong: (typeof WRONGS)[number][1], route: Partial<Route> = {}) => {
    try {
      return void wronged([['', wrong]]).admit(route)
    } catch (error) {
      return (error as ApiError).message
    }
  }
  it('names the plan and what it lacks, the scopes of which one is needed, and the policy', () => {
    expect(message({ key: { plan: PLANS.starter } })).toContain('Starter')
    expect(message({}, { feature: 'reports_builder' })).toMatch(/Growth.* reports_builder/)
    expect(message({ actor: { scopes: new Set() } })).toContain('full or import')
    expect(message({ actor: { policies: new Set() } })).toContain('import_records')
  })
  it('for too many requests states the wait, in the message and in the headers', async () => {
    const { admit } = wronged([['', { used: 1000 }]])
    await expect(async () => admit()).rejects.toMatchObject({
      retryAfter: 30,
      message: expect.stringContaining('30 s'),
    })
  })
  it('does not happen for a route without feature and policy, and a key without address limits', async () => {
    const { admit } = tried({ ...KEY, networks: null, actor: { ...ACTOR, policies: new Set() } })
    const route = { feature: undefined, policy: null } as unknown as Partial<Route>
    expect(await refusal(() => admit(route, { from: '198.51.100.1' }))).toBe('admitted')
  })
})

describe('the request count', () => {
  const OTHERS = [1, 'account 120']
  it('includes every request with a valid key, and counts imports twice', async () => {
    const { admit, counted, headers } = tried({ ...KEY, plan: { ...PLANS.growth } }, { requests: [5, 7] })
    await admit()
    expect(headers).toEqual({ 'x-ratelimit-limit': 120, 'x-ratelimit-remaining': 115, 'x-ratelimit-reset': 120 })
    await admit({ ingest: true })
    expect(counted).toEqual([OTHERS, [1, 'account 120', 'ingest 30']])
    expect(headers).toMatchObject({ 'x-ratelimit-limit': 30, 'x-ratelimit-remaining': 23 })
  })
  it('includes refused requests, except those with an invalid key', async () => {
    for (const [at, expected] of [0, 0, 1, 1, 1, 1, 1, 1, 1].entries()) {
      const { admit, counted } = wronged(WRONGS.slice(at, at + 1))
      await refusal(admit)
      expect([at, counted.length]).toEqual([at, expected])
    }
  })
  it('does not limit requests while the counter is unavailable, and omits the budget', async () => {
    const { admit, headers } = tried(KEY, { count: async () => null })
    expect([await refusal(admit), headers]).toEqual(['admitted', {}])
  })
  it('includes requests without a route if the key is valid, but not as a use of the key', async () => {
    const good = tried(KEY)
    await good.measure()
    expect([good.counted, good.used, good.headers['x-ratelimit-remaining']]).toEqual([[OTHERS], [], 119])
    for (const key of [null, { ...KEY, revoked: true }, { ...KEY, expiresAt: NOW }]) {
      const { measure, counted } = tried(key)
      await measure()
      expect(counted).toEqual([])
    }
  })
})

describe('an answer that needs no key', () => {
  const away = {
    resolve: () => Promise.reject(new Error('away')),
    atHand: () => null,
    used() {},
    flush: async () => {},
  }
  it('is counted once, however often it is asked for', async () => {
    const { measure, counted } = tried(KEY)
    await measure()
    await measure()
    expect(counted).toHaveLength(1)
  })
  it('waits for nothing without a key, and neither fails nor waits long for one that cannot be looked up', async () => {
    expect(tried(KEY).measure({ authorization: undefined })).toBeUndefined()
    const silent = { ...away, resolve: () => new Promise<never>(() => {}) }
    for (const keys of [away, silent]) {
      const { measure, headers } = tried(KEY, { keys })
      await measure()
      expect(headers).toEqual({})
    }
  })
  it('of an overloaded process has the budget of a cached key if counting is free', () => {
    const count = Object.assign(() => ({ minute: 1, requests: [5] }), { inMemory: true as const })
    expect(tried(KEY, { count }).budgetAtHand()).toMatchObject({ limit: 120, remaining: 115 })
    expect(tried({ ...KEY, revoked: true }, { count }).budgetAtHand()).toBeNull()
    expect(tried(KEY, { count, keys: away }).budgetAtHand()).toBeNull()
    expect(tried(KEY).budgetAtHand()).toBeNull()
  })
})

describe('a client that guesses tokens', () => {
  it('waits after the sixtieth guess per address and minute, and others do not', async () => {
    const clock = { now: 60_000 }
    const keys = { resolve: async () => null, atHand: () => null, used() {}, flush: async () => {} }
    const { admit } = tried(null, { keys, now: () => clock.now })
    const guesses: Promise<unknown>[] = []
    /** How many of a number of guesses are answered without delay. */
    const answeredAtOnce = async (from: string, times: number) => {
      let answered = 0
      for (let nth = 0; nth < times; nth++) guesses.push(refusal(() => admit({}, { from })).then(() => answered++))
      await new Promise(setImmediate)
      return answered
    }
    expect(await answeredAtOnce(OWN_ADDRESS, 62)).toBe(60)
    expect(await answeredAtOnce('198.51.100.1', 1)).toBe(1)
    clock.now = 119_999
    expect(await answeredAtOnce(OWN_ADDRESS, 1)).toBe(0)
    clock.now = 120_000
    expect(await answeredAtOnce(OWN_ADDRESS, 61)).toBe(60)
    await Promise.all(guesses) // those that waited are answered too
  })
})
