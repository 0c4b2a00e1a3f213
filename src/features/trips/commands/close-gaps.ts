import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { closeAllGaps } from '../itinerary.store.ts'

/** Numbers the segments of each day of a trip from 1, after some were removed. */
export const closeGapsOf = (tx: AccountTx, trip: string): void => tx.later(closeAllGaps, { trip })
