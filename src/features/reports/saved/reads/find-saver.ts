import { isPlan, PLANS } from '../../../../platform/access/plans.ts'
import { policiesOf } from '../../../../platform/access/policies.ts'
import type { AccountTx } from '../../../../platform/db/account-tx.ts'
import * as pg from '../../../../platform/db/pg-types.ts'
import { statement } from '../../../../platform/db/statement.ts'
import { RecordNotFound } from '../../../../platform/user-error.ts'
import { noSuchAccount } from '../../../accounts/reads/require-account.ts'
import type { Saver } from '../commands/save-report.ts'

const find = statement(
  { account: pg.integer, email: pg.nullable(pg.text) },
  {
    plan: pg.text,
    zone: pg.text,
    locale: pg.text,
    seat: pg.nullable(pg.uuid),
    role: pg.text,
    policies: pg.nullable(pg.list(pg.text)),
  },
  `
  select a.plan, a.time_zone as zone, a.locale, s.id as seat, case when s.id = a.owner_id then 'owner' else s.role end as role, r.policies
  from accounts a left join seats s on s.account_id = a.account_id and s.active
      and s.id = case when $email::text is null then a.owner_id
        else (select k.id from seats k where k.account_id = a.account_id and k.email_key = lower($email)) end
    left join roles r on r.account_id = a.account_id and r.name = s.role
  where a.account_id = $account`,
)

/** The seat with this e-mail, or the account's owner, as the one who runs and saves reports. */
export async function findSaver(tx: AccountTx, email: string | null, now: number): Promise<Saver> {
  const row = await tx.one(find, { email })
  if (!row) throw noSuchAccount(tx.account)
  if (row.seat === null)
    throw new RecordNotFound(
      'seat',
      email === null
        ? 'The account has no active owner. Name the seat that runs the report.'
        : `No active seat with the e-mail address ${email} exists in this account.`,
    )
  return {
    seat: row.seat,
    role: null,
    key: null,
    timeZone: row.zone,
    locale: row.locale,
    policies: policiesOf(row.role, row.policies),
    plan: isPlan(row.plan) ? PLANS[row.plan] : PLANS.starter,
    now,
  }
}
