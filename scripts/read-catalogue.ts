import { readFileSync } from 'node:fs'

const COUNT_AT = 8
const ENTRY_BYTES = 8

/** The messages of a compiled gettext catalogue (little-endian `.mo`). */
export function readCatalogue(path: string): Map<string, string> {
  const file = readFileSync(path)
  const [count, from, to] = [0, 4, 8].map((at) => file.readUInt32LE(COUNT_AT + at)) as [number, number, number]
  const textAt = (entry: number): string => {
    const [length, start] = [file.readUInt32LE(entry), file.readUInt32LE(entry + 4)]
    return file.toString('utf8', start, start + length)
  }
  return new Map(
    Array.from({ length: count }, (_, at) => [textAt(from + at * ENTRY_BYTES), textAt(to + at * ENTRY_BYTES)]),
  )
}
