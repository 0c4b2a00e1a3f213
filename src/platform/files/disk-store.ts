import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { diskFailure, type FileRef, type FileStore, placeOf, StorageAway } from './file-store.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Files in a folder. Each has its name only when it is whole. */
export function diskStore(folder: string): FileStore {
  const pathOf = (file: FileRef) => join(folder, placeOf(file))
  const unfinished = (path: string) => `${path}.part`
  return {
    async put(file, content) {
      const path = pathOf(file)
      try {
        await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
        await writeFile(unfinished(path), content.stream(), { mode: FILE_MODE, flush: true })
        await rename(unfinished(path), path)
      } catch (thrown) {
        const error = diskFailure(thrown)
        if (error instanceof StorageAway) await rm(unfinished(path), { force: true }).catch(() => {}) // else by the sweep
        throw error
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
