import { randomBytes } from 'node:crypto'
import type { AccountSecrets } from '../../../platform/account-secrets.ts'
import type { KeyWraps } from '../../../platform/cell-key.ts'
import type { Database } from '../../../platform/db/database.ts'
import { addSigningKeys, listAccountsToSign, lockCellKey, retireSigningKeys } from '../../../platform/keys.store.ts'
import { UserError } from '../../../platform/user-error.ts'

const KEY_BYTES = 32

/**
 * Gives every account another signing key, because the present ones may be known to others. What they signed is
 * refused from then on, except links to unsubscribe, which only do what a customer may ask for anyway. So is what was
 * signed before accounts had random keys.
 */
export async function replaceSigningKeys(
  db: Database,
  wraps: KeyWraps,
  secrets: Pick<AccountSecrets, 'ofFirstVersion'>,
): Promise<{ replaced: number }> {
  return db.asSystem('the signing keys of all accounts are replaced', async (tx) => {
    const cell = await tx.one(lockCellKey, {})
    if (cell?.wrapped_by !== wraps.fingerprint)
      throw new UserError('not_allowed_now', 'The keys are not wrapped by this SECRET yet.')
    const accounts = (await tx.all(listAccountsToSign, {})).map(({ account }) => account)
    await tx.all(retireSigningKeys, {})
    await tx.all(addSigningKeys, {
      accounts,
      fresh: accounts.map(() => wraps.seal(randomBytes(KEY_BYTES))),
      first: accounts.map((account) => wraps.seal(Buffer.from(secrets.ofFirstVersion(account), 'hex'))),
    })
    return { replaced: accounts.length }
  })
}
