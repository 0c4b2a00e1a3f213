import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { type ArchivePart, readArchive, writeArchive } from './archive.ts'
import { BadArchive } from './bad-archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'backdesk-archive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let made = 0
const newPath = () => join(folder, String(++made))

type Given = { head: { name: string }; chunks: Uint8Array[]; foot: { rows: number } }
async function* parts(given: readonly Given[]): AsyncGenerator<ArchivePart> {
  for (const { head, chunks, foot } of given)
    yield { head, bytes: asyncOf(chunks.map((chunk) => Buffer.from(chunk))), foot: () => foot }
}
async function* asyncOf(chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}
async function read(path: string, key?: Buffer) {
  const all: { head: object; bytes: string; foot: object }[] = []
  for await (const part of readArchive(path, key)) {
    const chunks: Buffer[] = []
    for await (const chunk of part.bytes) chunks.push(chunk)
    all.push({ head: part.head, bytes: Buffer.concat(chunks).toString('hex'), foot: part.foot() })
  }
  return all
}
const part = fc.record({
  head: fc.record({ name: fc.string({ unit: 'grapheme' }) }),
  chunks: fc.array(fc.uint8Array({ maxLength: 100_000, size: 'large' }), { maxLength: 3 }),
  foot: fc.record({ rows: fc.nat() }),
})

describe('an archive', () => {
  it('reads back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (given) => {
        const path = newPath()
        await writeArchive(path, parts(given))
        expect(await read(path)).toEqual(
          given.map(({ head, chunks, foot }) => ({ head, bytes: Buffer.concat(chunks).toString('hex'), foot })),
        )
      }),
      { numRuns: 20 },
    )
  })
  it('never reads as anything else, with any bit of it changed or cut short anywhere', async () => {
    const path = newPath()
    const chunks = [Buffer.from('a row\n'.repeat(50)), Buffer.from('another\n')]
    await writeArchive(path, parts([{ head: { name: 'a' }, chunks, foot: { rows: 51 } }]))
    const whole = readFileSync(path)
    const good = await read(path)
    // An unused bit, or a last byte without data, may be missing: the result is the same.
    const refusedOrSame = async (bytes: Buffer) => {
      const results = await read(kept(bytes)).catch((error: unknown) => error)
      if (!(results instanceof BadArchive)) expect(results).toEqual(good)
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 7 }), async (at, bit) => {
        const changed = Buffer.from(whole)
        changed.writeUInt8(whole.readUInt8(at) ^ (1 << bit), at)
        await refusedOrSame(changed)
        await refusedOrSame(whole.subarray(0, at))
      }),
      { numRuns: 200 },
    )
    await refusedOrSame(Buffer.concat([whole, Buffer.of(1)]))
    await expect(read(kept(whole.subarray(0, whole.length - 20)))).rejects.toBeInstanceOf(BadArchive)
  })
  it('with a key reads back unchanged with that key', async () => {
    const keys = [undefined, Buffer.from('one'), Buffer.from('two')]
    for (const key of keys) {
      const path = newPath()
      await writeArchive(
        path,
        parts([{ head: { name: 'a' }, chunks: [Buffer.from('a row\n')], foot: { rows: 1 } }]),
        key,
      )
      const results = await Promise.all(keys.map((other) => read(path, other).catch((error: unknown) => error)))
      expect(results.map((one) => !(one instanceof BadArchive))).toEqual(keys.map((other) => other === key))
    }
  })
  it('is readable only by its owner, and has one writer at a time', async () => {
    const path = newPath()
    let other: unknown
    async function* contested(): AsyncGenerator<ArchivePart> {
      yield { head: { name: 'first' } }
      other = await writeArchive(path, parts([])).catch((error: unknown) => error)
      expect(statSync(`${path}.part`).mode & 0o777).toBe(0o600)
    }
    await writeArchive(path, contested())
    expect(String(other)).toContain(`${path}.part exists`)
    expect((await read(path)).map(({ head }) => head)).toEqual([{ name: 'first' }])
    expect([statSync(path).mode & 0o777, existsSync(`${path}.part`)]).toEqual([0o600, false])
  })
  it('is not written over a file that is there, and leaves nothing where it could not be finished', async () => {
    const path = newPath()
    writeFileSync(path, 'mine')
    await expect(writeArchive(path, parts([]))).rejects.toThrow('already exists')
    expect(readFileSync(path, 'utf8')).toBe('mine')
    async function* broken(): AsyncGenerator<ArchivePart> {
      yield { head: {} }
      throw new Error('broke')
    }
    const other = newPath()
    await expect(writeArchive(other, broken())).rejects.toThrow('broke')
    expect(() => readFileSync(other)).toThrow('ENOENT')
    expect(() => readFileSync(`${other}.part`)).toThrow('ENOENT')
  })
})

function kept(bytes: Buffer): string {
  const path = newPath()
  writeFileSync(path, bytes)
  return path
}
