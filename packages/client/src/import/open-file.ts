import type { Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { ImportError } from './import-error.ts'

const CHUNK_BYTES = 64 * 1024
const NEWLINE = 0x0a

/** A file that is read once, piece by piece. */
export type TextFile = {
  readonly path: string
  readonly size: number
  /** The beginning of the text, without its byte order mark, to detect the format. */
  readonly head: string
  /** Whether the text begins with a byte order mark. */
  readonly hasMark: boolean
  /** Whether it can be read a second time: a pipe cannot. */
  readonly isRegular: boolean
  /** The whole text, without its byte order mark. Always closes the file. */
  readonly chunks: AsyncGenerator<string, void, undefined>
  bytesRead(): number
  /** For callers that do not read to the end. */
  close(): Promise<unknown>
}

/** Opens a UTF-8 file. Invalid UTF-8 throws an `ImportError` with the line and how to fix it. */
export async function openFile(path: string): Promise<TextFile> {
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT' ? 'it does not exist' : error.code === 'EACCES' ? 'access is denied' : error.message
    throw new ImportError('file_unreadable', `Cannot open ${path}: ${reason}.`)
  })
  const stats = await refuseFolder(handle, path)
  const read = { bytes: 0, hasMark: false }
  const chunks = decode(handle, path, read)
  const first = await chunks.next().catch((error: NodeJS.ErrnoException) => {
    if (error instanceof ImportError) throw error
    throw new ImportError('file_unreadable', `Cannot read ${path}: ${error.message}.`)
  })
  const head = first.value ?? ''
  const { hasMark } = read
  return {
    path,
    size: stats.size,
    head,
    hasMark,
    isRegular: stats.isFile(),
    chunks: startingWith(head, chunks),
    bytesRead: () => read.bytes,
    close: () => chunks.return(),
  }
}

async function refuseFolder(handle: FileHandle, path: string): Promise<Stats> {
  const stats = await handle.stat()
  if (!stats.isDirectory()) return stats
  await handle.close()
  throw new ImportError('file_unreadable', `${path} is a folder. Choose a file in it.`)
}

async function* startingWith(
  head: string,
  rest: AsyncGenerator<string, void>,
): AsyncGenerator<string, void, undefined> {
  try {
    yield head
    yield* rest
  } finally {
    await rest.return()
  }
}

async function* decode(
  handle: FileHandle,
  path: string,
  read: { bytes: number; hasMark: boolean },
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const buffer = new Uint8Array(CHUNK_BYTES)
  let line = 1
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES)
      const bytes = buffer.subarray(0, bytesRead)
      if (read.bytes === 0) {
        refuseOtherFormats(bytes, path)
        read.hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
      }
      read.bytes += bytesRead
      const text = decodeOr(decoder, bytes, bytesRead > 0, () => notUtf8(path, bytes, line))
      line += bytes.reduce((count, byte) => (byte === NEWLINE ? count + 1 : count), 0)
      if (text !== '') yield text
      if (bytesRead === 0) return
    }
  } finally {
    await handle.close()
  }
}

function decodeOr(decoder: TextDecoder, bytes: Uint8Array, stream: boolean, failure: () => ImportError): string {
  try {
    return decoder.decode(bytes, { stream })
  } catch {
    throw failure()
  }
}

/** Returns the line of the first invalid byte; `firstLine` is the line where the bytes start. */
function notUtf8(path: string, bytes: Uint8Array, firstLine: number): ImportError {
  const before = new TextDecoder().decode(bytes).split('\ufffd', 1)[0] ?? ''
  const line = firstLine + before.split('\n').length - 1
  return new ImportError(
    'not_utf8',
    `${path}, line ${line}: the text is not UTF-8. Save the file as UTF-8 ("CSV UTF-8" in a spreadsheet).`,
  )
}

function refuseOtherFormats(bytes: Uint8Array, path: string): void {
  const starts = (...signature: number[]) => signature.every((byte, at) => bytes[at] === byte)
  if (starts(0x50, 0x4b, 3, 4) || starts(0xd0, 0xcf, 0x11, 0xe0)) {
    throw new ImportError(
      'not_text',
      `${path} is a spreadsheet or an archive. Save the sheet as "CSV UTF-8" and import that file.`,
    )
  }
  if (starts(0xff, 0xfe) || starts(0xfe, 0xff)) {
    throw new ImportError('not_utf8', `${path} is UTF-16. Save it as UTF-8 ("CSV UTF-8" in a spreadsheet).`)
  }
}
