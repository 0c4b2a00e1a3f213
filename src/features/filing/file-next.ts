import type { AccountTx } from '../../platform/db/account-tx.ts'
import { VERTICALS } from './booking-services.store.ts'
import {
  endRefiling,
  type FilingProgress,
  lockFilingAccount,
  moveOn,
  moveRefiling,
  type Refiling,
  reachEnd,
  readChanged,
  readOfTrip,
  readRefiling,
} from './filing-queue.store.ts'
import type { Setting } from './piece.ts'
import { notifyOfUnfiled } from './unfiled.store.ts'

/** Updates the trips to the current state of these bookings. */
export type FileBookings = (tx: AccountTx, ids: readonly string[], setting: Setting) => Promise<void>

/**
 * Files the next bookings of an account and stores its position, in one transaction. False if nothing is left, or the
 * lease was lost.
 */
export async function fileNext(tx: AccountTx, lease: string, most: number, file: FileBookings): Promise<boolean> {
  const progress = await tx.one(lockFilingAccount, { lease })
  if (!progress) return false
  const { time_zone: timeZone, today, locale } = progress
  const setting = { timeZone, today, locale }
  const refiling = await tx.one(readRefiling, {})
  if (!refiling) return fileChanged(tx, progress, most, (ids) => file(tx, ids, setting))
  await refile(tx, refiling, most, (ids) => file(tx, ids, setting))
  return true
}

type File = (ids: readonly string[]) => Promise<void>
const idOf = ({ id }: { readonly id: string }) => id

async function fileChanged(tx: AccountTx, progress: FilingProgress, most: number, file: File): Promise<boolean> {
  const { changed, after, newest } = progress
  const next = await tx.all(readChanged, { changed, after, entities: VERTICALS, most })
  const last = next.at(-1)
  if (last) await file(next.map(idOf))
  if (last && next.length === most) {
    tx.later(moveOn, { changed: last.changed, after: last.id })
    return true
  }
  tx.later(reachEnd, { newest, seen: last?.changed ?? newest })
  await notifyOfUnfiled(tx)
  return false
}

async function refile(tx: AccountTx, { id, trip, after }: Refiling, most: number, file: File): Promise<void> {
  const next = await tx.all(readOfTrip, { trip, after, most })
  const last = next.at(-1)
  if (last) await file(next.map(idOf))
  if (last && next.length === most) tx.later(moveRefiling, { id, trip, after: last.id })
  else tx.later(endRefiling, { id, trip })
}
