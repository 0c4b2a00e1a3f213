import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type FileRef, type FileStore, placeOf, StorageAway } from './file-store.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
/** The disk is full, or cannot be written to: once somebody has seen to it, the same is done. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

/** Files in a folder. Each has its name only when it is whole. */
export function diskStore(folder: string): FileStore {
  const pathOf = (file: FileRef) => join(folder, placeOf(file))
  const unfinished = (path: string) => `${path}.part`
  return {
    async put(file, bytes) {
      const path = pathOf(file)
      try {
        await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
        await writeFile(unfinished(path), bytes, { mode: FILE_MODE, flush: true })
        await rename(unfinished(path), path)
      } catch (error) {
        if (!NO_ROOM.has(String((error as NodeJS.ErrnoException).code))) throw error
        await rm(unfinished(path), { force: true }).catch(() => {}) // else by the sweep
        throw new StorageAway('The disk takes no more', { cause: error })
      }
    },
    async read(file) {
      try {
        return (await open(pathOf(file))).createReadStream()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    async remove(file) {
      const path = pathOf(file)
      await rm(unfinished(path), { force: true })
      await rm(path, { force: true })
    },
  }
}
