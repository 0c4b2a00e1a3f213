import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { diskFailure, type FileContent } from './file-store.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const PIECE_BYTES = 64 * 1024

/** A file while it is received, on disk to limit the memory used. Call `drop` in the end. */
export type Spool = FileContent & {
  write(chunk: Buffer): Promise<void>
  drop(): Promise<void>
}

/** Opens a file without a name, so that the system removes it however the request or the process ends. */
export async function openSpool(folder: string): Promise<Spool> {
  try {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
    const path = join(folder, randomUUID())
    const handle = await open(path, 'wx+', FILE_MODE)
    await rm(path)
    return spoolIn(handle)
  } catch (error) {
    throw diskFailure(error)
  }
}

function spoolIn(handle: Awaited<ReturnType<typeof open>>): Spool {
  const sum = createHash('sha256')
  let size = 0
  async function* pieces() {
    for (let at = 0; at < size; ) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, at)
      if (bytesRead === 0) throw new Error('A file that is being received was truncated')
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  }
  return {
    get size() {
      return size
    },
    get sha256() {
      return sum.copy().digest('hex')
    },
    async write(chunk) {
      sum.update(chunk)
      for (let at = 0; at < chunk.length; ) {
        const { bytesWritten } = await handle.write(chunk, at, chunk.length - at, size).catch((error: unknown) => {
          throw diskFailure(error)
        })
        at += bytesWritten
        size += bytesWritten
      }
    },
    stream: () => Readable.from(pieces(), { objectMode: false }),
    bytes: async () => Buffer.concat(await Array.fromAsync(pieces())),
    drop: () => handle.close(),
  }
}
