import { randomUUIDv7 } from 'node:crypto'
import { string } from '../../../catalogue/kinds.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { readAttributes, refuseAttributes } from '../../../records/attributes.ts'
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

const findCustomer = statement(
  { account: pg.integer, customer: pg.uuid },
  { id: pg.uuid },
  'select id from customers where account_id = $account and id = $customer and deleted_at is null',
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
  const { label = null } = readAttributes({ label: string(LABEL) }, { label: given.label }, place)
  takeChangeNumber(tx) // a customer that is being merged is found as what it becomes, or not
  const { customer, seat } = given
  if (customer !== null && !(await tx.one(findCustomer, { customer })))
    refuseAttributes([['customer', 'No customer with this id exists in this account.']])
  await refuseUnknownSeat(tx, 'assign-to', seat)
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
