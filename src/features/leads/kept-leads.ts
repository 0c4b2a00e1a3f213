import type { Undoable } from '../../imports/undoable.ts'
import { statement } from '../../platform/db/statement.ts'

/** A converted lead stays when the import that made it is taken back: its customer and trip come from it. */
export const keptLeads: Undoable = {
  keeps: statement(`
    select l.id, 'converted' as reason from unnest($ids::uuid[]) as key(id)
      join leads l on l.account_id = $account and l.id = key.id and l.converted_at is not null`),
}
