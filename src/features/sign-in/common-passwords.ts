import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, '../../../reference/common-passwords.txt')
/** Rows of keys, the alphabet and the digits, there and back. */
const ROWS = ['abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm', '1234567890'].flatMap((row) => [
  row.repeat(2),
  [...row].reverse().join('').repeat(2),
])
/** Signs that stand for letters. */
const LEET = { 0: 'o', 3: 'e', 4: 'a', 5: 's', 6: 'g', 7: 't', 8: 'b', 9: 'g', '@': 'a', $: 's', '€': 'e', '+': 't' }
/** These stand for either letter. */
const EITHER = /[1!|]/g

let words: Promise<ReadonlySet<string>> | undefined
/** The list is read when the first password is chosen. A read that failed is tried again. */
function commonWords(): Promise<ReadonlySet<string>> {
  words ??= readFile(FILE, 'utf8').then(
    (text) => new Set(text.trim().split('\n').map(once)),
    (error) => {
      words = undefined
      throw error
    },
  )
  return words
}

/** Small letters without marks. */
export const plain = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i')
/** Each run of a sign is one sign. */
const once = (text: string) => text.replaceAll(/(.)\1+/gu, '$1')
const withoutEnds = (text: string) => text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
/** The readings of a text whose letters may be written with other signs. */
function readings(text: string): string[] {
  const read = text.replaceAll(/[03456789@$€+]/g, (sign) => LEET[sign as keyof typeof LEET])
  return [text, read.replaceAll(EITHER, 'i'), read.replaceAll(EITHER, 'l')]
}

/** The shortest beginnings that a text repeats, of which the last time may be cut off; the last one is the text itself. */
const repeated = (text: string): string[] =>
  Array.from({ length: text.length }, (_, at) => text.slice(0, at + 1)).filter((unit) =>
    unit.repeat(Math.ceil(text.length / unit.length)).startsWith(text),
  )

/**
 * Whether a plain text is a common password, whatever digits and signs are around it, however often it is repeated, and
 * whatever signs its letters are written with. Nothing but a row of keys is common as well.
 */
export async function isCommon(text: string): Promise<boolean> {
  const known = await commonWords()
  const units = [text, withoutEnds(text)].flatMap(repeated)
  return units
    .flatMap((unit) => [unit, withoutEnds(unit)])
    .flatMap(readings)
    .flatMap((reading) => [reading, withoutEnds(reading)])
    .map(once)
    .some((reading) => known.has(reading) || (reading.length > 3 && ROWS.some((row) => row.includes(reading))))
}
