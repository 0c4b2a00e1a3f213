import { audit, type Operator } from '../../../platform/audit.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import { BILLING_STATUSES, listSeats } from '../accounts.store.ts'
import { requireAccount } from '../reads/require-account.ts'
import { checkPlan, checkTimeZone } from './create-account.ts'

export type AccountChange = {
  readonly plan?: string
  readonly timeZone?: string
  readonly billingStatus?: string
  readonly ownerEmail?: string
}

type Row = { account: number; plan: string | null; zone: string | null; billing: string | null; owner: string | null }
const update = statement<Row, never>(`
  update accounts set plan = coalesce($plan, plan), time_zone = coalesce($zone, time_zone),
    billing_status = coalesce($billing, billing_status), owner_id = coalesce($owner::uuid, owner_id)
  where account_id = $account`)

/** Changes plan, time zone, billing state or owner, and leaves it in the audit log. */
export async function updateAccount(
  tx: SystemTx,
  account: number,
  change: AccountChange,
  operator: Operator,
): Promise<void> {
  const { uuid, plan } = await requireAccount(tx, account)
  if (change.plan !== undefined) checkPlan(change.plan)
  if (change.timeZone !== undefined) checkTimeZone(change.timeZone)
  if (change.billingStatus !== undefined && !BILLING_STATUSES.some((known) => known === change.billingStatus)) {
    throw new Error(`The billing status has to be one of ${BILLING_STATUSES.join(', ')}.`)
  }
  const owner = change.ownerEmail === undefined ? null : await seatOf(tx, account, change.ownerEmail)
  await tx.all(update, {
    account,
    plan: change.plan ?? null,
    zone: change.timeZone ?? null,
    billing: change.billingStatus ?? null,
    owner,
  })
  const action = change.plan !== undefined && change.plan !== plan ? 'account.plan_changed' : 'account.updated'
  await audit(tx, account, operator, {
    action,
    subjectType: 'account',
    subjectId: uuid,
    details: { before: { plan }, ...change },
  })
}

async function seatOf(tx: SystemTx, account: number, email: string): Promise<string> {
  const seats = await tx.all(listSeats, { account })
  const seat = seats.find((seat) => seat.email.toLowerCase() === email.toLowerCase())
  if (!seat) throw new Error(`The account has no seat ${email}. See: backdesk seat list`)
  return seat.id
}
