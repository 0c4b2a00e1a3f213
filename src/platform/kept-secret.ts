import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from './user-error.ts'

/** Characters that a secret has at least. */
export const SECRET_MINIMUM = 32

/** The secret of a cell that generates its own: created atomically on the first start. */
export function keptSecret(dataDir: string): string {
  if (!existsSync(fileOf(dataDir))) keepSecret(dataDir, randomBytes(32).toString('base64url'))
  const secret = readFileSync(fileOf(dataDir), 'utf8').trim()
  if (secret.length >= SECRET_MINIMUM) return secret
  throw new UserError(
    'invalid_configuration',
    `${fileOf(dataDir)} is too short to be the cell's secret. Restore the original file, or set SECRET.`,
  )
}

/** The stored secret; null if there is none yet. */
export const findKeptSecret = (dataDir: string): string | null =>
  existsSync(fileOf(dataDir)) ? keptSecret(dataDir) : null

/** Stores a secret if there is none. */
export function keepSecret(dataDir: string, secret: string): void {
  const file = fileOf(dataDir)
  const made = `${file}.${process.pid}`
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(made, secret, { mode: 0o600 })
  try {
    linkSync(made, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process was quicker
  } finally {
    rmSync(made, { force: true })
  }
}

const fileOf = (dataDir: string): string => join(dataDir, 'secret')
