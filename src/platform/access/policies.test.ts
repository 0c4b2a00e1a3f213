import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { demandPolicy } from '../http/demand-policy.ts'
import { ApiError } from '../http/errors.ts'
import { BUILT_IN_ROLES, POLICIES, policiesOf, policySet } from './policies.ts'

/** What each role lacks, as the roles are described to agencies. */
const ADMINISTERS = ['manage_settings', 'manage_webhooks', 'manage_people', 'view_audit_log', 'handle_privacy_requests']
const OFFICE = [...ADMINISTERS, 'view_restricted_customers']
const BOOKS = ['manage_documents', 'manage_payments', 'close_periods']
const TRAVEL = ['manage_bookings', 'manage_trips']
const LACKS: Readonly<Record<string, readonly string[]>> = {
  owner: [],
  admin: ['view_restricted_customers', 'close_periods'],
  manager: [...OFFICE, ...BOOKS],
  advisor: [...OFFICE, ...BOOKS, 'view_costs', 'import_records', 'view_dashboards'],
  accountant: [...OFFICE, ...TRAVEL, 'view_message_content', 'send_messages', 'share_trips', 'manage_leads'],
  marketing: [...OFFICE, ...BOOKS, ...TRAVEL, 'view_money', 'view_costs', 'import_records', 'import_tickets'],
  viewer: POLICIES.filter((policy) => !['view_trips', 'view_reports', 'view_dashboards'].includes(policy)),
}
const some = fc.subarray([...POLICIES])

describe('a role', () => {
  it('that every account has may do all but what it lacks', () => {
    expect(Object.keys(BUILT_IN_ROLES)).toEqual(Object.keys(LACKS))
    for (const [role, lacks] of Object.entries(LACKS))
      expect([...policiesOf(role, null)]).toEqual(POLICIES.filter((policy) => !lacks.includes(policy)))
  })
  it('of an account’s own may do what it names, and nothing by a name that objects have anyway', () => {
    fc.assert(
      fc.property(some, fc.constantFrom('reception', 'toString', '__proto__'), (names, role) => {
        expect(policiesOf(role, [...names, 'view_everything'])).toBe(policySet(names))
      }),
    )
    expect([...policiesOf('reception', null)]).toEqual([])
  })
  it('cannot give a built-in role other policies', () => {
    expect(policiesOf('viewer', ['view_costs'])).toBe(BUILT_IN_ROLES.viewer)
  })
})

describe('a set of policies', () => {
  it('is one object for the same policies in any order, with these and no others', () => {
    fc.assert(
      fc.property(some, some, (one, other) => {
        expect([...policySet(one)]).toEqual(one)
        expect(policySet(one.toReversed())).toBe(policySet(one))
        expect(policySet(one) === policySet(other)).toBe(one.join() === other.join())
      }),
    )
  })
  it('meets a demand by any one of the policies that it names, and the refusal names them all', () => {
    fc.assert(
      fc.property(some, some, (names, asked) => {
        const [first, ...others] = asked
        const demand = () => demandPolicy(policySet(names), first === undefined ? null : [first, ...others])
        const lacking = new ApiError('forbidden', `Your role lacks ${asked.join(' or ')}.`)
        if (first === undefined || asked.some((policy) => names.includes(policy))) expect(demand).not.toThrow()
        else expect(demand).toThrow(lacking)
      }),
    )
  })
})
