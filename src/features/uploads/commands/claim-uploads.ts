import { readFormerSecrets } from '../../../platform/account-secrets.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Files } from '../../../platform/files/files.ts'
import type { Reason, Reasons } from '../../../platform/http/reasons.ts'

const claim = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  { id: pg.uuid },
  `
  update files set expires_at = null
  where account_id = $account and id = any($ids::uuid[]) and expires_at > now() returning id`,
)

const LOST = 'The signed id is unknown, expired or already used. Upload the file again.'

/** Takes uploads for a record, so that no other can. Answers their ids; collects those that cannot be taken. */
export async function claimUploads(
  tx: AccountTx,
  files: Files,
  attribute: string,
  signedIds: readonly string[],
  reasons: Reasons,
): Promise<string[]> {
  if (signedIds.length === 0) return []
  const ids = await readIds(tx, files, signedIds)
  const known = [...new Set(ids.filter((id) => id !== null))]
  const claimed = new Set((await tx.all(claim, { ids: known })).map(({ id }) => id))
  const lost = ids.flatMap((id, at) => (id !== null && claimed.has(id) ? [] : [at]))
  reasons.add(...lost.map((at): Reason => [`${attribute}[${at}]`, LOST]))
  return known
}

/** A file without a local writer may belong to the cell from which the account was moved. */
async function readIds(tx: AccountTx, files: Files, signedIds: readonly string[]): Promise<(string | null)[]> {
  const ids = signedIds.map((signedId) => files.readId(tx.account, signedId))
  if (!ids.includes(null)) return ids
  const former = (await tx.all(readFormerSecrets, {})).map(({ secret }) => secret)
  return former.length > 0 ? signedIds.map((signedId) => files.readId(tx.account, signedId, former)) : ids
}
