import { fromSql, ofEntity } from '../../catalogue/columns.ts'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import { itemOf } from '../../platform/http/by-id.ts'
import { bookingView } from './booking.view.ts'
import type { BookingKind } from './booking-kind.ts'

export const verticalOf = statement(
  { account: pg.integer, id: pg.uuid },
  { entity: pg.text },
  'select entity from bookings where account_id = $account and id = $id and deleted_at is null',
)

/** Reads a booking of any vertical; refuses an id that no booking has. */
export function bookingReader(kinds: readonly BookingKind[]) {
  const reads = new Map(
    kinds.map((kind) => [
      kind.entity.key,
      byPolicies(
        { account: pg.integer, id: pg.uuid },
        { item: pg.printedJson },
        (policies) => `select ${viewSql(bookingView(kinds, kind), policies)}::text as item from ${fromSql(kind.entity)}
          where t.account_id = $account and ${ofEntity(kind.entity)} and t.id = $id and t.deleted_at is null`,
      ),
    ]),
  )
  return async (reader: AccountReader, policies: Policies, id: string, vertical?: string) => {
    const read = reads.get(vertical ?? (await reader.one(verticalOf, { id }))?.entity ?? '')
    return itemOf(read && (await reader.one(read(policies), { id })), 'booking')
  }
}
