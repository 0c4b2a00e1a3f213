import { cleanFileName } from '../../../platform/files/file-name.ts'
import type { Files } from '../../../platform/files/files.ts'
import { contradictsName, sniffType } from '../../../platform/files/sniff-type.ts'
import { noFile, type ReceivedFile } from '../../../platform/http/receive-file.ts'
import type { InTransaction } from '../../../platform/http/route.ts'
import { insertFile } from '../uploads.store.ts'

/** What a client is told of its upload. */
export type Upload = { signed_id: string; filename: string; content_type: string; byte_size: number }

/**
 * Keeps a file until something takes it, for a day at most. Its row is committed before the bytes are stored, and no
 * transaction waits for the storage; where that fails, the row expires.
 */
export async function keepUpload(
  inTransaction: InTransaction,
  files: Files,
  given: Pick<ReceivedFile, 'name' | 'bytes'>,
): Promise<Upload> {
  const byte_size = given.bytes.length
  if (byte_size === 0) throw noFile('is empty')
  const filename = cleanFileName(given.name)
  const content_type = await sniffType(given.bytes, filename)
  if (content_type === null)
    throw noFile('is a script, a program or a web page, which are not kept; send a document or a picture')
  if (await contradictsName(given.bytes, filename))
    throw noFile('is not what its name says; send it with the ending of its own type')
  const file = await inTransaction(async (tx) => {
    const row = await tx.one(insertFile, { filename, content_type, byte_size })
    return { account: tx.account, id: (row as { id: string }).id }
  })
  await files.store.put(file, given.bytes)
  return { signed_id: files.signId(file), filename, content_type, byte_size }
}
