import type { AccountTx } from '../platform/db/database.ts'
import type { Statement } from '../platform/db/statement.ts'

/** What has to be heeded when records that an import made are deleted again. */
export type Undoable = {
  /** Those of `ids` that have to stay, and why, in a word: `has_bookings`, `invoiced` … */
  readonly keeps: Statement<{ account: number; ids: string[] }, { id: string; reason: string }>
  /** What follows from the deletion: seats are counted, ticket numbers become free. */
  settle?(tx: AccountTx, deleted: readonly string[]): Promise<void>
}
