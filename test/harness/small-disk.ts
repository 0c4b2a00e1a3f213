import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, fsyncSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd } from './at-end.ts'
import { temporaryFolder } from './process.ts'

const PASSABLE = 0o711
const BLOCK_BYTES = 64 * 1024

/** A disk in memory of a few megabytes. */
export type SmallDisk = {
  readonly folder: string
  /** Fills the disk except for a number of bytes. */
  fill(leavingBytes?: number): void
  empty(): void
}

const mount = (folder: string, megabytes: number): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'backdesk-test', folder]).status === 0
const unmount = (folder: string): void => {
  spawnSync('umount', ['--lazy', folder])
  rmdirSync(folder)
}

/** Only root may mount one, and not in every container. */
export function mayMount(): boolean {
  const folder = temporaryFolder()
  const may = mount(folder, 1)
  if (may) unmount(folder)
  else rmdirSync(folder)
  return may
}

export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = temporaryFolder()
  chmodSync(folder, PASSABLE) // PostgreSQL runs as another user than root
  if (!mount(folder, megabytes)) throw new Error('The disk could not be mounted')
  atEnd(async () => unmount(folder))
  const filler = join(folder, 'filler')
  return {
    folder,
    fill(leavingBytes = 0) {
      const file = openSync(filler, 'a')
      try {
        for (;;) {
          const { bavail, bsize } = statfsSync(folder)
          const bytes = Math.min(bavail * bsize - leavingBytes, BLOCK_BYTES)
          if (bytes <= 0) break
          writeSync(file, Buffer.alloc(bytes))
        }
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(filler, { force: true }),
  }
}
