import type { AccountTx } from '../../platform/db/account-tx.ts'
import { lockScheduled, writeSchedules } from './schedules.store.ts'

/** Brings the schedule of these trips to their dates, state, preferences and bookings. */
export function scheduleNotifications(tx: AccountTx, trips: readonly string[]): void {
  if (trips.length === 0) return
  tx.later(lockScheduled, { trips })
  tx.later(writeSchedules, { trips })
}
