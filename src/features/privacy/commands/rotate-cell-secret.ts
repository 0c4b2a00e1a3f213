import type { KeyWraps } from '../../../platform/cell-key.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import { lockCellKey, readKeys, wrapCellKey, wrapKeys } from '../../../platform/keys.store.ts'
import { UserError } from '../../../platform/user-error.ts'

/** Keys that are read and wrapped at once. */
const KEYS_AT_ONCE = 5_000

/**
 * Wraps the keys of the cell and of all accounts by the present SECRET, in one transaction. The keys stay the same, so
 * everything that they signed or sealed stays good.
 */
export async function rotateCellSecret(db: Database, wraps: KeyWraps): Promise<{ wrapped: number }> {
  return db.asSystem('all keys are wrapped by another SECRET', async (tx) => {
    const cell = await tx.one(lockCellKey, {})
    if (!cell) throw new UserError('not_allowed_now', 'The cell has no key yet. Start it once.')
    if (cell.wrapped_by === wraps.fingerprint) return { wrapped: 0 }
    await tx.all(wrapCellKey, { wrapped: wraps.seal(wraps.openBytes(cell.wrapped)), by: wraps.fingerprint })
    return { wrapped: 1 + (await wrapAccountKeys(tx, wraps)) }
  })
}

async function wrapAccountKeys(tx: SystemTx, wraps: KeyWraps): Promise<number> {
  let [account, id] = [0, '00000000-0000-0000-0000-000000000000']
  for (let wrapped = 0; ; ) {
    const keys = await tx.all(readKeys, { account, id, most: KEYS_AT_ONCE })
    const last = keys.at(-1)
    if (!last) return wrapped
    await tx.all(wrapKeys, {
      accounts: keys.map((key) => key.account),
      ids: keys.map((key) => key.id),
      wrapped: keys.map((key) => wraps.seal(wraps.openBytes(key.wrapped))),
    })
    wrapped += keys.length
    ;({ account, id } = last)
  }
}
