import type { AccountTx } from './db/account-tx.ts'
import * as pg from './db/pg-types.ts'
import { statement } from './db/statement.ts'
import type { SystemTx } from './db/system-tx.ts'
import type { Operator } from './operator.ts'

export type AuditEntry = {
  readonly action: string
  readonly subjectType: string
  readonly subjectId: string
  /** Never a secret. */
  readonly details?: object
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

const entryOf = ({ details = {}, ...entry }: AuditEntry) => ({ ...entry, details: JSON.stringify(details) })

/** Adds a row to an account's audit log, in a transaction of no account's. */
export async function audit(tx: SystemTx, account: number, operator: Operator, entry: AuditEntry): Promise<void> {
  const { name: actor, source, key = null, seat = null } = operator
  await tx.all(insert, { account, actor, source, key, seat, ...entryOf(entry) })
}

/** Adds a row to the account's audit log that names the operator of the transaction. */
export const auditOwn = (tx: AccountTx, entry: AuditEntry): void => tx.later(insertOwn, entryOf(entry))
