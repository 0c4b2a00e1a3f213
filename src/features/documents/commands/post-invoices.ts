import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { lastOnSql, numberedSql, type Series, yearOf } from '../numbered-sql.ts'

type Side = {
  readonly side: 'sell' | 'cost'
  readonly series: Series
  /** SQL of the date that a document of booking `b` and company `c` is posted on. */
  readonly postedOn: string
  /** SQL of one line, as the keys and values of an object. */
  readonly line: string
  readonly condition: string
}

/** One numbered document for each booking and currency of the side. */
const numbered = ({ side, series, postedOn, line, condition }: Side): string => `
  due as (
    select b.id as booking_id, b.company_id, b.invoice_date, ${postedOn} as posted_on
    from unnest($bookings::uuid[]) as key(id)
      join bookings b on b.account_id = $account and b.id = key.id
      join companies c on c.account_id = b.account_id and c.id = b.company_id
    where ${condition}
  ),
  document as (
    select d.*, ${yearOf('d.posted_on')} as year, l.currency, sum(l.net) as net, sum(l.vat) as vat, sum(l.gross) as gross,
      jsonb_agg(jsonb_build_object(${line}) order by l.position) as lines,
      row_number() over (partition by d.company_id, ${yearOf('d.posted_on')}
        order by d.posted_on, d.invoice_date, d.booking_id, l.currency) as nth
    from due d
      join bookings b on b.account_id = $account and b.id = d.booking_id
      join booking_lines l on l.account_id = b.account_id and l.booking_id = b.id and l.side = '${side}'
    group by b.account_id, b.id, d.booking_id, d.company_id, d.invoice_date, d.posted_on, l.currency
  ),
  ${numberedSql(series)}`

/**
 * Today, or the booking's invoice date if its company backdates invoices and no later number exists in that year. A
 * series with future dates from an earlier version continues at its last date.
 */
const INVOICE_DATE = `case
  when c.backdate_invoices and b.invoice_date <= $today::date
    and b.invoice_date >= coalesce(${lastOnSql('INV', yearOf('b.invoice_date'))}, b.invoice_date) then b.invoice_date
  else greatest($today::date, ${lastOnSql('INV', yearOf('$today::date'))}) end`

const SELL_LINE = `'kind', l.kind, 'label', l.label, 'amount', trim_scale(l.amount)::text, 'quantity', l.quantity,
  'vat_rate', trim_scale(l.vat_rate)::text, 'tax_inclusive', l.tax_inclusive, 'net', trim_scale(l.net)::text,
  'vat', trim_scale(l.vat)::text, 'gross', trim_scale(l.gross)::text`
/** As the lines of a bill that is brought forward. */
const COST_LINE = `'description', coalesce(l.label, l.kind), 'quantity', l.quantity, 'amount', trim_scale(l.amount)::text,
  'vat_rate', trim_scale(l.vat_rate)::text, 'net_amount', trim_scale(l.net)::text, 'vat_amount', trim_scale(l.vat)::text,
  'total_amount', trim_scale(l.gross)::text, 'booking_entity', b.entity, 'booking_external_id', b.external_id`

const postSell = statement(
  { account: pg.integer, bookings: pg.list(pg.uuid), today: pg.date },
  {},
  `
  with ${numbered({ side: 'sell', series: 'INV', postedOn: INVOICE_DATE, line: SELL_LINE, condition: 'true' })}
  insert into customer_invoices (account_id, company_id, branch_id, document_type, number, booking_id, customer_id, currency,
    issued_on, due_on, tax_point_on, lines, net, vat, gross)
  select $account::integer, n.company_id, b.branch_id, 'invoice', n.document_number, n.booking_id, b.customer_id, n.currency,
    n.posted_on, n.posted_on + c.payment_terms_days, least(n.invoice_date, n.posted_on), n.lines, n.net, n.vat, n.gross
  from numbered n join bookings b on b.account_id = $account and b.id = n.booking_id
    join companies c on c.account_id = $account and c.id = n.company_id
  order by n.document_number`,
)

/** A bill is the supplier's document, so it keeps the invoice date; its number is only an internal reference. */
const postCost = statement(
  { account: pg.integer, bookings: pg.list(pg.uuid) },
  {},
  `
  with ${numbered({ side: 'cost', series: 'BILL', postedOn: 'b.invoice_date', line: COST_LINE, condition: 'b.supplier_id is not null' })}
  insert into supplier_bills (account_id, company_id, branch_id, bill_number, booking_id, supplier_id, currency,
    issued_on, lines, net_amount, vat_amount, total_amount, status)
  select $account::integer, n.company_id, b.branch_id, n.document_number, n.booking_id, b.supplier_id, n.currency,
    n.invoice_date, n.lines, n.net, n.vat, n.gross, 'open'
  from numbered n join bookings b on b.account_id = $account and b.id = n.booking_id
  order by n.document_number`,
)

/**
 * Posts the documents of bookings that have become invoiced: a customer invoice from the sell lines and a supplier bill
 * from the cost lines, one for each currency. `today` is the day in the account's zone.
 */
export function postInvoices(tx: AccountTx, bookings: readonly string[], today: string): void {
  if (bookings.length === 0) return
  tx.later(postSell, { bookings: [...bookings], today })
  tx.later(postCost, { bookings: [...bookings] })
}
