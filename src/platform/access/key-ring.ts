import { hash } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { statement } from '../db/statement.ts'
import { type Network, readNetwork } from '../http/source-address.ts'
import type { Actor, Branch, Company } from './actor.ts'
import { FEATURES, type Feature, isPlan, PLANS, type Plan } from './plans.ts'
import { BUILT_IN_ROLES, POLICIES, policySet, type Scope } from './policies.ts'
import { hashToken, isWellFormed } from './token.ts'

/** How long a key is taken as it was read: a revocation takes effect within a second. */
const KEPT_MS = 900
const KEPT_KEYS = 10_000

/** A key that was found, and all that its requests ask of it. */
export type Key = {
  readonly id: string
  readonly actor: Actor
  readonly plan: Plan
  readonly revoked: boolean
  /** Milliseconds since the epoch, exclusive. */
  readonly expiresAt: number
  /** Where it may be used from; null: everywhere. */
  readonly networks: readonly Network[] | null
  /** The answer of `GET /me` up to its `server_time`. */
  readonly identity: string
}

export type KeyRing = {
  /** Null where no key of this cell has this token. */
  resolve(token: string): Key | null | Promise<Key | null>
  used(key: Key, address: string): void
  /** Writes down when and from where keys were used last. */
  flush(): Promise<void>
}

type Row = {
  id: string
  account_id: number
  scopes: Scope[]
  allowed_cidrs: string[]
  expires_ms: number | null
  revoked: boolean
  plan: string
  time_zone: string
  role: string | null
  role_policies: string[] | null
  seat: string | null
  home_branch: string | null
  companies: Company[]
  branches: Branch[]
  user: unknown
  account: unknown
  company_tree: unknown
  billing: { status: string; plan_slug: string } & Record<string, unknown>
}

const find = statement<{ hash: Buffer }, Row>(`
  select k.id, k.account_id, k.scopes, k.allowed_cidrs, extract(epoch from k.expires_at)::float8 * 1000 as expires_ms,
    k.revoked_at is not null as revoked, a.plan, a.time_zone, coalesce(k.role, 'owner') as role, r.policies as role_policies,
    s.id as seat, coalesce(s.branch_id, h.id) as home_branch,
    (select json_agg(json_build_object('id', c.id, 'isDefault', c.is_default, 'active', c.active, 'country', c.tax_country, 'currency', c.currency)
      order by c.is_default desc, c.name, c.id) from companies c where c.account_id = a.account_id) as companies,
    (select json_agg(json_build_object('id', b.id, 'companyId', b.company_id, 'isHeadquarters', b.is_headquarters, 'active', b.active)
      order by b.is_headquarters desc, b.created_at, b.id) from branches b where b.account_id = a.account_id) as branches,
    json_build_object('id', s.id, 'name', s.name, 'email', s.email, 'role', coalesce(k.role, 'owner'), 'locale', s.locale,
      'ai_response_locale', s.ai_response_locale, 'verified', s.verified) as user,
    json_build_object('id', a.uuid, 'external_account_id', a.account_id, 'name', a.name) as account,
    (select json_agg(json_build_object('id', c.id, 'name', c.name, 'company_type', c.company_type, 'is_default', c.is_default, 'active', c.active,
      'branches', (select coalesce(json_agg(json_build_object('id', b.id, 'name', b.name, 'code', b.code, 'is_headquarters', b.is_headquarters, 'active', b.active)
        order by b.is_headquarters desc, b.created_at, b.id), '[]') from branches b where b.account_id = a.account_id and b.company_id = c.id))
      order by c.is_default desc, c.name, c.id) from companies c where c.account_id = a.account_id) as company_tree,
    json_build_object('status', a.billing_status, 'plan_slug', a.plan,
      'trial_ends_at', to_char(a.trial_ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'cancel_at_period_end', a.cancel_at_period_end) as billing
  from api_keys k
  join accounts a on a.account_id = k.account_id and a.status = 'active'
  left join seats s on s.account_id = a.account_id and s.id = a.owner_id
  left join roles r on r.account_id = a.account_id and r.name = coalesce(k.role, 'owner')
  left join branches h on h.account_id = a.account_id and h.is_headquarters
  where k.token_hash = $hash`)

const markUsed = statement<{ used: string }, never>(`
  update api_keys k set last_used_at = to_timestamp(u.at_ms / 1000), last_used_ip = u.ip
  from json_to_recordset($used::json) as u(account_id integer, id uuid, at_ms float8, ip text) where k.account_id = u.account_id and k.id = u.id`)

/** The keys of a cell. `now` is milliseconds since the epoch. */
export function keyRing(db: Database, now: () => number): KeyRing {
  const kept = new Map<string, { key: Key | Promise<Key | null>; until: number }>()
  let lastUsed = new Map<string, { account_id: number; id: string; at_ms: number; ip: string }>()

  async function look(token: string): Promise<Key | null> {
    const [row] = await db.askSystem('resolve a key', find, { hash: hashToken(token) })
    return row ? toKey(row) : null
  }
  return {
    resolve(token) {
      const name = hash('sha256', token, 'base64')
      const known = kept.get(name)
      if (known && known.until > now()) return known.key
      if (!isWellFormed(token)) return null
      const entry: { key: Key | Promise<Key | null>; until: number } = { key: look(token), until: now() + KEPT_MS }
      entry.key = (entry.key as Promise<Key | null>).then(
        (key) => {
          if (key) entry.key = key
          else kept.delete(name)
          return key
        },
        (error) => {
          kept.delete(name)
          throw error
        },
      )
      if (kept.size >= KEPT_KEYS) kept.delete(kept.keys().next().value as string)
      kept.set(name, entry)
      return entry.key
    },
    used({ id, actor }, address) {
      lastUsed.set(id, { account_id: actor.account, id, at_ms: now(), ip: address })
    },
    async flush() {
      if (lastUsed.size === 0) return
      const flushed = lastUsed
      const used = JSON.stringify([...flushed.values()])
      lastUsed = new Map()
      try {
        await db.askSystem('note when keys of all accounts were used', markUsed, { used })
      } catch (error) {
        lastUsed = new Map([...flushed, ...lastUsed]) // what was used meanwhile is the later
        throw error
      }
    },
  }
}

function toKey(row: Row): Key {
  const role = row.role ?? ''
  const policies = BUILT_IN_ROLES[role] ?? policySet(row.role_policies ?? [])
  const plan: Plan = isPlan(row.plan) ? PLANS[row.plan] : PLANS.starter
  const trialing = row.billing.status === 'trialing'
  const identity = {
    user: row.user,
    account: row.account,
    current_branch: null,
    companies: row.company_tree ?? [],
    policies: Object.fromEntries(POLICIES.map((policy) => [policy, policies.has(policy)])),
    features: Object.fromEntries(FEATURES.map((feature: Feature) => [feature, plan.features.has(feature)])),
    billing: { ...row.billing, plan_name: plan.name, trialing, active: trialing || row.billing.status === 'active' },
  }
  return {
    id: row.id,
    actor: {
      account: row.account_id,
      timeZone: row.time_zone,
      scopes: new Set(row.scopes),
      policies,
      seat: row.seat,
      homeBranch: row.home_branch,
      companies: row.companies ?? [],
      branches: row.branches ?? [],
    },
    plan,
    revoked: row.revoked,
    expiresAt: row.expires_ms ?? Number.POSITIVE_INFINITY,
    networks:
      row.allowed_cidrs.length > 0 ? row.allowed_cidrs.map(readNetwork).filter((network) => network !== null) : null,
    identity: JSON.stringify(identity).slice(0, -1),
  }
}
