import { deriveKey, type Seal, sealWith } from './seal.ts'
import { UserError } from './user-error.ts'

/** Wraps keys by SECRET, and opens what it or the SECRET before it wrapped. */
export type KeyWraps = Seal & {
  /** The seal of the SECRET with this fingerprint; undefined if it is neither of the two. */
  by(fingerprint: string): Seal | undefined
  /** Of the present SECRET. */
  readonly fingerprint: string
}

const FINGERPRINT_LETTERS = 16
const fingerprintOf = (secret: string): string =>
  deriveKey(secret, 'fingerprint of wrapped keys').toString('hex').slice(0, FINGERPRINT_LETTERS)
const wrapping = (secret: string): Seal => sealWith(deriveKey(secret, 'wrapped keys'))

export function keyWraps(secret: string, previous: string | null = null): KeyWraps {
  const own = wrapping(secret)
  const fingerprint = fingerprintOf(secret)
  const seals = new Map([[fingerprint, own]])
  if (previous !== null) seals.set(fingerprintOf(previous), wrapping(previous))
  function openBytes(wrapped: Buffer): Buffer {
    for (const seal of seals.values()) {
      try {
        return seal.openBytes(wrapped)
      } catch {} // wrapped by the other one
    }
    throw new UserError('wrong_secret', 'A key of the cell was wrapped by another SECRET.')
  }
  return {
    seal: own.seal,
    openBytes,
    open: (wrapped) => openBytes(wrapped).toString(),
    by: (of) => seals.get(of),
    fingerprint,
  }
}
