import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { lastOnSql, numberedSql, yearOf } from '../numbered-sql.ts'

/** Quantities and amounts are negated, so that unit price times quantity is also right on the credit note. */
const MIRRORED = `(select jsonb_agg(l.line || jsonb_build_object('quantity', -(l.line ->> 'quantity')::integer,
    'net', trim_scale(-(l.line ->> 'net')::numeric)::text, 'vat', trim_scale(-(l.line ->> 'vat')::numeric)::text,
    'gross', trim_scale(-(l.line ->> 'gross')::numeric)::text) order by l.nth)
  from jsonb_array_elements(i.lines) with ordinality as l(line, nth))`

const credit = statement(
  { account: pg.integer, bookings: pg.list(pg.uuid), day: pg.date },
  {},
  `
  with due as (
    select i.*, greatest($day::date, i.issued_on, ${lastOnSql('CN', yearOf('$day::date'))}) as posted_on
    from unnest($bookings::uuid[]) as key(id)
      join customer_invoices i on i.account_id = $account and i.booking_id = key.id and i.document_type = 'invoice'
      join companies c on c.account_id = i.account_id and c.id = i.company_id
    where not exists (select from customer_invoices n where n.account_id = i.account_id and n.reverses_id = i.id)
  ),
  document as (
    select i.*, ${yearOf('i.posted_on')} as year,
      row_number() over (partition by i.company_id, ${yearOf('i.posted_on')} order by i.posted_on, i.number) as nth
    from due i
  ),
  ${numberedSql('CN')}
  insert into customer_invoices (account_id, company_id, branch_id, document_type, number, booking_id, customer_id, reverses_id, currency,
    issued_on, due_on, tax_point_on, lines, net, vat, gross)
  select $account::integer, i.company_id, i.branch_id, 'credit_note', i.document_number,
    i.booking_id, i.customer_id, i.id, i.currency, i.posted_on, i.posted_on, i.posted_on, ${MIRRORED}, -i.net, -i.vat, -i.gross
  from numbered i
  order by i.company_id, i.year, i.nth`,
)

const annul = statement(
  { account: pg.integer, bookings: pg.list(pg.uuid) },
  {},
  `
  update supplier_bills set status = 'void'
  where account_id = $account and booking_id = any($bookings::uuid[]) and status <> 'void'`,
)

/**
 * Reverses the invoices and bills of bookings: a credit note mirrors each invoice and names it, and supplier bills
 * become void. A note is dated by `day`, never before its invoice or the previous note.
 */
export function reverseInvoices(tx: AccountTx, bookings: readonly string[], day: string): void {
  if (bookings.length === 0) return
  tx.later(credit, { bookings: [...bookings], day })
  tx.later(annul, { bookings: [...bookings] })
}
