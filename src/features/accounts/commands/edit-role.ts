import { BUILT_IN_ROLES, POLICIES, type Policy, policySet } from '../../../platform/access/policies.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { demandAll, type Editor } from './seat-rules.ts'

type StoredRole = RowFrom<typeof lock>
const lock = statement(
  { account: pg.integer, name: pg.text },
  { policies: pg.list(pg.text), version: pg.integer },
  'select policies, version from roles where account_id = $account and name = $name for update',
)
const insert = statement(
  { account: pg.integer, name: pg.text, policies: pg.list(pg.text) },
  { name: pg.text },
  `
  insert into roles (account_id, name, policies) values ($account, $name, $policies)
  on conflict (account_id, name) do nothing returning name`,
)
const update = statement(
  { account: pg.integer, name: pg.text, policies: pg.list(pg.text) },
  {},
  'update roles set policies = $policies, version = version + 1 where account_id = $account and name = $name',
)
/** A statement of its own after the lock, so that it sees what has taken the role meanwhile. */
const removeUnused = statement(
  { account: pg.integer, name: pg.text },
  { name: pg.text },
  `
  delete from roles r where r.account_id = $account and r.name = $name
    and not exists (select from seats s where s.account_id = r.account_id and s.role = r.name)
    and not exists (select from api_keys k where k.account_id = r.account_id and k.role = r.name and k.revoked_at is null)
    and not exists (select from webhooks w where w.account_id = r.account_id and w.role = r.name and w.deleted_at is null)
  returning r.name`,
)

/** Creates a role of the account. An editor gives it only policies of their own. */
export async function createRole(
  tx: AccountTx,
  editor: Editor,
  name: string,
  policies: readonly Policy[],
): Promise<void> {
  checkRoleName(name)
  demandAll(editor, policySet(policies), 'The role')
  if (!(await tx.one(insert, { name, policies: [...policySet(policies)] })))
    throw new UserError('already_exists', `A role ${name} already exists in this account.`)
  const after = { policies: [...policySet(policies)] }
  auditOwn(tx, { action: 'role.created', subjectType: 'role', subjectId: name, before: { policies: null }, after })
}

/** Gives a role other policies. The editor holds the former and the new ones. `check` looks at the stored role first. */
export async function updateRole(
  tx: AccountTx,
  editor: Editor,
  name: string,
  policies: readonly Policy[],
  check: (stored: StoredRole) => Promise<void>,
): Promise<void> {
  const stored = await lockRole(tx, editor, name)
  await check(stored)
  demandAll(editor, policySet(policies), 'The role')
  const changed = [...policySet(policies)]
  tx.later(update, { name, policies: changed })
  const [before, after] = [{ policies: stored.policies }, { policies: changed }]
  auditOwn(tx, { action: 'role.updated', subjectType: 'role', subjectId: name, before, after })
}

/** Creates a role, or gives an existing one these policies. */
export async function saveRole(tx: AccountTx, editor: Editor, name: string, given: readonly string[]): Promise<void> {
  checkRoleName(name)
  const unknown = given.filter((policy) => !POLICIES.some((known) => known === policy))
  if (unknown.length > 0)
    throw new UserError('invalid_value', `No policy ${unknown.join(', ')} exists. Choose from ${POLICIES.join(', ')}.`)
  const policies = [...policySet(given)]
  if (await tx.one(lock, { name })) await updateRole(tx, editor, name, policies, async () => {})
  else await createRole(tx, editor, name, policies)
}

/** Deletes a role that no seat, key or webhook has. */
export async function deleteRole(tx: AccountTx, editor: Editor, name: string): Promise<void> {
  const stored = await lockRole(tx, editor, name)
  if (!(await tx.one(removeUnused, { name })))
    throw new UserError('not_allowed_now', 'Seats, API keys or webhooks have this role. Give them another one first.')
  const before = { policies: stored.policies }
  auditOwn(tx, { action: 'role.deleted', subjectType: 'role', subjectId: name, before, after: { policies: null } })
}

/** Refuses a name that is invalid, or is that of a built-in role. */
function checkRoleName(name: string): void {
  if (!/^[a-z][a-z0-9_]{0,59}$/.test(name))
    throw new UserError('invalid_value', 'The name of a role consists of lowercase letters, digits and underscores.')
  if (Object.hasOwn(BUILT_IN_ROLES, name))
    throw new UserError('already_exists', `The role ${name} is built in and cannot be changed.`)
}

async function lockRole(tx: AccountTx, editor: Editor, name: string): Promise<StoredRole> {
  checkRoleName(name)
  const stored = await tx.one(lock, { name })
  if (!stored) throw new RecordNotFound('role', `No role ${name} exists in this account.`)
  demandAll(editor, policySet(stored.policies), 'The role')
  return stored
}
