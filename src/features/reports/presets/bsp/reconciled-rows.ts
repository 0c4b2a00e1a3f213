import { namesRestrictedSql, personalSql } from '../../../customers/reads/restricted.ts'
import { inDigits } from '../../in-digits.ts'
import { maySee, type ReportInput } from '../../preset.ts'
import { COMMISSION, cellSql, DOCUMENT_STATUS_SQL, ISSUED_ON, listSql, NUMBERS, TOTAL } from '../document-sql.ts'

const WINDOW = 'between $from::date and $to::date'
/** The day of a billed document `l` that the window is about. */
const billedOn = (dateBasis: ReportInput['dateBasis']): string =>
  dateBasis === 'transaction' ? 'coalesce(l.period_on, l.issued_on)' : 'l.issued_on'
/** The lines that are billed in the window, by the index of that day. */
const billedInWindow = (dateBasis: ReportInput['dateBasis']): string =>
  dateBasis === 'transaction'
    ? `(l.period_on ${WINDOW} or l.period_on is null and l.issued_on ${WINDOW})`
    : `l.issued_on ${WINDOW}`

/** Looks rows up for each row before it, by an index; the planner knows too little of lists in JSON to see that they are few. */
const lookedUp = (select: string, as: string): string => `cross join lateral (${select} offset 0) ${as}`
const ITS_DOCUMENTS = 'cross join lateral jsonb_array_elements(t.passengers) with ordinality d(item, position)'

/** The documents of the books that belong into the window: billed, issued or refunded in it. */
const documents = (dateBasis: ReportInput['dateBasis']): string => `
  billed_numbers as materialized (
    select distinct l.number from bsp_lines l where l.account_id = $account and ${billedInWindow(dateBasis)}),
  sales as (
    select id, transaction_date from bookings where account_id = $account and last_issued_on ${WINDOW}
    union
    select id, transaction_date from bookings
    where account_id = $account and first_issued_on < last_issued_on and last_issued_on > $to::date and first_issued_on <= $to::date
    union
    select id, transaction_date from bookings where account_id = $account and transaction_date ${WINDOW} and entity = 'tickets'),
  documents as materialized (
    select n.booking_id, n.passenger from billed_numbers w
      ${lookedUp('select booking_id, passenger from ticket_numbers n where n.account_id = $account and n.number = w.number', 'n')}
    union
    select b.id, (d.position - 1)::smallint from sales b
      ${lookedUp(`select passengers from tickets t where t.account_id = $account and t.id = b.id and t.settlement_channel = 'bsp'`, 't')}
      ${ITS_DOCUMENTS}
    where ${ISSUED_ON} ${WINDOW}
    union
    select t.id, (d.position - 1)::smallint
    from tickets t cross join lateral jsonb_array_elements(${listSql('t.refunds')}) f(item) ${ITS_DOCUMENTS}
    where t.account_id = $account and t.refunds is not null and (f.item ->> 'refunded_on')::date ${WINDOW}
      and ${cellSql('ticket_number')} = f.item ->> 'ticket_number')`

/** These documents with the last recorded refund that was not withdrawn. A cancelled sale has none. */
const HELD = `
  held as materialized (
    select b.account_id, u.booking_id, u.passenger, b.company_id, b.branch_id, b.customer_id, b.external_id, b.currency,
      b.settlement_channel, ${cellSql('airline_code')} as airline_code, ${DOCUMENT_STATUS_SQL} as status, ${ISSUED_ON} as issued_on,
      ${TOTAL} as total, ${COMMISSION} as commission, f.told, (f.told ->> 'refunded_on')::date as refunded_on, ${NUMBERS} as numbers
    from documents u
      ${lookedUp(
        `select b.*, t.settlement_channel, t.refunds, t.passengers -> u.passenger as item
         from bookings b join tickets t on t.account_id = b.account_id and t.id = b.id
         where b.account_id = $account and b.id = u.booking_id and b.deleted_at is null and b.status <> 'cancelled'`,
        'b',
      )}
      cross join lateral (select b.item) d
      left join lateral (
        select f.item as told from jsonb_array_elements(${listSql('b.refunds')}) with ordinality f(item, position)
        where f.item ->> 'ticket_number' = ${cellSql('ticket_number')} and f.item ->> 'status' is distinct from 'cancelled'
        order by f.position desc limit 1) f on true),
  held_numbers as materialized (
    select n.number, h.booking_id, h.passenger, h.numbers[1] as document from held h cross join lateral unnest(h.numbers) n(number)),
  numbers as (
    select * from held_numbers
    union all
    select w.number, null, null, w.number from billed_numbers w
    where not exists (select from held_numbers n where n.number = w.number))`

