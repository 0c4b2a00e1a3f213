import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as uploads from '../../../test/harness/upload.ts'
import type { Spool } from '../files/spool.ts'
import { ApiError } from './errors.ts'
import { FILE_MAXIMUM_BYTES, receiveFile } from './receive-file.ts'

const { multipart } = uploads
const receive = ({ raw, headers }: ReturnType<typeof multipart>, pieceBytes?: number) =>
  uploads.receive(headers['content-type'] as string, raw, pieceBytes)
const code = (sent: Promise<unknown>) =>
  sent.then(
    () => 'received',
    (error: ApiError) => error.code,
  )
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))

describe('a multipart body', () => {
  it('returns any file unchanged, with any other parts and in any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        bytes,
        fc.array(fc.string({ maxLength: 20 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 100 }),
        async (file, others, pieceBytes) => {
          const beside = others.map((text) => ({ name: 'note', bytes: text }))
          const parts = [...beside, { name: 'file', filename: 'ü"x.bin', bytes: file }]
          const received = await receive(multipart(parts), pieceBytes)
          expect([received.name, received.bytes.equals(file)]).toEqual(['ü"x.bin', true])
          expect(received.sha256).toBe(hash('sha256', file))
        },
      ),
    )
  })
  it('that is cut off or damaged is refused or read, and never waited for', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.nat(), fc.nat(), fc.nat(255), async (file, cut, at, byte) => {
        const body = multipart([{ name: 'file', filename: 'a', bytes: file }])
        const raw = Buffer.from(body.raw.subarray(0, cut % (body.raw.length + 1)))
        if (raw.length > 0) raw[at % raw.length] = byte
        expect(await code(receive({ ...body, raw }))).toMatch(/^(received|bad_request|validation_failed)$/)
      }),
      { numRuns: 500 },
    )
  })
  it.each<[string, string, Parameters<typeof multipart>[0]]>([
    ['no part', 'validation_failed', []],
    ['no part `file`', 'validation_failed', [{ name: 'document', filename: 'a', bytes: 'x' }]],
    ['a `file` that is only text', 'validation_failed', [{ name: 'file', bytes: 'x' }]],
    ['two files', 'validation_failed', [1, 2].map(() => ({ name: 'file', filename: 'a', bytes: 'x' }))],
    [
      'a file of a byte too many',
      'payload_too_large',
      [{ name: 'file', filename: 'a', bytes: Buffer.alloc(FILE_MAXIMUM_BYTES + 1) }],
    ],
    ['the largest file', 'received', [{ name: 'file', filename: 'a', bytes: Buffer.alloc(FILE_MAXIMUM_BYTES) }]],
  ])('with %s is %s', async (_, expected, parts) => {
    expect(await code(receive(multipart(parts)))).toBe(expected)
  })
  it('whose file finds no room is refused for that, not for its form', async () => {
    const full = new ApiError('unavailable', 'There is no room for files.')
    const openSpool = async () =>
      ({ write: () => Promise.reject(full), drop: () => setImmediate() }) as unknown as Spool
    const { raw, headers } = multipart([{ name: 'file', filename: 'a', bytes: Buffer.alloc(300_000) }])
    const body = Readable.from([raw.subarray(0, 65_536), raw.subarray(65_536)])
    expect(await code(receiveFile(headers['content-type'] as string, body, openSpool))).toBe('unavailable')
  })
  it('needs a boundary', async () => {
    expect(await code(uploads.receive('multipart/form-data', Buffer.from('x')))).toBe('bad_request')
  })
})
