import { hash } from 'node:crypto'
import { Readable } from 'node:stream'

/** Which file: its account's number and its id. */
export type FileRef = { readonly account: number; readonly id: string }

/** The bytes of a file, wherever they are until they are stored. */
export type FileContent = {
  /** In bytes. */
  readonly size: number
  /** In hexadecimal. */
  readonly sha256: string
  /** All of them, from the beginning each time. */
  stream(): Readable
  bytes(): Promise<Buffer>
}
/** Bytes that are in memory anyway. */
export const contentOf = (bytes: Buffer): FileContent => ({
  size: bytes.length,
  sha256: hash('sha256', bytes),
  stream: () => Readable.from([bytes]),
  bytes: async () => bytes,
})

/** The storage of file contents. A file is written once, as a whole, and never changed. */
export type FileStore = {
  put(file: FileRef, content: FileContent): Promise<void>
  /** Null if there is none. */
  read(file: FileRef): Promise<Readable | null>
  /** Also of a file that is half there, or not at all. */
  remove(file: FileRef): Promise<void>
}

/** The storage does not respond, or not as expected. */
export class StorageAway extends Error {}

/** The disk is full, or cannot be written to: once that is mended, the same request succeeds. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])
/** What a write to the disk threw; a full disk is a storage that is away. */
export const diskFailure = (error: unknown): unknown =>
  NO_ROOM.has(String((error as NodeJS.ErrnoException).code))
    ? new StorageAway('The disk is full', { cause: error })
    : error

/** The path of a file in its store: the last digits of an id are random, so they spread files evenly over folders. */
export const placeOf = ({ account, id }: FileRef): string => `${account}/${id.slice(-2)}/${id}`
