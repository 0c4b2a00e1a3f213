import type { AccountReader } from '../../../platform/db/account-tx.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Seal } from '../../../platform/seal.ts'

/** The bytes, which lie with the capture that brought them first. */
const find = statement<{ account: number; id: string }, { content: Buffer }>(`
  select kept.content from ticket_captures t
    join ticket_captures kept on kept.account_id = t.account_id and kept.sha256 = t.sha256 and kept.content is not null
  where t.account_id = $account and t.id::text = lower($id) limit 1`)

/** A captured file as it came. */
export async function readCapturedFile(reader: AccountReader, seal: Seal, id: string): Promise<Buffer> {
  const found = await reader.one(find, { id })
  if (!found) throw new Error('The account has no such capture. GET /api/v1/ticket_imports shows them.')
  return seal.openBytes(found.content)
}
