import { audit } from '../../../platform/audit.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'

const restrict = statement(
  { account: pg.integer, name: pg.text },
  { name: pg.text },
  'insert into restricted_tags (account_id, name) values ($account, $name) on conflict do nothing returning name',
)
const release = statement(
  { account: pg.integer, name: pg.text },
  { name: pg.text },
  'delete from restricted_tags where account_id = $account and name = $name returning name',
)

/**
 * Restricts a tag, so that customers with it are shown only to roles that may know them, or releases it. False if
 * nothing changed.
 */
export async function restrictTag(
  tx: SystemTx,
  account: number,
  name: string,
  restricted: boolean,
  operator: Operator,
): Promise<boolean> {
  const changed = await tx.one(restricted ? restrict : release, { account, name })
  if (!changed) return false
  const action = restricted ? 'tag.restricted' : 'tag.released'
  await audit(tx, account, operator, { action, subjectType: 'tag', subjectId: name })
  return true
}
