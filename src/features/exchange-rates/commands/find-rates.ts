import type { AccountReader } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { rateSql } from '../reads/rate-sql.ts'

export type RateQuestion = { readonly from: string; readonly to: string; readonly day: string }
/** `rate`: units of `to` for one unit of `from`, at most 10 decimals, as a decimal string. */
export type FoundRate = { readonly rate: string; readonly day: string; readonly source: string }

const find = statement(
  { froms: pg.list(pg.text), tos: pg.list(pg.text), days: pg.list(pg.date) },
  { from: pg.text, to: pg.text, day: pg.date, rate: pg.text, rate_day: pg.date, source: pg.text },
  `
  select q.from_currency as "from", q.to_currency as "to", q.day, trim_scale(best.rate)::text as rate, best.day as rate_day, best.source
  from unnest($froms::text[], $tos::text[], $days::date[]) as q (from_currency, to_currency, day)
  cross join lateral (${rateSql('q.from_currency', 'q.to_currency', 'q.day')}) best`,
)

/** The key of a question and its answer in the map of `findRates`. */
export const rateKey = (from: string, to: string, day: string): string => `${from} ${to} ${day}`

/** The rate for each question, if there is one; `rateSql` defines which. */
export async function findRates(
  reader: Pick<AccountReader, 'all'>,
  questions: readonly RateQuestion[],
): Promise<ReadonlyMap<string, FoundRate>> {
  const found = new Map<string, FoundRate>()
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
