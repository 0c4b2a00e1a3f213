import { hash } from 'node:crypto'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { ApiError } from './errors.ts'

/** A file as a client sent it: the name is its word, and not to be trusted. */
export type ReceivedFile = { readonly name: string; readonly bytes: Buffer; readonly sha256: string }

export const FILE_MAXIMUM_BYTES = 10 * 1024 * 1024
const ENVELOPE_BYTES = 64 * 1024
/** The file and what is written around it. */
export const FILE_BODY_LIMIT_BYTES = FILE_MAXIMUM_BYTES + ENVELOPE_BYTES
const LIMITS = { fileSize: FILE_MAXIMUM_BYTES, parts: 20, fieldSize: ENVELOPE_BYTES, headerPairs: 20 }

/** Reads the one `file` of a multipart body; other parts are ignored. */
export function receiveFile(contentType: string, body: Buffer): Promise<ReceivedFile> {
  return new Promise((resolve, reject) => {
    const files: { name: string; stream: BusboyFileStream; chunks: Buffer[] }[] = []
    const broken = () => reject(new ApiError('bad_request', 'Send a well-formed multipart/form-data body.'))
    const parser = openParser(contentType)
    if (!parser) return broken()
    parser.on('file', (field, stream, name: string | undefined) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', broken)
      if (field === 'file') files.push({ name: name ?? '', stream, chunks })
    })
    parser.on('error', broken)
    parser.on('finish', () => {
      const [file, second] = files
      if (!file) return reject(noFile('is required'))
      if (second) return reject(noFile('is one file; send another in a request of its own'))
      if (file.stream.truncated) return reject(new ApiError('payload_too_large', 'Send a file of at most 10 MiB.'))
      const bytes = Buffer.concat(file.chunks)
      resolve({ name: file.name, bytes, sha256: hash('sha256', bytes) })
    })
    parser.end(body)
  })
}

/** Why there is no file that could be kept. */
export const noFile = (reason: string): ApiError =>
  new ApiError('validation_failed', 'Send one file as the part `file` of a multipart/form-data body.', {
    details: { file: [reason] },
  })

/** Null where the content type names no boundary. */
function openParser(contentType: string) {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS })
  } catch {
    return null
  }
}
