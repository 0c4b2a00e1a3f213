import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Seal } from '../../../platform/seal.ts'
import type { CaptureOffice } from '../capture-context.ts'
import { listKeptCaptures } from '../captures.store.ts'
import { type Reread, rereadCapture } from './reread-capture.ts'

const AT_ONCE = 100
type Since = { readonly account: number; readonly since: string; readonly commit: boolean }
export type RereadCounts = { readonly captures: number; readonly changed: number; readonly failed: number }

/**
 * Reads every capture since a day again, each in its own transaction, and yields those that differ. Captures that
 * arrive meanwhile are parsed by the current parsers anyway.
 */
export async function rereadCaptures(
  db: Database,
  seal: Seal,
  { account, since, commit }: Since,
  officeIn: (tx: AccountTx) => Promise<CaptureOffice>,
  onChange: (reread: Reread) => void,
): Promise<RereadCounts> {
  const counts = { captures: 0, changed: 0, failed: 0 }
  let after: string | null = null
  for (;;) {
    const page: { id: string }[] = await db.inAccount(account, (tx) =>
      tx.all(listKeptCaptures, { since, after, limit: AT_ONCE }),
    )
    for (const { id } of page) {
      const reread = await db.inAccount(account, async (tx) => {
        const office = await officeIn(tx)
        const read = () => rereadCapture(tx, office, seal, id)
        return commit ? read() : tx.discard(read)
      })
      counts.captures += 1
      if (reread?.result === 'failed') counts.failed += 1
      if (reread?.result !== 'changed') continue
      counts.changed += 1
      onChange(reread)
    }
    after = page.at(-1)?.id ?? null
    if (page.length < AT_ONCE) break
  }
  await db.inAccount(account, async (tx) =>
    auditOwn(tx, {
      action: 'ticket_files.reread',
      subjectType: 'account',
      subjectId: String(account),
      details: { since, committed: commit, ...counts },
    }),
  )
  return counts
}
