import { inflateRawSync } from 'node:zlib'

const DIRECTORY_ENTRY = 0x02014b50
const END = 0x06054b50

/** The texts in a ZIP, by their names; read by its directory, as other programs do. */
export function entriesOf(zip: Buffer): Map<string, string> {
  let end = zip.length - 22
  while (zip.readUInt32LE(end) !== END) end--
  const entries = new Map<string, string>()
  for (let at = zip.readUInt32LE(end + 16), left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('The directory of the ZIP is damaged.')
    const [packed, name, extra, comment] = [20, 28, 30, 32].map((of) =>
      of === 20 ? zip.readUInt32LE(at + of) : zip.readUInt16LE(at + of),
    ) as [number, number, number, number]
    const header = zip.readUInt32LE(at + 42)
    const from = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
    const bytes = zip.subarray(from, from + packed)
    const isDeflated = zip.readUInt16LE(at + 10) === 8
    entries.set(
      zip.toString('utf8', at + 46, at + 46 + name),
      (isDeflated ? inflateRawSync(bytes) : bytes).toString('utf8'),
    )
    at += 46 + name + extra + comment
  }
  return entries
}
