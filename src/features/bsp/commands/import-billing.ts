import { createHash } from 'node:crypto'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { Database } from '../../../platform/db/database.ts'
import { print } from '../../../platform/money.ts'
import { UserError } from '../../../platform/user-error.ts'
import { findDesk } from '../../accounts/reads/find-desk.ts'
import { findSameFile, insertBilling, insertLines, type KeptBilling, readKept } from '../billings.store.ts'
import type { CsvOptions } from '../formats/csv.ts'
import { readBilling } from '../read-billing.ts'

/** A file of an agency's billings in a period is a tenth of it. */
export const MOST_BYTES = 64 * 1024 * 1024

export type BillingFile = {
  /** The company that is billed; null for the default one. */
  readonly company: string | null
  readonly bytes: Uint8Array
  readonly filename: string
  readonly csv: CsvOptions
}
export type ImportedBilling = KeptBilling & {
  readonly status: 'imported' | 'unchanged'
  readonly warnings: readonly string[]
}
const FILENAME = 255

/** A billing file as it was read, to be kept. */
export type ReadBilling = ReturnType<typeof readBillingFile>

/** Reads a billing file. It takes its time, so no transaction waits for it. */
export function readBillingFile({ bytes, csv, ...file }: BillingFile) {
  if (bytes.length > MOST_BYTES)
    throw new UserError('file_too_large', `The file has more than ${MOST_BYTES / 1024 / 1024} MiB.`)
  const digest = createHash('sha256').update(bytes).digest()
  const filename = file.filename.slice(0, FILENAME).toWellFormed()
  return { ...readBilling(bytes, csv), company: file.company, digest, filename }
}

/** Reads and keeps a billing file. */
export const importBilling = async (db: Database, account: number, file: BillingFile): Promise<ImportedBilling> => {
  const read = readBillingFile(file)
  return db.inAccount(account, (tx) => keepBilling(tx, read))
}

/**
 * Keeps a billing as a whole, or not at all. The same bytes again change nothing, whatever the options. Returns what is
 * stored.
 */
export async function keepBilling(tx: AccountTx, read: ReadBilling): Promise<ImportedBilling> {
  const { company, format, lines, warnings, digest, filename } = read
  const desk = await findDesk(tx, company)
  const made = await tx.one(insertBilling, { company: desk.company, format, filename, digest })
  if (made) {
    await tx.all(insertLines, { billing: made.id, lines: JSON.stringify(lines, amountsAsText) })
    const details = { filename, format, documents: lines.length }
    auditOwn(tx, { action: 'bsp_billing.imported', subjectType: 'bsp_billing', subjectId: made.id, details })
  }
  const there = made ?? (await tx.one(findSameFile, { digest }))
  const kept = there && (await tx.one(readKept, there))
  if (!kept) throw new UserError('not_allowed_now', 'The billing was removed during the import. Import it again.')
  return { ...kept, status: made ? 'imported' : 'unchanged', warnings }
}

const amountsAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? print(value) : value)
