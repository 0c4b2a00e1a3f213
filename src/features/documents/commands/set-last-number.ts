import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { refuseValues } from '../../../platform/invalid-values.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'

const NUMBER = /^(INV|CN)-(\d{4})-(\d{6,9})$/
const setLast = statement(
  { account: pg.integer, company: pg.uuid, series: pg.text, year: pg.integer, last: pg.integer },
  { last: pg.integer },
  `
  insert into document_counters as c (account_id, company_id, series, year, last)
  select account_id, id, $series, $year::integer, $last::integer from companies
  where account_id = $account and id = $company
  on conflict (account_id, company_id, series, year) do update set last = excluded.last where c.last_on is null
  returning last`,
)
const findCompany = statement(
  { account: pg.integer, company: pg.uuid },
  { id: pg.uuid },
  'select id from companies where account_id = $account and id = $company',
)

/**
 * Continues the numbers of another system: the next invoice or credit note of the company in that year follows
 * `number`. Refused once the series has a document, since a number would be missing or used twice.
 */
export async function setLastNumber(tx: AccountTx, company: string, number: string): Promise<void> {
  const [, series = '', year, last] = NUMBER.exec(number) ?? []
  refuseValues([
    series === '' && ['number', `${number} is not a document number. Use the form INV-2026-000123 or CN-2026-000123.`],
  ])
  const kept = await tx.one(setLast, { company, series, year: Number(year), last: Number(last) })
  if (!kept && !(await tx.one(findCompany, { company })))
    throw new RecordNotFound('company', 'No company with this id exists in this account.')
  if (!kept)
    throw new UserError(
      'not_allowed_now',
      `The company already has documents in ${series}-${year}. Their numbers continue from the last one.`,
    )
  auditOwn(tx, {
    action: 'company.last_number_set',
    subjectType: 'company',
    subjectId: company.toLowerCase(),
    details: { number },
  })
}
