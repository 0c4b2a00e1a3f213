/** The latest row of source `s` on or before a day. */
const leg = (currency: string, day: string) => `
  select r.day, r.base_units, r.currency_units from exchange_rates r
  where r.source = s.source and r.currency = ${currency} and r.day <= ${day} order by r.day desc limit 1`

/**
 * A query for the rate between two currencies: the latest on or before the day, through the source's base currency. It
 * returns `rate`, `day` and `source`, or no row; all three parameters are SQL. Both legs come from one source, and the
 * day is the earlier of theirs. Of several sources the latest day wins, then the one whose base is requested, then the
 * last by name. A rate that is 0 after rounding, or too large for `numeric(20,10)`, is ignored.
 *
 * A source must have both legs; its base needs none. `div` divides integers, so the rate is rounded once: `numeric`
 * itself would first round at its own scale.
 */
export const rateSql = (from: string, to: string, day: string): string => `
  select s.source, legs.day, exact.rate
  from exchange_rate_sources s
  left join lateral (${leg(from, day)}) f on true
  left join lateral (${leg(to, day)}) t on true
  cross join lateral (
    select least(f.day, t.day) as day,
      coalesce(f.base_units, 1) * coalesce(t.currency_units, 1) as worth,
      coalesce(f.currency_units, 1) * coalesce(t.base_units, 1) as units
  ) legs
  cross join lateral (select div(2e10 * legs.worth + legs.units, 2 * legs.units) * 1e-10 as rate) exact
  where (f.day is not null or s.base = ${from}) and (t.day is not null or s.base = ${to})
    and exact.rate > 0 and exact.rate < 1e10
  order by legs.day desc, s.base in (${from}, ${to}) desc, s.source collate "C" desc
  limit 1`
