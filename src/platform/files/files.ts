import { join } from 'node:path'
import type { AccountSecrets } from '../account-secrets.ts'
import { type FormerSecretsOf, readNamingAccount, signedTextWith } from '../signed-text.ts'
import type { Bucket } from './bucket.ts'
import { bucketStore } from './bucket-store.ts'
import { diskStore } from './disk-store.ts'
import type { FileRef, FileStore } from './file-store.ts'
import { openSpool, type Spool } from './spool.ts'

/** How long the address of a file is good for. */
const ADDRESS_LIFE_MS = 60 * 60_000
export const SIGNED_ID_MAXIMUM = 200

/** The files of a cell: their storage, and their signed ids. */
export type Files = {
  readonly store: FileStore
  /** The folder of incoming files. */
  spool(): Promise<Spool>
  /** Names an upload to its own account. */
  signId(file: FileRef): string
  /** The id of an upload of this account; null for any other text. */
  readId(account: number, signedId: string, former?: readonly Buffer[]): string | null
  /** Where to fetch a file without a key, for an hour. */
  addressOf(file: FileRef): string
  /** The file that the last part of such an address names; null where it expired or was never written here. */
  readAddress(token: string, formerOf: FormerSecretsOf): Promise<FileRef | null>
}

type Place = { readonly dataDir: string; readonly bucket: Bucket | null; readonly publicUrl: string }

/** The storage: the bucket, if configured, or a folder of the data directory. */
export const openStore = ({ dataDir, bucket }: Pick<Place, 'dataDir' | 'bucket'>): FileStore =>
  bucket ? bucketStore(bucket) : diskStore(join(dataDir, 'files'))

export function openFiles(place: Place, secrets: AccountSecrets, now: () => number): Files {
  const signed = signedTextWith(secrets, 'files')
  const uploadOf = (account: number) => `upload ${account}`
  return {
    store: openStore(place),
    spool: () => openSpool(join(place.dataDir, 'incoming')),
    signId: ({ account, id }) => signed.write(account, uploadOf(account), [id]),
    readId: (account, signedId, former) => signed.read(account, uploadOf(account), signedId, former)?.[0] ?? null,
    addressOf: ({ account, id }) =>
      `${place.publicUrl}/files/${signed.write(account, 'address', [String(account), id, String(now() + ADDRESS_LIFE_MS)])}`,
    async readAddress(token, formerOf) {
      const [account, id, expires] = (await readNamingAccount(signed, 'address', token, formerOf)) ?? []
      return id !== undefined && Number(expires) > now() ? { account: Number(account), id } : null
    },
  }
}
