import { crc32, createDeflateRaw } from 'node:zlib'

/** A file of an archive, in parts. */
export type ZipEntry = { readonly name: string; readonly content: AsyncIterable<string> | Iterable<string> }
type Packed = { readonly name: Buffer; readonly bytes: Buffer; readonly crc: number; readonly size: number }

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const VERSION = 20
/** File names are UTF-8. */
const FLAGS = 0x0800
const DEFLATED = 8
/** 1 January 1980, midnight: the same content is the same bytes. */
const DAY_ONE = (1 << 5) | 1

/** Packs files into a ZIP archive. Node has the compression, beside this thread, and this is the rest of the format. */
export async function zip(entries: readonly ZipEntry[]): Promise<Buffer> {
  const packed = []
  for (const entry of entries) packed.push(await pack(entry))
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const file of packed) {
    const local = Buffer.concat([header(LOCAL, file), file.name, file.bytes])
    directory.push(centralHeader(file, offset), file.name)
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  return Buffer.concat([...parts, central, endOf(packed.length, central.length, offset)])
}

async function pack({ name, content }: ZipEntry): Promise<Packed> {
  const deflate = createDeflateRaw()
  const packing = deflate.toArray()
  let [crc, size] = [0, 0]
  for await (const part of content) {
    const bytes = Buffer.from(part)
    crc = crc32(bytes, crc)
    size += bytes.length
    if (!deflate.write(bytes)) await new Promise<void>((resolve) => void deflate.once('drain', resolve))
  }
  deflate.end()
  return { name: Buffer.from(name), bytes: Buffer.concat(await packing), crc, size }
}

/** What both headers of a file have in common. */
const common = ({ name, bytes, crc, size }: Packed): Buffer => {
  const buffer = Buffer.alloc(26)
  buffer.writeUInt16LE(VERSION, 0)
  buffer.writeUInt16LE(FLAGS, 2)
  buffer.writeUInt16LE(DEFLATED, 4)
  buffer.writeUInt16LE(DAY_ONE, 8)
  buffer.writeUInt32LE(crc, 10)
  buffer.writeUInt32LE(bytes.length, 14)
  buffer.writeUInt32LE(size, 18)
  buffer.writeUInt16LE(name.length, 22)
  return buffer
}
const uint32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}
const header = (signature: number, file: Packed): Buffer => Buffer.concat([uint32(signature), common(file)])

function centralHeader(file: Packed, offset: number): Buffer {
  const madeBy = Buffer.from([VERSION, 0])
  return Buffer.concat([uint32(CENTRAL), madeBy, common(file), Buffer.alloc(10), uint32(offset)])
}

function endOf(files: number, size: number, offset: number): Buffer {
  const counts = Buffer.alloc(8)
  counts.writeUInt16LE(files, 4)
  counts.writeUInt16LE(files, 6)
  return Buffer.concat([uint32(END), counts, uint32(size), uint32(offset), Buffer.alloc(2)])
}
