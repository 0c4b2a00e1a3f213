import { expect, it } from 'vitest'
import { FEATURES, isPlan, PLANS } from './plans.ts'

/** As the plans are sold: requests a minute, and what each has more than the one before. */
const SOLD = {
  starter: ['Starter', 60, []],
  growth: ['Growth', 120, ['api_access', 'imports', 'ticket_import', 'webhooks', 'dashboards']],
  business: ['Business', 600, ['reports_builder', 'reports_finance', 'messaging']],
  enterprise: ['Enterprise', 3000, ['reports_bsp', 'restricted_tags']],
} as const

it('each plan has what it is sold with, and all that the smaller ones have', () => {
  const has = new Set<string>()
  for (const [slug, [name, requestsPerMinute, more]] of Object.entries(SOLD)) {
    for (const feature of more) has.add(feature)
    expect(PLANS[slug as keyof typeof SOLD]).toEqual({ name, requestsPerMinute, features: new Set(has) })
  }
  expect(Object.keys(PLANS)).toEqual(Object.keys(SOLD))
  expect([...has].toSorted()).toEqual([...FEATURES].toSorted())
})

it('an unknown plan is recognised, even if it is the name of an object property', () => {
  expect(['growth', 'Growth', '', 'toString', 'constructor'].map(isPlan)).toEqual([true, false, false, false, false])
})
