import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { deriveKey } from './seal.ts'

/** A sealed value stands in a text between these, in letters that neither JSON nor PostgreSQL escapes. */
const MARK = '~sealed~'
const END = '~'
const SEALED = new RegExp(`${MARK}([\\w-]+)${END}`, 'g')
const IV_BYTES = 12
const TAG_BYTES = 16

/** Seals single values within the texts and the JSON of an account. */
export type ValueSeal = {
  /** The same text with every value of these keys sealed. `json` is as `JSON.stringify` prints it. */
  sealIn(json: string): string
  /** The same text or JSON with everything opened that this account sealed. */
  openIn(text: string): string
  seal(value: string): string
}

/**
 * A value always seals to the same text: its nonce is a keyed hash of it. So equal values are found by comparing what is
 * stored, while only the account's key can tell which value it is. `keys` are the names of what is sealed;
 * `a.b` is the first key of an object `a`.
 */
export function valueSeal(secret: Buffer, keys: readonly string[]): ValueSeal {
  const text = secret.toString('hex')
  const sealing = deriveKey(text, 'values')
  const hashing = deriveKey(text, 'hashes of values')
  const starts = keys.map((key) => `"${key.replace('.', '":\\{"')}":"`)
  const named = new RegExp(`(${starts.join('|')})((?:[^"\\\\]|\\\\.)+)"`, 'g')

  function seal(value: string): string {
    const iv = createHmac('sha256', hashing).update(value).digest().subarray(0, IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', sealing, iv)
    const sealed = Buffer.concat([iv, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${MARK}${sealed.toString('base64url')}${END}`
  }
  function open(stored: string): string | null {
    const bytes = Buffer.from(stored, 'base64url')
    if (bytes.length <= IV_BYTES + TAG_BYTES) return null
    try {
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, IV_BYTES))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString()
    } catch {
      return null // a text of somebody that looks like a sealed one, or another account's
    }
  }
  return {
    seal,
    sealIn: (json) =>
      json.replace(named, (clear, start: string, printed: string) => {
        const value = JSON.parse(`"${printed}"`) as string
        return value.isWellFormed() ? `${start}${seal(value)}"` : clear // UTF-8 would make it another text
      }),
    openIn: (text) =>
      text.replace(SEALED, (stored, value: string, at: number) => {
        const opened = open(value)
        if (opened === null) return stored
        return text[at - 1] === '"' ? JSON.stringify(opened).slice(1, -1) : opened
      }),
  }
}

export const mayHoldSealed = (text: string): boolean => text.includes(MARK)
