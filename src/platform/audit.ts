import { isDeepStrictEqual } from 'node:util'
import type { AccountTx } from './db/account-tx.ts'
import * as pg from './db/pg-types.ts'
import { statement } from './db/statement.ts'
import type { SystemTx } from './db/system-tx.ts'
import type { Operator } from './operator.ts'

type Attributes = Readonly<Record<string, unknown>>
export type AuditEntry = {
  readonly action: string
  readonly subjectType: string
  readonly subjectId: string
  /** Never a secret. */
  readonly details?: object
  /** Attributes before and after a change: those that differ are stored. They are never secrets. */
  readonly before?: Attributes
  readonly after?: Attributes
}
const insert = statement(
  {
    account: pg.integer,
    action: pg.text,
    subjectType: pg.text,
    subjectId: pg.text,
    details: pg.jsonText,
    actor: pg.text,
    source: pg.text,
    key: pg.nullable(pg.uuid),
    seat: pg.nullable(pg.uuid),
  },
  {},
  `
  insert into audit_log (account_id, actor, source, key_id, seat_id, action, subject_type, subject_id, details)
  values ($account, $actor, $source, $key::uuid, $seat::uuid, $action, $subjectType, $subjectId, $details)`,
)
/** The actor is a default of the table: the operator of the transaction. */
const insertOwn = statement(
  { account: pg.integer, action: pg.text, subjectType: pg.text, subjectId: pg.text, details: pg.jsonText },
  {},
  `
  insert into audit_log (account_id, action, subject_type, subject_id, details)
  values ($account, $action, $subjectType, $subjectId, $details)`,
)

const entryOf = ({ details = {}, before = {}, after = {}, ...entry }: AuditEntry) => ({
  ...entry,
  details: JSON.stringify({ ...details, ...changesOf(before, after) }),
})

/** The attributes whose values differ; nothing where none does. */
function changesOf(before: Attributes, after: Attributes): { before?: Attributes; after?: Attributes } {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]))
  if (changed.length === 0) return {}
  const only = (of: Attributes) => Object.fromEntries(changed.map((name) => [name, of[name] ?? null]))
  return { before: only(before), after: only(after) }
}

/** Adds a row to an account's audit log, in a transaction of no account's. */
export async function audit(tx: SystemTx, account: number, operator: Operator, entry: AuditEntry): Promise<void> {
  const { name: actor, source, key = null, seat = null } = operator
  await tx.all(insert, { account, actor, source, key, seat, ...entryOf(entry) })
}

/** Adds a row to the account's audit log that names the operator of the transaction. */
export const auditOwn = (tx: AccountTx, entry: AuditEntry): void => tx.later(insertOwn, entryOf(entry))
