import { BadArchive } from './bad-archive.ts'

/** Reads a given number of bytes at a time from a stream of chunks. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #held: Buffer[] = []
  #length = 0

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  async take(count: number): Promise<Buffer> {
    while (this.#length < count) if (!(await this.#more())) throw new BadArchive()
    const all = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held)
    this.#held = [all.subarray(count)]
    this.#length = all.length - count
    return all.subarray(0, count)
  }

  async isAtEnd(): Promise<boolean> {
    return this.#length === 0 && !(await this.#more())
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    if (done) return false
    this.#held.push(value)
    this.#length += value.length
    return true
  }
}
