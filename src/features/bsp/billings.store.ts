import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { instantSql } from '../../platform/db/view.ts'

/** Keeps a billing, unless the account has the same file. */
export const insertBilling = statement(
  { account: pg.integer, company: pg.uuid, format: pg.text, filename: pg.text, digest: pg.bytes },
  { id: pg.uuid },
  `
  insert into bsp_billings (account_id, company_id, format, filename, sha256)
  values ($account, $company, $format, $filename, $digest)
  on conflict (account_id, sha256) do nothing returning id`,
)
export const findSameFile = statement(
  { account: pg.integer, digest: pg.bytes },
  { id: pg.uuid },
  'select id from bsp_billings where account_id = $account and sha256 = $digest',
)

export const insertLines = statement(
  { account: pg.integer, billing: pg.uuid, lines: pg.jsonText },
  {},
  `
  insert into bsp_lines (account_id, billing_id, line, number, code, transaction, void, agent, issued_on, period_on, currency,
    fare, taxes, total, exchanged, commission, remittance)
  select $account::integer, $billing::uuid, line, number, code, transaction, void, agent, "issuedOn", "periodOn", currency,
    fare, taxes, total, exchanged, commission, remittance
  from json_to_recordset($lines::json) as l(line integer, number text, code text, transaction text, void boolean, agent text,
    "issuedOn" date, "periodOn" date, currency text, fare numeric, taxes numeric, total numeric, exchanged numeric,
    commission numeric, remittance numeric)`,
)

/** An amount with the digits of its currency, and more only if they are significant. */
const printSql = (amount: string): string =>
  `round(${amount}, greatest(scale(trim_scale(${amount})), currency_digits(currency)))::text`

/**
 * A billing as imported. `totals` are what a clerk compares with the airline's or the BSP's own summary; null if the
 * file does not contain it.
 */
export type KeptBilling = RowFrom<typeof readKept>
export const readKept = statement(
  { account: pg.integer, id: pg.uuid },
  {
    id: pg.uuid,
    company: pg.text,
    format: pg.textOf<'csv' | 'hot'>(),
    documents: pg.integer,
    first_issue: pg.date,
    last_issue: pg.date,
    totals:
      pg.json<readonly { currency: string; total: string; commission: string | null; remittance: string | null }[]>(),
  },
  `
  select g.id, c.name as company, g.format, sum(l.documents)::integer as documents, min(l.first_issue) as first_issue,
    max(l.last_issue) as last_issue, json_agg(l.totals order by l.currency) as totals
  from bsp_billings g join companies c on c.account_id = g.account_id and c.id = g.company_id
    cross join lateral (
      select currency, count(*) as documents, min(issued_on) as first_issue, max(issued_on) as last_issue,
        json_build_object('currency', currency, 'total', ${printSql('sum(total)')},
          'commission', ${printSql('sum(commission)')}, 'remittance', ${printSql('sum(remittance)')}) as totals
      from bsp_lines where account_id = g.account_id and billing_id = g.id group by currency) l
  where g.account_id = $account and g.id = $id group by g.account_id, g.id, c.name`,
)

export const deleteBilling = statement(
  { account: pg.integer, id: pg.uuid },
  { filename: pg.text, documents: pg.integer },
  `
  delete from bsp_billings g where g.account_id = $account and g.id = $id::uuid
  returning g.filename, (select count(*)::integer from bsp_lines l where l.account_id = g.account_id and l.billing_id = g.id) as documents`,
)

/** Newest first. */
export const listBillings = statement(
  { account: pg.integer },
  {
    id: pg.uuid,
    company: pg.text,
    format: pg.text,
    filename: pg.text,
    documents: pg.integer,
    first_issue: pg.date,
    last_issue: pg.date,
    periods: pg.list(pg.text),
    uploaded_at: pg.text,
  },
  `
  select g.id, c.name as company, g.format, g.filename, l.documents, l.first_issue, l.last_issue, l.periods,
    ${instantSql('g.created_at')} as uploaded_at
  from bsp_billings g join companies c on c.account_id = g.account_id and c.id = g.company_id
    cross join lateral (select count(*)::integer as documents, min(issued_on) as first_issue, max(issued_on) as last_issue,
        array_agg(distinct period_on::text order by period_on::text) filter (where period_on is not null) as periods
      from bsp_lines where account_id = g.account_id and billing_id = g.id) l
  where g.account_id = $account order by g.id desc`,
)
