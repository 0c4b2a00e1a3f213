import { randomBytes, scryptSync } from 'node:crypto'
import { readArchive } from '../../../../platform/backup/archive.ts'
import { BadArchive } from '../../../../platform/backup/bad-archive.ts'
import { type Seal, sealWith } from '../../../../platform/seal.ts'

const EXPORT = 'account'
export const PASSPHRASE_MINIMUM = 16
const KEY_BYTES = 32
const SALT_BYTES = 16
/** 128 MiB and half a second, so that a passphrase is not guessed by trying. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** What an export says of itself, first of all. */
export type AccountManifest = {
  readonly kind: typeof EXPORT
  readonly account: number
  readonly name: string
  readonly made_at: string
  readonly migrations: readonly string[]
  /** Of the passphrase, under which everything is sealed that cells seal. */
  readonly salt: string
  /** What signed for the account, here and before: sealed, as JSON. */
  readonly secrets: string
}
type Said = Pick<AccountManifest, 'account' | 'name' | 'migrations'>

export const newSalt = (): string => randomBytes(SALT_BYTES).toString('base64')
/** Seals what is on its way from one cell to another. */
export const transferSeal = (passphrase: string, salt: string): Seal =>
  sealWith(scryptSync(passphrase, Buffer.from(salt, 'base64'), KEY_BYTES, COST))

export const accountManifest = (said: Said, salt: string, seal: Seal, secrets: readonly string[]): AccountManifest => ({
  kind: EXPORT,
  made_at: new Date().toISOString(),
  ...said,
  salt,
  secrets: seal.seal(JSON.stringify(secrets)).toString('base64'),
})

/** Reads the whole file once, and what it says of itself, before anything is changed. */
export async function readAccountManifest(path: string): Promise<AccountManifest> {
  let manifest: AccountManifest | null = null
  for await (const { head } of readArchive(path)) manifest ??= head as unknown as AccountManifest
  if (manifest?.kind === EXPORT) return manifest
  throw new BadArchive(`${path} is no export of an account.`)
}

/** The secrets that the account brings; whoever has another passphrase has none of it. */
export function openSecrets({ secrets }: AccountManifest, seal: Seal): string[] {
  try {
    return JSON.parse(seal.open(Buffer.from(secrets, 'base64')))
  } catch {
    throw new Error('This is not the passphrase of the export. Set EXPORT_PASSPHRASE to the one that it was made with.')
  }
}
