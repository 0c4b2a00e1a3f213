import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
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

export type HeldRow = {
  readonly number: string
  readonly sale: string
  /** The document number that a conjunction continues. */
  readonly primary: string
  readonly status: string
  readonly currency: string
  readonly invoiced: boolean
  /** The sale's state before it was derived from its documents; null if it was not. */
  readonly base: string | null
  /** Whether the sale's entry of the document came from captured files. */
  readonly captured: boolean
}
export type ReadingRow = {
  readonly id: string
  readonly file: TicketFile
  readonly digest: string
  readonly numbers: readonly string[]
}
/**
 * `held`: every number of these sales, as the first sale that has it holds it. `readings`: the captured files that name
 * the numbers or any other of these sales, and for which of the numbers each counts: not for those of a sale that does
 * not have them any more.
 */
export const findBooks = statement(
  OF_FILE,
  { held: pg.json<readonly HeldRow[]>(), readings: pg.json<readonly ReadingRow[]>() },
  `
  with sale as materialized (${SALES}),
  held as (
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
    order by n.number, n.booking_id
  ),
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
  select coalesce((select json_agg(held order by held.number) from held), '[]') as held,
    coalesce((
      select json_agg(json_build_object('id', c.id, 'file', c.document, 'digest', encode(c.sha256, 'hex'), 'numbers', fact.numbers))
      from fact join ticket_captures c on c.account_id = $account and c.id = fact.capture_id
      where c.document is not null), '[]') as readings`,
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
/** Stores the events of the numbers of a new capture. */
export const addDocumentEvents = statement(
  { account: pg.integer, capture: pg.uuid, events: pg.jsonText },
  {},
  `
  insert into ticket_document_events (account_id, capture_id, number, action, booking_id, entry, sale_before)
  select $account::integer, $capture::uuid, e.number, e.action, e.booking_id, e.entry, e.sale_before
  from json_to_recordset($events::json) as e(number text, action text, booking_id uuid, entry boolean, sale_before text)`,
)
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
