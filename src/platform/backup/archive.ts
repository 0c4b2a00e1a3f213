import { createHash, createHmac } from 'node:crypto'
import { constants, createReadStream, existsSync } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream'
import { pipeline as piped } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { UserError } from '../user-error.ts'
import { BadArchive } from './bad-archive.ts'
import { ByteReader } from './byte-reader.ts'

/**
 * A file of parts, compressed as one stream: `MAGIC`, and then records of a kind, a length and that many bytes. A part
 * is a head, its bytes in chunks and a foot; head and foot are JSON. The last record counts the parts and has the
 * checksum of all records before it, so a truncated or altered file is detected: their SHA-256 or, with a key, their
 * HMAC, which cannot be forged without the key.
 */
const MAGIC = 'backdesk archive 1\n'
const HEAD = 1
const BYTES = 2
const FOOT = 3
const END = 4
const PREFIX_BYTES = 5
/** Rows come singly from the database, and are written in pieces of about this size. */
const PIECE_BYTES = 64 * 1024
const PIECE_MAXIMUM_BYTES = 1 << 28
const FILE_MODE = 0o600

export type ArchivePart = {
  readonly head: object
  readonly bytes?: AsyncIterable<Buffer>
  /** Known only after the bytes. */
  foot?(): object
}
export type ReadPart = {
  readonly head: Readonly<Record<string, unknown>>
  /** May be left unread. */
  readonly bytes: AsyncIterable<Buffer>
  /** Returns the values known after the bytes. */
  foot(): Readonly<Record<string, unknown>>
}

/** Writes the parts to a new file that has its name only when it is whole and on the disk. */
export async function writeArchive(path: string, parts: AsyncIterable<ArchivePart>, key?: Buffer): Promise<void> {
  await refuseTakenPath(path)
  const unfinished = unfinishedOf(path)
  const handle = await open(unfinished, 'wx', FILE_MODE) // never into another process's file, or one that is readable by others
  try {
    const file = handle.createWriteStream({ flush: true })
    file.write(MAGIC)
    await piped(recordsOf(parts, key), createZstdCompress(), file)
    await rename(unfinished, path)
    if (process.platform !== 'win32') await syncFolder(dirname(path)) // which knows no such thing
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

const unfinishedOf = (path: string): string => `${path}.part`

/** Refuses what could not be written in the end. */
export async function refuseTakenPath(path: string): Promise<void> {
  if (existsSync(path)) throw new UserError('invalid_path', `${path} already exists. Choose another file name.`)
  if (existsSync(unfinishedOf(path)))
    throw new UserError(
      'invalid_path',
      `${unfinishedOf(path)} exists: another process is writing it, or was killed while writing it. In the second case, remove the file.`,
    )
  const folder = dirname(path)
  await access(folder, constants.W_OK).catch(() => {
    throw new UserError('invalid_path', `${folder} is not a writable folder. Choose a file in a writable folder.`)
  })
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

type Sum = { update(bytes: Buffer): Sum; digest(encoding: 'hex'): string }
const newSum = (key?: Buffer): Sum => (key ? createHmac('sha256', key) : createHash('sha256'))

function record(kind: number, payload: Buffer): Buffer {
  const whole = Buffer.allocUnsafe(PREFIX_BYTES + payload.length)
  whole.writeUInt8(kind, 0)
  whole.writeUInt32BE(payload.length, 1)
  payload.copy(whole, PREFIX_BYTES)
  return whole
}
const json = (value: object): Buffer => Buffer.from(JSON.stringify(value))

async function* recordsOf(parts: AsyncIterable<ArchivePart>, key?: Buffer): AsyncGenerator<Buffer> {
  const sum = newSum(key)
  const summed = (written: Buffer): Buffer => {
    sum.update(written)
    return written
  }
  let count = 0
  for await (const { head, bytes, foot } of parts) {
    yield summed(record(HEAD, json(head)))
    for await (const piece of piecesOf(bytes ?? [])) yield summed(record(BYTES, piece))
    yield summed(record(FOOT, json(foot?.() ?? {})))
    count += 1
  }
  yield record(END, json({ parts: count, sum: sum.digest('hex') }))
}

async function* piecesOf(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    waiting.push(chunk)
    length += chunk.length
    if (length < PIECE_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(waiting)
}

type Found = { readonly kind: number; readonly payload: Buffer; readonly json: ReadPart['head'] }

/** Reads the parts in order. Once all are read, the file is known to be complete and unaltered. */
export async function* readArchive(path: string, key?: Buffer): AsyncGenerator<ReadPart> {
  const start = await skipMagic(path)
  const plain = pipeline(createReadStream(path, { start }), createZstdDecompress(), () => {}) // the reader receives the errors
  const next = recordReader(path, new ByteReader(plain), newSum(key))
  try {
    for (;;) {
      const { kind, json } = await next(HEAD, END)
      if (kind === END) return
      const part = partOf(json, next)
      yield part
      for await (const _ of part.bytes);
    }
  } finally {
    plain.destroy()
  }
}

async function skipMagic(path: string): Promise<number> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
    if (buffer.toString('utf8', 0, bytesRead) === MAGIC) return MAGIC.length
    throw new BadArchive(`${path} is not a Backdesk archive, or its format is of another version.`)
  } finally {
    await file.close()
  }
}

/** Returns the next record, which must be of one of these kinds; the last record verifies all of them. */
type NextRecord = (...kinds: number[]) => Promise<Found>

function recordReader(path: string, reader: ByteReader, sum: Sum): NextRecord {
  let parts = 0
  async function read(kinds: number[]): Promise<Found> {
    const prefix = await reader.take(PREFIX_BYTES)
    const [kind, length] = [prefix.readUInt8(0), prefix.readUInt32BE(1)]
    if (!kinds.includes(kind) || length > PIECE_MAXIMUM_BYTES) throw new BadArchive()
    const payload = await reader.take(length)
    if (kind === END) await checkEnd(payload, { parts, sum: sum.digest('hex') }, reader)
    else sum.update(prefix).update(payload)
    if (kind === HEAD) parts += 1
    return { kind, payload, json: kind === BYTES ? {} : JSON.parse(payload.toString()) }
  }
  return async (...kinds) => {
    try {
      return await read(kinds)
    } catch (error) {
      throw isDamage(error) ? new BadArchive(`${path} is damaged or incomplete.`) : error
    }
  }
}

async function checkEnd(payload: Buffer, found: object, reader: ByteReader): Promise<void> {
  if (payload.toString() !== JSON.stringify(found) || !(await reader.isAtEnd())) throw new BadArchive()
}

/** For bytes that differ from what was written, whichever check detects it first. */
const isDamage = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  error instanceof BadArchive ||
  /^(Z_|ZSTD_|ERR_ZSTD)/.test(String((error as { code?: unknown }).code))

function partOf(head: ReadPart['head'], next: NextRecord): ReadPart {
  let foot: ReadPart['head'] | null = null
  async function* bytes(): AsyncGenerator<Buffer> {
    while (foot === null) {
      const { kind, payload, json } = await next(BYTES, FOOT)
      if (kind === BYTES) yield payload
      else foot = json
    }
  }
  return {
    head,
    bytes: { [Symbol.asyncIterator]: bytes },
    foot() {
      if (foot === null) throw new Error('The bytes of this part have not been read yet.')
      return foot
    },
  }
}
