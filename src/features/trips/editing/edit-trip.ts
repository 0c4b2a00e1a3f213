import { randomUUIDv7 } from 'node:crypto'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { noSuch } from '../../../platform/http/by-id.ts'
import { StaleRecord } from '../../../platform/http/stale.ts'
import type { JsonText } from '../../../platform/json-text.ts'
import { requireTrip } from '../commands/require-trip.ts'
import { keepChange, readTripRows, UNDO_MINUTES } from './trip-rows.store.ts'
import { changesBetween, type TripPart, type TripPartRow, type TripRows } from './trip-rows.ts'

/** What takes a change back, and until when. */
export type Undo = { readonly token: string; readonly until: string }
type Action = `trip.${string}`

/**
 * Changes a trip, which is locked meanwhile, and keeps what changed, so that it can be undone. `work` receives the rows
 * as they are before. Nothing is kept where nothing changes.
 */
export async function editTrip<T>(
  tx: AccountTx,
  trip: string,
  action: Action,
  work: (rows: TripRows) => Promise<T> | T,
): Promise<{ readonly answer: T; readonly undo: Undo | null }> {
  const before = await holdRows(tx, trip)
  const answer = await work(before)
  const after = (await tx.one(readTripRows, { trip })) ?? before
  const rows = changesBetween(before, after)
  if (rows.length === 0) return { answer, undo: null }
  const id = randomUUIDv7()
  tx.later(keepChange, { id, trip, action, rows: JSON.stringify(rows) })
  const parts = Object.fromEntries([...Map.groupBy(rows, ({ part }) => part)].map(([part, of]) => [part, of.length]))
  auditOwn(tx, { action, subjectType: 'trip', subjectId: trip, details: { rows: parts } })
  const until = Temporal.Instant.from(await tx.now).add({ minutes: UNDO_MINUTES })
  return { answer, undo: { token: id, until: until.toString() } }
}

/** Locks a trip, and answers its rows. */
async function holdRows(tx: AccountTx, trip: string): Promise<TripRows> {
  await requireTrip(tx, trip)
  return (await tx.one(readTripRows, { trip })) as TripRows
}

const NAMES: Readonly<Record<TripPart, string>> = {
  trips: 'trip',
  trip_days: 'day',
  trip_segments: 'segment',
  trip_travelers: 'traveller',
}
/** The row of a trip with this id, if it still is what the editor read. `shown` reads it as it is now. */
export async function rowToEdit(
  rows: TripRows,
  part: TripPart,
  { id, version }: { readonly id: string; readonly version: number },
  shown: () => Promise<JsonText>,
): Promise<TripPartRow> {
  const row = rows[part].find((one) => one.id === id.toLowerCase())
  if (!row) throw noSuch(NAMES[part])
  if (row.version !== version) throw new StaleRecord(await shown())
  return row
}
