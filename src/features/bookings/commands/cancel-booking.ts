import type { Actor } from '../../../platform/access/actor.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { byPolicies } from '../../../platform/db/by-policies.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { JsonText } from '../../../platform/json-text.ts'
import { refuseAttributes } from '../../../records/attributes.ts'
import { CANCELLED } from '../status.ts'
import { type BookingOutcome, type LockedBooking, moveBooking } from './change-booking.ts'

/** The bills that a cancellation makes void. */
const standing = statement(
  { account: pg.integer, id: pg.uuid },
  { bills: pg.list(pg.uuid), numbers: pg.list(pg.text) },
  `
  select array(select s.id from supplier_bills s where s.account_id = $account and s.booking_id = $id and s.status <> 'void') as bills,
    array(select n.number from ticket_numbers n where n.account_id = $account and n.booking_id = $id order by 1) as numbers`,
)
/** What the transaction has done, and the segments that filing cancels after it. */
const readEffects = byPolicies(
  { account: pg.integer, id: pg.uuid, bills: pg.list(pg.uuid), numbers: pg.list(pg.text) },
  { item: pg.printedJson },
  (policies) => {
    const sell = policies.has('view_money')
    const cost = sell && policies.has('view_costs')
    const amount = (sql: string, isShown: boolean) => (isShown ? sql : 'null')
    return `
  select json_build_object(
    'credited', (select coalesce(json_agg(json_build_object('invoice_id', i.id, 'number', i.number, 'currency', n.currency,
        'gross', ${amount('money_text(n.gross, n.currency)', sell)}, 'issued_on', n.issued_on) order by i.number), '[]')
      from customer_invoices n join customer_invoices i on i.account_id = n.account_id and i.id = n.reverses_id
      where n.account_id = $account and n.booking_id = $id and n.created_at = now()),
    'voided', (select coalesce(json_agg(json_build_object('bill_id', s.id, 'number', s.bill_number, 'currency', s.currency,
        'gross', ${amount('money_text(s.total_amount, s.currency)', cost)}) order by s.bill_number), '[]')
      from supplier_bills s where s.account_id = $account and s.id = any($bills::uuid[]) and s.status = 'void'),
    'penalties', (select coalesce(json_agg(json_build_object('label', l.label, 'currency', l.currency,
        'gross', ${amount('money_text(l.gross, l.currency)', sell)}) order by l.position), '[]')
      from booking_lines l where l.account_id = $account and l.booking_id = $id and l.side = 'sell' and l.kind = 'penalty'),
    'ticket_numbers', (select coalesce(json_agg(g.number order by g.number), '[]') from unnest($numbers::text[]) g(number)
      where ${policies.has('view_personal_data')}
        and not exists (select from ticket_numbers n where n.account_id = $account and n.number = g.number and n.booking_id = $id)),
    'segments', ${
      policies.has('view_trips')
        ? `(select coalesce(json_agg(json_build_object('id', s.id, 'trip_id', s.trip_id, 'title', s.title, 'status', s.status) order by s.id), '[]')
      from trip_segments s where s.account_id = $account and s.booking_id = $id and s.status <> 'cancelled')`
        : 'null'
    }
  )::text as item`
  },
)

export type Cancelled = BookingOutcome & { readonly effects: JsonText<never> }

/** Cancels a booking, and tells what that does. Taken back at its end, it is the preview. */
export async function cancelBooking(tx: AccountTx, actor: Actor, booking: LockedBooking): Promise<Cancelled> {
  const { id, status } = booking
  if (status === CANCELLED) refuseAttributes([['status', 'The booking is cancelled already.']])
  const before = (await tx.one(standing, { id })) ?? { bills: [], numbers: [] }
  const outcome = await moveBooking(tx, actor, booking, CANCELLED)
  const effects = await tx.one(readEffects(actor.policies), { id, ...before })
  return { ...outcome, effects: effects?.item as JsonText<never> }
}
