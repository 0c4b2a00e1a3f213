import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Kept = { readonly url: string; readonly pid: number }

/** Written by `serve`, so that commands on the same computer find the cell. */
const addressFile = (dataDir: string): string => join(dataDir, 'address.json')

/** Where the process that serves the folder listens. Answers how to take that back. */
export function keepAddress(dataDir: string, url: string): () => void {
  const file = addressFile(dataDir)
  try {
    writeFileSync(file, JSON.stringify({ url, pid: process.pid }), { mode: 0o600 })
  } catch {
    rmSync(file, { force: true }) // a cell starts without it as well
  }
  return () => rmSync(file, { force: true })
}

/** Null if no process serves the folder: a killed process leaves its file behind. */
export function findAddress(dataDir: string): string | null {
  const found = readAddress(addressFile(dataDir))
  return found && isAlive(found.pid) ? found.url : null
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // another user's
  }
}

/** Null for a file that is missing, cut off or unreadable. */
function readAddress(file: string): Kept | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept
  } catch {
    return null
  }
}
