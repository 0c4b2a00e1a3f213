import { randomBytes, scryptSync } from 'node:crypto'
import { readArchive } from '../../../../platform/backup/archive.ts'
import { BadArchive } from '../../../../platform/backup/bad-archive.ts'
import { type Seal, sealWith } from '../../../../platform/seal.ts'
import { UserError } from '../../../../platform/user-error.ts'

const EXPORT = 'account'
export const PASSPHRASE_MINIMUM = 16
const KEY_BYTES = 32
const SALT_BYTES = 16
/** 128 MiB and half a second, so that a passphrase is not guessed by trying. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** The first part of an export, which describes it. */
export type AccountManifest = {
  readonly kind: typeof EXPORT
  readonly account: number
  readonly name: string
  readonly made_at: string
  readonly migrations: readonly string[]
  /** Salt of the passphrase. */
  readonly salt: string
  /** What signed for the account, here and before: sealed by the passphrase, as JSON. */
  readonly secrets: string
}
type ExportedAccount = Pick<AccountManifest, 'account' | 'name' | 'migrations'>

export const newSalt = (): string => randomBytes(SALT_BYTES).toString('base64')

/** Keys derived from the passphrase: one seals values between the cells, the other authenticates the file. */
type Transfer = { readonly seal: Seal; readonly key: Buffer }
export function transferOf(passphrase: string, salt: string): Transfer {
  const made = scryptSync(passphrase, Buffer.from(salt, 'base64'), 2 * KEY_BYTES, COST)
  return { seal: sealWith(made.subarray(0, KEY_BYTES)), key: made.subarray(KEY_BYTES) }
}

export const accountManifest = (
  exported: ExportedAccount,
  salt: string,
  seal: Seal,
  secrets: readonly string[],
): AccountManifest => ({
  kind: EXPORT,
  made_at: new Date().toISOString(),
  ...exported,
  salt,
  secrets: seal.seal(JSON.stringify(secrets)).toString('base64'),
})

export type Opened = Transfer & { readonly manifest: AccountManifest; readonly secrets: readonly string[] }

/** Opens an export by its passphrase, and reads the whole file once, before anything is changed. */
export async function openExport(path: string, passphrase: string): Promise<Opened> {
  const manifest = await readManifest(path)
  const transfer = transferOf(passphrase, manifest.salt)
  const secrets = openSecrets(manifest, transfer.seal)
  for await (const _ of readArchive(path, transfer.key));
  return { ...transfer, manifest, secrets }
}

/** The unverified head of the file; only the key can prove it. */
async function readManifest(path: string): Promise<AccountManifest> {
  for await (const { head } of readArchive(path)) {
    const manifest = head as unknown as AccountManifest
    if (manifest.kind === EXPORT) return manifest
    break
  }
  throw new BadArchive(`${path} is not an account export.`)
}

/** The secrets in the export. They can be read only with its passphrase. */
function openSecrets({ secrets }: AccountManifest, seal: Seal): string[] {
  try {
    return JSON.parse(seal.open(Buffer.from(secrets, 'base64')))
  } catch {
    throw new UserError('wrong_passphrase', 'The passphrase is wrong.')
  }
}
