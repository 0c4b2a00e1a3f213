import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { instantSql, type View, viewSql } from '../../platform/db/view.ts'
import { captureDetailView, captureView, failureView } from './captures.view.ts'
import type { FileWarning, TicketFile } from './ticket-file.ts'

/** The captures of the account, newest first. */
export const listCaptures = listing({}, {}, ({ policies, where, continues }) =>
  pageSql(
    {
      item: viewSql(captureView, policies),
      from: 'ticket_captures t',
      where: ['t.account_id = $account', ...where],
      keys: [
        { sql: 't.created_at', pg: 'timestamptz' },
        { sql: 't.id', pg: 'uuid' },
      ],
      descending: true,
    },
    continues,
  ),
)
const readingOf = (view: View) =>
  byPolicies(
    { account: pg.integer, id: pg.uuid },
    { item: pg.printedJson },
    (policies) =>
      `select ${viewSql(view, policies)}::text as item from ticket_captures t where t.account_id = $account and t.id = $id`,
  )
export const readCapture = readingOf(captureView)
export const readCaptureDetail = readingOf(captureDetailView)
/** Failed captures by cause, provider and format, the most frequent first, each with the excerpt of the last. */
export const listFailures = byPolicies(
  { account: pg.integer },
  { items: pg.printedJson },
  (policies) => `
  with groups as (
    select cause, provider, format, count(*)::integer as count, min(created_at) as first_at, max(created_at) as last_at
    from ticket_captures where account_id = $account and status = 'failed' group by cause, provider, format)
  select coalesce(json_agg(${viewSql(failureView, policies)} order by g.count desc, g.last_at desc, last.id), '[]')::text as items
  from groups g cross join lateral (
    select t.id, t.excerpt from ticket_captures t where t.account_id = $account and t.status = 'failed'
      and t.cause is not distinct from g.cause and t.provider = g.provider and t.format = g.format
    order by t.created_at desc, t.id desc limit 1) last`,
)
/**
 * An earlier capture of the same bytes: the first that succeeded, otherwise the first that failed. Captures of deleted
 * sales do not count.
 */
export const findSameBytes = statement(
  { account: pg.integer, digest: pg.bytes },
  { id: pg.uuid, status: pg.text },
  `
  select c.id, c.status from ticket_captures c
  where c.account_id = $account and c.sha256 = $digest and not (
    c.status = 'duplicate' and c.document_action in ('issue', 'exchange') and exists (
      select from bookings b where b.account_id = c.account_id and b.id = c.ticket_sale_id
        and (b.deleted_at is not null or b.status = 'cancelled')))
  order by c.status = 'failed', c.created_at, c.id limit 1`,
)
/** Stores a capture. A failed one that was sent again is replaced. */
export const keepCapture = statement(
  {
    account: pg.integer,
    id: pg.uuid,
    status: pg.text,
    provider: pg.text,
    format: pg.text,
    filename: pg.nullable(pg.text),
    encoding: pg.text,
    agent: pg.nullable(pg.jsonText),
    digest: pg.bytes,
    content: pg.bytes,
    document: pg.nullable(pg.jsonText),
    action: pg.nullable(pg.text),
    numbers: pg.nullable(pg.list(pg.text)),
    duplicates: pg.nullable(pg.list(pg.text)),
    pnr: pg.nullable(pg.text),
    sequence: pg.nullable(pg.text),
    part: pg.nullable(pg.integer),
    parts: pg.nullable(pg.integer),
    warnings: pg.jsonText,
    sale: pg.nullable(pg.uuid),
    error: pg.nullable(pg.text),
    cause: pg.nullable(pg.text),
    excerpt: pg.nullable(pg.text),
    captured: pg.instant,
  },
  {},
  `
  insert into ticket_captures (account_id, id, status, provider, format, filename, encoding, agent, sha256, content,
    document, document_action, ticket_numbers, duplicate_numbers, pnr, part_sequence, part_number, part_count, warnings,
    ticket_sale_id, error, cause, excerpt, captured_at)
  values ($account, $id, $status, $provider, $format, $filename, $encoding, $agent, $digest, $content,
    $document, $action, $numbers, $duplicates, $pnr, $sequence, $part, $parts, $warnings, $sale, $error, $cause, $excerpt, $captured)
  on conflict (account_id, id) do update set status = excluded.status, provider = excluded.provider,
    format = excluded.format, encoding = excluded.encoding, document = excluded.document,
    document_action = excluded.document_action, ticket_numbers = excluded.ticket_numbers,
    duplicate_numbers = excluded.duplicate_numbers, pnr = excluded.pnr, part_sequence = excluded.part_sequence,
    part_number = excluded.part_number, part_count = excluded.part_count, warnings = excluded.warnings,
    ticket_sale_id = excluded.ticket_sale_id, error = excluded.error,
    cause = excluded.cause, excerpt = excluded.excerpt, captured_at = excluded.captured_at`,
)
/**
 * Stores a capture of bytes that were captured before. It refers to the earlier one instead of storing the result
 * twice.
 */
export const keepSameBytes = statement(
  { account: pg.integer, id: pg.uuid, first: pg.uuid, filename: pg.nullable(pg.text), agent: pg.nullable(pg.jsonText) },
  {},
  `
  insert into ticket_captures (account_id, id, status, provider, format, filename, encoding, agent, sha256,
    document_action, ticket_numbers, duplicate_numbers, pnr, part_sequence, part_number, part_count, ticket_sale_id, captured_at)
  select account_id, $id::uuid, 'duplicate', provider, format, $filename, encoding, $agent::jsonb, sha256,
    document_action, ticket_numbers, duplicate_numbers, pnr, part_sequence, part_number, part_count, ticket_sale_id, captured_at
  from ticket_captures where account_id = $account and id = $first`,
)

