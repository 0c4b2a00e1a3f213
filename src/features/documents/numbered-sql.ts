export type Series = 'INV' | 'CN' | 'BILL'

/**
 * Numbers the rows of `document` within their company and the year of `posted_on`, in the order of `nth`, without a gap.
 * The counter rows are locked once and held until the commit. Common table expressions; the last, `numbered`, adds
 * `document_number`.
 */
export const numberedSql = (series: Series): string => `
  counted as (select company_id, year, count(*)::integer as documents, max(posted_on) as last_on from document group by 1, 2),
  counter as (
    insert into document_counters as c (account_id, company_id, series, year, last, last_on)
    select $account::integer, company_id, '${series}', year, documents, last_on from counted order by company_id, year
    on conflict (account_id, company_id, series, year) do update
      set last = c.last + excluded.last, last_on = greatest(c.last_on, excluded.last_on)
    returning company_id, year, last
  ),
  numbered as (
    select d.*, document_number('${series}', d.year, c.last - n.documents + d.nth) as document_number
    from document d join counter c using (company_id, year) join counted n using (company_id, year)
  )`

/**
 * SQL of the date of the last document in a series of company `c`, null before the first one. Transactions that post
 * documents hold the account's change number, so nothing is numbered between this and the counter's update.
 */
export const lastOnSql = (series: Series, year: string): string => `(
  select k.last_on from document_counters k
  where k.account_id = $account and k.company_id = c.id and k.series = '${series}' and k.year = ${year})`

export const yearOf = (day: string): string => `extract(year from ${day})::integer`
