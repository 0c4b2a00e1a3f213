import type { ServerResponse } from 'node:http'
import type { Policies } from '../access/policies.ts'

/** What a stream is for: which session reads it, and what this may know. */
export type StreamReader = {
  readonly account: number
  readonly session: string
  readonly seat: string | null
  readonly role: string
  readonly policies: Policies
}
/** An event as it is stored. */
export type StreamEvent = {
  readonly seq: number
  readonly kind: string
  readonly record_id: string | null
  readonly version: number | null
  readonly seat_id: string | null
}
/** An event with its text, which is the same for all. */
export type PrintedEvent = Pick<StreamEvent, 'seq' | 'kind' | 'seat_id'> & { readonly text: string }

export const printEvent = ({ seq, kind, record_id, version, seat_id }: StreamEvent): PrintedEvent => ({
  seq,
  kind,
  seat_id,
  text: `id: ${seq}\nevent: changed\ndata: ${JSON.stringify({ kind, id: record_id, version })}\n\n`,
})

/** The numbers of an account's events: the last one, and the oldest that is still stored. */
export type StreamEnds = { readonly last: number; readonly oldest: number }
export type StreamStore = {
  ends(account: number): Promise<StreamEnds>
  /** The last numbers of these accounts. */
  heads(accounts: readonly number[]): Promise<readonly { account: number; last: number }[]>
  /** Events after a number, in order. */
  events(account: number, after: number, limit: number): Promise<StreamEvent[]>
  /** The sessions that have ended, or whose role is another than these readers had when they connected. */
  ended(readers: readonly StreamReader[]): Promise<ReadonlySet<string>>
  /** Calls back when this process has numbered events; returns how to stop. */
  onNumbered(listener: () => void): () => void
}
/** Bytes that wait for a client to read them; it is disconnected beyond that, and resumes. */
const BUFFER_BYTES = 128 * 1024
/** How long a client waits before it connects again, in milliseconds. */
const RETRY_MS = 1_000

export type MayKnow = (policies: Policies, kind: string) => boolean

/** One open connection. Few fields, since there may be thousands of idle ones. */
export class EventStream {
  readonly reader: StreamReader
  readonly #response: ServerResponse
  readonly #mayKnow: MayKnow
  /** The last number that the client has been sent, or that is not for it. */
  position: number

  constructor(reader: StreamReader, response: ServerResponse, position: number, mayKnow: MayKnow) {
    this.reader = reader
    this.#response = response
    this.#mayKnow = mayKnow
    this.position = position
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed
  }

  /** The first text of a stream: where it begins, and whether events before that are lost. */
  begin(isReset: boolean): void {
    this.#write(`retry: ${RETRY_MS}\nid: ${this.position}\nevent: ${isReset ? 'reset' : 'ready'}\ndata: {}\n\n`)
  }

  /** Sends the events that come after its position and that its reader may know. They are in order. */
  send(events: readonly PrintedEvent[]): void {
    const { policies, seat } = this.reader
    let text = ''
    for (const event of events) {
      if (event.seq <= this.position) continue
      this.position = event.seq
      if (event.seat_id !== null && event.seat_id !== seat) continue
      if (this.#mayKnow(policies, event.kind)) text += event.text
    }
    if (text !== '') this.#write(text)
  }

  /** Keeps the connection open, and tells the client its position, which events of others have moved. */
  beat(): void {
    this.#write(`id: ${this.position}\n\n`)
  }

  end(): void {
    this.#response.end()
  }

  /** Whether a client has read enough to be sent more; false if the connection ended first. */
  async drained(): Promise<boolean> {
    if (this.isOpen && this.#response.writableNeedDrain)
      await new Promise((resolve) => {
        this.#response.once('drain', resolve)
        this.#response.once('close', resolve)
      })
    return this.isOpen
  }

  #write(text: string): void {
    if (!this.isOpen) return
    this.#response.write(text)
    if (this.#response.writableLength > BUFFER_BYTES) this.#response.destroy()
  }
}
