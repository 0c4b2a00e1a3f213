import { isDeepStrictEqual } from 'node:util'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { Files } from '../../../platform/files/files.ts'
import { releaseFiles } from '../../uploads/commands/release-files.ts'
import { type AccountRow, lockAccount, writeAccount } from '../account-row.store.ts'
import { noSuchAccount } from '../reads/require-account.ts'
import { type AccountChange, readAccountChange } from './read-account-change.ts'
import { type LogoUpload, takeLogo } from './read-logo-upload.ts'

type Options = {
  readonly check?: (stored: AccountRow) => Promise<void>
  /** A new logo with the files of the cell; null for none. */
  readonly logo?: { readonly files: Files; readonly upload: LogoUpload | null } | undefined
}

/** Updates the given attributes of the account. `check` looks at the stored ones first. */
export async function updateAccount(
  tx: AccountTx,
  change: AccountChange,
  { check, logo }: Options = {},
): Promise<void> {
  const stored = await tx.one(lockAccount, {})
  if (!stored) throw noSuchAccount(tx.account)
  await check?.(stored)
  const changed: AccountRow = { ...stored, ...(await readAccountChange(tx, change)) }
  // A logo of the command line replaces an uploaded one.
  if (change.logo !== undefined) changed.logo_file_id = null
  if (logo) {
    changed.logo_file_id = await takeLogo(tx, logo.files, logo.upload, stored.logo_file_id)
    changed.logo = logo.upload?.dataUrl ?? null
  } else if (stored.logo_file_id !== null && changed.logo_file_id === null) releaseFiles(tx, [stored.logo_file_id])
  if (isDeepStrictEqual(stored, changed)) return
  const { uuid, version: _, ...row } = changed
  tx.later(writeAccount, row)
  auditOwn(tx, {
    action: changed.plan === stored.plan ? 'account.updated' : 'account.plan_changed',
    subjectType: 'account',
    subjectId: uuid,
    before: noted(stored),
    after: noted(changed),
  })
}

/** Without the bytes of the logo. */
const noted = ({ logo, ...row }: AccountRow) => ({
  ...row,
  logo: logo && `${logo.slice('data:'.length, logo.indexOf(';'))}, ${logo.length} characters`,
})
