import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'

/** A document that a sale of the account holds. */
export type HeldDocument = RowFrom<typeof findDocuments>
/** The documents that have these numbers, each of the first sale that has it. `undoing` is the action that a file takes back, where it does. */
export const findDocuments = statement(
  { account: pg.integer, numbers: pg.list(pg.text), undoing: pg.nullable(pg.text) },
  {
    /** As it was asked for; it may be a conjunction. */
    number: pg.text,
    sale: pg.uuid,
    /** Position among the sale's passengers. */
    passenger: pg.integer,
    sale_status: pg.text,
    invoiced: pg.boolean,
    status: pg.text,
    /** The sale's state before its documents brought it to another; null where none did. */
    sale_before: pg.nullable(pg.text),
    /** The document's status before the event that is taken back. */
    before: pg.nullable(pg.text),
    /** Totals of its refunds that nobody has withdrawn. */
    refunded: pg.list(pg.text),
  },
  `
  select distinct on (n.number) n.number, n.booking_id as sale, n.passenger, b.status as sale_status, b.invoiced,
    coalesce(t.passengers -> n.passenger ->> 'document_status', 'open') as status,
    (select e.sale_before from ticket_document_events e where e.account_id = n.account_id and e.booking_id = n.booking_id
      and e.sale_before is not null order by e.id desc limit 1) as sale_before,
    (select e.document_before from ticket_document_events e where e.account_id = n.account_id and e.number = n.number
      and e.action = $undoing and e.document_before is not null order by e.id desc limit 1) as before,
    array(select r ->> 'total' from jsonb_array_elements(t.refunds) r
      where r ->> 'ticket_number' = n.number and r ->> 'status' = 'draft') as refunded
  from ticket_numbers n
    join bookings b on b.account_id = n.account_id and b.id = n.booking_id
    join tickets t on t.account_id = n.account_id and t.id = n.booking_id
  where n.account_id = $account and n.number = any ($numbers::text[])
  order by n.number, n.booking_id`,
)

/** Numbers whose void came before their issue: the last that was said of each, while no sale had it. */
export const findAwaited = statement(
  { account: pg.integer, numbers: pg.list(pg.text) },
  { number: pg.text, action: pg.text },
  `
  select distinct on (number) number, action from ticket_document_events
  where account_id = $account and number = any ($numbers::text[]) and booking_id is null
  order by number, id desc`,
)
/** What was awaited has come. */
export const takeAwaited = statement(
  { account: pg.integer, numbers: pg.list(pg.text), sale: pg.uuid, before: pg.text },
  {},
  `
  update ticket_document_events set booking_id = $sale::uuid, document_before = 'open', sale_before = $before
  where account_id = $account and number = any ($numbers::text[]) and booking_id is null`,
)

export type DocumentEvent = {
  readonly number: string
  readonly action: string
  readonly booking_id: string | null
  readonly document_before: string | null
  readonly sale_before: string | null
}
export const insertDocumentEvents = statement(
  { account: pg.integer, capture: pg.uuid, events: pg.jsonText },
  {},
  `
  insert into ticket_document_events (account_id, capture_id, number, action, booking_id, document_before, sale_before)
  select $account::integer, $capture::uuid, number, action, booking_id, document_before, sale_before
  from json_to_recordset($events::json) as e(number text, action text, booking_id uuid, document_before text, sale_before text)`,
)
