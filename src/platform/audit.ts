import type { AccountTx } from './db/account-tx.ts'
import { statement } from './db/statement.ts'
import type { SystemTx } from './db/system-tx.ts'

/** Who does something, and from where. */
export type Operator = { readonly name: string; readonly source: string }
/** A key as an operator: requests come by it. */
export const keyOperator = (by: { readonly key: { readonly id: string }; readonly address: string }): Operator => ({
  name: `API key ${by.key.id}`,
  source: by.address,
})
export type Deed = {
  readonly action: string
  readonly subjectType: string
  readonly subjectId: string
  /** Never a secret. */
  readonly details?: object
}

type Row = {
  account: number
  actor: string
  source: string
  action: string
  subjectType: string
  subjectId: string
  details: string
}
const insert = statement<Row, never>(`
  insert into audit_log (account_id, actor, source, action, subject_type, subject_id, details)
  values ($account, $actor, $source, $action, $subjectType, $subjectId, $details)`)

const rowOf = ({ name, source }: Operator, deed: Deed) => ({
  actor: name,
  source,
  ...deed,
  details: JSON.stringify(deed.details ?? {}),
})

/** Leaves a row in the account's audit log, in the transaction of the deed itself. */
export async function audit(tx: SystemTx, account: number, operator: Operator, deed: Deed): Promise<void> {
  await tx.all(insert, { account, ...rowOf(operator, deed) })
}

/** The same for what the account does itself, by a key. */
export const auditOwn = (tx: AccountTx, operator: Operator, deed: Deed): void => tx.later(insert, rowOf(operator, deed))
