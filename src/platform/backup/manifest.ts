import { timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../seal.ts'

export const BACKUP = 'cell'

/** The secret that a cell generated, or a fingerprint that tells whether a configured one is the same. */
export type CellSecret = { readonly kept: string } | { readonly fingerprint: string }

/** The first part of a backup, which describes it. */
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

/** A configured secret is not part of the backup; its owner knows it. */
export const secretThatIsSet = (secret: string): CellSecret => ({ fingerprint: fingerprintOf(secret) })

/** Whether values sealed and signed with one secret can be read with the other. */
export const isSameSecret = (of: CellSecret, secret: string): boolean =>
  timingSafeEqual(
    Buffer.from(fingerprintOf(secret)),
    Buffer.from('kept' in of ? fingerprintOf(of.kept) : of.fingerprint),
  )
