import { turns } from '../../../platform/db/turns.ts'
import { cleanFileName } from '../../../platform/files/file-name.ts'
import type { FileContent } from '../../../platform/files/file-store.ts'
import type { Files } from '../../../platform/files/files.ts'
import { contradictsName, sniffType } from '../../../platform/files/sniff-type.ts'
import { noFile } from '../../../platform/http/receive-file.ts'
import type { InTransaction } from '../../../platform/http/route.ts'
import { insertFile } from '../uploads.store.ts'

/** The API response for an upload. */
export type Upload = { signed_id: string; filename: string; content_type: string; byte_size: number }

/** Only one file is in memory at a time, however many are received: some types are detected only at the end. */
const looking = turns(1)
const ANY = 0

/**
 * Keeps a file until something takes it, for a day at most. Its row is committed before the bytes are stored, and no
 * transaction waits for the storage; where that fails, the row expires.
 */
export async function keepUpload(
  inTransaction: InTransaction,
  files: Files,
  { name, content }: { readonly name: string; readonly content: FileContent },
): Promise<Upload> {
  const byte_size = content.size
  if (byte_size === 0) throw noFile('The file is empty. Send a file with content.')
  const filename = cleanFileName(name)
  const content_type = await looking.take(ANY, () => typeOf(content, filename))
  const file = await inTransaction(async (tx) => {
    const row = await tx.one(insertFile, { filename, content_type, byte_size })
    return { account: tx.account, id: (row as { id: string }).id }
  })
  await files.store.put(file, content)
  return { signed_id: files.signId(file), filename, content_type, byte_size }
}

/** The type detected from the bytes; refuses unsupported ones. */
async function typeOf(content: FileContent, filename: string): Promise<string> {
  const bytes = await content.bytes()
  const type = await sniffType(bytes, filename)
  if (type === null) throw noFile('Scripts, programs and web pages are not accepted. Send a document or a picture.')
  if (await contradictsName(bytes, filename))
    throw noFile('The content does not match the file name. Send the file with the extension of its type.')
  return type
}
