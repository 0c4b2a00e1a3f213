import type { Database } from '../../platform/db/database.ts'
import type { MayKnow, StreamStore } from '../../platform/http/event-stream.ts'
import { type StreamHub, streamHub } from '../../platform/http/stream-hub.ts'
import type { Log } from '../../platform/log.ts'
import { endedSessions } from '../sign-in/reads/ended-sessions.ts'
import { readEnds, readEvents, readHeads } from './stream.store.ts'
import { NUMBERED } from './stream-queue.ts'

type Needs = { readonly db: Database; readonly log: Pick<Log, 'warn'>; now(): number }

const storeOf = ({ db, now }: Needs): StreamStore => ({
  ends: async (account) => (await db.reader(account).one(readEnds, {})) ?? { last: 0, oldest: 1 },
  heads: (accounts) => db.askSystem('look for events of open streams', readHeads, { accounts }),
  events: (account, after, limit) => db.reader(account).all(readEvents, { after, limit }),
  ended: (readers) => endedSessions({ db, now }, readers),
  onNumbered: (listener) => db.onWake(NUMBERED, listener),
})

/** The streams of this process. Each process asks once for all its streams, so that an idle one costs the database nothing. */
export const openStreams = (
  needs: Needs,
  mayKnow: MayKnow,
  timing: { pollMs?: number; beatMs?: number } = {},
): StreamHub => streamHub(storeOf(needs), { mayKnow, log: needs.log, ...timing })
