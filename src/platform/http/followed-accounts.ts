import { type EventStream, type PrintedEvent, printEvent, type StreamStore } from './event-stream.ts'

const PAGE = 500

type Followed = {
  /** The number up to which all events were sent. */
  at: number
  readonly live: Set<EventStream>
  reading: Promise<void> | null
}

/** Sends the events of accounts to the streams that follow them: read once for all streams of an account. */
export function followedAccounts(store: Pick<StreamStore, 'heads' | 'events'>) {
  const accounts = new Map<number, Followed>()

  /** Sends events up to a number. Concurrent calls follow each other, so that events stay in order. */
  async function advance(account: number, last: number): Promise<void> {
    const followed = accounts.get(account)
    if (!followed || followed.at >= last) return
    if (followed.reading) {
      await followed.reading
      return advance(account, last)
    }
    followed.reading = sendUntil(account, followed, last).finally(() => {
      followed.reading = null
    })
    await followed.reading
  }

  async function sendUntil(account: number, followed: Followed, last: number): Promise<void> {
    while (followed.at < last) {
      const events = await store.events(account, followed.at, PAGE)
      const printed = events.map(printEvent)
      for (const stream of followed.live) stream.send(printed)
      followed.at = lastOf(printed) ?? last // none where they were purged meanwhile
    }
  }

  return {
    async readAll(): Promise<void> {
      if (accounts.size === 0) return
      const heads = await store.heads([...accounts.keys()])
      await Promise.all(heads.map(({ account, last }) => advance(account, last)))
    },

    /** Sends what a stream has missed up to a number, and then has it follow the account. */
    async add(stream: EventStream, last: number): Promise<void> {
      const { account } = stream.reader
      while (stream.isOpen) {
        const followed = accounts.get(account)
        if (stream.position >= Math.max(last, followed?.at ?? 0)) {
          // Nothing is awaited between the comparison and this, so that no event comes in between.
          if (followed) followed.live.add(stream)
          else accounts.set(account, { at: stream.position, live: new Set([stream]), reading: null })
          return
        }
        const events = await store.events(account, stream.position, PAGE)
        stream.send(events.map(printEvent))
        if (events.length === 0) stream.position = Math.max(last, followed?.at ?? 0) // purged meanwhile
        if (!(await stream.drained())) return
      }
    },

    remove(stream: EventStream): void {
      const { account } = stream.reader
      const followed = accounts.get(account)
      followed?.live.delete(stream)
      if (followed?.live.size === 0) accounts.delete(account)
    },
  }
}

const lastOf = (events: readonly PrintedEvent[]): number | undefined => events.at(-1)?.seq
