export const FEATURES = [
  'api_access',
  'imports',
  'ticket_import',
  'webhooks',
  'dashboards',
  'reports_builder',
  'reports_finance',
  'reports_bsp',
  'messaging',
  'restricted_tags',
] as const
export type Feature = (typeof FEATURES)[number]
export type Plan = {
  readonly name: string
  readonly requestsPerMinute: number
  readonly features: ReadonlySet<Feature>
}

const growth: readonly Feature[] = ['api_access', 'imports', 'ticket_import', 'webhooks', 'dashboards']
const business: readonly Feature[] = [...growth, 'reports_builder', 'reports_finance', 'messaging']
const enterprise: readonly Feature[] = [...business, 'reports_bsp', 'restricted_tags']

export const PLANS = {
  starter: { name: 'Starter', requestsPerMinute: 60, features: new Set<Feature>() },
  growth: { name: 'Growth', requestsPerMinute: 120, features: new Set(growth) },
  business: { name: 'Business', requestsPerMinute: 600, features: new Set(business) },
  enterprise: { name: 'Enterprise', requestsPerMinute: 3000, features: new Set(enterprise) },
} as const satisfies Record<string, Plan>
export type PlanSlug = keyof typeof PLANS
export const isPlan = (slug: string): slug is PlanSlug => Object.hasOwn(PLANS, slug)

/** Bookings and files that all keys of an account may push in a minute, whatever its plan. */
export const INGEST_PER_MINUTE = 30
