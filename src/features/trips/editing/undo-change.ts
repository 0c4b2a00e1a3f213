import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { StaleRecord } from '../../../platform/http/stale.ts'
import type { JsonText } from '../../../platform/json-text.ts'
import { requireTrip } from '../commands/require-trip.ts'
import { editTrip, type Undo } from './edit-trip.ts'
import { countGone, dropChange, findChange, takeSteps } from './trip-rows.store.ts'
import { PARTS, planUndo, type UndoPlan } from './trip-rows.ts'

/**
 * Takes a change of a trip back, if no one has changed the same since. Answers what takes the undoing back. `shown`
 * reads the trip as it is now.
 */
export async function undoChange(
  tx: AccountTx,
  trip: string,
  token: string,
  shown: () => Promise<JsonText>,
): Promise<Undo | null> {
  takeChangeNumber(tx) // a customer that is being merged is found as what it becomes, or not
  await requireTrip(tx, trip)
  const change = await tx.one(findChange, { trip, id: token })
  if (!change) throw new ApiError('not_found', 'This change was undone already, or is too old. Change the trip itself.')
  const { undo } = await editTrip(tx, trip, 'trip.change_undone', async (rows) => {
    const plan = planUndo(change.rows, rows)
    if (!plan || (await hasGone(tx, plan))) throw new StaleRecord(await shown())
    const steps = Object.fromEntries(PARTS.map((part) => [part, JSON.stringify(plan[part])]))
    tx.later(takeSteps, steps as Record<(typeof PARTS)[number], string>)
    tx.later(dropChange, { id: token })
  })
  return undo
}

/** Whether a record that the plan names was deleted, or merged into another, in the meantime. */
async function hasGone(tx: AccountTx, plan: UndoPlan): Promise<boolean> {
  const named = (part: keyof UndoPlan, column: string) =>
    plan[part].flatMap(({ cells }) => (typeof cells[column] === 'string' ? [cells[column]] : []))
  const found = await tx.one(countGone, {
    seats: named('trips', 'assigned_advisor_id'),
    suppliers: named('trip_segments', 'supplier_id'),
    customers: named('trip_travelers', 'customer_id'),
    travelers: named('trip_travelers', 'traveler_id'),
  })
  return found?.gone !== 0
}
