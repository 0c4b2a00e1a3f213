import type { Entity } from '../catalogue/entity.ts'
import type { Field, Mark } from '../catalogue/kind.ts'
import type { Policies } from '../platform/access/policies.ts'

/** Whether the role sees values with this mark. */
export const sees = (policies: Policies, { pii, sees }: Mark): boolean =>
  (!pii || policies.has('view_personal_data')) &&
  (!sees || (policies.has('view_money') && (sees === 'money' || policies.has('view_costs'))))

/** Whether the role sees all of a field: for a list every cell of its items, and the lines that reveal a cost. */
export const seesWhole = (policies: Policies, field: Field): boolean =>
  sees(policies, field) &&
  Object.values(field.items ?? {}).every((item) => seesWhole(policies, item)) &&
  (!field.elsewhere?.showWithoutCosts || policies.has('view_costs'))

/** Whether who a record is may be hidden from this writer by a restricted tag. */
export const asksRestricted = ({ restricted }: Entity, policies: Policies): boolean =>
  restricted !== undefined && !policies.has('view_restricted_customers')
