import { type Demand, meets, type Policies } from '../../platform/access/policies.ts'

/** What is not a published record: the kinds of events, and the policies that their lists need. */
const OTHER_KINDS = {
  trips: 'view_trips',
  tasks: null,
  communications: null,
  notifications: null,
  imports: 'import_records',
  ticket_imports: 'import_tickets',
  deliveries: 'manage_webhooks',
} as const satisfies Readonly<Record<string, Demand>>

/** Whether a role may know that a record of a kind has changed. No role may know kinds of a newer version of the program. */
export function mayKnowOf(published: readonly string[]) {
  const demands = new Map<string, Demand>([
    ...published.map((key) => [key, null] as const),
    ...Object.entries<Demand>(OTHER_KINDS),
  ])
  return (policies: Policies, kind: string): boolean => {
    const demand = demands.get(kind)
    return demand !== undefined && meets(policies, demand)
  }
}