/** What airlines bill, by the newest file that has it. */
const billed = (dateBasis: ReportInput['dateBasis']): string => `
  billed as (
    select m.document, m.booking_id, m.passenger, l.transaction, l.currency, l.void, ${billedOn(dateBasis)} as day, l.period_on,
      l.total - l.exchanged as amount, l.commission, l.remittance, l.code, l.agent, l.billing_id, l.line
    from numbers m ${lookedUp(
      `select l.*, rank() over (partition by l.transaction, l.issued_on order by l.billing_id desc) as age
       from bsp_lines l where l.account_id = $account and l.number = m.number`,
      'l',
    )}
    where l.age = 1)`

const REFUND_CURRENCY = `coalesce(h.told ->> 'currency', h.currency)`
const refundAmount = (name: string): string => `(h.told ->> '${name}')::numeric`
const REFUNDED_FARE = `(${refundAmount('gross')} - coalesce(${refundAmount('used')}, 0))`
const REFUND_TOTAL = inDigits(
  `coalesce(${refundAmount('total')},
  ${REFUNDED_FARE} + coalesce(${refundAmount('tax_total')}, 0) - coalesce(${refundAmount('penalty')}, 0) - coalesce(${refundAmount('other_fees')}, 0), 0)`,
  REFUND_CURRENCY,
)
const COMMISSION_RECALL = inDigits(
  `coalesce(${refundAmount('commission_recall')}, ${REFUNDED_FARE} * ${refundAmount('commission_recall_rate')} / 100, h.commission)`,
  REFUND_CURRENCY,
)
/**
 * The BSP documents in the books: sales (zero if void) and refunds. A refund without details is of the whole document.
 * A document that was imported only as a refund has a negative amount.
 */
const BOOKED = `
  booked as (
    select h.numbers[1] as document, h.booking_id, h.passenger, e.*
    from held h cross join lateral (
      select 'sale' as transaction, h.currency, h.status = 'void' as void, h.issued_on as day,
        case when h.status = 'void' then 0 else h.total end as amount, case when h.status = 'void' then 0 else h.commission end as commission
      where h.total >= 0
      union all
      select 'refund', ${REFUND_CURRENCY}, false, coalesce(h.refunded_on, h.issued_on), -${REFUND_TOTAL}, -${COMMISSION_RECALL}
      where h.total >= 0 and h.status = 'refunded' and h.told is not null
      union all
      select 'refund', h.currency, false, coalesce(h.refunded_on, h.issued_on), -abs(h.total), -abs(h.commission)
      where h.total < 0 and h.status <> 'void' or h.total >= 0 and h.status = 'refunded' and h.told is null
    ) e
    where h.settlement_channel = 'bsp' and h.numbers <> '{}')`

/** Books and billing, one after the other. A void document has no currency; it gets that of the other side. */
const SIDES = `
  sides as (
    select document, booking_id, passenger, transaction, currency, void, day as booked_day, amount as booked, commission as booked_commission,
      null::date as billed_day, null::date as period_on, null::numeric as billed, null::numeric as billed_commission, null::numeric as remittance,
      null as code, null as agent, null::uuid as billing_id, null::integer as line, true as is_booked, false as is_billed
    from booked
    union all
    select document, booking_id, passenger, transaction, currency, void, null, null, null,
      day, period_on, amount, commission, remittance, code, agent, billing_id, line, false, true
    from billed),
  compared as (
    select s.*, coalesce(case when not s.void then s.currency end, max(s.currency) filter (where not s.void) over w, max(s.currency) over w) as money,
      bool_or(s.is_booked) over w as in_books, bool_or(s.is_billed) over w as in_bsp, bool_and(s.void) over w as is_void,
      coalesce(min(s.billed_day) over w, min(s.booked_day) over w) as day
    from sides s window w as (partition by s.document, s.transaction)),
  totals as (
    select c.document, c.booking_id, c.passenger, c.transaction, c.money as currency, c.in_books, c.in_bsp, c.day,
      sum(c.booked) as booked, sum(c.billed) as billed, coalesce(sum(c.billed), 0) - coalesce(sum(c.booked), 0) as difference,
      sum(c.booked_commission) as booked_commission, ${sumOfKnown('billed_commission')} as billed_commission,
      ${sumOfKnown('remittance')} as remittance, bool_or(c.is_billed) as is_billed, min(c.period_on) as period_on,
      min(c.agent) as agent, string_agg(distinct c.code, ', ' order by c.code) as code,
      (array_agg(c.billing_id order by c.billing_id, c.line) filter (where c.is_billed))[1] as billing_id,
      (array_agg(c.line order by c.billing_id, c.line) filter (where c.is_billed))[1] as line
    from compared c where c.day ${WINDOW} and not (c.is_void and not (c.in_books and c.in_bsp))
    group by c.document, c.booking_id, c.passenger, c.transaction, c.money, c.in_books, c.in_bsp, c.day)`

