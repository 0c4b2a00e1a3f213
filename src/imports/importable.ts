import type { Entity } from '../catalogue/entity.ts'
import type { Issue } from '../catalogue/kind.ts'
import type { Values } from '../catalogue/read-cells.ts'
import type { Policies } from '../platform/access/policies.ts'
import type { AccountTx } from '../platform/db/account-tx.ts'
import type { Statement } from '../platform/db/statement.ts'

/** An entity that can be imported, the rules over its rows, and what its records bring about, for a whole wave at once. */
export type Importable = {
  readonly entity: Entity
  readonly rules?: RulesFor
  afterWrite?(tx: AccountTx, written: readonly WrittenRecord[], context: RowContext): Promise<void>
  readonly revert?: Revert
}

/** The context of a row's record. */
export type RowContext = {
  /** The company's currency, for rows that name none. */
  readonly currency: string
  /** The account's calendar day, and its zone. */
  readonly today: string
  readonly timeZone: string
  /** The transaction's time, UTC. */
  readonly now: string
  /** The policies of the writer: no reply may depend on what these hide. */
  readonly policies: Policies
}

/** An existing record for its amendment: its fields as `read` would return them, and its status. */
export type Stored = Values & { readonly id: string; readonly status: string }

/** A row before it is decided on: its cells as read, the ids of the records that it names, and the record that it amends. */
export type RowAhead = {
  readonly given: Values
  readonly links: Readonly<Record<string, string | null>>
  readonly stored: Stored | null
}

/** The errors and warnings of a row, and what it claims. */
type Verdict = {
  readonly errors?: readonly Issue[]
  readonly warnings?: readonly Issue[]
  /** Called once nothing is wrong with the row, so that the rows after it find what it takes and gives back. */
  accept?(): void
}
/** Columns that follow from a row, and rows of tables that belong to its record. */
export type Completed = Verdict & { readonly columns?: Values; readonly children?: readonly Values[] }
/**
 * The changed fields and columns, or why nothing may change. `reason` is that of the outcome; `children` are added to
 * the existing ones.
 */
export type Amendment = Verdict & {
  readonly changes: Values
  readonly reason?: string
  readonly children?: readonly Values[]
}

/**
 * Decides about rows. It is made for the rows of a wave, so that look-ups are done for all of them at once, and called
 * in their order, so that a row can take what the next may not have.
 */
export type Rules = {
  complete?(record: Values, id: string): Completed
  /**
   * Absent for entities that accept every change. It has no side effects except in `accept`: for a writer who does not
   * see the whole record it is called twice, for the decision with the visible values, and for the changes with the
   * stored ones.
   */
  amend?(stored: Stored, changes: Values): Amendment
}
export type RulesFor = (
  tx: AccountTx,
  rows: readonly RowAhead[],
  /** `source` is the namespace of external ids in rows; null if there is none. */
  context: RowContext & { readonly source: string | null },
) => Rules | Promise<Rules>

/** A record that was written: all its columns by name, what of them changed, and what it was; null for a new one. */
export type WrittenRecord = {
  readonly id: string
  readonly values: Values
  readonly changes: Values
  readonly before: Stored | null
}

/** Constraints on deleting records that an import created. */
export type Revert = {
  /** Those of `ids` that must stay, each with a reason: `has_bookings`, `invoiced` … */
  readonly stays: Statement<{ account: number; ids: string[] }, { id: string; reason: string }>
  /** The consequences of the deletion: seats are counted, ticket numbers become free. */
  afterDelete?(tx: AccountTx, deleted: readonly string[]): Promise<void>
}
