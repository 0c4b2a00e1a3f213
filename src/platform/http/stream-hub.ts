import type { ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import { gauge } from '../metrics/instruments.ts'
import { ApiError } from './errors.ts'
import { EventStream, type MayKnow, type StreamReader, type StreamStore } from './event-stream.ts'
import { followedAccounts } from './followed-accounts.ts'

type HubOptions = {
  readonly mayKnow: MayKnow
  readonly log: Pick<Log, 'warn'>
  readonly pollMs?: number
  readonly beatMs?: number
}

/** The open streams of a process. */
export type StreamHub = {
  /**
   * Opens a stream, or throws before it has called `take`, which begins the response. `after` is the number of the last
   * event that the client has.
   */
  open(reader: StreamReader, after: number | null, take: () => ServerResponse): Promise<void>
  /** Ends all streams, whose clients then connect elsewhere. */
  close(): void
}

/** Half a second until it is found that a session has ended, which leaves as much for the look-up. */
const POLL_MS = 500
const BEAT_MS = 20_000
/** Of a seat in this process; a browser needs one for all its tabs. */
const STREAMS_OF_A_SEAT = 10
const STREAMS = 10_000
const RETRY_S = 5

const openStreams = gauge('backdesk_streams_open', 'Event streams that are open.')

/** Serves streams. The database is asked once for all of them, so idle ones cost it nothing. */
export function streamHub(
  store: StreamStore,
  { mayKnow, log, pollMs = POLL_MS, beatMs = BEAT_MS }: HubOptions,
): StreamHub {
  const streams = new Set<EventStream>()
  const followed = followedAccounts(store)
  const seats = streamsOfSeats()
  let closed = false
  let stopTimers: (() => void) | null = null

  function startTimers(): () => void {
    let polling = false
    const failed = (error: unknown) => log.warn({ err: error }, 'could not read the events of open streams; retrying')
    const poll = async () => {
      if (polling) return
      polling = true
      await Promise.all([followed.readAll().catch(failed), endSessions().catch(failed)])
      polling = false
    }
    const timers = [
      setInterval(() => void poll(), pollMs),
      setInterval(() => {
        for (const stream of streams) stream.beat()
      }, beatMs),
    ]
    const deafen = store.onNumbered(() => void followed.readAll().catch(failed))
    return () => {
      for (const timer of timers) clearInterval(timer)
      deafen()
    }
  }
  async function endSessions(): Promise<void> {
    const ended = await store.ended([...streams].map(({ reader }) => reader))
    if (ended.size === 0) return
    for (const stream of streams) if (ended.has(stream.reader.session)) stream.end()
  }

  function keep(stream: EventStream): void {
    streams.add(stream)
    openStreams.set([], streams.size)
    stopTimers ??= startTimers()
  }
  function forget(stream: EventStream): void {
    streams.delete(stream)
    followed.remove(stream)
    openStreams.set([], streams.size)
    if (streams.size > 0) return
    stopTimers?.()
    stopTimers = null
  }

  return {
    async open(reader, after, take) {
      if (closed || streams.size >= STREAMS)
        throw new ApiError('unavailable', 'The process takes no more streams now. Connect again.', {
          retryAfter: RETRY_S,
        })
      const release = seats.take(reader)
      const { last, oldest } = await store.ends(reader.account).catch((error: unknown) => {
        release()
        throw error
      })
      const isLost = after !== null && (after > last || after < oldest - 1)
      const response = take()
      const stream = new EventStream(reader, response, after === null || isLost ? last : after, mayKnow)
      keep(stream)
      response.once('close', () => {
        release()
        forget(stream)
      })
      stream.begin(isLost)
      if (closed || response.destroyed) return stream.end()
      await followed.add(stream, last).catch((error: unknown) => {
        log.warn({ err: error }, 'could not read the events of a stream; its client connects again')
        stream.end()
      })
    },
    close() {
      closed = true
      for (const stream of streams) stream.end()
    },
  }
}

/** Counts the streams of seats, and refuses one too many. */
function streamsOfSeats() {
  const open = new Map<string, number>()
  return {
    /** Returns how to release it. */
    take({ account, seat }: StreamReader): () => void {
      const key = `${account} ${seat}`
      const before = open.get(key) ?? 0
      if (before >= STREAMS_OF_A_SEAT)
        throw new ApiError('rate_limited', `The seat has ${STREAMS_OF_A_SEAT} open streams already. Close one.`, {
          retryAfter: RETRY_S,
        })
      open.set(key, before + 1)
      return () => {
        const left = (open.get(key) ?? 1) - 1
        if (left > 0) open.set(key, left)
        else open.delete(key)
      }
    },
  }
}
