import type { Readable } from 'node:stream'

/** Which file: its account's number and its id. */
export type FileRef = { readonly account: number; readonly id: string }

/** Where the bytes of files lie. A file is written once, whole, and never changed. */
export type FileStore = {
  put(file: FileRef, bytes: Buffer): Promise<void>
  /** Null where there is none. */
  read(file: FileRef): Promise<Readable | null>
  /** Also of a file that is half there, or not at all. */
  remove(file: FileRef): Promise<void>
}

/** The storage does not answer, or not as it should. */
export class StorageAway extends Error {}

/** Where a file lies in its store: the last digits of an id are random, so they spread files evenly over folders. */
export const placeOf = ({ account, id }: FileRef): string => `${account}/${id.slice(-2)}/${id}`
