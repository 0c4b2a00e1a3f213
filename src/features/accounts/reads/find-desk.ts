import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import { noSuchAccount } from './require-account.ts'

/** A company of an account, the branch that its records belong to when none is named, and the account's clock. */
export type FoundDesk = RowFrom<typeof find>

const find = statement(
  { account: pg.integer, company: pg.nullable(pg.text) },
  {
    company: pg.uuid,
    country: pg.text,
    currency: pg.text,
    time_zone: pg.text,
    /** Language of the account, `tr` or `tr-TR`. */
    locale: pg.text,
    branch: pg.nullable(pg.uuid),
  },
  `
  select c.id as company, c.tax_country as country, c.currency, a.time_zone, a.locale,
    (select b.id from branches b where b.account_id = c.account_id and b.company_id = c.id and b.active
      order by b.is_headquarters desc, b.created_at, b.id limit 1) as branch
  from companies c join accounts a using (account_id)
  where c.account_id = $account and c.active and case when $company::text is null then c.is_default else c.id::text = lower($company) end`,
)

/** The desk of a company, or of the default one. */
export async function findDesk(tx: AccountTx, company: string | null): Promise<FoundDesk> {
  const desk = await tx.one(find, { company })
  if (desk) return desk
  throw company === null
    ? noSuchAccount(tx.account)
    : new RecordNotFound('company', 'No active company with this id exists in this account.')
}
