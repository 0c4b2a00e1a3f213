import type { Revert } from '../../imports/importable.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

/** A supplier that something alive refers to suppliersThatStay when the import that made it is taken back. */
export const suppliersThatStay: Revert['stays'] = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  { id: pg.uuid, reason: pg.text },
  `
  select key.id, r.reason from unnest($ids::uuid[]) as key(id) cross join lateral (
    select case
      when exists (select from bookings b where b.account_id = $account and b.supplier_id = key.id and b.deleted_at is null)
        then 'has_bookings'
      when exists (select from tour_departures d where d.account_id = $account and d.supplier_id = key.id and d.deleted_at is null)
        then 'has_departures'
      when exists (select from supplier_bills b where b.account_id = $account and b.supplier_id = key.id and b.deleted_at is null)
        or exists (select from operator_invoices i where i.account_id = $account and i.supplier_id = key.id and i.deleted_at is null)
        then 'has_documents'
      when exists (select from trip_segments s where s.account_id = $account and s.supplier_id = key.id)
        or exists (select from share_links l where l.account_id = $account and l.supplier_id = key.id)
        then 'has_trips'
    end as reason
  ) r where r.reason is not null`,
)
