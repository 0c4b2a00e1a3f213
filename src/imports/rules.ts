import type { Issue } from '../catalogue/kind.ts'
import type { Values } from '../catalogue/read-cells.ts'
import type { AccountTx } from '../platform/db/database.ts'

/** What a row's record depends on beside the row. */
export type RowContext = {
  /** The company's currency, for rows that name none. */
  readonly currency: string
  /** The account's calendar day. */
  readonly today: string
  /** The transaction's time, UTC. */
  readonly now: string
}

/** A record that is there, as far as its amendment asks: its fields as `read` would answer them, and its state. */
export type Stored = Values & { readonly id: string; readonly status: string }

/** A row before it is decided on: its cells as read, the ids of the records that it names, and the record that it amends. */
export type RowAhead = {
  readonly given: Values
  readonly links: Readonly<Record<string, string | null>>
  readonly stored: Stored | null
}

/** What a row has decided on beside its own record. */
type Accepted = {
  /** Called once nothing is wrong with the row, so that the rows after it find what it takes and gives back. */
  accept?(): void
}

/** Columns that follow from a row, rows of tables that belong to the record, and what should be known about it. */
export type Completed = Accepted & {
  readonly columns: Values
  readonly children: readonly Values[]
  readonly warnings: readonly Issue[]
  readonly errors: readonly Issue[]
}
/** The fields and columns that change, or why none may. `reason` is the outcome's. */
export type Amendment = Accepted & {
  readonly changes: Values
  readonly errors: readonly Issue[]
  readonly warnings: readonly Issue[]
  readonly reason?: string
}

/**
 * What decides over rows. It is made for the rows of a wave, so that whatever it has to look up is looked up for all
 * of them at once, and asked in their order, so that a row can take what the next may then not have.
 */
export type Rules = {
  complete?(record: Values, id: string): Completed
  /** Absent for entities that take every change. */
  amend?(stored: Stored, wanted: Values): Amendment
}
export type RulesFor = (
  tx: AccountTx,
  rows: readonly RowAhead[],
  /** `source` is the namespace of the external ids that rows name; null where they come from no other system. */
  context: RowContext & { readonly source: string | null },
) => Rules | Promise<Rules>
