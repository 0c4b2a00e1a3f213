import { BUILT_IN_ROLES, POLICIES } from '../../../platform/access/policies.ts'
import { audit } from '../../../platform/audit.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { UserError } from '../../../platform/user-error.ts'
import { requireAccount } from '../reads/require-account.ts'

const save = statement(
  { account: pg.integer, name: pg.text, policies: pg.list(pg.text) },
  { before: pg.nullable(pg.list(pg.text)) },
  `
  insert into roles as r (account_id, name, policies) values ($account, $name, $policies)
  on conflict (account_id, name) do update set policies = excluded.policies, version = r.version + 1 returning old.policies as before`,
)

/** Makes a role of the account's own, or gives it other policies. */
export async function saveRole(
  tx: SystemTx,
  account: number,
  name: string,
  policies: readonly string[],
  operator: Operator,
): Promise<void> {
  await requireAccount(tx, account)
  checkRoleName(name)
  const unknown = policies.filter((policy) => !POLICIES.some((known) => known === policy))
  if (unknown.length > 0)
    throw new UserError('invalid_value', `No policy ${unknown.join(', ')} exists. Choose from ${POLICIES.join(', ')}.`)
  const [saved] = await tx.all(save, { account, name, policies: [...policies] })
  const action = saved?.before ? 'role.updated' : 'role.created'
  await audit(tx, account, operator, {
    action,
    subjectType: 'role',
    subjectId: name,
    details: { before: saved?.before ?? null, policies },
  })
}

/** Refuses a name that is invalid, or is that of a built-in role. */
export function checkRoleName(name: string): void {
  if (!/^[a-z][a-z0-9_]{0,59}$/.test(name))
    throw new UserError('invalid_value', 'The name of a role consists of lowercase letters, digits and underscores.')
  if (Object.hasOwn(BUILT_IN_ROLES, name))
    throw new UserError('already_exists', `The role ${name} is built in and cannot be changed.`)
}