/** The billed total, if every part of it is known. */
function sumOfKnown(column: string): string {
  return `case when bool_and(c.${column} is not null or not c.is_billed) then sum(c.${column}) end`
}

/** The branch of each IATA number, by its first seven digits; the eighth checks them. */
const AGENTS = `
  agents as (
    select distinct on (left(i.number, 7)) left(i.number, 7) as agent, n.id as branch_id
    from branches n cross join lateral unnest(n.iata_numbers) i(number)
    where n.account_id = $account order by left(i.number, 7), n.created_at, n.id)`

/** The buckets, and the policies needed to know which one a document is in: amounts decide before commissions. */
export const RECONCILIATION_BUCKETS = {
  matched: 'cost',
  amount_variance: 'money',
  commission_variance: 'cost',
  missing_in_books: null,
  missing_in_bsp: null,
} as const

/** The bucket of a document `x`; null if masked. */
function bucketSql({ policies }: ReportInput): string {
  const differs = (difference: string) => `abs(${difference}) > $tolerance::numeric`
  const shown = (bucket: keyof typeof RECONCILIATION_BUCKETS) =>
    maySee(policies, RECONCILIATION_BUCKETS[bucket]) ? `'${bucket}'` : 'null'
  return `case when not x.in_bsp then ${shown('missing_in_bsp')} when not x.in_books then ${shown('missing_in_books')}
    when ${differs('x.difference')} then ${shown('amount_variance')}
    when ${differs('x.commission_difference')} then ${shown('commission_variance')} else ${shown('matched')} end`
}

/** A row for each transaction of a document and currency, with the values of the books and the airline. */
export function reconciledRows(asked: ReportInput): string {
  const { policies, where, dateBasis } = asked
  const counts = Object.keys(RECONCILIATION_BUCKETS).map((bucket) => `(r.bucket = '${bucket}')::integer as ${bucket}`)
  return `
    with ${documents(dateBasis)}, ${HELD}, ${billed(dateBasis)}, ${BOOKED}, ${SIDES}, ${AGENTS}
    select r.*, 1 as documents, n.name as branch, c.name as company, ${counts.join(', ')}
    from (
      select x.*, ${bucketSql(asked)} as bucket, left(x.document, 3) as airline_number, x.passenger + 1 as position,
        ${personalSql(namesRestrictedSql('h', 'h.customer_id'), 'x.document', policies, 'null::text')} as ticket_number,
        coalesce(h.branch_id, a.branch_id) as branch_id, coalesce(h.company_id, g.company_id) as company_id,
        h.external_id, h.settlement_channel, h.airline_code, h.status as document_status
      from (select *, case when billed_commission is not null or not is_billed
          then coalesce(billed_commission, 0) - coalesce(booked_commission, 0) end as commission_difference from totals) x
        left join held h on h.booking_id = x.booking_id and h.passenger = x.passenger
        left join bsp_billings g on g.account_id = $account and g.id = x.billing_id
        left join agents a on a.agent = left(x.agent, 7)
    ) r
      left join branches n on n.account_id = $account and n.id = r.branch_id
      left join companies c on c.account_id = $account and c.id = r.company_id
    where ${where}`
}
