import type { Issue } from '../../catalogue/kind.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
/** The id of the booking in `booking_entity` and `booking_external_id` of an item; null if it does not exist. */
export type BookingOf = (item: Values) => string | null

const find = statement(
  { account: pg.integer, entities: pg.list(pg.text), ids: pg.list(pg.text), source: pg.nullable(pg.text) },
  { entity: pg.text, external_id: pg.filled(pg.text), id: pg.text },
  `
  select b.entity, b.external_id, min(b.id::text) as id
  from unnest($entities::text[], $ids::text[]) as key(entity, external_id)
    join bookings b on b.account_id = $account and b.entity = key.entity and b.external_id = key.external_id
      and ($source::text is null or b.source_system = $source) and b.deleted_at is null
  group by 1, 2 having count(distinct b.id) = 1`,
)

const keyOf = ({ booking_entity, booking_external_id }: Values) => `${booking_entity} ${booking_external_id}`
const names = ({ booking_entity, booking_external_id }: Values) => Boolean(booking_entity && booking_external_id)

/** Looks up the bookings of a source system, or of any, that documents or their lines name, all at once. */
export async function findBookings(tx: AccountTx, items: readonly Values[], source: string | null): Promise<BookingOf> {
  const named = items.filter(names)
  const known = new Map<string, string>()
  if (named.length > 0) {
    const entities = named.map(({ booking_entity }) => String(booking_entity))
    const ids = named.map(({ booking_external_id }) => String(booking_external_id))
    for (const { entity, external_id, id } of await tx.all(find, { entities, ids, source }))
      known.set(`${entity} ${external_id}`, id)
  }
  return (item) => known.get(keyOf(item)) ?? null
}

/** Errors of the booking reference of an item. Half a reference is an error; an unknown booking is only a warning. */
export function bookingIssues(item: Values, of: BookingOf, at = ''): { errors: Issue[]; warnings: Issue[] } {
  const { booking_entity, booking_external_id } = item
  if (Boolean(booking_entity) !== Boolean(booking_external_id)) {
    const missing = booking_entity ? 'booking_external_id' : 'booking_entity'
    const message = 'Send booking_entity and booking_external_id together.'
    return { errors: [{ at: `${at}${missing}`, code: 'inconsistent', message }], warnings: [] }
  }
  if (!names(item) || of(item) !== null) return { errors: [], warnings: [] }
  const message = `No ${booking_entity} record has this external id, so the document was not linked.`
  return { errors: [], warnings: [{ at: `${at}booking_external_id`, code: 'reference_not_found', message }] }
}
