export const SCOPES = ['full', 'import', 'ticket_import'] as const
export type Scope = (typeof SCOPES)[number]

export const POLICIES = [
  'view_money',
  'view_costs',
  'view_personal_data',
  'view_restricted_customers',
  'view_message_content',
  'import_records',
  'import_tickets',
  'manage_customers',
  'manage_leads',
  'manage_tasks',
  'view_trips',
  'share_trips',
  'send_messages',
  'view_reports',
  'view_dashboards',
  'manage_webhooks',
  'manage_settings',
  'manage_bookings',
  'manage_trips',
  'manage_documents',
  'manage_payments',
  'close_periods',
  'view_audit_log',
  'manage_people',
  'handle_privacy_requests',
] as const
export type Policy = (typeof POLICIES)[number]
export type Policies = ReadonlySet<Policy>
/** What a route requires: a policy, any of several, or nothing. */
export type Demand = Policy | readonly [Policy, ...Policy[]] | null

/** The policies of which one is enough; empty if none is required. */
export const alternativesOf = (demand: Demand): readonly Policy[] =>
  typeof demand === 'string' ? [demand] : (demand ?? [])
export const meets = (policies: Policies, demand: Demand): boolean =>
  demand === null || alternativesOf(demand).some((policy) => policies.has(policy))

/** For work without a role: the command line, a mailbox, automated work. */
export const ALL_POLICIES: Policies = new Set(POLICIES)

const without = (...lacking: readonly Policy[]): Policies =>
  new Set(POLICIES.filter((policy) => !lacking.includes(policy)))

const ADMINISTRATION: readonly Policy[] = [
  'manage_settings',
  'manage_webhooks',
  'manage_people',
  'view_audit_log',
  'handle_privacy_requests',
  'view_restricted_customers',
]
const ACCOUNTING: readonly Policy[] = ['manage_documents', 'manage_payments', 'close_periods']
const PRODUCTION: readonly Policy[] = ['manage_bookings', 'manage_trips']

/** The roles that every account has. */
export const BUILT_IN_ROLES: Readonly<Record<string, Policies>> = {
  owner: without(),
  admin: without('view_restricted_customers', 'close_periods'),
  manager: without(...ADMINISTRATION, ...ACCOUNTING),
  advisor: without(...ADMINISTRATION, ...ACCOUNTING, 'view_costs', 'import_records', 'view_dashboards'),
  accountant: without(
    ...ADMINISTRATION,
    ...PRODUCTION,
    'view_message_content',
    'send_messages',
    'share_trips',
    'manage_leads',
  ),
  marketing: without(
    ...ADMINISTRATION,
    ...ACCOUNTING,
    ...PRODUCTION,
    'view_money',
    'view_costs',
    'import_records',
    'import_tickets',
  ),
  viewer: new Set<Policy>(['view_trips', 'view_reports', 'view_dashboards']),
}

const kept = new Map<string, Policies>()
/** The one set object for these policies, by which compiled statements are cached. */
export function policySet(names: readonly string[]): Policies {
  const own = POLICIES.filter((policy) => names.includes(policy))
  const key = own.join()
  const set = kept.get(key) ?? new Set(own)
  kept.set(key, set)
  return set
}

/** The policies of a role: a built-in one, or one of an account. */
export const policiesOf = (role: string, own: readonly string[] | null): Policies =>
  (Object.hasOwn(BUILT_IN_ROLES, role) && BUILT_IN_ROLES[role]) || policySet(own ?? [])
