import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Client, Submittable } from 'pg'

/** The part of pg's connection that COPY needs, and that its types leave out. */
type Wire = {
  readonly stream: NodeJS.WritableStream & {
    pause(): void
    resume(): void
    readonly writableNeedDrain: boolean
  }
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** How many rows the tag of a finished command counts: `COPY 42`. */
const rowsOf = ({ text }: { text: string }): number => Number(text.split(' ')[1])

/** Streams the output of `COPY … TO STDOUT` as fast as it is read. `rows` is known at its end. */
export class CopyOut extends Readable {
  rows = 0
  readonly #sql: string
  #wire: Wire | null = null

  constructor(client: Client, sql: string) {
    super()
    this.#sql = sql
    client.query(this as unknown as Submittable)
  }
  submit(wire: Wire): void {
    this.#wire = wire
    wire.query(this.#sql)
  }
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const copy = Buffer.from(chunk) // pg reads the next bytes into the same memory
    if (!this.push(copy)) this.#wire?.stream.pause()
  }
  handleCommandComplete(message: { text: string }): void {
    this.rows = rowsOf(message)
  }
  handleReadyForQuery(): void {
    this.push(null)
  }
  handleError(error: Error): void {
    this.destroy(error)
  }
  override _read(): void {
    this.#wire?.stream.resume()
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#wire?.stream.resume() // the rest of the response must be consumed before the next query
    done(error)
  }
}

/** Feeds `COPY … FROM STDIN`, no faster than the server reads. Returns the number of rows. */
export function copyIn(client: Client, sql: string, bytes: AsyncIterable<Buffer>): Promise<number> {
  const done = Promise.withResolvers<number>()
  let rows = 0
  let failed = false
  const fail = (error: unknown) => {
    failed = true
    done.reject(error)
  }
  async function send(wire: Wire): Promise<void> {
    try {
      for await (const chunk of bytes) {
        if (failed) return
        wire.sendCopyFromChunk(chunk)
        if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain')
      }
      wire.endCopyFrom()
    } catch (error) {
      fail(error)
      wire.sendCopyFail('the copied rows cannot be read')
    }
  }
  const query = {
    submit: (wire: Wire) => wire.query(sql),
    handleCopyInResponse: (wire: Wire) => void send(wire),
    handleCommandComplete: (message: { text: string }) => {
      rows = rowsOf(message)
    },
    handleReadyForQuery: () => done.resolve(rows),
    handleError: fail,
  }
  client.query(query as unknown as Submittable)
  return done.promise
}
