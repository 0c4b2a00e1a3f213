import type { Values } from '../../../catalogue/read-cells.ts'
import type { Desk } from '../../../imports/desk.ts'
import { makeRecord } from '../../../imports/engine/one-record.ts'
import type { ImportRow } from '../../../imports/engine/read-rows.ts'
import type { Importable } from '../../../imports/importable.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { statusWithRefunds } from '../verticals/tickets/document-states.ts'
import { tickets } from '../verticals/tickets/tickets.entity.ts'

export type NewTicketSale = {
  /** As in an import of tickets, except customer and supplier. Its status follows from the documents. */
  readonly row: Readonly<Record<string, unknown>> & { readonly passengers: readonly Values[] }
  readonly links: { readonly customer_id: string | null; readonly supplier_id: string | null }
  /** Documents that nothing but a refund is known of. */
  readonly refundsAlone: ReadonlySet<string>
  /** Fields of a sale that no import sets. */
  readonly refunds: readonly Values[]
  readonly exchanges: readonly Values[]
}

/** Creates a sale the way an import of tickets does. The row contains the outcome. */
export const makeTicketSale = (
  tx: AccountTx,
  { row, links, refundsAlone, refunds, exchanges }: NewTicketSale,
  desk: Desk,
): Promise<ImportRow> => {
  const status = statusWithRefunds(row.passengers, refundsAlone, 'draft')
  return makeRecord(tx, withColumns(listed({ refunds, exchanges })), { status, ...row }, desk, { links })
}

/** Lists that have something in them. */
export const listed = (lists: Readonly<Record<string, readonly Values[]>>): Values =>
  Object.fromEntries(Object.entries(lists).filter(([, items]) => items.length > 0))

const withColumns = (columns: Values): Importable => ({
  ...tickets,
  async rules(tx, rows, context) {
    const rules = (await tickets.rules?.(tx, rows, context)) ?? {}
    return {
      complete(record, id) {
        const completed = rules.complete?.(record, id) ?? {}
        return { ...completed, columns: { ...completed.columns, ...columns } }
      },
    }
  },
})
