import { timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../seal.ts'

export const BACKUP = 'cell'

/** The secret that a cell keeps itself, or what tells whether one that is set is the same. */
export type CellSecret = { readonly kept: string } | { readonly fingerprint: string }

/** What a backup says of itself, first of all. */
export type Manifest = {
  readonly kind: typeof BACKUP
  readonly made_at: string
  /** Those that the database had: its version. */
  readonly migrations: readonly string[]
  /** Where the bytes of files are. */
  readonly files: 'here' | 'bucket'
  readonly secret: CellSecret
}

const fingerprintOf = (secret: string): string => deriveKey(secret, 'fingerprint').toString('hex')

/** A secret that is set is known to whoever set it, and no business of the backup's. */
export const secretThatIsSet = (secret: string): CellSecret => ({ fingerprint: fingerprintOf(secret) })

/** Whether what was sealed and signed with the one can be read with the other. */
export const isSameSecret = (of: CellSecret, secret: string): boolean =>
  timingSafeEqual(
    Buffer.from(fingerprintOf(secret)),
    Buffer.from('kept' in of ? fingerprintOf(of.kept) : of.fingerprint),
  )
