import { makeRecord } from '../../../imports/engine/one-record.ts'
import type { Actor, Company } from '../../../platform/access/actor.ts'
import { branchOfRows, findBranch, homeCompany } from '../../../platform/access/places.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { companyFor } from '../../../records/attributes.ts'
import type { BookingKind } from '../booking-kind.ts'
import { type BookingOutcome, bookingOutcome, deskAt } from './change-booking.ts'
import { readBookingAttributes } from './read-booking-attributes.ts'

/** The source system of bookings that people create, and whose numbers are given here. */
const OWN_SOURCE = 'backdesk'

const NUMBER = `'B-' || lpad(n::text, greatest(6, length(n::text)), '0')`
/** The next number that no booking has. A transaction that creates a booking holds the account's change number. */
const nextNumber = statement(
  { account: pg.integer, vertical: pg.text },
  { number: pg.text },
  `
  with free as (
    select n from (select generate_series(last + 1, last + 100000) as n
      from (select coalesce(max(c.last), 0) as last from booking_counters c where c.account_id = $account) c) s
    where not exists (select from bookings b where b.account_id = $account and b.entity = $vertical
      and b.source_system = '${OWN_SOURCE}' and b.external_id = ${NUMBER} and b.deleted_at is null)
    limit 1
  ), counter as (
    insert into booking_counters as c (account_id, last) select $account::integer, n from free
    on conflict (account_id) do update set last = excluded.last
    returning last as n
  )
  select ${NUMBER} as number from counter`,
)
const taken = statement(
  { account: pg.integer, vertical: pg.text, number: pg.text },
  { id: pg.uuid },
  `select id from bookings where account_id = $account and entity = $vertical and source_system = '${OWN_SOURCE}'
    and external_id = $number and deleted_at is null`,
)

const OWN_NUMBER = /^B-\d{6,}$/i
const UNKNOWN_BRANCH = 'No active branch with this id exists in the company. GET /workspace lists the branches.'

/** The branch of a new booking: that of `branch_id`, or the seat's own. */
function branchFor(actor: Actor, company: Company, id: unknown, reasons: Reasons): string | null {
  if (id === undefined || id === null) return branchOfRows(actor, company)
  const branch = typeof id === 'string' ? findBranch(actor, company, id) : undefined
  if (!branch) reasons.add(['branch_id', UNKNOWN_BRANCH, 'unknown_branch'])
  return branch?.id ?? null
}

/** The external id of a new booking: a given one that is not taken, or the next number. */
async function numberFor(tx: AccountTx, { entity }: BookingKind, given: unknown, reasons: Reasons): Promise<unknown> {
  const vertical = entity.key
  if (given === undefined || given === null) return (await tx.one(nextNumber, { vertical }))?.number
  if (typeof given !== 'string') return given
  const number = given.trim()
  if (OWN_NUMBER.test(number))
    reasons.add(['external_id', 'Numbers of this form are given by Backdesk. Leave it out, or send another one.'])
  else if (number.isWellFormed() && !number.includes('\u0000') && (await tx.one(taken, { vertical, number })))
    reasons.add(['external_id', 'Another booking of this vertical has this external id. Send another one, or none.'])
  return reasons.has('external_id') ? null : given
}

/** Creates a booking as an import of its row would. */
export async function createBooking(
  tx: AccountTx,
  actor: Actor,
  kind: BookingKind,
  given: Readonly<Record<string, unknown>>,
): Promise<BookingOutcome> {
  takeChangeNumber(tx)
  const reasons = new Reasons()
  const company = companyFor(actor, given.company_id, homeCompany(actor), reasons)
  const branch = branchFor(actor, company, given.branch_id, reasons)
  const { row, links } = await readBookingAttributes(tx, kind, given, { takes: () => true, masked: null, reasons })
  const external_id = await numberFor(tx, kind, given.external_id, reasons)
  const desk = deskAt(actor, company, branch, await tx.now)
  const made = () => makeRecord(tx, kind, { ...row, external_id }, desk, { links, source: OWN_SOURCE })
  // Everything that is wrong is answered at once, so the row is also read where something else is.
  const outcome = reasons.isEmpty ? await made() : await tx.discard(made)
  return bookingOutcome(tx, kind, outcome, reasons)
}
