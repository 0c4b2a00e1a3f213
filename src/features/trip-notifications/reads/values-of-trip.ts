import type { Policy } from '../../../platform/access/policies.ts'
import type { ValuesOfTrip } from '../../communications/reads/preview-template.ts'
import { type DueTrip, readDueTrips } from '../due-trips.store.ts'
import { dueValues } from '../due-values.ts'
import { PLAN } from '../plan.ts'

/** What a role needs to see the values of a kind; the other values are of the trip itself. */
const NEEDS: Partial<Record<DueTrip['kind'], Policy>> = {
  payment_due: 'view_money',
  passport_check: 'view_personal_data',
}

/** The values of a notification of a trip, as they are now. A role that lacks their policy reads none of them. */
export const valuesOfTrip: ValuesOfTrip = async (reader, policies, { kind, trip, language }) => {
  const planned = PLAN.find((one) => one.kind === kind)
  const needed = planned && NEEDS[planned.kind]
  if (!planned || (needed !== undefined && !policies.has(needed))) return {}
  const due = [{ id: trip, trip, kind: planned.kind, audience: planned.audience }]
  const [values] = await reader.all(readDueTrips, { due: JSON.stringify(due) })
  return values ? dueValues(values, language) : {}
}
