import type { Readable } from 'node:stream'
import { auditOwn } from '../../../../platform/audit.ts'
import type { Database } from '../../../../platform/db/database.ts'
import type { FileStore } from '../../../../platform/files/file-store.ts'
import { RecordNotFound } from '../../../../platform/user-error.ts'
import { archivePerson } from '../archive-person.ts'
import { findPerson } from '../person.store.ts'

/** Everything that is stored of a customer, also of a deleted one. The audit row is written before the first byte. */
export async function exportPerson(
  db: Pick<Database, 'inAccount' | 'reader'>,
  store: FileStore,
  account: number,
  customer: string,
): Promise<Readable> {
  await db.inAccount(account, async (tx) => {
    if (!(await tx.one(findPerson, { id: customer })))
      throw new RecordNotFound('record', 'No customer with this id exists in this account.')
    auditOwn(tx, { action: 'customer.exported', subjectType: 'customer', subjectId: customer })
  })
  return archivePerson({ reader: db.reader(account), customer }, store)
}
