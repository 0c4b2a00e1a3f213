import { audit } from '../../../platform/audit.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { UserError } from '../../../platform/user-error.ts'

const NUMBER = /^(INV|CN)-(\d{4})-(\d{6,9})$/
const setLast = statement(
  { account: pg.integer, company: pg.text, series: pg.text, year: pg.integer, last: pg.integer },
  { last: pg.integer },
  `
  insert into document_counters as c (account_id, company_id, series, year, last)
  select account_id, id, $series, $year::integer, $last::integer from companies
  where account_id = $account and id::text = lower($company)
  on conflict (account_id, company_id, series, year) do update set last = excluded.last where c.last_on is null
  returning last`,
)

/**
 * Continues the numbers of another system: the next invoice or credit note of the company in that year follows
 * `number`. Refused once the series has a document, since a number would be missing or used twice.
 */
export async function setLastNumber(
  tx: SystemTx,
  account: number,
  company: string,
  number: string,
  operator: Operator,
): Promise<void> {
  const [, series, year, last] = NUMBER.exec(number) ?? []
  if (series === undefined)
    throw new UserError(
      'invalid_value',
      `${number} is not a document number. Use the form INV-2026-000123 or CN-2026-000123.`,
    )
  const kept = await tx.one(setLast, { account, company, series, year: Number(year), last: Number(last) })
  if (!kept)
    throw new UserError(
      'not_allowed_now',
      `The company already has documents in ${series}-${year}, or does not exist in this account.`,
    )
  await audit(tx, account, operator, {
    action: 'company.last_number_set',
    subjectType: 'company',
    subjectId: company.toLowerCase(),
    details: { number },
  })
}
