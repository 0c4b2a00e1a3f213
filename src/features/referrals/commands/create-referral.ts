import { randomUUIDv7 } from 'node:crypto'
import { string } from '../../../catalogue/kinds.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { readAttributes } from '../../../records/attributes.ts'
import type { FoundDesk } from '../../accounts/reads/find-desk.ts'
import { refuseUnknownSeat } from '../../accounts/reads/seats.ts'
import { makeReferralToken } from '../referral-token.ts'

const LABEL = 200

export type NewReferral = {
  /** The agency's internal name. */
  readonly label: string | null
  /** The customer who shares it. */
  readonly customer: string | null
  /** The trip shown on its page. */
  readonly trip: string | null
  /** The company of its leads; null for that of the trip, or the customer, or the default one. */
  readonly company: string | null
  /** The assignee of its leads; null for the trip's advisor, or the owner. */
  readonly seat: string | null
}

const findNamed = statement(
  { account: pg.integer, customer: pg.nullable(pg.uuid), trip: pg.nullable(pg.uuid) },
  { customer: pg.boolean, trip: pg.boolean },
  `
  select exists (select from customers where account_id = $account and id = $customer::uuid and deleted_at is null) as customer,
    exists (select from trips where account_id = $account and id = $trip::uuid) as trip`,
)
const insert = statement(
  {
    label: pg.nullable(pg.text),
    customer: pg.nullable(pg.uuid),
    trip: pg.nullable(pg.uuid),
    company: pg.nullable(pg.uuid),
    seat: pg.nullable(pg.uuid),
    account: pg.integer,
    id: pg.uuid,
    token: pg.text,
    otherwise: pg.uuid,
  },
  {},
  `
  insert into referral_codes (account_id, id, token, label, company_id, customer_id, trip_id, assigned_to_id)
  select $account::integer, $id::uuid, $token, $label,
    coalesce($company::uuid,
      (select company_id from trips where account_id = $account and id = $trip::uuid),
      (select company_id from customers where account_id = $account and id = $customer::uuid), $otherwise::uuid),
    $customer::uuid, $trip::uuid, $seat::uuid`,
)

/** Makes a code that customers can hand on. The desk is that of its company, else of the default one. */
export async function createReferral(
  tx: AccountTx,
  desk: FoundDesk,
  given: NewReferral,
): Promise<{ readonly id: string; readonly token: string }> {
  const place = { company: desk, timeZone: desk.time_zone, creates: true }
  const reasons = new Reasons()
  const { label = null } = readAttributes({ label: string(LABEL) }, { label: given.label }, { ...place, reasons })
  takeChangeNumber(tx) // a customer that is being merged is found as what it becomes, or not
  const { customer, trip, seat } = given
  const [isKnown] = await tx.all(findNamed, { customer, trip })
  if (customer !== null && !isKnown?.customer)
    reasons.add(['customer_id', 'No customer with this id exists in this account.'])
  if (trip !== null && !isKnown?.trip) reasons.add(['trip_id', 'No trip with this id exists in this account.'])
  await refuseUnknownSeat(tx, 'assigned_to_id', seat, reasons)
  reasons.refuse()
  const named = { ...given, label: label as string | null }
  const [id, token] = [randomUUIDv7(), makeReferralToken()]
  tx.later(insert, { ...named, id, token, otherwise: desk.company })
  auditOwn(tx, {
    action: 'referral_code.created',
    subjectType: 'referral_code',
    subjectId: id,
    details: named,
  })
  return { id, token }
}
