import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import { readReferralToken } from '../referral-token.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const stop = (named: string, name: typeof pg.text) =>
  statement(
    { account: pg.integer, name },
    { id: pg.uuid, changed: pg.boolean },
    `
    with before as (select account_id, id, active from referral_codes where account_id = $account and ${named} for update),
    stopped as (
      update referral_codes c set active = false from before b
      where c.account_id = b.account_id and c.id = b.id and b.active returning c.id
    )
    select id, exists (select from stopped) as changed from before`,
  )
const stopById = stop('id = $name::uuid', pg.uuid)
const stopByToken = stop('token = $name', pg.text)

/** Stops a code, given by its id or by the end of its address. Its leads stay. */
export async function stopReferral(
  tx: AccountTx,
  name: string,
): Promise<{ readonly id: string; readonly changed: boolean }> {
  const token = readReferralToken(name)
  const stopped =
    token !== null ? await tx.one(stopByToken, { name: token }) : UUID.test(name) && (await tx.one(stopById, { name }))
  if (!stopped) throw new RecordNotFound('referral_code', `No referral code ${name} exists in this account.`)
  const { id, changed } = stopped
  if (changed) auditOwn(tx, { action: 'referral_code.stopped', subjectType: 'referral_code', subjectId: id })
  return { id, changed }
}
