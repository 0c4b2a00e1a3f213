import { rateSql } from '../../../exchange-rates/reads/rate-sql.ts'

/**
 * A common table expression `rates`: the value of a unit of `currency` in `base_currency` on `rate_day`, columns of the
 * query `items`, null without a published rate, and the digits of `base_currency`. Each rate is looked up once.
 */
export const ratesOf = (items: string): string => `
  rates as materialized (
    select q.currency, q.base_currency, q.rate_day,
      case when q.currency = q.base_currency then 1
        else (select k.rate from (${rateSql('q.currency', 'q.base_currency', 'q.rate_day')}) k) end as rate,
      currency_digits(q.base_currency) as digits
    from (select distinct currency, base_currency, rate_day from ${items}) q)`

/** SQL that joins the rate of an item. */
export const joinRate = (item: string): string =>
  `left join rates k on k.currency = ${item}.currency and k.base_currency = ${item}.base_currency and k.rate_day = ${item}.rate_day`

/** SQL of an amount in the company's currency, rounded once; `by` has the rate and the digits of that currency. */
export const inBase = (amount: string, by = 'k'): string => `round(${amount} * ${by}.rate, ${by}.digits)`
