import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

/** A separate key for each use, derived from the cell's secret (HKDF, RFC 5869). */
export const deriveKey = (secret: string, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'backdesk', use, 32))

export type Seal = {
  seal(content: string | Uint8Array): Buffer
  open(sealed: Buffer): string
  openBytes(sealed: Buffer): Buffer
}

/** Encryption at rest: AES-256-GCM, the nonce in front and the tag behind. */
export function sealWith(key: Buffer): Seal {
  function openBytes(sealed: Buffer): Buffer {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES))
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  }
  return {
    seal(content) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      return Buffer.concat([iv, cipher.update(Buffer.from(content)), cipher.final(), cipher.getAuthTag()])
    },
    open: (sealed) => openBytes(sealed).toString(),
    openBytes,
  }
}
