import type { Undoable } from '../../imports/undoable.ts'
import { statement } from '../../platform/db/statement.ts'

/** A departure with bookings stays when the import that made it is taken back. */
export const keptDepartures: Undoable = {
  keeps: statement(`
    select key.id, 'has_bookings' as reason from unnest($ids::uuid[]) as key(id)
    where exists (
      select from tour_bookings o join bookings b on b.account_id = o.account_id and b.id = o.id
      where o.account_id = $account and o.tour_departure_id = key.id and b.deleted_at is null)`),
}
