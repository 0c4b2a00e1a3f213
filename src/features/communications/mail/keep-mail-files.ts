import { cleanFileName } from '../../../platform/files/file-name.ts'
import { contentOf } from '../../../platform/files/file-store.ts'
import type { Files } from '../../../platform/files/files.ts'
import { sniffType, trueName } from '../../../platform/files/sniff-type.ts'
import { FILE_MAXIMUM_BYTES } from '../../../platform/http/receive-file.ts'
import type { InTransaction } from '../../../platform/http/route.ts'
import { keepUpload } from '../../uploads/commands/keep-upload.ts'
import { ATTACHMENTS_MAXIMUM } from '../../uploads/reads/attachments.ts'
import type { MailFile } from './received-mail.ts'

/** A file that was left out, and why; `program` also stands for scripts and pages. */
export type LeftOut = { readonly filename: string; readonly reason: 'empty' | 'too_large' | 'too_many' | 'program' }
const NAMED = 50

/** Stores the files of a mail as uploads that the message claims. Returns their signed ids, and what was left out. */
export async function keepMailFiles(
  inTransaction: InTransaction,
  files: Files,
  given: readonly MailFile[],
): Promise<{ signedIds: string[]; leftOut: LeftOut[] }> {
  const signedIds: string[] = []
  const leftOut: LeftOut[] = []
  for (const file of given) {
    const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length)
    const name = await trueName(bytes, cleanFileName(file.name ?? ''))
    const reason = await reasonAgainst(bytes, name, signedIds.length)
    if (reason) leftOut.push({ filename: name, reason })
    else signedIds.push((await keepUpload(inTransaction, files, { name, content: contentOf(bytes) })).signed_id)
  }
  return { signedIds, leftOut: leftOut.slice(0, NAMED) }
}

async function reasonAgainst(bytes: Buffer, name: string, kept: number): Promise<LeftOut['reason'] | null> {
  if (bytes.length === 0) return 'empty'
  if (bytes.length > FILE_MAXIMUM_BYTES) return 'too_large'
  if (kept >= ATTACHMENTS_MAXIMUM) return 'too_many'
  return (await sniffType(bytes, name)) === null ? 'program' : null
}