/** Points the captures of a sale that was merged into another one to the latter. */
export const moveCaptures = statement(
  { account: pg.integer, from: pg.uuid, to: pg.uuid },
  {},
  'update ticket_captures set ticket_sale_id = $to where account_id = $account and ticket_sale_id = $from',
)
/** Finishes captures that failed because no sale had their documents, if sales have all of them now. */
export const finishWaitingCaptures = statement(
  { account: pg.integer, numbers: pg.list(pg.text) },
  {},
  `
  update ticket_captures c set status = 'duplicate', error = null, cause = null, excerpt = null,
    duplicate_numbers = c.ticket_numbers, ticket_sale_id = waiting.sales[1]
  from (
    select e.capture_id, array_agg(e.booking_id order by e.id) as sales from ticket_document_events e
    where e.account_id = $account and e.capture_id in (
      select w.capture_id from ticket_document_events w where w.account_id = $account and w.number = any ($numbers::text[]))
    group by e.capture_id having bool_and(e.booking_id is not null)
  ) waiting
  where c.account_id = $account and c.id = waiting.capture_id and c.status = 'failed' and c.cause = 'not_held'`,
)
/**
 * Finds the branch by the file's office or IATA number (otherwise the headquarters), suppliers by the airline,
 * customers by the account code, and the seat by the longest of its signs that the agent's sign begins with, first
 * agent first.
 */
export const findPlace = statement(
  {
    account: pg.integer,
    office: pg.nullable(pg.text),
    iata: pg.nullable(pg.text),
    airline: pg.nullable(pg.text),
    client: pg.nullable(pg.text),
    signs: pg.list(pg.text),
  },
  {
    company: pg.nullable(pg.json<{ readonly id: string; readonly country: string; readonly currency: string }>()),
    branch: pg.nullable(pg.uuid),
    suppliers: pg.list(pg.uuid),
    customers: pg.list(pg.uuid),
    seat: pg.nullable(pg.uuid),
    owner: pg.nullable(pg.uuid),
  },
  `
  select desk.company, desk.branch,
    array(select s.id from suppliers s where s.account_id = $account and s.iata_code = $airline::text
      and s.deleted_at is null order by s.created_at, s.id limit 2) as suppliers,
    array(select c.id from customers c where c.account_id = $account and c.code = $client::text
      and c.deleted_at is null order by c.created_at, c.id limit 2) as customers,
    (select s.id from seats s, unnest(s.agent_sines) sine, unnest($signs::text[]) with ordinality agent(sign, nth)
      where s.account_id = $account and s.active and sine <> '' and starts_with(sign, sine)
      order by nth, length(sine) desc, s.created_at, s.id limit 1) as seat,
    (select a.owner_id from accounts a where a.account_id = $account) as owner
  from (select 1) one left join (
    select json_build_object('id', c.id, 'country', c.tax_country, 'currency', c.currency) as company, b.id as branch
    from branches b join companies c on c.account_id = b.account_id and c.id = b.company_id
    where b.account_id = $account and b.active and c.active
    order by ($office::text = any (b.office_ids)) is true desc, ($iata::text = any (b.iata_numbers)) is true desc,
      b.is_headquarters desc, b.created_at, b.id
    limit 1) desk on true`,
)

/** The capture whose bytes are read again: the earlier one if several have the same bytes. */
export const findKeptCapture = statement(
  { account: pg.integer, id: pg.text },
  {
    id: pg.uuid,
    status: pg.textOf<'parsed' | 'duplicate' | 'failed'>(),
    content: pg.filled(pg.bytes),
    encoding: pg.text,
    digest: pg.bytes,
    document: pg.nullable(pg.json<TicketFile>()),
    duplicates: pg.nullable(pg.list(pg.text)),
    warnings: pg.json<readonly FileWarning[]>(),
    sale: pg.nullable(pg.uuid),
    error: pg.nullable(pg.text),
    cause: pg.nullable(pg.text),
    arrived: pg.text,
  },
  `
  select k.id, k.status, k.content, k.encoding, k.sha256 as digest, k.document, k.duplicate_numbers as duplicates,
    k.warnings, k.ticket_sale_id as sale, k.error, k.cause, ${instantSql('k.created_at')} as arrived
  from ticket_captures t join ticket_captures k on k.account_id = t.account_id and k.sha256 = t.sha256 and k.content is not null
  where t.account_id = $account and t.id::text = lower($id)
  order by k.id = t.id desc, k.created_at, k.id limit 1`,
)
/** Adds the cause and the excerpt to a capture that failed before these were stored. */
export const describeFailure = statement(
  { account: pg.integer, id: pg.uuid, error: pg.text, cause: pg.nullable(pg.text), excerpt: pg.text },
  {},
  `
  update ticket_captures set error = $error, cause = $cause, excerpt = $excerpt
  where account_id = $account and id = $id and status = 'failed' and cause is null`,
)
/** Captures with bytes since a day in the account's time zone, in order of arrival. */
export const listKeptCaptures = statement(
  { account: pg.integer, since: pg.date, after: pg.nullable(pg.uuid), limit: pg.integer },
  { id: pg.uuid },
  `
  select c.id from ticket_captures c join accounts a on a.account_id = c.account_id
  where c.account_id = $account and c.content is not null and c.created_at >= $since::date::timestamp at time zone a.time_zone
    and ($after::uuid is null or c.id > $after)
  order by c.id limit $limit`,
)
