import type { Values } from '../../../catalogue/read-cells.ts'
import type { Desk } from '../../../imports/desk.ts'
import { changeRecord } from '../../../imports/engine/one-record.ts'
import type { ImportRow } from '../../../imports/engine/read-rows.ts'
import type { Importable, Rules, Stored } from '../../../imports/importable.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { statusOfSale } from '../verticals/tickets/document-states.ts'
import { tickets } from '../verticals/tickets/tickets.entity.ts'
import { listed } from './make-ticket-sale.ts'

const dropLines = statement(
  { account: pg.integer, booking: pg.uuid },
  {},
  'delete from booking_lines where account_id = $account and booking_id = $booking',
)

/** The same flight on the same day is the same leg, for any passenger. */
const legKey = ({ airline_code, flight_number, departure_airport, scheduled_departure }: Values) =>
  [airline_code, flight_number, departure_airport, scheduled_departure].join(' ')

const REFUSED = 'refused_by_database'
type After = { readonly refunds: readonly Values[]; readonly exchanges: readonly Values[] }

/** Refunds of unknown documents are a draft like any other, although their documents are refunded. */
function extended({ passengers, legs, status, ...stored }: Stored, requested: Values, after: After): Values {
  const all = [...(passengers as Values[]), ...((requested.passengers ?? []) as Values[])]
  const known = (legs ?? []) as Values[]
  const keys = new Set(known.map(legKey))
  const added = ((requested.legs ?? []) as Values[]).filter((leg) => !keys.has(legKey(leg)))
  return {
    passengers: all,
    status: after.refunds.length > 0 ? status : statusOfSale(all, status),
    ...(added.length > 0 && { legs: [...known, ...added] }),
    ...listed({
      refunds: [...((stored.refunds ?? []) as Values[]), ...after.refunds],
      exchanges: [...((stored.exchanges ?? []) as Values[]), ...after.exchanges],
    }),
  }
}

/** Ticket sales whose amendment adds passengers and legs, and prices the whole sale again. */
const extending = (after: After): Importable => ({
  ...tickets,
  async rules(tx, rows, context): Promise<Rules> {
    const asNew = rows.map(({ given, links, stored }) => {
      const { currency, transaction_date } = stored as Stored
      return { links, given: { ...given, currency, transaction_date }, stored: null }
    })
    const { complete } = (await tickets.rules?.(tx, asNew, context)) ?? {}
    return {
      amend(stored, requested) {
        const changes = extended(stored, requested, after)
        const { columns, ...made } = complete?.({ ...stored, ...changes }, stored.id) ?? {}
        return {
          ...made,
          changes: { ...changes, ...columns },
          accept() {
            made.accept?.()
            tx.later(dropLines, { booking: stored.id })
          },
        }
      },
    }
  },
})

/**
 * Adds passengers and new legs to a sale that is not yet sold, and prices it again, in the transaction that created it.
 * Undefined if the sale does not exist.
 */
export async function extendTicketSale(
  tx: AccountTx,
  id: string,
  { passengers, legs, ...after }: { readonly passengers: readonly Values[]; readonly legs: readonly Values[] } & After,
  desk: Desk,
): Promise<ImportRow | undefined> {
  const row = await changeRecord(tx, extending(after), id, { passengers, legs }, desk)
  // The old lines are gone by then, so nothing of it may stay.
  if (row?.errors.some(({ code }) => code === REFUSED)) throw new Error(`The database refused to extend sale ${id}.`)
  return row
}
