import { finished, type Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import type { Spool } from '../files/spool.ts'
import { ApiError } from './errors.ts'

/** A file as a client sent it: the name is its word, and not to be trusted. */
export type ReceivedFile = { readonly name: string; readonly content: Spool }

export const FILE_MAXIMUM_BYTES = 10 * 1024 * 1024
const ENVELOPE_BYTES = 64 * 1024
/** The file with the multipart overhead. */
export const FILE_BODY_LIMIT_BYTES = FILE_MAXIMUM_BYTES + ENVELOPE_BYTES
const LIMITS = { fileSize: FILE_MAXIMUM_BYTES, parts: 20, fieldSize: ENVELOPE_BYTES, headerPairs: 20 }

/**
 * Reads the one `file` of a multipart body into a spool; other parts are ignored. The body is read as fast as the spool
 * takes it, and no further once it is refused.
 */
export async function receiveFile(
  contentType: string,
  body: Readable,
  openSpool: () => Promise<Spool>,
): Promise<ReceivedFile> {
  const parser = openParser(contentType)
  if (!parser) throw malformed()
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>()
  const parsed = Promise.withResolvers<void>()
  const files: { readonly name: string; readonly stream: BusboyFileStream; readonly kept: Promise<Spool> }[] = []
  let bytes = 0
  parser.on('file', (field, stream, name: string | undefined) => {
    stream.on('error', () => refuse(malformed()))
    if (field !== 'file' || files.length > 0) stream.resume()
    if (field !== 'file') return
    if (files.length > 0) return refuse(noFile('Only one file is accepted. Send each file in a separate request.'))
    const kept = keep(stream, openSpool, refuse)
    kept.catch(refuse)
    files.push({ name: name ?? '', stream, kept })
  })
  parser.on('error', () => refuse(malformed()))
  parser.on('finish', parsed.resolve)
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > FILE_BODY_LIMIT_BYTES) refuse(tooLarge())
  }
  const unwatch = finished(body, { writable: false }, (error) => error && refuse(error))
  try {
    body.on('data', count).pipe(parser)
    await Promise.race([parsed.promise, refused])
    const [file] = files
    if (!file) throw noFile('This field is required.')
    return { name: file.name, content: await Promise.race([file.kept, refused]) }
  } catch (error) {
    body.unpipe(parser)
    parser.destroy()
    for (const { stream, kept } of files) {
      stream.destroy()
      void kept.then((spool) => spool.drop()).catch(() => {})
    }
    throw error
  } finally {
    body.off('data', count)
    unwatch()
  }
}

/** Reports a spool failure to `refuse` at once: it ends the stream, whose own error would come first. */
async function keep(
  stream: BusboyFileStream,
  openSpool: () => Promise<Spool>,
  refuse: (error: unknown) => void,
): Promise<Spool> {
  const spool = await openSpool()
  try {
    for await (const chunk of stream)
      await spool.write(chunk).catch((error: unknown) => {
        refuse(error)
        throw error
      })
    if (stream.truncated) throw tooLarge()
    return spool
  } catch (error) {
    await spool.drop()
    throw error
  }
}

const malformed = () => new ApiError('bad_request', 'The multipart/form-data body is malformed.')
const tooLarge = () => new ApiError('payload_too_large', 'The file is too large. Send a file of at most 10 MiB.')

/** Why no file was received. */
export const noFile = (reason: string): ApiError =>
  new ApiError(
    'validation_failed',
    'No file was sent. Send one file as the part `file` of a multipart/form-data body.',
    {
      details: { file: [reason] },
    },
  )

/** Null where the content type names no boundary. */
function openParser(contentType: string) {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS })
  } catch {
    return null
  }
}
