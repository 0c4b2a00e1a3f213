import type { AccountReader } from '../../../platform/db/account-tx.ts'
import { statement } from '../../../platform/db/statement.ts'

export type RateQuestion = { readonly from: string; readonly to: string; readonly day: string }
/** `rate`: units of `to` for one unit of `from`, at most 10 decimals, as a decimal string. */
export type Rate = { readonly rate: string; readonly day: string; readonly source: string }

/** The latest row of source `s` on or before the day that is asked. */
const leg = (currency: string) => `
  select r.day, r.base_units, r.currency_units from exchange_rates r
  where r.source = s.source and r.currency = ${currency} and r.day <= q.day order by r.day desc limit 1`

/**
 * A source answers where it has both legs; its base needs none. `div` divides whole numbers, so the rate is rounded
 * once: `numeric` itself would round at its own scale first.
 */
const find = statement<
  { froms: string[]; tos: string[]; days: string[] },
  RateQuestion & { rate: string; rate_day: string; source: string }
>(`
  select q.from_currency as "from", q.to_currency as "to", q.day, trim_scale(best.rate)::text as rate, best.day as rate_day, best.source
  from unnest($froms::text[], $tos::text[], $days::date[]) as q (from_currency, to_currency, day)
  cross join lateral (
    select s.source, legs.day, exact.rate
    from exchange_rate_sources s
    left join lateral (${leg('q.from_currency')}) f on true
    left join lateral (${leg('q.to_currency')}) t on true
    cross join lateral (
      select least(f.day, t.day) as day,
        coalesce(f.base_units, 1) * coalesce(t.currency_units, 1) as worth,
        coalesce(f.currency_units, 1) * coalesce(t.base_units, 1) as units
    ) legs
    cross join lateral (select div(2e10 * legs.worth + legs.units, 2 * legs.units) * 1e-10 as rate) exact
    where (f.day is not null or s.base = q.from_currency) and (t.day is not null or s.base = q.to_currency)
      and exact.rate > 0 and exact.rate < 1e10
    order by legs.day desc, s.base in (q.from_currency, q.to_currency) desc, s.source collate "C" desc
    limit 1
  ) best`)

/** The key of a question, and of its answer in the map of `findRates`. */
export const rateKey = (from: string, to: string, day: string): string => `${from} ${to} ${day}`

/**
 * The rate of each question that has one: the latest on or before its day, by way of the source's base currency. Both
 * legs of such a way are of one source, and its day is the earlier of theirs. Of several sources the latest day wins,
 * then the one whose base is asked for, then the last by name. A rate of 0 after rounding, or too large for
 * `numeric(20,10)`, is none.
 */
export async function findRates(
  reader: Pick<AccountReader, 'all'>,
  questions: readonly RateQuestion[],
): Promise<ReadonlyMap<string, Rate>> {
  const found = new Map<string, Rate>()
  const asked = new Map<string, RateQuestion>()
  for (const question of questions) {
    const key = rateKey(question.from, question.to, question.day)
    if (question.from === question.to) found.set(key, { rate: '1', day: question.day, source: 'same' })
    else asked.set(key, question)
  }
  if (asked.size === 0) return found
  const distinct = [...asked.values()]
  const rows = await reader.all(find, {
    froms: distinct.map(({ from }) => from),
    tos: distinct.map(({ to }) => to),
    days: distinct.map(({ day }) => day),
  })
  for (const { from, to, day, rate, rate_day, source } of rows) {
    found.set(rateKey(from, to, day), { rate, day: rate_day, source })
  }
  return found
}
