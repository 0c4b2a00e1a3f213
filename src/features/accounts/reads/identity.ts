import Type from 'typebox'
import { FEATURES, type Plan } from '../../../platform/access/plans.ts'
import { POLICIES, type Policies } from '../../../platform/access/policies.ts'
import { instantSql } from '../../../platform/db/view.ts'
import { enumOf, Instant, maybe, Text, Uuid } from '../../../platform/http/shapes.ts'
import { type JsonText, joinedObjects, jsonText } from '../../../platform/json-text.ts'
import { BILLING_STATUSES } from '../accounts.store.ts'

const Name = Text(1000)
const flags = (names: readonly string[]) => Type.Object(Object.fromEntries(names.map((name) => [name, Type.Boolean()])))

/** The identity of a key, or of a person who is signed in. */
export const Identity = Type.Object({
  user: Type.Object({
    id: Uuid,
    name: maybe(Name),
    email: Name,
    role: Name,
    locale: Name,
    ai_response_locale: maybe(Name),
    verified: Type.Boolean(),
  }),
  account: Type.Object({
    id: Uuid,
    external_account_id: Type.Integer({ minimum: 10_000_000, maximum: 39_999_999 }),
    name: Name,
  }),
  current_branch: Type.Null({ description: 'Always null for an API key.' }),
  companies: Type.Array(
    Type.Object({
      id: Uuid,
      name: Name,
      company_type: maybe(Name),
      is_default: Type.Boolean(),
      active: Type.Boolean(),
      branches: Type.Array(
        Type.Object({
          id: Uuid,
          name: Name,
          code: maybe(Name),
          is_headquarters: Type.Boolean(),
          active: Type.Boolean(),
        }),
        { maxItems: 10_000 },
      ),
    }),
    { maxItems: 10_000 },
  ),
  policies: flags(POLICIES),
  features: flags(FEATURES),
  billing: maybe(
    Type.Object({
      status: enumOf(BILLING_STATUSES),
      plan_slug: maybe(Name),
      plan_name: maybe(Name),
      trialing: Type.Boolean(),
      active: Type.Boolean(),
      trial_ends_at: maybe(Instant),
      cancel_at_period_end: Type.Boolean(),
    }),
  ),
  server_time: Instant,
})

/** What the database knows of it. */
export type IdentityRow = {
  readonly user: object
  readonly account: object
  readonly companies: readonly object[] | null
  readonly billing: { readonly status: string }
}
/** SQL of an `IdentityRow`, over an account `a` and its seat `s`, which acts by a role, given as SQL. */
export const identitySql = (role: string): string => `json_build_object(
  'user', json_build_object('id', s.id, 'name', s.name, 'email', s.email, 'role', ${role}, 'locale', s.locale,
    'ai_response_locale', s.ai_response_locale, 'verified', s.verified),
  'account', json_build_object('id', a.uuid, 'external_account_id', a.account_id, 'name', a.name),
  'companies', (select json_agg(json_build_object('id', c.id, 'name', c.name, 'company_type', c.company_type, 'is_default', c.is_default, 'active', c.active,
    'branches', (select coalesce(json_agg(json_build_object('id', b.id, 'name', b.name, 'code', b.code, 'is_headquarters', b.is_headquarters, 'active', b.active)
      order by b.is_headquarters desc, b.created_at, b.id), '[]') from branches b where b.account_id = a.account_id and b.company_id = c.id))
    order by c.is_default desc, c.name, c.id) from companies c where c.account_id = a.account_id),
  'billing', json_build_object('status', a.billing_status, 'plan_slug', a.plan,
    'trial_ends_at', ${instantSql('a.trial_ends_at')}, 'cancel_at_period_end', a.cancel_at_period_end))`

/** The response of `GET /me` at a time; requests in the same millisecond share one text. */
export function identityAt(
  { user, account, companies, billing }: IdentityRow,
  plan: Plan,
  policies: Policies,
): (now: number) => JsonText<never> {
  const trialing = billing.status === 'trialing'
  const identity = {
    user,
    account,
    current_branch: null,
    companies: companies ?? [],
    policies: Object.fromEntries(POLICIES.map((policy) => [policy, policies.has(policy)])),
    features: Object.fromEntries(FEATURES.map((feature) => [feature, plan.features.has(feature)])),
    billing: { ...billing, plan_name: plan.name, trialing, active: trialing || billing.status === 'active' },
  }
  const known = jsonText(identity)
  let last = { at: Number.NaN, text: known as JsonText<never> }
  return (now) => {
    if (last.at !== now)
      last = {
        at: now,
        text: joinedObjects(known, jsonText({ server_time: new Date(now).toISOString() })) as JsonText<never>,
      }
    return last.text
  }
}
