import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import type { TicketFile } from './ticket-file.ts'

const PARTS_ARRIVE_WITHIN = '7 days'
/** Of a file: its document numbers and, for a part, its transaction. */
const OF_FILE = {
  account: pg.integer,
  numbers: pg.list(pg.text),
  sequence: pg.nullable(pg.text),
  pnr: pg.nullable(pg.text),
}
/** The sales that have the numbers, and the sales of other parts of the transaction. */
const SALES = `
  select booking_id from ticket_numbers where account_id = $account and number = any ($numbers::text[])
  union
  select ticket_sale_id from ticket_captures
  where account_id = $account and part_sequence = $sequence and pnr is not distinct from $pnr and status = 'parsed'
    and created_at > now() - interval '${PARTS_ARRIVE_WITHIN}' and ticket_sale_id is not null`

export type HeldRow = RowFrom<typeof findHeldNumbers>
/** Every number of these sales, with the first sale that has it. */
export const findHeldNumbers = statement(
  OF_FILE,
  {
    number: pg.text,
    sale: pg.uuid,
    /** The document number that a conjunction continues. */
    primary: pg.text,
    status: pg.text,
    currency: pg.text,
    invoiced: pg.boolean,
    /** The sale's state before it was derived from its documents; null if it was not. */
    base: pg.nullable(pg.text),
    /** Whether the sale's entry of the document came from captured files. */
    captured: pg.boolean,
  },
  `
  with sale as materialized (${SALES})
  select distinct on (n.number) n.number, n.booking_id as sale, coalesce(first.number, n.number) as primary, b.status,
    b.currency, b.invoiced,
    (select e.sale_before from ticket_document_events e where e.account_id = n.account_id and e.booking_id = n.booking_id
      and e.sale_before is not null order by e.id desc limit 1) as base,
    exists (select from ticket_document_events e where e.account_id = n.account_id and e.number = coalesce(first.number, n.number)
      and e.booking_id = n.booking_id and e.entry) as captured
  from sale s
    join ticket_numbers n on n.account_id = $account and n.booking_id = s.booking_id
    join bookings b on b.account_id = n.account_id and b.id = n.booking_id
    left join ticket_numbers first on n.conjunction and first.account_id = n.account_id and first.booking_id = n.booking_id
      and first.passenger = n.passenger and not first.conjunction
  order by n.number, n.booking_id`,
)

export type ReadingRow = RowFrom<typeof findReadings>
/**
 * The captured files that name these numbers or other numbers of these sales, and for which numbers each counts. A file
 * does not count for numbers of a sale that no longer has them.
 */
export const findReadings = statement(
  OF_FILE,
  {
    id: pg.uuid,
    file: pg.filled(pg.json<TicketFile>()),
    digest: pg.text,
    numbers: pg.list(pg.text),
  },
  `
  with sale as materialized (${SALES}),
  number as materialized (
    select unnest($numbers::text[]) as number
    union
    select n.number from sale s join ticket_numbers n on n.account_id = $account and n.booking_id = s.booking_id
  ),
  fact as materialized (
    select e.capture_id, array_agg(distinct e.number) as numbers
    from number join ticket_document_events e on e.account_id = $account and e.number = number.number
    where e.booking_id is null or exists (select from ticket_numbers n
      where n.account_id = e.account_id and n.number = e.number and n.booking_id = e.booking_id)
    group by e.capture_id
  )
  select c.id, c.document as file, encode(c.sha256, 'hex') as digest, fact.numbers
  from fact join ticket_captures c on c.account_id = $account and c.id = fact.capture_id
  where c.document is not null`,
)

export type DocumentEvent = {
  readonly number: string
  readonly action: string
  readonly booking_id: string | null
  /** Whether the sale's entry of the document came from captured files. */
  readonly entry: boolean
  /** The state of the sale without its voids, refunds and exchanges, if the file changed it. */
  readonly sale_before: string | null
}
/** Stores the events of a capture's numbers; existing ones are updated. */
export const keepDocumentEvents = statement(
  { account: pg.integer, capture: pg.uuid, events: pg.jsonText },
  {},
  `
  with event as (
    select * from json_to_recordset($events::json) as e(number text, action text, booking_id uuid, entry boolean, sale_before text)
  ),
  known as (
    update ticket_document_events k set booking_id = e.booking_id, entry = e.entry,
      sale_before = coalesce(e.sale_before, k.sale_before)
    from event e
    where k.account_id = $account and k.capture_id = $capture and k.number = e.number and k.action = e.action
    returning k.number, k.action
  )
  insert into ticket_document_events (account_id, capture_id, number, action, booking_id, entry, sale_before)
  select $account::integer, $capture::uuid, e.number, e.action, e.booking_id, e.entry, e.sale_before
  from event e where not exists (select from known k where k.number = e.number and k.action = e.action)`,
)
/** Moves the events of numbers to the sales that have the numbers now. */
export const moveDocumentEvents = statement(
  { account: pg.integer, moves: pg.jsonText },
  {},
  `
  update ticket_document_events e set booking_id = m."to", entry = e.entry or m.entry and e.action in ('issue', 'refund')
  from json_to_recordset($moves::json) as m(number text, "from" uuid, "to" uuid, entry boolean)
  where e.account_id = $account and e.number = m.number and e.booking_id is not distinct from m."from"`,
)
/** Deletes events that a capture no longer has. */
export const dropDocumentEvents = statement(
  { account: pg.integer, capture: pg.uuid, numbers: pg.list(pg.text) },
  {},
  `
  delete from ticket_document_events
  where account_id = $account and capture_id = $capture and not number = any ($numbers::text[])`,
)
