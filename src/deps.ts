import type { Config } from './config.ts'
import type { KeyRing } from './platform/access/key-ring.ts'
import type { Database } from './platform/db/database.ts'
import type { Files } from './platform/files/files.ts'
import type { Cursors } from './platform/http/cursors.ts'
import type { Counter } from './platform/http/rate-limit.ts'
import type { Seal } from './platform/seal.ts'

/** What the program stands on: built once in `cell.ts`, or by a test. */
export type Deps = {
  readonly config: Config
  readonly db: Database
  readonly keys: KeyRing
  readonly count: Counter
  readonly cursors: Cursors
  readonly seal: Seal
  readonly files: Files
  /** Milliseconds since the epoch. */
  now(): number
  readonly log: Log
}

/** The part of a pino logger that is used. */
export type Log = {
  level: string
  info(fields: object, message?: string): void
  warn(fields: object, message?: string): void
  error(fields: object, message?: string): void
}
