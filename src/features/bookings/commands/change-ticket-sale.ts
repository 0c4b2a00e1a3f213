import type { Values } from '../../../catalogue/read-cells.ts'
import type { Desk } from '../../../imports/desk.ts'
import { changeRecord } from '../../../imports/engine/one-record.ts'
import type { ImportRow } from '../../../imports/engine/read-rows.ts'
import type { Importable, Rules, Stored } from '../../../imports/importable.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { dropLines } from '../bookings.store.ts'
import { type MergedSale, mergeSale, type TicketSaleChange } from '../verticals/tickets/merge-sale.ts'
import { freeNumbers, freeSome } from '../verticals/tickets/ticket-numbers.store.ts'
import { tickets } from '../verticals/tickets/tickets.entity.ts'
import { listed } from './make-ticket-sale.ts'

const remove = statement(
  { account: pg.integer, booking: pg.uuid },
  {},
  'update bookings set deleted_at = now() where account_id = $account::integer and id = $booking',
)

/** What follows from flights and documents, where there are none. */
const UNDERIVED = { itinerary_type: null, international: null, first_issued_on: null, last_issued_on: null }
const REFUSED = 'refused_by_database'
/** `merged` is the outcome for the sale; the row has its errors and warnings. */
export type ChangedTicketSale = { readonly row: ImportRow; readonly stored: Stored; readonly merged: MergedSale }

/** Tickets whose amendment is a merge, and prices the sale again where its entries change. */
function merging(change: TicketSaleChange, done: (found: Omit<ChangedTicketSale, 'row'>) => void): Importable {
  return {
    ...tickets,
    async rules(tx, rows, context): Promise<Rules> {
      const stored = rows[0]?.stored as Stored
      const merged = mergeSale(stored, change)
      done({ stored, merged })
      if (merged.isEmpty) return { amend: () => ({ changes: {} }) }
      const { added, isPricedAgain } = merged
      const changes = { ...merged.changes, ...emptied(merged.changes) }
      if (!isPricedAgain) return { amend: () => ({ changes }) }
      const record = { ...stored, ...changes } as Values
      const asNew = rows.map(({ links }) => ({ links, given: { ...record, passengers: added }, stored: null }))
      const { complete } = (await tickets.rules?.(tx, asNew, context)) ?? {}
      return {
        amend() {
          const { columns, ...made } = complete?.(record, stored.id) ?? {}
          return {
            ...made,
            changes: { ...changes, ...UNDERIVED, ...columns },
            accept() {
              made.accept?.()
              tx.later(dropLines, { booking: stored.id })
            },
          }
        },
      }
    },
  }
}

/** Lists that have nothing in them are not kept. */
const emptied = ({ refunds, exchanges, legs }: Values): Values => {
  const lists = { refunds, exchanges, legs } as Readonly<Record<string, readonly Values[] | undefined>>
  const given = Object.entries(lists).filter(([, list]) => list !== undefined)
  const full = listed(Object.fromEntries(given) as Record<string, readonly Values[]>)
  return Object.fromEntries(given.map(([name]) => [name, full[name] ?? null]))
}

/** Frees numbers of these sales that go to others. All of them are written afterwards. */
export function freeTicketNumbers(tx: AccountTx, numbers: readonly string[], bookings: readonly string[]): void {
  if (numbers.length > 0) tx.later(freeSome, { numbers, bookings })
}

/**
 * Brings a sale to what captured files tell now. What the airline has done to its documents is done, so neither the
 * invoice lock nor the status transitions apply to that. A sale that is left without passengers is deleted.
 */
export async function changeTicketSale(
  tx: AccountTx,
  id: string,
  change: TicketSaleChange,
  desk: Desk,
): Promise<ChangedTicketSale> {
  const seen: Omit<ChangedTicketSale, 'row'>[] = []
  const row = await changeRecord(
    tx,
    merging(change, (each) => seen.push(each)),
    id,
    {},
    desk,
  )
  const [found] = seen
  // Lines and numbers are gone by then, so nothing of it may stay.
  if (!row || !found || row.errors.some(({ code }) => code === REFUSED))
    throw new Error(`The database refused to change ticket sale ${id}.`)
  if (found.merged.isEmpty) {
    tx.later(remove, { booking: id })
    await freeNumbers(tx, [id])
  }
  return { row, ...found }
}
