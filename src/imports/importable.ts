import type { Entity } from '../catalogue/entity.ts'
import type { AccountTx } from '../platform/db/database.ts'
import type { RowContext, RulesFor } from './rules.ts'
import type { Undoable } from './undoable.ts'
import type { Write } from './write.ts'

/** A record that a batch has written; `before` is what it was, null for a new one. */
export type Written = Pick<Write, 'id' | 'values' | 'changes' | 'before'>

/** An entity that can be imported, the rules over its rows, and what its records bring about, for a whole wave at once. */
export type Importable = {
  readonly entity: Entity
  readonly rules?: RulesFor
  settle?(tx: AccountTx, written: readonly Written[], context: RowContext): Promise<void>
  readonly undo?: Undoable
}
