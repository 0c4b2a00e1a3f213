import type { AccountReader } from '../../platform/db/account-tx.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { instantSql, viewSql } from '../../platform/db/view.ts'
import { auditEntryView } from './audit-log.view.ts'

const OWN = 'e.account_id = $account'
/** Days are those of the account. */
const from = (day: string) => `e.created_at >= (${day}::date::timestamp at time zone $zone)`
const through = (day: string) => `e.created_at < ((${day}::date + 1)::timestamp at time zone $zone)`

/** Entries, newest first. */
export const listAuditEntries = listing(
  {
    zone: pg.text,
    action: pg.text,
    subject_type: pg.text,
    subject_id: pg.text,
    seat_id: pg.uuid,
    key_id: pg.uuid,
    from: pg.date,
    to: pg.date,
  },
  {
    action: 'e.action = $action',
    subject_type: 'e.subject_type = $subject_type',
    subject_id: 'e.subject_id = $subject_id',
    seat_id: 'e.seat_id = $seat_id::uuid',
    key_id: 'e.key_id = $key_id::uuid',
    from: from('$from'),
    to: through('$to'),
  },
  ({ policies, where, continues }) =>
    pageSql(
      {
        item: viewSql(auditEntryView, policies),
        from: 'audit_log e',
        where: [OWN, ...where],
        keys: [{ sql: 'e.id', pg: 'uuid' }],
        descending: true,
      },
      continues,
    ),
)

export type AuditFilters = {
  readonly [name in 'action' | 'subject_type' | 'subject_id' | 'seat_id' | 'key_id' | 'from' | 'to']?:
    | string
    | undefined
}
const optional = (condition: string, name: string, type: string) => `($${name}::${type} is null or ${condition})`
const readAll = statement(
  {
    account: pg.integer,
    zone: pg.text,
    hidden: pg.list(pg.text),
    most: pg.integer,
    action: pg.nullable(pg.text),
    subject_type: pg.nullable(pg.text),
    subject_id: pg.nullable(pg.text),
    seat_id: pg.nullable(pg.uuid),
    key_id: pg.nullable(pg.uuid),
    from: pg.nullable(pg.date),
    to: pg.nullable(pg.date),
  },
  {
    created_at: pg.filled(pg.text),
    actor: pg.text,
    source: pg.text,
    action: pg.text,
    subject_type: pg.text,
    subject_id: pg.text,
    details: pg.filled(pg.text),
  },
  `
  select ${instantSql('e.created_at')} as created_at, e.actor, e.source, e.action, e.subject_type, e.subject_id, (e.details - $hidden::text[])::text as details
  from audit_log e where ${OWN}
    and ${optional('e.action = $action', 'action', 'text')}
    and ${optional('e.subject_type = $subject_type', 'subject_type', 'text')}
    and ${optional('e.subject_id = $subject_id', 'subject_id', 'text')}
    and ${optional('e.seat_id = $seat_id::uuid', 'seat_id', 'uuid')}
    and ${optional('e.key_id = $key_id::uuid', 'key_id', 'uuid')}
    and ${optional(from('$from'), 'from', 'date')}
    and ${optional(through('$to'), 'to', 'date')}
  order by e.id desc limit $most`,
)
export type AuditRow = RowFrom<typeof readAll>

/** The entries of a file, newest first, at most this number. */
export const readAuditEntries = (
  reader: AccountReader,
  filters: AuditFilters,
  { zone, hidden }: { readonly zone: string; readonly hidden: string[] },
  most: number,
): Promise<AuditRow[]> => {
  const { action = null, subject_type = null, subject_id = null, seat_id = null, key_id = null } = filters
  const days = { from: filters.from ?? null, to: filters.to ?? null }
  return reader.all(readAll, { zone, hidden, most, action, subject_type, subject_id, seat_id, key_id, ...days })
}
