import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Seal } from '../../../platform/seal.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'

/** The bytes, which the first capture of them stores. */
const find = statement(
  { account: pg.integer, id: pg.text },
  { content: pg.filled(pg.bytes) },
  `
  select kept.content from ticket_captures t
    join ticket_captures kept on kept.account_id = t.account_id and kept.sha256 = t.sha256 and kept.content is not null
  where t.account_id = $account and t.id::text = lower($id) limit 1`,
)

/** The unchanged bytes of a captured file, for use outside the API. */
export async function readCapturedFile(tx: AccountTx, seal: Seal, id: string): Promise<Buffer> {
  const found = await tx.one(find, { id })
  if (!found) throw new RecordNotFound('capture', 'No capture with this id exists in this account.')
  auditOwn(tx, { action: 'ticket_file.read', subjectType: 'ticket_capture', subjectId: id.toLowerCase() })
  return seal.openBytes(found.content)
}
