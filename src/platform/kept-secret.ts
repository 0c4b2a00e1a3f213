import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Characters that a secret has at least. */
export const SECRET_MINIMUM = 32

/** The secret of a cell that keeps its own: made on the first start, whole or not at all. */
export function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'secret')
  mkdirSync(dataDir, { recursive: true })
  if (!existsSync(file)) {
    const made = `${file}.${process.pid}`
    writeFileSync(made, randomBytes(32).toString('base64url'), { mode: 0o600 })
    try {
      linkSync(made, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process was quicker
    } finally {
      rmSync(made, { force: true })
    }
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length >= SECRET_MINIMUM) return secret
  throw new Error(`${file} is too short to be the cell's secret. Put the one back that it was, or set SECRET.`)
}
