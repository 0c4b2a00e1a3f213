import type { Issue } from '../../../catalogue/kind.ts'
import { type Desk, deskOf } from '../../../imports/desk.ts'
import { changeRecord } from '../../../imports/engine/one-record.ts'
import type { ImportRow } from '../../../imports/engine/read-rows.ts'
import type { Importable, RulesFor, WrittenRecord } from '../../../imports/importable.ts'
import type { Actor, Company } from '../../../platform/access/actor.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { noSuch } from '../../../platform/http/by-id.ts'
import { type Reason, Reasons } from '../../../platform/http/reasons.ts'
import { companyOf } from '../../../records/attributes.ts'
import { DERIVING } from '../amend-booking.ts'
import type { BookingKind } from '../booking-kind.ts'
import { type BookingChange, changedColumns } from '../history/changed-columns.ts'
import { withStoredNumbers } from './hidden-numbers.ts'
import { type BookingAttributes, readBookingAttributes } from './read-booking-attributes.ts'

const lock = statement(
  { account: pg.integer, id: pg.uuid },
  {
    id: pg.uuid,
    entity: pg.text,
    status: pg.text,
    version: pg.integer,
    company: pg.uuid,
    branch: pg.nullable(pg.uuid),
    currency: pg.text,
    rate_basis: pg.nullable(pg.text),
    margin_mode: pg.nullable(pg.text),
  },
  `
  select id, entity, status, version, company_id as company, branch_id as branch, currency, rate_basis, margin_mode
  from bookings where account_id = $account and id = $id and deleted_at is null for no key update`,
)
export type LockedBooking = RowFrom<typeof lock> & { readonly kind: BookingKind }

/** Locks a booking of one of these verticals; refuses an id that none has. */
export async function lockBooking(tx: AccountTx, kinds: readonly BookingKind[], id: string): Promise<LockedBooking> {
  takeChangeNumber(tx)
  const found = await tx.one(lock, { id })
  const kind = kinds.find(({ entity }) => entity.key === found?.entity)
  if (!found || !kind) throw noSuch('booking')
  return { ...found, kind }
}

export const deskAt = (actor: Actor, company: Company, branch: string | null, now: string): Desk =>
  deskOf({ company, branch, timeZone: actor.timeZone, policies: actor.policies, decimalSeparator: '.' }, now)

export type BookingWarning = { readonly field: string; readonly code: string; readonly message: string }
export type BookingOutcome = {
  readonly id: string
  readonly vertical: string
  readonly warnings: readonly BookingWarning[]
}

/** What an import says to do elsewhere is done by other requests of the application. */
const TEXTS: Readonly<Record<string, string>> = {
  pricing_not_amendable: 'An update keeps the price. Change it by POST /bookings/{id}/price.',
  price_not_recalculated: 'The price was kept. To price the booking again, use POST /bookings/{id}/price.',
}
function textOf({ code, message, allowed }: Issue): string {
  if (code === 'invalid_transition')
    return `${message} ${allowed && allowed.length > 0 ? `It can change to ${allowed.join(', ')}.` : 'It is final.'}`
  return TEXTS[code] ?? message
}

/** The outcome of a row; refuses it with all that is wrong. */
export function bookingOutcome(
  tx: AccountTx,
  { entity }: BookingKind,
  row: ImportRow,
  reasons: Reasons,
  details?: BookingChange,
): BookingOutcome {
  reasons.add(...row.errors.filter(({ at }) => !reasons.has(at)).map((issue): Reason => [issue.at, textOf(issue)]))
  reasons.refuse()
  if (row.status !== 'unchanged')
    auditOwn(tx, {
      action: `record.${row.status}`,
      subjectType: entity.key,
      subjectId: String(row.id),
      ...(details && { details }),
    })
  const warnings = row.warnings.map((issue) => ({ field: issue.at, code: issue.code, message: textOf(issue) }))
  return { id: String(row.id), vertical: entity.key, warnings }
}

type Change = {
  readonly attributes: BookingAttributes
  readonly rules: RulesFor | undefined
  readonly reasons: Reasons
}
/** Changes a locked booking by these rules. */
async function change(tx: AccountTx, actor: Actor, booking: LockedBooking, { attributes, rules, reasons }: Change) {
  const { id, kind } = booking
  const desk = deskAt(actor, companyOf(actor, booking.company), booking.branch, await tx.now)
  let written: WrittenRecord | undefined
  const ruled: Importable = {
    ...kind,
    ...(rules && { rules }),
    async afterWrite(tx, records, context) {
      written = records[0]
      await kind.afterWrite?.(tx, records, context)
    },
  }
  const cells = await withStoredNumbers(tx, kind, id, attributes.row, actor.policies)
  const changed = () => changeRecord(tx, ruled, id, cells, desk, attributes.links)
  const row = reasons.isEmpty ? await changed() : await tx.discard(changed)
  if (!row) throw noSuch('booking')
  return bookingOutcome(tx, kind, row, reasons, written && changedColumns(kind, written, row.given))
}

type Given = Readonly<Record<string, unknown>>
const MOVED = 'Change the status by POST /bookings/{id}/status.'

/** Updates a booking by the rules of a repeated import. */
export async function updateBooking(
  tx: AccountTx,
  actor: Actor,
  booking: LockedBooking,
  given: Given,
): Promise<BookingOutcome> {
  const { kind, status } = booking
  const reasons = new Reasons()
  if ('status' in given && given.status !== status) reasons.add(['status', MOVED])
  const takes = (name: string) => name !== 'external_id' && name !== 'status'
  const attributes = await readBookingAttributes(tx, kind, given, { takes, masked: actor.policies, reasons })
  return change(tx, actor, booking, { attributes, rules: kind.rules, reasons })
}

const FOLLOWS_COSTS = 'The sell price may follow from costs, which your role does not see. Ask somebody who sees them.'

/** Prices a booking again, by the attributes of its price that are given. */
export async function priceBooking(
  tx: AccountTx,
  actor: Actor,
  booking: LockedBooking,
  given: Given,
): Promise<BookingOutcome> {
  const { kind } = booking
  const reasons = new Reasons()
  const takes = (name: string) => kind.priceIn(name) !== 'none'
  // From the prices by two ways of deriving them, the costs could be computed.
  const closed = actor.policies.has('view_costs') ? [] : DERIVING.filter((name) => name in given)
  reasons.add(...closed.filter((name) => given[name] !== booking[name]).map((name): Reason => [name, FOLLOWS_COSTS]))
  const open = Object.entries(given).filter(([name]) => !closed.some((one) => one === name))
  const sent = Object.fromEntries(open.map(([name, value]) => [name, ownLines(value)]))
  const read = await readBookingAttributes(tx, kind, sent, { takes, masked: actor.policies, reasons })
  return change(tx, actor, booking, { attributes: read, rules: kind.pricing, reasons })
}

/** Lines as they are shown also have those that follow from other attributes, which follow again. */
const ownLines = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((line) => (line?.origin ?? 'given') === 'given') : value

/** Moves a booking by the rules of its vertical, with all that follows: documents, seats, numbers. */
export async function moveBooking(
  tx: AccountTx,
  actor: Actor,
  booking: LockedBooking,
  status: string,
): Promise<BookingOutcome> {
  const attributes = { row: { status }, links: {} }
  return change(tx, actor, booking, { attributes, rules: booking.kind.moving, reasons: new Reasons() })
}
