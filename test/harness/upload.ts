import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { openSpool } from '../../src/platform/files/spool.ts'
import { receiveFile } from '../../src/platform/http/receive-file.ts'
import type { Answer, TestCell } from './cell.ts'

type Part = { readonly name: string; readonly filename?: string; readonly bytes: Buffer | string }

/** A multipart body with another boundary each time, and its content type. */
export function multipart(parts: readonly Part[]): { raw: Buffer; headers: Record<string, string> } {
  const boundary = randomUUID()
  const chunks = parts.flatMap(({ name, filename, bytes }) => {
    const saved = filename === undefined ? '' : `; filename="${filename.replaceAll('"', '\\"')}"`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${saved}\r\n\r\n`
    return [Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n')]
  })
  const raw = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { raw, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

/** Reads a multipart body as the server does, in pieces of `pieceBytes`. */
export async function receive(
  contentType: string,
  raw: Buffer,
  pieceBytes = raw.length,
): Promise<{ name: string; bytes: Buffer; sha256: string }> {
  const pieces = Array.from({ length: Math.ceil(raw.length / pieceBytes) || 0 }, (_, at) =>
    raw.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  )
  const { name, content } = await receiveFile(contentType, Readable.from(pieces), () => openSpool(INCOMING))
  const [bytes, sha256] = [await content.bytes(), content.sha256]
  await content.drop()
  return { name, bytes, sha256 }
}
const INCOMING = join(tmpdir(), `backdesk-test-incoming-${process.pid}`)

export type Upload = { signed_id: string; filename: string; content_type: string; byte_size: number }

/** Uploads a file, whatever is answered. */
export function upload(
  cell: TestCell,
  key: string,
  filename: string,
  bytes: Buffer | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = multipart([{ name: 'file', filename, bytes }])
  return cell.call('POST', '/uploads', { key, raw: body.raw, headers: { ...body.headers, ...headers } })
}

/** Uploads a file; anything but 201 fails the test. */
export async function uploaded(cell: TestCell, key: string, filename: string, bytes: Buffer | string): Promise<Upload> {
  const answer = await upload(cell, key, filename, bytes)
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text.slice(0, 500)}`)
  return (answer.body as { data: Upload }).data
}
