import { type Chance, pick } from '../harness/chance.ts'

/** Characters with a meaning in some format. */
const CHARACTERS = ' 09AM;/\\*-<"\r\n\f\0\xff'
const MOST_CHANGES = 4

/** Changes of the bytes of a file; `other` is another file of any format. */
const BYTE_MUTATIONS: Readonly<Record<string, (bytes: Buffer, any: Chance, other: Buffer) => Buffer>> = {
  'a flipped bit': (bytes, any) => {
    const changed = Buffer.from(bytes)
    const at = any(bytes.length)
    changed[at] = (changed[at] ?? 0) ^ (1 << any(8))
    return changed
  },
  'overwritten bytes': (bytes, any) => {
    const changed = Buffer.from(bytes)
    const at = any(bytes.length)
    changed.fill(CHARACTERS.charCodeAt(any(CHARACTERS.length)), at, Math.min(bytes.length, at + 3))
    return changed
  },
  'removed bytes': (bytes, any) => {
    const at = any(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + any(40))])
  },
  'repeated bytes': (bytes, any) => {
    const at = any(bytes.length)
    const end = at + 1 + any(200)
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)])
  },
  'inserted bytes': (bytes, any) => {
    const at = any(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([any(256), any(256)]), bytes.subarray(at)])
  },
  'a file cut off': (bytes, any) => bytes.subarray(0, any(bytes.length)),
  'the end of another file': (bytes, any, other) =>
    Buffer.concat([bytes.subarray(0, any(bytes.length)), other.subarray(any(other.length))]),
}

/** Several changes of bytes, one after the other. */
export function mutatedBytes(bytes: Buffer, any: Chance, other: Buffer): Buffer {
  let changed = bytes
  for (let left = 1 + any(MOST_CHANGES); left > 0; left -= 1) {
    const mutation = pick(any, Object.values(BYTE_MUTATIONS))
    if (changed.length > 0) changed = mutation(changed, any, other.length > 0 ? other : bytes)
  }
  return changed
}

/** The lines of a file with their ends; for XML, its tags with the text behind each. */
const unitsOf = (text: string): readonly string[] =>
  text.trimStart().startsWith('<') ? text.split(/(?=<)/) : text.split(/(?<=\r\n|\r(?!\n)|\n)/)

const replaced = (units: readonly string[], at: number, ...by: readonly string[]): string =>
  [...units.slice(0, at), ...by, ...units.slice(at + 1)].join('')
/** The index of an XML element's end tag; otherwise the index itself. */
function endOf(units: readonly string[], at: number): number {
  const name = /^<([\w.:-]+)/.exec(units[at] ?? '')?.[1]
  if (name === undefined || /^<[^>]*\/>/.test(units[at] ?? '')) return at
  const closing = units.findIndex((unit, place) => place > at && unit.startsWith(`</${name}>`))
  return closing < 0 ? at : closing
}

/** Changes of one line or element of a file. */
const UNIT_MUTATIONS: Readonly<Record<string, (units: readonly string[], at: number, other: number) => string>> = {
  removed: (units, at) => [...units.slice(0, at), ...units.slice(endOf(units, at) + 1)].join(''),
  repeated: (units, at) => {
    const end = endOf(units, at) + 1
    return [...units.slice(0, end), ...units.slice(at, end), ...units.slice(end)].join('')
  },
  'swapped with another': (units, at, other) =>
    units.map((unit, place) => (place === at ? units[other] : place === other ? units[at] : unit)).join(''),
  'cut in half': (units, at) => replaced(units, at, (units[at] ?? '').slice(0, (units[at] ?? '').length / 2)),
  'without its blanks': (units, at) => replaced(units, at, (units[at] ?? '').replaceAll(/ +/g, ' ')),
}

export type UnitMutant = { readonly name: string; readonly text: string }

/** Changes of every line or element of a file, in random order; at most `most`. */
export function unitMutants(text: string, any: Chance, most: number): readonly UnitMutant[] {
  const units = unitsOf(text)
  const names = Object.keys(UNIT_MUTATIONS)
  const all = units.length * names.length
  const step = Math.max(1, Math.floor(all / most))
  return Array.from({ length: Math.min(all, most) }, (_, nth) => {
    const place = (nth * step + any(step)) % all
    const [at, name] = [Math.floor(place / names.length), names[place % names.length] ?? '']
    const mutation = UNIT_MUTATIONS[name]
    return { name: `unit ${at} ${name}`, text: mutation?.(units, at, any(units.length)) ?? text }
  })
}
