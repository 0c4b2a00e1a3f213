import type { Entity } from '../catalogue/entity.ts'
import type { AccountTx } from '../platform/db/database.ts'
import type { Write } from './write.ts'

/** A record that a batch has written. */
export type Written = Pick<Write, 'id' | 'values' | 'changes'>

/** An entity that can be imported, and what else its records bring about, for all records of a wave at once. */
export type Importable = {
  readonly entity: Entity
  settle?(tx: AccountTx, written: readonly Written[]): Promise<void>
}
