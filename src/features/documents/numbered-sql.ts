/**
 * Numbers the rows of `document` within their company and year, in the order of `nth`, without a gap: the counters'
 * rows are taken once, and held until the commit. Common table expressions; the last, `numbered`, has `document_number` beside their columns.
 */
export const numberedSql = (series: 'INV' | 'BILL' | 'CN'): string => `
  counted as (select company_id, year, count(*)::integer as documents from document group by 1, 2),
  counter as (
    insert into document_counters as c (account_id, company_id, series, year, last)
    select $account::integer, company_id, '${series}', year, documents from counted order by company_id, year
    on conflict (account_id, company_id, series, year) do update set last = c.last + excluded.last
    returning company_id, year, last
  ),
  numbered as (
    select d.*, document_number('${series}', d.year, c.last - n.documents + d.nth) as document_number
    from document d join counter c using (company_id, year) join counted n using (company_id, year)
  )`
