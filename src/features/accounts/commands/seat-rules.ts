import { ALL_POLICIES, BUILT_IN_ROLES, type Policies, policiesOf } from '../../../platform/access/policies.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'

/** Who changes seats. An editor neither gives away nor takes over policies that they lack. */
export type Editor = { readonly policies: Policies; readonly seat: string | null }
/** The user of the command line. */
export const SERVER_OPERATOR: Editor = { policies: ALL_POLICIES, seat: null }

export type StoredSeat = Omit<RowFrom<typeof lockSeats>, 'named' | 'owns' | 'role_policies'>

/** In the order of their ids, so that two changes of the same seats cannot wait for each other. */
const lockSeats = statement(
  { account: pg.integer, seat: pg.text },
  {
    id: pg.uuid,
    named: pg.filled(pg.boolean),
    owns: pg.filled(pg.boolean),
    email: pg.text,
    name: pg.nullable(pg.text),
    role: pg.text,
    role_policies: pg.nullable(pg.list(pg.text)),
    active: pg.boolean,
    branch_id: pg.nullable(pg.uuid),
    agent_sines: pg.list(pg.text),
    locale: pg.text,
    mails_reminders: pg.boolean,
    version: pg.integer,
  },
  `
  select s.id, (s.id::text = lower($seat) or s.email_key = lower($seat)) as named, (s.role = 'owner' and s.active) as owns,
    s.email, s.name, s.role, r.policies as role_policies, s.active, s.branch_id, s.agent_sines, s.locale,
    s.mails_reminders, s.version
  from seats s left join roles r on r.account_id = s.account_id and r.name = s.role
  where s.account_id = $account and (s.id::text = lower($seat) or s.email_key = lower($seat) or (s.role = 'owner' and s.active))
  order by s.id for update of s`,
)
const findRole = statement(
  { account: pg.integer, role: pg.text },
  { policies: pg.list(pg.text) },
  'select policies from roles where account_id = $account and name = $role for key share',
)

/** Locks a seat, named by its id or e-mail, for an editor who holds all of its policies. `isLastOwner`: no other owner is active. */
export async function lockSeat(tx: AccountTx, editor: Editor, seat: string) {
  const rows = await tx.all(lockSeats, { seat })
  const found = rows.find(({ named }) => named)
  if (!found) throw new RecordNotFound('seat', `No seat ${seat} exists in this account.`)
  const { named: _, owns, role_policies, ...stored } = found
  demandAll(editor, policiesOf(stored.role, role_policies), 'This seat')
  const isLastOwner = owns && rows.every(({ id, owns: other }) => id === stored.id || !other)
  return { stored: stored as StoredSeat, isLastOwner }
}

/** Refuses to leave the account without an owner. */
export function refuseLastOwner(isLastOwner: boolean): void {
  if (isLastOwner)
    throw new UserError('not_allowed_now', 'This is the last owner of the account. Make somebody else an owner first.')
}

/** Refuses a role that does not exist, or has policies that the editor lacks. */
export async function demandRole(tx: AccountTx, editor: Editor, role: string): Promise<void> {
  const isBuiltIn = Object.hasOwn(BUILT_IN_ROLES, role)
  const own = isBuiltIn ? undefined : await tx.one(findRole, { role })
  if (!isBuiltIn && !own) {
    const unknown = `No role ${role} exists in this account. The built-in roles are ${Object.keys(BUILT_IN_ROLES).join(', ')}.`
    throw new UserError('invalid_value', unknown, { details: { role: [unknown] } })
  }
  demandAll(editor, policiesOf(role, own?.policies ?? null), `The role ${role}`)
}

/** Refuses what has policies that the editor lacks. */
export function demandAll({ policies: held }: Editor, policies: Policies, what: string): void {
  const lacking = [...policies].filter((policy) => !held.has(policy))
  if (lacking.length > 0)
    throw new ApiError('forbidden', `${what} has policies that your role lacks: ${lacking.join(', ')}.`)
}
