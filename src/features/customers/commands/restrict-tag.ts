import { Refusal } from '../../../catalogue/kind.ts'
import { TAG_LENGTH, tags } from '../../../catalogue/tags.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { refuseValues } from '../../../platform/invalid-values.ts'

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
export async function restrictTag(tx: AccountTx, given: string, restricted: boolean): Promise<boolean> {
  const name = readTag(given)
  const changed = await tx.one(restricted ? restrict : release, { name })
  if (!changed) return false
  const action = restricted ? 'tag.restricted' : 'tag.released'
  auditOwn(tx, { action, subjectType: 'tag', subjectId: name })
  return true
}

/** The tag as customers have it. */
function readTag(given: string): string {
  const read = tags.read([given], { decimalSeparator: null, country: '', currency: '', timeZone: 'UTC' })
  if (read instanceof Refusal) {
    refuseValues([['name', `A tag is a text of 1 to ${TAG_LENGTH} characters, without control characters.`]])
  }
  return (read as string[])[0] as string
}
