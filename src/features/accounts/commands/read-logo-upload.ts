import { imageSize } from 'image-size'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Files } from '../../../platform/files/files.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import type { InTransaction } from '../../../platform/http/route.ts'
import { refuseValues } from '../../../platform/invalid-values.ts'
import { claimUploads } from '../../uploads/commands/claim-uploads.ts'
import { releaseFiles } from '../../uploads/commands/release-files.ts'
import { LOGO_MAXIMUM_BYTES, LOGO_TYPES } from './read-look.ts'

const [LEAST_PIXELS, MOST_PIXELS] = [16, 2_000]

/** An uploaded logo, read and checked before the transaction of the write. */
export type LogoUpload = { readonly signedId: string; readonly dataUrl: string }

const find = statement(
  { account: pg.integer, id: pg.uuid },
  { content_type: pg.text, byte_size: pg.integer },
  'select content_type, byte_size from files where account_id = $account and id = $id and expires_at > now()',
)

/** Reads an upload as a logo, or refuses it. */
async function readLogoUpload(
  inTransaction: InTransaction,
  files: Files,
  account: number,
  signedId: string,
): Promise<LogoUpload> {
  const id = files.readId(account, signedId)
  const found = id === null ? undefined : await inTransaction((tx) => tx.one(find, { id }))
  const bytes =
    found && found.byte_size <= LOGO_MAXIMUM_BYTES ? await bytesOf(files, { account, id: id as string }) : null
  refuseValues([
    !found && ['logo', 'The signed id is unknown, expired or already used. Upload the file again.'],
    found &&
      !LOGO_TYPES.includes(found.content_type) && [
        'logo',
        'The logo is not in a supported format. Use a PNG, JPEG or WebP file.',
      ],
    found &&
      found.byte_size > LOGO_MAXIMUM_BYTES && [
        'logo',
        `The logo has ${found.byte_size} bytes. The limit is ${LOGO_MAXIMUM_BYTES}. Use a smaller picture.`,
      ],
  ])
  const { content_type } = found as NonNullable<typeof found>
  refuseSize(bytes)
  return { signedId, dataUrl: `data:${content_type};base64,${(bytes as Buffer).toString('base64')}` }
}

async function bytesOf(files: Files, file: { account: number; id: string }): Promise<Buffer | null> {
  const stream = await files.store.read(file)
  return stream && Buffer.concat(await stream.toArray())
}

function refuseSize(bytes: Buffer | null): void {
  const size = bytes && sizeOf(bytes)
  const isFit = (pixels: number) => pixels >= LEAST_PIXELS && pixels <= MOST_PIXELS
  refuseValues([
    !size && ['logo', 'The picture is damaged. Save it again and upload the new file.'],
    size &&
      !(isFit(size.width) && isFit(size.height)) && [
        'logo',
        `The picture has ${size.width} × ${size.height} pixels. Use ${LEAST_PIXELS} to ${MOST_PIXELS} pixels on each side.`,
      ],
  ])
}

function sizeOf(bytes: Buffer): { width: number; height: number } | null {
  try {
    return imageSize(bytes)
  } catch {
    return null
  }
}

/** Takes an upload for a logo and leaves the former file to be swept away. Returns its id; null for no logo. */
export async function takeLogo(
  tx: AccountTx,
  files: Files,
  upload: LogoUpload | null,
  former: string | null,
): Promise<string | null> {
  const reasons = new Reasons()
  const [id = null] = upload ? await claimUploads(tx, files, 'logo', [upload.signedId], reasons) : []
  reasons.refuse()
  if (former !== null) releaseFiles(tx, [former])
  return id
}

/** The new logo of a write: null for none, undefined where it stays. */
export const logoOf = async (
  inTransaction: InTransaction,
  files: Files,
  account: number,
  given: string | null | undefined,
): Promise<LogoUpload | null | undefined> =>
  typeof given === 'string' ? readLogoUpload(inTransaction, files, account, given) : given
