import { join } from 'node:path'
import { deriveKey } from '../seal.ts'
import { signedTextWith } from '../signed-text.ts'
import type { Bucket } from './bucket.ts'
import { bucketStore } from './bucket-store.ts'
import { diskStore } from './disk-store.ts'
import type { FileRef, FileStore } from './file-store.ts'

/** How long the address of a file is good for. */
const ADDRESS_LIFE_MS = 60 * 60_000
export const SIGNED_ID_MAXIMUM = 200

/** The files of a cell: where their bytes are, and what a client is told to name them by. */
export type Files = {
  readonly store: FileStore
  /** Names an upload to its own account. */
  signId(file: FileRef): string
  /** The id of an upload of this account; null for any other text. */
  readId(account: number, signedId: string): string | null
  /** Where to fetch a file without a key, for an hour. */
  addressOf(file: FileRef): string
  /** The file that the last part of such an address names; null where it expired or was never written here. */
  readAddress(token: string): FileRef | null
}

type Place = { readonly dataDir: string; readonly bucket: Bucket | null; readonly publicUrl: string }

/** Opens the storage: the bucket, where there is one, else a folder of the data directory. */
export function openFiles({ dataDir, bucket, publicUrl }: Place, secret: string, now: () => number): Files {
  const { write, read } = signedTextWith(deriveKey(secret, 'files'))
  const uploadOf = (account: number) => `upload ${account}`
  return {
    store: bucket ? bucketStore(bucket) : diskStore(join(dataDir, 'files')),
    signId: ({ account, id }) => write(uploadOf(account), [id]),
    readId: (account, signedId) => read(uploadOf(account), signedId)?.[0] ?? null,
    addressOf: ({ account, id }) =>
      `${publicUrl}/files/${write('address', [String(account), id, String(now() + ADDRESS_LIFE_MS)])}`,
    readAddress(token) {
      const [account, id, expires] = read('address', token) ?? []
      return id !== undefined && Number(expires) > now() ? { account: Number(account), id } : null
    },
  }
}
