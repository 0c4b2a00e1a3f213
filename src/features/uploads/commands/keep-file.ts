import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { contentOf } from '../../../platform/files/file-store.ts'
import type { Files } from '../../../platform/files/files.ts'
import type { InTransaction } from '../../../platform/http/route.ts'

const insert = statement(
  { account: pg.integer, name: pg.text, type: pg.text, size: pg.integer, days: pg.float },
  { id: pg.uuid },
  `
  insert into files (account_id, filename, content_type, byte_size, expires_at)
  values ($account, $name, $type, $size, now() + $days * interval '1 day') returning id`,
)

/** A file that the program has made. */
export type KeptFile = { readonly id: string; readonly name: string; readonly type: string }

/** Keeps a file that the program made itself for some days, and then it is swept away. */
export async function keepFile(
  inTransaction: InTransaction,
  { store }: Pick<Files, 'store'>,
  { name, type, bytes }: Omit<KeptFile, 'id'> & { readonly bytes: Buffer },
  days: number,
): Promise<KeptFile> {
  const file = await inTransaction(async (tx) => {
    const row = await tx.one(insert, { name, type, size: bytes.length, days })
    return { account: tx.account, id: (row as { id: string }).id }
  })
  await store.put(file, contentOf(bytes))
  return { id: file.id, name, type }
}
